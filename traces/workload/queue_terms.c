/* traces/workload/queue_terms.c - see queue_terms.h. */
#include "traces/workload/queue_terms.h"
#include "traces/workload/by_name.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "traces/workload/workload.h"

static const char *const trace_words_order[] = { "fifo", "fair", NULL };
static const char *const trace_words_preemption[] = { "any", "fence", "off",
                                                      NULL };
const char *const trace_term_own_names[] = { "never", "lower", "lower-or-newer",
                                             NULL };
const char *const trace_term_victims_names[] = { "never", "lower",
                                                 "lower-or-newer", "any",
                                                 NULL };
const char *const trace_term_prefers_names[] = { "borrowing", "evicting",
                                                 NULL };

#define INFO(member, ...) [TRACE_TERM_##member] = { __VA_ARGS__ },
const struct trace_term_info trace_term_info[TRACE_QUEUE_TERMS] = {
    TRACE_QUEUE_TERMS_LIST(INFO)
};

_Static_assert(TOPO_DIMS_MAX == 16, "NO_LIMIT is of all dimensions");
#define NO_LIMIT                                                       \
    {                                                                  \
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 \
    }
#define FALLBACK(member, key, type, fallback, ...) \
    [TRACE_TERM_##member] = (fallback),

static const struct trace_queue_extra defaults = {
    .borrow = NO_LIMIT,
    .lend = NO_LIMIT,
    .over_quota = NO_LIMIT,
    .term = { TRACE_QUEUE_TERMS_LIST(FALLBACK) },
};

const struct trace_queue_extra *trace_queue_extra(
    const struct trace_workload *w, const struct trace_queue *q)
{
    assert(q->extra <= w->terms->queue_extra_count);
    return q->extra ? &w->terms->queue_extra[q->extra - 1] : &defaults;
}

struct trace_queue_extra *trace_queue_extra_put(struct trace_workload *w,
                                                struct trace_queue *q)
{
    struct trace_queue_tables *all = w->terms;

    if (!q->extra) {
        all->queue_extra = gs_array_grow(
            all->queue_extra, &all->queue_extra_cap, all->queue_extra_count + 1,
            sizeof(*all->queue_extra));
        all->queue_extra[all->queue_extra_count++] = defaults;
        q->extra = all->queue_extra_count;
    }
    return &all->queue_extra[q->extra - 1];
}

void trace_queue_extra_take(struct trace_workload *w, struct trace_queue *q,
                            const struct trace_workload *from,
                            const struct trace_queue *of)
{
    const struct trace_queue_extra *x = trace_queue_extra(from, of);
    struct trace_queue_extra *to;

    if (!of->extra)
        return;
    to = trace_queue_extra_put(w, q);
    *to = *x;
    to->flavor_count = to->user_limits = 0;
    for (uint32_t i = 0; i < x->flavor_count; i++) {
        const struct trace_queue_flavor *f =
            &from->terms->queue_flavor[x->first_flavor + i];
        const uint32_t flavor = trace_flavor_put(
            w, from->terms->flavor[f->flavor].name);
        struct trace_queue_flavor *added = trace_queue_flavor_add(w, to,
                                                                  flavor);

        *added = *f;
        added->flavor = flavor;
    }
    for (uint32_t i = 0; i < x->user_limits; i++) {
        const struct trace_user_limit *l =
            &from->terms->user_limit[x->first_user_limit + i];
        struct trace_user_limit *added = trace_user_limit_add(
            w, to, from->terms->limited + l->first_name, l->users, l->groups);

        memcpy(added->limit, l->limit, sizeof(l->limit));
        added->max_jobs = l->max_jobs;
    }
}

static bool same_flavors(const struct trace_workload *a,
                         const struct trace_queue_extra *x,
                         const struct trace_workload *b,
                         const struct trace_queue_extra *y)
{
    bool same = x->flavor_count == y->flavor_count;

    for (uint32_t i = 0; same && i < x->flavor_count; i++) {
        const struct trace_queue_flavor *f =
            &a->terms->queue_flavor[x->first_flavor + i];
        const struct trace_queue_flavor *g =
            &b->terms->queue_flavor[y->first_flavor + i];

        same = a->terms->flavor[f->flavor].name
                   == b->terms->flavor[g->flavor].name
               && memcmp(f->guarantee, g->guarantee, sizeof(f->guarantee)) == 0
               && memcmp(f->borrow, g->borrow, sizeof(f->borrow)) == 0
               && memcmp(f->lend, g->lend, sizeof(f->lend)) == 0;
    }
    return same;
}

static bool same_user_limits(const struct trace_workload *a,
                             const struct trace_queue_extra *x,
                             const struct trace_workload *b,
                             const struct trace_queue_extra *y)
{
    bool same = x->user_limits == y->user_limits;

    for (uint32_t i = 0; same && i < x->user_limits; i++) {
        const struct trace_user_limit *l =
            &a->terms->user_limit[x->first_user_limit + i];
        const struct trace_user_limit *m =
            &b->terms->user_limit[y->first_user_limit + i];

        same = l->users == m->users && l->groups == m->groups
               && l->max_jobs == m->max_jobs
               && memcmp(l->limit, m->limit, sizeof(l->limit)) == 0
               && gs_array_same(a->terms->limited + l->first_name,
                                b->terms->limited + m->first_name,
                                l->users + l->groups,
                                sizeof(*a->terms->limited));
    }
    return same;
}

bool trace_queue_extra_same(const struct trace_workload *a,
                            const struct trace_queue *q,
                            const struct trace_workload *b,
                            const struct trace_queue *r)
{
    const struct trace_queue_extra *x = trace_queue_extra(a, q);
    const struct trace_queue_extra *y = trace_queue_extra(b, r);
    bool same = memcmp(x->borrow, y->borrow, sizeof(x->borrow)) == 0
                && memcmp(x->lend, y->lend, sizeof(x->lend)) == 0
                && memcmp(x->term, y->term, sizeof(x->term)) == 0;

    for (int d = 0; d < TOPO_DIMS_MAX; d++)
        same = same && x->over_quota[d] <= y->over_quota[d]
               && x->over_quota[d] >= y->over_quota[d];
    return same && same_flavors(a, x, b, y) && same_user_limits(a, x, b, y);
}

/* --- flavors -------------------------------------------------------------- */

uint32_t trace_flavor_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->terms->flavor_by, w->terms->flavor_by_cap, name);
}

