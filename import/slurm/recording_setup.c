/* import/slurm/recording_setup.c - see recording_setup.h. */
#include "import/slurm/recording_setup.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/input.h"
#include "base/quantity.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

#define WORDS_MAX 256
#define NAMES_MAX 100000u
#define GPUS "gres/gpu="

/* Columns of both exports, with the words of the commands. */
static const char *const assoc_limits[] = {
    "GrpTRES",   "GrpTRESMins", "GrpTRESRunMins", "GrpJobs",
    "GrpSubmit", "GrpWall",     "MaxTRES",        "MaxTRESMins",
    "MaxJobs",   "MaxSubmit",   "MaxWall",
};
static const char *const qos_columns[] = {
    "Priority",       "GraceTime",      "Preempt",     "PreemptMode",
    "Flags",          "UsageFactor",    "GrpTRES",     "GrpTRESMins",
    "GrpTRESRunMins", "GrpJobs",        "GrpSubmit",   "GrpWall",
    "MaxTRES",        "MaxTRESPerNode", "MaxTRESMins", "MaxWall",
    "MaxTRESPU",      "MaxJobsPU",      "MaxSubmitPU", "MaxTRESPA",
    "MaxJobsPA",      "MaxSubmitPA",    "MinTRES",
};

enum { ASSOC_LIMITS = sizeof(assoc_limits) / sizeof(assoc_limits[0]) };
enum { QOS_COLUMNS = sizeof(qos_columns) / sizeof(qos_columns[0]) };
enum { SETTINGS = 32 }; /* at least as many */

enum what { ACCOUNT, USER, QOS, WHATS };

struct entity {
    enum what what;
    const char *name, *account; /* account: of a user */
    const char *share, *parent, *qos;
    const char *set[SETTINGS]; /* NULL: not stated */
    struct slurm_place at;
};

struct setup {
    struct slurm *s;
    struct entity *entity;
    uint32_t count, cap;
    struct gs_hash index; /* of entity[] */
    const char *word[WORDS_MAX];
    uint32_t words;
};

/* --- text ----------------------------------------------------------------- */

