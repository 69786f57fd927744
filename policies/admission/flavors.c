/* policies/admission/flavors.c - see flavors.h. */
#include "policies/admission/flavors.h"

#include <assert.h>
#include <string.h>

/* How well one flavor suits: in the resource where it does so worst, which may
 * be one that borrows rather than one that needs victims; and of all resources.
 */
struct suits {
    enum quota_mode mode, least;
    uint32_t level, most;
};

bool flavor_is_better(const struct quota_policy *p, enum quota_mode a,
                      uint32_t i, enum quota_mode b, uint32_t k)
{
    if (a == QUOTA_NO_FIT || b == QUOTA_NO_FIT)
        return a != QUOTA_NO_FIT;
    if ((a == QUOTA_NO_VICTIMS) != (b == QUOTA_NO_VICTIMS))
        return b == QUOTA_NO_VICTIMS;
    if (p->borrows_last && i != k)
        return i < k;
    return a != b ? a > b : i < k;
}

static bool is_better(const struct quota_policy *p, const struct suits *a,
                      const struct suits *b)
{
    return flavor_is_better(p, a->mode, a->level, b->mode, b->level);
}

/* Is the search over when a flavor suits so? */
static bool is_enough(const struct quota_policy *p, const struct suits *s)
{
    if (s->mode <= QUOTA_NO_VICTIMS)
        return false;
    if (s->mode != QUOTA_FITS && p->next_if_preempts)
        return false;
    return s->level == 0 || !p->next_if_borrows;
}

/* --- one cell ------------------------------------------------------------- */

/* Could others be evicted for `amount` in this cell alone? */
static struct suits with_victims(const struct flavor_query *f, uint32_t cell,
                                 int64_t amount)
{
    const struct quota_ask ask = { cell, true, amount };
    const struct quota_request r = { f->node, f->priority, f->since, &ask, 1 };
    struct suits s = { .mode = QUOTA_NO_VICTIMS };
    bool is_below;

    if (quota_victims_find(f->q, f->search, &r))
        s.mode = QUOTA_RECLAIMS;
    for (uint32_t i = 0; i < f->search->victims; i++) {
        const uint32_t job = f->search->victim[i].job;

        if (quotas_job(f->q, job)->node == f->node)
            s.mode = QUOTA_PREEMPTS;
        quotas_job_hide(f->q, job);
    }
    s.level = quotas_level(f->q, f->node, cell, amount, &is_below);
    quota_victims_show(f->q, f->search);
    return s;
}

bool flavor_may_borrow(const struct flavor_query *f)
{
    const struct quota_policy *p = &quotas_node(f->q, f->node)->policy;

    return p->borrows || (f->search->shares && p->reclaim != QUOTA_NEVER);
}

static struct suits cell_suits(const struct flavor_query *f, uint32_t cell,
                               int64_t amount)
{
    const struct quota_amount *a = quotas_amount(f->q, f->node, cell);
    struct suits s = { .mode = QUOTA_NO_FIT };
    bool is_below;

    if (amount > a->potential)
        return s;
    s.level = quotas_level(f->q, f->node, cell, amount, &is_below);
    if (amount <= quotas_left(f->q, f->node, cell)) {
        s.mode = QUOTA_FITS;
        return s;
    }
    return a->nominal >= amount || is_below || flavor_may_borrow(f)
               ? with_victims(f, cell, amount)
               : s;
}

/* --- asks ----------------------------------------------------------------- */

static int64_t asked(const struct flavor_choice *c, uint32_t cell)
{
    for (uint32_t i = 0; i < c->asks; i++) {
        if (c->ask[i].cell == cell)
            return c->ask[i].amount;
    }
    return 0;
}

/* Add to the asks, which are in order of their cells. */
static void ask_add(struct flavor_choice *c, uint32_t cell, int64_t amount,
                    bool is_short)
{
    uint32_t i = c->asks;

    for (uint32_t k = 0; k < c->asks; k++) {
        if (c->ask[k].cell == cell) {
            if (__builtin_add_overflow(c->ask[k].amount, amount,
                                       &c->ask[k].amount))
                c->ask[k].amount = QUOTA_UNLIMITED;
            c->ask[k].is_short |= is_short;
            return;
        }
    }
    c->ask = gs_array_grow(c->ask, &c->ask_cap, c->asks + 1, sizeof(*c->ask));
    for (; i > 0 && c->ask[i - 1].cell > cell; i--)
        c->ask[i] = c->ask[i - 1];
    c->ask[i] = (struct quota_ask){ cell, is_short, amount };
    c->asks++;
}