uint32_t trace_flavor_put(struct trace_workload *w, uint32_t name)
{
    struct trace_queue_tables *all = w->terms;
    const uint32_t found = trace_flavor_find(w, name);

    if (found != TRACE_NONE)
        return found;
    all->flavor = gs_array_grow(all->flavor, &all->flavor_cap,
                                all->flavor_count + 1, sizeof(*all->flavor));
    all->flavor[all->flavor_count] = (struct trace_flavor){ .name = name };
    trace_by_name_put(&all->flavor_by, &all->flavor_by_cap, name,
                      all->flavor_count);
    return all->flavor_count++;
}

void trace_flavor_take(struct trace_workload *w, const struct trace_flavor *of)
{
    const uint32_t known = w->terms->flavor_count;
    const uint32_t at = trace_flavor_put(w, of->name);
    struct trace_flavor *f = &w->terms->flavor[at];

    if (at < known)
        return;
    *f = *of;
    f->label = gs_arena_memdup(w->arena, of->label,
                               of->label_count * sizeof(*f->label));
    f->taint = gs_arena_memdup(w->arena, of->taint,
                               of->taint_count * sizeof(*f->taint));
    f->toleration = gs_arena_memdup(w->arena, of->toleration,
                                    of->toleration_count
                                        * sizeof(*f->toleration));
}

static bool same_taints(const struct topo_taint *a, const struct topo_taint *b,
                        uint32_t count)
{
    bool same = true;

    for (uint32_t i = 0; i < count; i++)
        same = same && a[i].key == b[i].key && a[i].value == b[i].value
               && a[i].effect == b[i].effect;
    return same;
}

bool trace_flavor_same(const struct trace_flavor *a,
                       const struct trace_flavor *b)
{
    return a->name == b->name && a->of == b->of
           && a->label_count == b->label_count
           && a->taint_count == b->taint_count
           && a->toleration_count == b->toleration_count
           && gs_array_same(a->label, b->label, a->label_count,
                            sizeof(*a->label))
           && same_taints(a->taint, b->taint, a->taint_count)
           && same_taints(a->toleration, b->toleration, a->toleration_count);
}

static void flavor_select(struct trace_workload *w,
                          const struct trace_flavor *f)
{
    struct topo_condition *c = gs_array_new(f->label_count, sizeof(*c));
    const struct topo_request r = { .selector = c,
                                    .selector_count = f->label_count };

    for (uint32_t i = 0; i < f->label_count; i++)
        c[i] = (struct topo_condition){ .key = f->label[i].key,
                                        .op = TOPO_IN,
                                        .value_count = 1,
                                        .value = &f->label[i].value };
    (void)trace_workload_shape(w, &r);
    gs_array_free(c);
}

static bool has_toleration(const struct topo_request *r,
                           const struct topo_taint *t)
{
    bool has = false;

    for (uint32_t i = 0; i < r->toleration_count && !has; i++)
        has = same_taints(&r->toleration[i], t, 1);
    return has;
}

