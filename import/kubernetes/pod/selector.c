/* import/kubernetes/pod/selector.c - selectors of pods as labels of jobs. */
#include "import/kubernetes/pod/selector.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"

struct selector {
    uint32_t space, spaces; /* its own namespace; those that it looks at */
    struct kube_conditions pods;
    uint32_t label;  /* "pods-N=selected" */
    uint32_t anchor; /* number of the text "key=value" of a label that it needs;
                        0: none */
};

/* Selectors and anchors are numbered by texts. */
struct kube_selectors {
    struct gs_strtab *texts, *anchors;
    struct selector *at;
    uint32_t count, cap;
    uint32_t *first, first_cap; /* [anchor] selector and 1 */
    uint32_t *next, next_cap;   /* [selector] another of its anchor and 1 */
    bool is_linked;
};

struct kube_selectors *kube_selectors_create(void)
{
    struct kube_selectors *s = gs_array_new(1, sizeof(*s));

    s->texts = gs_strtab_create();
    s->anchors = gs_strtab_create();
    return s;
}

void kube_selectors_destroy(struct kube_selectors *s)
{
    if (!s)
        return;
    gs_strtab_destroy(s->texts);
    gs_strtab_destroy(s->anchors);
    gs_array_free(s->at);
    gs_array_free(s->first);
    gs_array_free(s->next);
    gs_array_free(s);
}

static uint32_t anchor_put(struct kube_selectors *s, uint32_t key,
                           uint32_t value)
{
    char text[32];
    const int len = snprintf(text, sizeof(text), "%u=%u", key, value);

    return gs_strtab_put(s->anchors, text, (size_t)len);
}

static uint32_t anchor_of(struct kube_selectors *s,
                          const struct kube_conditions *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->at[i].op == TOPO_IN && c->at[i].value_count == 1)
            return anchor_put(s, c->at[i].key, c->at[i].value[0]);
    }
    return 0;
}

/* Its number among texts that tell selectors apart. */
static uint32_t number_of(struct kube_selectors *s, uint32_t space,
                          const struct kube_near *near)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    uint32_t id;

    if (!out)
        gs_no_memory();
    fprintf(out, "%u %u", space, near->spaces);
    for (uint32_t i = 0; i < near->pods.count; i++) {
        const struct topo_condition *c = &near->pods.at[i];

        fprintf(out, ";%u %d %lld", c->key, (int)c->op, (long long)c->number);
        for (uint32_t v = 0; v < c->value_count; v++)
            fprintf(out, ",%u", c->value[v]);
    }
    if (fclose(out) != 0)
        gs_no_memory();
    id = gs_strtab_put(s->texts, text, size);
    free(text);
    return id - 1; /* number 0 is that of "" */
}

uint32_t kube_selector_put(struct kube *k, struct kube_selectors *s,
                           const struct kube_template *t,
                           const struct kube_near *near)
{
    const uint32_t space = near->spaces ? 0 : t->space;
    const uint32_t id = number_of(s, space, near);
    char label[32];

    assert(!s->is_linked || id < s->count);
    if (id < s->count)
        return s->at[id].label;
    (void)snprintf(label, sizeof(label), "pods-%u=selected", id + 1);
    s->at = gs_array_grow(s->at, &s->cap, id + 1, sizeof(*s->at));
    s->at[id] = (struct selector){ space, near->spaces, near->pods,
                                   kube_put(k, label),
                                   anchor_of(s, &near->pods) };
    s->count = id + 1;
    return s->at[id].label;
}

/* Chain the selectors of each anchor. */
static void link_all(struct kube_selectors *s)
{
    const uint32_t anchors = gs_strtab_count(s->anchors);

    s->is_linked = true;
    s->first = gs_array_grow(s->first, &s->first_cap, anchors + 1,
                             sizeof(*s->first));
    s->next = gs_array_grow(s->next, &s->next_cap, s->count + 1,
                            sizeof(*s->next));
    for (uint32_t i = s->count; i-- > 0;) {
        s->next[i] = s->first[s->at[i].anchor];
        s->first[s->at[i].anchor] = i + 1;
    }
}

/* Is `space` among the names joined by ','? */
static bool is_among(const char *joined, const char *space)
{
    const size_t len = strlen(space);

    for (const char *s = joined; *s; s += strcspn(s, ","), s += *s == ',') {
        if (strcspn(s, ",") == len && memcmp(s, space, len) == 0)
            return true;
    }
    return false;
}

static bool selects(const struct kube *k, const struct selector *x,
                    const struct kube_template *t)
{
    const char *spaces = kube_str(k, x->spaces);

    if (x->spaces ? strcmp(spaces, "*") != 0
                        && !is_among(spaces, kube_str(k, t->space))
                  : x->space != t->space)
        return false;
    return kube_conditions_hold(k, &x->pods, &t->labels);
}

/* False when there was no room for all. */
static bool anchor_match(const struct kube *k, const struct kube_selectors *s,
                         uint32_t anchor, const struct kube_template *t,
                         uint32_t *label, uint32_t *count, uint32_t max)
{
    for (uint32_t i = s->first[anchor]; i; i = s->next[i - 1]) {
        const struct selector *x = &s->at[i - 1];
        bool is_there = false;

        for (uint32_t l = 0; l < *count; l++)
            is_there = is_there || label[l] == x->label;
        if (is_there || !selects(k, x, t))
            continue;
        if (*count == max)
            return false;
        label[(*count)++] = x->label;
    }
    return true;
}

bool kube_selectors_match(const struct kube *k, struct kube_selectors *s,
                          const struct kube_template *t, uint32_t *label,
                          uint32_t *count, uint32_t max)
{
    bool fit = true;

    if (s->count == 0)
        return true;
    if (!s->is_linked)
        link_all(s);
    fit = anchor_match(k, s, 0, t, label, count, max);
    for (uint32_t i = 0; i < t->labels.count && fit; i++) {
        char text[32];
        const int len = snprintf(text, sizeof(text), "%u=%u",
                                 t->labels.at[i].key, t->labels.at[i].value);
        const uint32_t anchor = gs_strtab_find(s->anchors, text, (size_t)len);

        if (anchor != GS_STRTAB_NONE)
            fit = anchor_match(k, s, anchor, t, label, count, max);
    }
    return fit;
}