/* --- one kind of tasks ---------------------------------------------------- */

int64_t flavor_amount(const struct flavor_tasks *k, uint32_t dim,
                      uint32_t tasks)
{
    int64_t amount;

    return __builtin_mul_overflow(k->amount[dim], (int64_t)tasks, &amount)
               ? QUOTA_UNLIMITED
               : amount;
}

static int64_t total(int64_t a, int64_t b)
{
    int64_t out;

    return __builtin_add_overflow(a, b, &out) ? QUOTA_UNLIMITED : out;
}

/* What the kinds together with the first one ask for. */
static int64_t asked_together(const struct flavor_query *f,
                              const struct flavor_choice *c, uint32_t first,
                              uint32_t dim)
{
    int64_t sum = 0;

    for (uint32_t k = first; k != QUOTA_NONE; k = f->kind[k].next)
        sum = total(sum, flavor_amount(&f->kind[k], dim, c->tasks[k]));
    return sum;
}

/* The flavors that suit all of them. */
static uint64_t allowed_together(const struct flavor_query *f, uint32_t first)
{
    uint64_t allowed = UINT64_MAX;

    for (uint32_t k = first; k != QUOTA_NONE; k = f->kind[k].next)
        allowed &= f->kind[k].allowed;
    return allowed;
}

/* How the flavor suits the kinds together in all resources of its set. */
static struct suits flavor_suits(const struct flavor_query *f,
                                 const struct flavor_choice *c, uint32_t first,
                                 uint32_t flavor)
{
    const struct flavor_list *l = f->list;
    const struct quota_policy *p = &quotas_node(f->q, f->node)->policy;
    struct suits worst = { .mode = QUOTA_FITS, .least = QUOTA_FITS };

    for (uint32_t d = 0; d < f->dims; d++) {
        const uint32_t cell = l->cell[(size_t)flavor * f->dims + d];
        const int64_t amount = asked_together(f, c, first, d);
        struct suits s = { .mode = QUOTA_NO_FIT };

        if (l->set_of_dim[d] != l->set[flavor] || amount == 0)
            continue;
        if (cell != QUOTA_NONE)
            s = cell_suits(f, cell, total(amount, asked(c, cell)));
        s.least = s.mode < worst.least ? s.mode : worst.least;
        s.most = s.level > worst.most ? s.level : worst.most;
        if (!is_better(p, &worst, &s)) {
            s.mode = worst.mode;
            s.level = worst.level;
        }
        worst = s;
        if (worst.mode == QUOTA_NO_FIT)
            break;
    }
    return worst;
}

/* Take the flavor for the kinds together: what they ask for, and where that is
 * short.
 */
static void flavor_take(const struct flavor_query *f, struct flavor_choice *c,
                        uint32_t first, uint32_t flavor)
{
    const struct flavor_list *l = f->list;

    for (uint32_t d = 0; d < f->dims; d++) {
        const uint32_t cell = l->cell[(size_t)flavor * f->dims + d];
        const int64_t amount = asked_together(f, c, first, d);
        int64_t all;

        if (cell == QUOTA_NONE || amount == 0)
            continue;
        all = total(amount, asked(c, cell));
        ask_add(c, cell, amount, all > quotas_left(f->q, f->node, cell));
    }
}

/* Is it the last flavor of its set? */
static bool is_last(const struct flavor_list *l, uint32_t flavor)
{
    for (uint32_t i = flavor + 1; i < l->count; i++) {
        if (l->set[i] == l->set[flavor])
            return false;
    }
    return true;
}

/* The flavor of a set for the kinds together, from place `from` in the set on.
 */