/* The shape, lent the tolerations of all flavors of the queue. */
static uint32_t shape_tolerating(struct trace_workload *w, uint32_t shape,
                                 const struct trace_queue_extra *x)
{
    struct topo_request r = w->shape[shape];
    const uint32_t own = r.toleration_count - r.lent_tolerations;
    uint32_t most = own;
    struct topo_taint *t;

    for (uint32_t i = 0; i < x->flavor_count; i++)
        most += w->terms
                    ->flavor[w->terms->queue_flavor[x->first_flavor + i].flavor]
                    .toleration_count;
    t = gs_array_new(most, sizeof(*t));
    if (own)
        memcpy(t, r.toleration, own * sizeof(*t));
    r.toleration = t;
    r.toleration_count = own;
    for (uint32_t i = 0; i < x->flavor_count; i++) {
        const struct trace_flavor *f =
            &w->terms
                 ->flavor[w->terms->queue_flavor[x->first_flavor + i].flavor];

        for (uint32_t k = 0; k < f->toleration_count; k++) {
            if (!has_toleration(&r, &f->toleration[k]))
                t[r.toleration_count++] = f->toleration[k];
        }
    }
    r.lent_tolerations = r.toleration_count - own;
    shape = trace_workload_shape(w, &r);
    gs_array_free(t);
    return shape;
}

void trace_flavors_finish(struct trace_workload *w)
{
    struct trace_queue_tables *all = w->terms;
    bool tolerates = false;

    for (uint32_t i = 0; i < all->flavor_count; i++) {
        tolerates |= all->flavor[i].toleration_count > 0;
        if (all->flavor[i].label_count)
            flavor_select(w, &all->flavor[i]);
    }
    for (uint32_t i = 0; tolerates && i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const struct trace_queue_extra *x = trace_queue_extra(
            w, &w->queue[j->queue]);

        for (uint32_t g = 0; x->flavor_count && g < j->group_count; g++) {
            struct trace_group group = *trace_group_at(w, j->first_group + g);

            group.shape = shape_tolerating(w, group.shape, x);
            trace_group_set(w, j->first_group + g, &group);
        }
    }
}

/* --- lists of a queue ----------------------------------------------------- */

struct trace_queue_flavor *trace_queue_flavor_add(
    struct trace_workload *w, struct trace_queue_extra *extra, uint32_t flavor)
{
    struct trace_queue_tables *all = w->terms;
    struct trace_queue_flavor *f;

    assert(flavor < all->flavor_count);
    assert(!extra->flavor_count
           || extra->first_flavor + extra->flavor_count
                  == all->queue_flavor_count);
    if (!extra->flavor_count)
        extra->first_flavor = all->queue_flavor_count;
    extra->flavor_count++;
    all->queue_flavor = gs_array_grow(all->queue_flavor, &all->queue_flavor_cap,
                                      all->queue_flavor_count + 1,
                                      sizeof(*all->queue_flavor));
    f = &all->queue_flavor[all->queue_flavor_count++];
    memset(f, -1, sizeof(*f)); /* no amount is stated */
    f->flavor = flavor;
    return f;
}

void trace_queue_flavor_drop(struct trace_workload *w,
                             struct trace_queue_extra *extra)
{
    assert(extra->flavor_count
           && extra->first_flavor + extra->flavor_count
                  == w->terms->queue_flavor_count);
    extra->flavor_count--;
    w->terms->queue_flavor_count--;
}

bool trace_queue_flavors_agree(const struct trace_queue_flavor *a,
                               const struct trace_queue_flavor *b)
{
    bool any = false, all = true;

    for (int d = 0; d < TOPO_DIMS_MAX; d++) {
        any |= a->guarantee[d] >= 0 && b->guarantee[d] >= 0;
        all &= (a->guarantee[d] >= 0) == (b->guarantee[d] >= 0);
    }
    return all || !any;
}

struct trace_user_limit *trace_user_limit_add(struct trace_workload *w,
                                              struct trace_queue_extra *extra,
                                              const uint32_t *name,
                                              uint32_t users, uint32_t groups)
{
    const uint32_t names = users + groups;
    struct trace_user_limit *l;

    assert(!extra->user_limits
           || extra->first_user_limit + extra->user_limits
                  == w->terms->user_limit_count);
    if (!extra->user_limits)
        extra->first_user_limit = w->terms->user_limit_count;
    extra->user_limits++;
    w->terms->user_limit = gs_array_grow(
        w->terms->user_limit, &w->terms->user_limit_cap,
        w->terms->user_limit_count + 1, sizeof(*w->terms->user_limit));
    w->terms->limited = gs_array_grow(w->terms->limited, &w->terms->limited_cap,
                                      w->terms->limited_count + names,
                                      sizeof(*w->terms->limited));
    l = &w->terms->user_limit[w->terms->user_limit_count++];
    memset(l, -1, sizeof(*l)); /* no limit, in all of them */
    l->first_name = w->terms->limited_count;
    l->users = users;
    l->groups = groups;
    if (names)
        memcpy(w->terms->limited + w->terms->limited_count, name,
               names * sizeof(*name));
    w->terms->limited_count += names;
    return l;
}

void trace_queue_terms_free(struct trace_workload *w)
{
    struct trace_queue_tables *all = w->terms;

    gs_array_free(all->queue_extra);
    gs_array_free(all->flavor);
    gs_array_free(all->flavor_by);
    gs_array_free(all->queue_flavor);
    gs_array_free(all->user_limit);
    gs_array_free(all->limited);
}