void recording_text_add(struct recording_text *t, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    assert(n >= 0);
    t->at = gs_array_grow(t->at, &t->cap, t->len + (uint32_t)n + 1, 1);
    va_start(ap, fmt);
    (void)vsnprintf(t->at + t->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    t->len += (uint32_t)n;
}

void recording_text_free(struct recording_text *t)
{
    gs_array_free(t->at);
    *t = (struct recording_text){ 0 };
}

/* --- commands ------------------------------------------------------------- */

/* Split a line at blanks; quotes around a value are left out. */
static void words_split(struct setup *u, const char *line)
{
    const char *p = line;

    u->words = 0;
    while (*p && *p != '#' && u->words < WORDS_MAX) {
        char *word, *to;

        p += strspn(p, " \t\r");
        if (!*p || *p == '#')
            break;
        word = to = gs_arena_strndup(u->s->arena, p, strcspn(p, " \t\r"));
        for (const char *from = word; *from; from++) {
            if (*from != '"' && *from != '\'' && *from != '|')
                *to++ = *from;
        }
        *to = '\0';
        p += strcspn(p, " \t\r");
        u->word[u->words++] = word;
    }
}

static enum what what_of(const char *word)
{
    static const char *const names[] = { "account", "user", "qos" };
    size_t len = strlen(word);

    if (len && strcasecmp(word, "qos") != 0
        && (word[len - 1] == 's' || word[len - 1] == 'S'))
        len--;
    for (int i = 0; i < WHATS; i++) {
        if (slurm_is_word(word, len, names[i]))
            return (enum what)i;
    }
    return WHATS;
}

/* An entity by its name; a user also by its account, NULL: its first. */
struct sought {
    const struct setup *u;
    enum what what;
    const char *name, *account;
};

static bool is_sought(const void *of, uint32_t at)
{
    const struct sought *k = of;
    const struct entity *e = &k->u->entity[at];

    return e->what == k->what && strcmp(e->name, k->name) == 0
           && (k->what != USER || !k->account
               || strcmp(e->account, k->account) == 0);
}

static uint64_t hash_of(const struct sought *k)
{
    uint64_t h = k->what;

    for (const char *p = k->name; *p; p++)
        h = gs_hash_mix(h, (unsigned char)*p);
    h = gs_hash_mix(h, 256);
    for (const char *p = k->what == USER ? k->account : NULL; p && *p; p++)
        h = gs_hash_mix(h, (unsigned char)*p);
    return h;
}

static struct entity *entity_find(const struct setup *u, enum what what,
                                  const char *name, const char *account)
{
    const struct sought k = { u, what, name, account };
    const uint32_t at = gs_hash_find(&u->index, hash_of(&k), is_sought, &k);

    return at == GS_HASH_NONE ? NULL : &u->entity[at];
}

static struct entity *entity_add(struct setup *u, enum what what,
                                 const char *name, const char *account)
{
    const struct sought k = { u, what, name, account };
    const struct sought first = { u, what, name, NULL };
    const bool is_first = what == USER && !entity_find(u, what, name, NULL);

    u->entity = gs_array_grow(u->entity, &u->cap, u->count + 1,
                              sizeof(*u->entity));
    u->entity[u->count] =
        (struct entity){ .what = what, .name = name, .account = account };
    gs_hash_put(&u->index, hash_of(&k), u->count);
    if (is_first && account)
        gs_hash_put(&u->index, hash_of(&first), u->count);
    return &u->entity[u->count++];
}

/* The value of KEY=VALUE; NULL: it is another word. */
static const char *value_of(const char *word, const char *key)
{
    const char *equals = strchr(word, '=');

    return equals && slurm_is_word(word, (size_t)(equals - word), key)
               ? equals + 1
               : NULL;
}

static void setting_take(struct setup *u, struct entity *e, const char *word)
{
    const char *const *column = e->what == QOS ? qos_columns : assoc_limits;
    const int columns = e->what == QOS ? QOS_COLUMNS : ASSOC_LIMITS;
    const char *v;

    for (int i = 0; i < columns; i++) {
        if ((v = value_of(word, column[i])) != NULL) {
            e->set[i] = v;
            return;
        }
    }
    if ((v = value_of(word, "fairshare")) != NULL)
        e->share = v;
    else if ((v = value_of(word, "parent")) != NULL)
        e->parent = v;
    else if ((v = value_of(word, "qos")) != NULL)
        e->qos = v;
    else if (!value_of(word, "account") && !value_of(word, "defaultqos")
             && !value_of(word, "defaultaccount")
             && !value_of(word, "description")
             && !value_of(word, "organization") && !value_of(word, "cluster"))
        slurm_tell(u->s, IMPORT_IGNORED, &e->at, "sacctmgr: %.60s", word);
}

/* The command's entity of that name and account, new with `adds`. */
static void entity_take(struct setup *u, enum what what, const char *name,
                        const char *account, bool adds, uint32_t first,
                        const struct slurm_place *at)
{
    struct entity *e = entity_find(u, what, name, account);

    if (!e && adds && u->count < NAMES_MAX)
        e = entity_add(u, what, name, account);
    if (!e) {
        slurm_tell(u->s, IMPORT_LEFT, at, "sacctmgr: there is no %.60s", name);
        return;
    }
    e->at = *at;
    for (uint32_t i = first; i < u->words; i++)
        setting_take(u, e, u->word[i]);
}

static const char *part_copy(const struct setup *u, const char *part,
                             size_t len)
{
    return gs_arena_strndup(u->s->arena, part, len);
}

/* For each name of the list, and each account that the words before `set` name.
 */
static void names_take(struct setup *u, enum what what, const char *names,
                       bool adds, uint32_t first, const struct slurm_place *at)
{
    const char *accounts = what == USER && adds ? "root" : NULL;
    const char *p = names, *part;
    uint32_t from = first;
    size_t len;

    for (uint32_t i = first; i < u->words; i++) {
        const char *v = value_of(u->word[i], "account");

        accounts = what == USER && v ? v : accounts;
        if (strcasecmp(u->word[i], "set") == 0)
            from = i + 1;
    }
    while ((part = slurm_part_next(&p, names + strlen(names), ',', &len))) {
        const char *name = part_copy(u, part, len), *a = accounts, *one;
        size_t n;

        if (!accounts) {
            entity_take(u, what, name, NULL, adds, from, at);
            continue;
        }
        while (
            (one = slurm_part_next(&a, accounts + strlen(accounts), ',', &n)))
            entity_take(u, what, name, part_copy(u, one, n), adds, from, at);
    }
}

static void command_take(struct setup *u, const struct slurm_place *at)
{
    uint32_t i = 0;
    enum what what;
    const char *verb;
    bool adds;

    while (i < u->words
           && (u->word[i][0] == '-' || strcmp(u->word[i], "sacctmgr") == 0))
        i++;
    if (i == u->words)
        return;
    verb = u->word[i];
    adds = strcasecmp(verb, "add") == 0 || strcasecmp(verb, "create") == 0;
    what = i + 2 < u->words ? what_of(u->word[i + 1]) : WHATS;
    if (what == WHATS || (!adds && strcasecmp(verb, "modify") != 0)) {
        slurm_tell(u->s, IMPORT_LEFT, at, "sacctmgr: %.40s %.40s", verb,
                   i + 1 < u->words ? u->word[i + 1] : "");
        return;
    }
    i += 2;
    if (strcasecmp(u->word[i], "where") == 0 && i + 1 < u->words)
        i++;
    names_take(u, what,
               value_of(u->word[i], "name") ? value_of(u->word[i], "name")
                                            : u->word[i],
               adds, i + 1, at);
}

/* --- limits that were refused --------------------------------------------- */

struct moment {
    const char *user; /* "": any */
    uint32_t at;
    bool is_start;
    uint64_t gpus;
};

static int by_user_and_time(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    const int user = strcmp(x->user, y->user);

    if (user)
        return user;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
                          : x->is_start - y->is_start;
}

/* Do the runs of the QOS, or those of one user of it, hold more GPUs at once?
 */
static bool is_exceeded(const struct recording_run *run, uint32_t runs,
                        const char *qos, bool is_of_user, uint64_t most)
{
    struct moment *m = gs_array_new(2 * (size_t)runs + 1, sizeof(*m));
    uint64_t held = 0;
    uint32_t n = 0;
    bool is = false;

    for (uint32_t i = 0; i < runs; i++) {
        const char *user = is_of_user ? run[i].user : "";

        if (strcmp(run[i].qos, qos) != 0)
            continue;
        m[n++] = (struct moment){ user, run[i].start, true, run[i].gpus };
        m[n++] = (struct moment){ user, run[i].end, false, run[i].gpus };
    }
    qsort(m, n, sizeof(*m), by_user_and_time);
    for (uint32_t i = 0; i < n && !is; i++) {
        if (i && strcmp(m[i].user, m[i - 1].user) != 0)
            held = 0;
        if (m[i].is_start)
            is = (held += m[i].gpus) > most;
        else
            held -= held < m[i].gpus ? held : m[i].gpus;
    }
    gs_array_free(m);
    return is;
}

/* The limit on GPUs in a list of limits; false: there is none. */
static bool gpus_of(const char *list, uint64_t *most)
{
    const char *p = list, *part;
    size_t len;

    while ((part = slurm_part_next(&p, list + strlen(list), ',', &len))) {
        const size_t n = sizeof(GPUS) - 1;

        if (len > n && strncasecmp(part, GPUS, n) == 0
            && gs_quantity_parse_u64(part + n, len - n, most) == 0)
            return true;
    }
    return false;
}

static void refused_drop(struct setup *u, struct entity *e,
                         const struct recording_run *run, uint32_t runs)
{
    for (int i = 0; i < QOS_COLUMNS; i++) {
        const bool is_of_user = strcmp(qos_columns[i], "MaxTRESPU") == 0;
        uint64_t most;

        if ((!is_of_user && strcmp(qos_columns[i], "GrpTRES") != 0)
            || !e->set[i] || !gpus_of(e->set[i], &most)
            || !is_exceeded(run, runs, e->name, is_of_user, most))
            continue;
        slurm_tell(u->s, IMPORT_ASSUMED, &e->at,
                   "%s=%.60s of QOS %.60s was not in force, as the record "
                   "exceeds it (sacctmgr refuses gres/gpu before the daemon's "
                   "first start)",
                   qos_columns[i], e->set[i], e->name);
        e->set[i] = NULL;
    }
}

/* --- exports -------------------------------------------------------------- */

static void header_put(struct recording_text *t, const char *first,
                       const char *const *column, int columns)
{
    recording_text_add(t, "%s", first);
    for (int i = 0; i < columns; i++)
        recording_text_add(t, "|%s", column[i]);
    recording_text_add(t, "\n");
}

static void row_end(struct recording_text *t, const struct entity *e,
                    int columns)
{
    for (int i = 0; i < columns; i++)
        recording_text_add(t, "|%s", e->set[i] ? e->set[i] : "");
    recording_text_add(t, "\n");
}

static void assoc_put(const struct setup *u, struct recording_text *t)
{
    static const struct entity none;

    header_put(t, "Cluster|Account|User|Share|ParentName|QOS", assoc_limits,
               ASSOC_LIMITS);
    recording_text_add(t, "recorded|root||1||normal");
    row_end(t, &none, ASSOC_LIMITS);
    recording_text_add(t, "recorded|root|root|1||normal");
    row_end(t, &none, ASSOC_LIMITS);
    for (int what = ACCOUNT; what <= USER; what++) {
        for (uint32_t i = 0; i < u->count; i++) {
            const struct entity *e = &u->entity[i];
            const bool is_user = what == USER;

            if ((int)e->what != what)
                continue;
            recording_text_add(
                t, "recorded|%s|%s|%s|%s|%s", is_user ? e->account : e->name,
                is_user ? e->name : "", e->share ? e->share : "1",
                is_user     ? ""
                : e->parent ? e->parent
                            : "root",
                e->qos ? e->qos : "");
            row_end(t, e, ASSOC_LIMITS);
        }
    }
}

static void qos_put(const struct setup *u, struct recording_text *t)
{
    static const struct entity none;

    header_put(t, "Name", qos_columns, QOS_COLUMNS);
    if (!entity_find(u, QOS, "normal", NULL)) {
        recording_text_add(t, "normal");
        row_end(t, &none, QOS_COLUMNS);
    }
    for (uint32_t i = 0; i < u->count; i++) {
        if (u->entity[i].what != QOS)
            continue;
        recording_text_add(t, "%s", u->entity[i].name);
        row_end(t, &u->entity[i], QOS_COLUMNS);
    }
}

int recording_setup_read(struct slurm *s, struct gs_input *in,
                         const struct recording_run *run, uint32_t runs,
                         struct recording_text *assoc,
                         struct recording_text *qos, struct gs_err *err)
{
    struct setup *u = gs_array_new(1, sizeof(*u));
    char *line;
    size_t len;
    int rc;

    u->s = s;
    while ((rc = gs_input_line(in, &line, &len, err)) > 0) {
        const struct slurm_place at = slurm_place_at(
            s, gs_input_line_number(in), 0);

        words_split(u, line);
        command_take(u, &at);
    }
    for (uint32_t i = 0; rc == 0 && i < u->count; i++) {
        if (u->entity[i].what == QOS)
            refused_drop(u, &u->entity[i], run, runs);
    }
    if (rc == 0) {
        assoc_put(u, assoc);
        qos_put(u, qos);
    }
    gs_array_free(u->entity);
    gs_hash_free(&u->index);
    gs_array_free(u);
    return rc;
}