static uint32_t set_choose(const struct flavor_query *f,
                           const struct flavor_choice *c, uint32_t first,
                           uint32_t set, uint32_t from, struct suits *how,
                           int8_t *tried)
{
    const uint64_t allowed = allowed_together(f, first);
    const struct flavor_list *l = f->list;
    const struct quota_policy *p = &quotas_node(f->q, f->node)->policy;
    uint32_t best = QUOTA_NONE, place = 0;

    *how = (struct suits){ .mode = QUOTA_NO_FIT, .level = UINT32_MAX };
    for (uint32_t i = 0; i < l->count; i++) {
        struct suits s;

        if (l->set[i] != set || place++ < from)
            continue;
        if (!(allowed >> i & 1))
            continue;
        s = flavor_suits(f, c, first, i);
        if (is_enough(p, &s)) {
            *how = s;
            *tried = is_last(l, i) ? -1 : (int8_t)(place - 1);
            return i;
        }
        if (is_better(p, &s, how)) {
            *how = s;
            best = i;
        }
    }
    *tried = -1;
    return best;
}

/* Does the kind ask for resources of the set? */
static bool asks_set(const struct flavor_query *f, uint32_t kind, uint32_t set)
{
    for (uint32_t d = 0; d < f->dims; d++) {
        if (f->list->set_of_dim[d] == set && f->kind[kind].amount[d] > 0)
            return true;
    }
    return false;
}

bool flavor_is_uncovered(const struct flavor_query *f, uint32_t kind)
{
    for (uint32_t d = 0; f->refuses_uncovered && d < f->dims; d++) {
        if (d != f->pods && f->list->set_of_dim[d] == FLAVOR_NONE
            && f->kind[kind].amount[d] > 0)
            return true;
    }
    return false;
}

/* --- all ------------------------------------------------------------------ */

/* Does any of the kinds together ask for resources of the set? */
static bool any_asks_set(const struct flavor_query *f,
                         const struct flavor_choice *c, uint32_t first,
                         uint32_t set)
{
    bool any = false;

    for (uint32_t k = first; k != QUOTA_NONE && !any; k = f->kind[k].next)
        any = c->tasks[k] > 0 && asks_set(f, k, set);
    return any;
}

/* All that ask for resources of the set have the flavor. */
static void picks_set(const struct flavor_query *f, uint32_t first,
                      uint32_t set, const struct flavor_pick *pick,
                      struct flavor_choice *out)
{
    for (uint32_t k = first; k != QUOTA_NONE; k = f->kind[k].next) {
        if (out->tasks[k] > 0 && asks_set(f, k, set))
            out->pick[(size_t)k * f->list->sets + set] = *pick;
    }
}

/* They have no flavors: no set of them has others that are left. */
static void picks_drop(const struct flavor_query *f, uint32_t first,
                       struct flavor_choice *out)
{
    for (uint32_t k = first; k != QUOTA_NONE; k = f->kind[k].next) {
        for (uint32_t g = 0; g < f->list->sets; g++)
            out->pick[(size_t)k * f->list->sets + g] =
                (struct flavor_pick){ FLAVOR_NONE, -1 };
    }
}

/* Choose the flavor of a set for the kinds that stand together with the first;
 * false: none fits.  *mode is what they come to with the sets before it: where
 * all flavors fit in the resource that suits worst, they count as fitting, even
 * if others would have to be evicted for a resource that suits better, since it
 * borrows less (as in Kueue, where such a job is skipped until it fits).
 */
static bool together_choose(const struct flavor_query *f, uint32_t first,
                            uint32_t set, const struct flavor_pick *tried,
                            struct suits *mode, struct flavor_choice *out)
{
    const size_t at = (size_t)first * f->list->sets + set;
    const uint32_t from = tried ? (uint32_t)(tried[at].tried + 1) : 0;
    struct flavor_pick pick = { FLAVOR_NONE, -1 };
    struct suits how;
    uint32_t flavor;

    flavor = set_choose(f, out, first, set, from, &how, &pick.tried);
    pick.flavor = flavor == QUOTA_NONE ? FLAVOR_NONE : (uint8_t)flavor;
    picks_set(f, first, set, &pick, out);
    if (how.mode < mode->mode)
        mode->mode = how.mode;
    if (how.least < mode->least)
        mode->least = how.least;
    if (flavor == QUOTA_NONE) {
        out->mode = QUOTA_NO_FIT;
        return false;
    }
    if (how.most > out->level)
        out->level = how.most;
    flavor_take(f, out, first, flavor);
    return true;
}

/* The same for all sets. */
static void kinds_choose(const struct flavor_query *f, uint32_t first,
                         const struct flavor_pick *tried,
                         struct flavor_choice *out)
{
    struct suits all = { .mode = QUOTA_FITS, .least = QUOTA_FITS };

