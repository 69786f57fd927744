#include "tests/lib/kube_words.h"

/* As the notes of the vectors say. */
static const struct {
    const char *name;
    int32_t value;
} kube_priorities[] = {
    { "neg", -100 },  { "low", 0 },       { "mid", 100 },
    { "high", 1000 }, { "vhigh", 10000 },
};

static const struct {
    const char *name;
    unsigned milli;
} kube_sizes[] = {
    { "small", 100 },
    { "medium", 200 },
    { "large", 300 },
    { "vlarge", 500 },
};

/* --- reading -------------------------------------------------------------- */

bool number_behind(const char *text, const char *word, unsigned *n)
{
    const size_t len = strlen(word);
    char *end;

    if (strncmp(text, word, len) != 0 || !isdigit((unsigned char)text[len]))
        return false;
    *n = (unsigned)strtoul(text + len, &end, 10);
    return *end == '\0';
}

static bool is_one_of(const char *word, const char *const *known)
{
    while (*known && strcmp(word, *known) != 0)
        known++;
    return *known != NULL;
}

/* What a word says of a pod; false when it says nothing that is known. */
static bool word_read(struct pod *p, const char *word)
{
    static const char *const silent[] = { "on",  "single",      "group", "same",
                                          "PDB", "terminating", NULL };
    unsigned n;

    for (size_t i = 0; i < N_ELEMENTS(kube_priorities); i++) {
        if (strcmp(word, kube_priorities[i].name) == 0) {
            p->priority = kube_priorities[i].value;
            return true;
        }
    }
    for (size_t i = 0; i < N_ELEMENTS(kube_sizes); i++) {
        if (strcmp(word, kube_sizes[i].name) == 0) {
            p->size = kube_sizes[i].milli;
            return true;
        }
    }
    if (number_behind(word, "node", &n))
        snprintf(p->node, sizeof(p->node), "%s", word);
    else if (number_behind(word, "pg", &n))
        snprintf(p->group, sizeof(p->group), "%s", word);
    else if (!number_behind(word, "start", &p->start))
        return is_one_of(word, silent);
    return true;
}

const char *word_next(const char *text, char *word, size_t size)
{
    size_t n = 0;

    while (*text && strchr(" ,(", *text)) {
        if (*text == '(')
            text += strcspn(text, ")");
        else
            text++;
        text += *text == ')';
    }
    while (*text && !strchr(" ,(", *text) && n + 1 < size)
        word[n++] = *text++;
    word[n] = '\0';
    return text;
}

/* What a text says of a pod, beside its name: "low small start2". */
static void pod_words(const struct vector *v, struct pod *p, const char *text)
{
    char word[PODS_NAME];

    for (;;) {
        text = word_next(text, word, sizeof(word));
        if (!word[0])
            return;
        if (!word_read(p, word))
            vector_fails(v, "an unknown word", word);
    }
}

struct pod *pod_read(const struct vector *v, struct pods *s,
                     const struct gs_ynode *n, const char *node)
{
    struct pod *p = &s->pod[s->count++];
    const char *text = n->text, *allowance;

    CU_ASSERT_FATAL(s->count < PODS_MAX);
    snprintf(p->node, sizeof(p->node), "%s", node);
    snprintf(p->name, sizeof(p->name), "v%u", s->count);
    for (const struct gs_ynode *k = n->child; k; k = k->next) {
        if (strcmp(k->key->text, "start") == 0)
            p->start = (unsigned)strtoul(k->text, NULL, 10);
        else if (strcmp(k->key->text, "name") == 0)
            snprintf(p->name, sizeof(p->name), "%s", k->text);
        else
            pod_words(v, p, k->text);
    }
    if (n->kind != GS_YSCALAR)
        return p;
    if (strchr(text, ' '))
        text = word_next(text, p->name, sizeof(p->name));
    pod_words(v, p, text);
    allowance = strstr(text, "(PDB allows ");
    if (allowance) {
        s->allowed[s->budgets] = (unsigned)strtoul(
            allowance + strlen("(PDB allows "), NULL, 10);
        p->budget = ++s->budgets;
    }
    return p;
}

void node_add(struct pods *s, const char *name, unsigned size)
{
    struct pods_node *n = &s->node[s->node_count++];

    CU_ASSERT_FATAL(s->node_count < PODS_MAX);
    snprintf(n->name, sizeof(n->name), "%s", name);
    n->size = size;
}

void own_read(const struct vector *v, struct pods *s, const char *text)
{
    static const char *const silent[] = {
        "of", "pod", "pods", "to", "second", "PreemptLowerPriority", NULL
    };
    bool is_avoiding = false, is_nominated = false;
    char word[PODS_NAME];

    s->own_count = 1;
    snprintf(s->own.name, sizeof(s->own.name), "own");
    for (;;) {
        text = word_next(text, word, sizeof(word));
        if (!word[0])
            return;
        if (isdigit((unsigned char)word[0]))
            s->own_count = (unsigned)strtoul(word, NULL, 10);
        else if (strcmp(word, "anti-affinity") == 0)
            is_avoiding = true;
        else if (strcmp(word, "Never") == 0
                 || strcmp(word, "PreemptNever") == 0)
            s->never = true;
        else if (strcmp(word, "nominated") == 0)
            is_nominated = true; /* nothing is nominated here */
        else if (is_nominated
                 && (strcmp(word, "on") == 0 || strncmp(word, "node", 4) == 0))
            continue;
        else if (is_avoiding && word[0] == 'p')
            snprintf(s->avoid, sizeof(s->avoid), "%s", word);
        else if (!is_one_of(word, silent) && !word_read(&s->own, word))
            vector_fails(v, "an unknown word", word);
    }
}
