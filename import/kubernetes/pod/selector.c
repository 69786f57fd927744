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
#include "import/kubernetes/pod/name_space.h"
#include "import/kubernetes/pod/pod_template.h"

struct selector {
    uint32_t space; /* its own namespace; 0: it looks at others */
    struct kube_selection of;
    uint32_t label;  /* "pods-N=selected"; 0: it needs none yet */
    uint32_t group;  /* of tasks that it selects; 0: none yet */
    bool is_shared;  /* it selects another one, too */
    uint32_t anchor; /* number of the text "key=value" of a label that it needs;
                        0: none */
};

/* Selectors and anchors are numbered by texts. */
struct kube_selectors {
    struct gs_strtab *texts, *anchors;
    struct selector *at;
    uint32_t count, cap, labels;
    uint32_t *first, first_cap; /* [anchor] selector and 1 */
    uint32_t *next, next_cap;   /* [selector] another of its anchor and 1 */
    bool is_linked, has_added;
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

static void conditions_put(FILE *out, const struct kube_conditions *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const struct topo_condition *c = &all->at[i];

        fprintf(out, ";%u %d %lld", c->key, (int)c->op, (long long)c->number);
        for (uint32_t v = 0; v < c->value_count; v++)
            fprintf(out, ",%u", c->value[v]);
    }
}

/* Its number among texts that tell selectors apart. */
static uint32_t number_of(struct kube_selectors *s, uint32_t space,
                          const struct kube_selection *of)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    uint32_t id;

    if (!out)
        gs_no_memory();
    fprintf(out, "%u %u", space, of->spaces);
    conditions_put(out, &of->pods);
    if (of->picks) {
        fputs(";of", out);
        conditions_put(out, &of->named);
    }
    if (fclose(out) != 0)
        gs_no_memory();
    id = gs_strtab_put(s->texts, text, size);
    free(text);
    return id - 1; /* number 0 is that of "" */
}

static struct selector *selector_of(struct kube_selectors *s,
                                    const struct kube_template *t,
                                    const struct kube_selection *of)
{
    const uint32_t space = of->spaces || of->picks ? 0 : t->space;
    const uint32_t id = number_of(s, space, of);

    assert(!s->is_linked || id < s->count);
    if (id < s->count)
        return &s->at[id];
    s->at = gs_array_grow(s->at, &s->cap, id + 1, sizeof(*s->at));
    s->at[id] = (struct selector){ .space = space,
                                   .of = *of,
                                   .anchor = anchor_of(s, &of->pods) };
    s->count = id + 1;
    return &s->at[id];
}

static uint32_t label_of(struct kube *k, struct kube_selectors *s,
                         struct selector *x)
{
    char label[32];

    if (!x->label) {
        (void)snprintf(label, sizeof(label), "pods-%u=selected", ++s->labels);
        x->label = kube_put(k, label);
    }
    return x->label;
}

uint32_t kube_selector_put(struct kube *k, struct kube_selectors *s,
                           const struct kube_template *t,
                           const struct kube_selection *of)
{
    return label_of(k, s, selector_of(s, t, of));
}

void kube_selector_add(struct kube_selectors *s, const struct kube_template *t,
                       const struct kube_selection *of)
{
    (void)selector_of(s, t, of);
    s->has_added = true;
}

bool kube_selectors_has_added(const struct kube_selectors *s)
{
    return s->has_added;
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

static bool selects(struct kube *k, const struct selector *x,
                    const struct kube_template *t)
{
    const char *spaces = kube_str(k, x->of.spaces);

    if (x->space ? x->space != t->space
                 : strcmp(spaces, "*") != 0
                       && !is_among(spaces, kube_str(k, t->space))
                       && !(x->of.picks
                            && kube_space_meets(k, t->space, &x->of.named)))
        return false;
    return kube_conditions_hold(k, &x->of.pods, &t->labels);
}

/* Call `each` for the selectors that select pods of `t`, until it returns
 * false.
 */
static bool selectors_each(struct kube *k, struct kube_selectors *s,
                           const struct kube_template *t, void *ctx,
                           bool (*each)(void *ctx, struct selector *x))
{
    if (s->count && !s->is_linked)
        link_all(s);
    for (uint32_t i = 0; s->count && i <= t->labels.count; i++) {
        uint32_t anchor = 0; /* of those that need no label */

        if (i > 0) {
            char text[32];
            const int len = snprintf(text, sizeof(text), "%u=%u",
                                     t->labels.at[i - 1].key,
                                     t->labels.at[i - 1].value);

            anchor = gs_strtab_find(s->anchors, text, (size_t)len);
        }
        if (anchor == GS_STRTAB_NONE)
            continue;
        for (uint32_t x = s->first[anchor]; x; x = s->next[x - 1]) {
            if (selects(k, &s->at[x - 1], t) && !each(ctx, &s->at[x - 1]))
                return false;
        }
    }
    return true;
}

static bool group_note(void *ctx, struct selector *x)
{
    const uint32_t *group = ctx;

    x->is_shared |= x->group && x->group != *group;
    x->group = *group;
    return true;
}

void kube_selectors_note(struct kube *k, struct kube_selectors *s,
                         const struct kube_template *t, uint32_t group)
{
    assert(group > 0);
    (void)selectors_each(k, s, t, &group, group_note);
}

uint32_t kube_selector_label(struct kube *k, struct kube_selectors *s,
                             const struct kube_template *t,
                             const struct kube_selection *of)
{
    struct selector *x = selector_of(s, t, of);

    return x->is_shared || !selects(k, x, t) ? label_of(k, s, x) : 0;
}

struct labels {
    uint32_t *at, *count, max;
};

/* False when there is no room for it. */
static bool label_take(void *ctx, struct selector *x)
{
    const struct labels *l = ctx;

    for (uint32_t i = 0; i < *l->count; i++) {
        if (l->at[i] == x->label)
            return true;
    }
    if (x->label && *l->count == l->max)
        return false;
    if (x->label)
        l->at[(*l->count)++] = x->label;
    return true;
}

bool kube_selectors_match(struct kube *k, struct kube_selectors *s,
                          const struct kube_template *t, uint32_t *label,
                          uint32_t *count, uint32_t max)
{
    struct labels l = { label, count, max };

    return selectors_each(k, s, t, &l, label_take);
}