    for (uint32_t k = first; k != QUOTA_NONE; k = f->kind[k].next) {
        if (flavor_is_uncovered(f, k))
            out->mode = QUOTA_NO_FIT;
    }
    for (uint32_t g = 0; g < f->list->sets && out->mode != QUOTA_NO_FIT; g++) {
        if (any_asks_set(f, out, first, g)
            && !together_choose(f, first, g, tried, &all, out))
            picks_drop(f, first, out);
    }
    if (all.mode != QUOTA_FITS && all.least < out->mode)
        out->mode = all.least;
}

static void choice_begin(const struct flavor_query *f, const uint32_t *tasks,
                         struct flavor_choice *out)
{
    out->picks = f->kinds * f->list->sets;
    out->pick = gs_array_grow(out->pick, &out->pick_cap, out->picks,
                              sizeof(*out->pick));
    out->tasks = gs_array_grow(out->tasks, &out->tasks_cap, f->kinds,
                               sizeof(*out->tasks));
    out->asks = out->level = 0;
    out->mode = QUOTA_FITS;
    out->lacks_room = false;
    for (uint32_t i = 0; i < out->picks; i++)
        out->pick[i] = (struct flavor_pick){ FLAVOR_NONE, -1 };
    for (uint32_t k = 0; k < f->kinds; k++)
        out->tasks[k] = tasks ? tasks[k] : f->kind[k].tasks;
}

void flavor_choose(const struct flavor_query *f, const uint32_t *tasks,
                   const struct flavor_pick *tried, struct flavor_choice *out)
{
    choice_begin(f, tasks, out);
    for (uint32_t k = 0; k < f->kinds && out->mode != QUOTA_NO_FIT; k++) {
        if (!f->kind[k].follows)
            kinds_choose(f, k, tried, out);
    }
}

/* The first flavor of the set that is allowed; QUOTA_NONE. */
static uint32_t set_first(const struct flavor_query *f, uint32_t first,
                          uint32_t set)
{
    const uint64_t allowed = allowed_together(f, first);

    for (uint32_t i = 0; i < f->list->count; i++) {
        if (f->list->set[i] == set && (allowed >> i & 1))
            return i;
    }
    return QUOTA_NONE;
}

void flavor_choose_first(const struct flavor_query *f,
                         struct flavor_choice *out)
{
    choice_begin(f, NULL, out);
    for (uint32_t k = 0; k < f->kinds; k++) {
        for (uint32_t g = 0; g < f->list->sets && !f->kind[k].follows; g++) {
            const uint32_t flavor = set_first(f, k, g);
            const struct flavor_pick pick = { (uint8_t)flavor, -1 };

            if (flavor == QUOTA_NONE || !any_asks_set(f, out, k, g))
                continue;
            picks_set(f, k, g, &pick, out);
            flavor_take(f, out, k, flavor);
        }
    }
}

void flavor_pin(const struct flavor_query *f, struct flavor_tasks *kind,
                const struct flavor_choice *chosen)
{
    assert(kind == f->kind && chosen->picks == f->kinds * f->list->sets);
    for (uint32_t first = 0; first < f->kinds; first++) {
        uint64_t pinned = 0;

        for (uint32_t k = first; k != QUOTA_NONE; k = kind[k].next) {
            for (uint32_t g = 0; g < f->list->sets; g++) {
                const uint8_t flavor =
                    chosen->pick[(size_t)k * f->list->sets + g].flavor;

                if (flavor != FLAVOR_NONE)
                    pinned |= UINT64_C(1) << flavor;
            }
        }
        for (uint32_t k = first; k != QUOTA_NONE && !kind[first].follows;
             k = kind[k].next)
            kind[k].allowed &= pinned;
    }
}

bool flavor_is_pending(const struct flavor_choice *c)
{
    for (uint32_t i = 0; i < c->picks; i++) {
        if (c->pick[i].tried >= 0)
            return true;
    }
    return false;
}

struct quota_request flavor_request(const struct flavor_query *f,
                                    const struct flavor_choice *c)
{
    return (struct quota_request){ .node = f->node,
                                   .priority = f->priority,
                                   .since = f->since,
                                   .ask = c->ask,
                                   .asks = c->asks };
}

void flavor_choice_free(struct flavor_choice *c)
{
    gs_array_free(c->ask);
    gs_array_free(c->pick);
    gs_array_free(c->tasks);
}
