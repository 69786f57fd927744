/* policies/reservation/earliest_slot.c - the earliest time at which the plan
 * has room for a gang.
 *
 * From now on, change by change: a place is looked at again when a step of its
 * profile begins, or comes to lie within the time that the job may run.  Sums
 * of how many tasks fit tell when the whole gang might; then it is seated, on
 * the place that it fills best.
 */
#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/placement/candidates.h"
#include "policies/placement/topology_fit.h"
#include "policies/reservation/plan.h"
#include "policies/state/jobs.h"

struct look {
    int64_t next;  /* when it has to be looked at again; GSCHED_NEVER */
    uint32_t step; /* of its profile */
    uint32_t domain;
};

struct earliest_slot {
    struct look *look;  /* [place] */
    int64_t *low;       /* [place][dim] least free while the job would run */
    uint32_t *heap;     /* places by `next` */
    uint32_t *fits;     /* [place][group] tasks */
    struct scope *room; /* [domain] where the whole gang must stand */
    uint64_t *sum;      /* [domain][group] tasks that fit */
    uint32_t heap_count, fits_cap, room_count, room_cap, sum_cap;
};

static struct earliest_slot *earliest_slot_of(struct gsched_plan *p)
{
    struct earliest_slot *o = p->earliest_slot;

    if (o)
        return o;
    o = p->earliest_slot = gs_array_new(1, sizeof(*o));
    o->look = gs_array_new(p->places, sizeof(*o->look));
    o->low = gs_array_new((size_t)p->places * p->dims, sizeof(*o->low));
    o->heap = gs_array_new(p->places, sizeof(*o->heap));
    return o;
}

void gsched_earliest_slot_free(struct gsched_plan *p)
{
    if (!p->earliest_slot)
        return;
    gs_array_free(p->earliest_slot->look);
    gs_array_free(p->earliest_slot->low);
    gs_array_free(p->earliest_slot->heap);
    gs_array_free(p->earliest_slot->fits);
    gs_array_free(p->earliest_slot->room);
    gs_array_free(p->earliest_slot->sum);
    gs_array_free(p->earliest_slot);
}

static uint32_t groups_of(const struct gsched *s, uint32_t job)
{
    return s->work->job[job].group_count;
}

/* --- where ---------------------------------------------------------------- */

/* The domains of which one must hold the gang; the cluster is one. */
static void rooms_find(struct gsched *s, uint32_t job)
{
    struct earliest_slot *o = s->plan->earliest_slot;
    uint32_t at = NONE;
    struct scope w;

    o->room_count = 0;
    while (gsched_topology_next(s, job, &at, &w)) {
        o->room = gs_array_grow(o->room, &o->room_cap, o->room_count + 1,
                                sizeof(*o->room));
        for (uint32_t n = w.from; n < w.end; n++)
            o->look[n].domain = o->room_count;
        o->room[o->room_count++] = w;
    }
}

/* --- how many ------------------------------------------------------------- */

/* Tasks of a group that fit on a place into `low`, as far as they are needed.
 */
static uint32_t fit(struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t place, const int64_t *low)
{
    const struct gsched_plan *p = s->plan;
    const int64_t *amount = gsched_plan_amount(s, job, group);
    const uint32_t shape = gsched_group(s, job, group)->shape;
    uint32_t n = gsched_gang_of(s, job, group);

    if (!gsched_shape(s, shape)->fits_class[s->topo->node_class[place]]
        || topo_cluster_is_cordoned(s->cluster, place))
        return 0;
    for (uint32_t d = 0; d < p->dims; d++) {
        if (amount[d] > 0 && low[d] / amount[d] < n)
            n = low[d] < amount[d] ? 0 : (uint32_t)(low[d] / amount[d]);
    }
    return n;
}

static bool holds_any(struct gsched *s, uint32_t job, uint32_t place,
                      const int64_t *low)
{
    for (uint32_t g = 0; g < groups_of(s, job); g++) {
        if (fit(s, job, g, place, low) > 0)
            return true;
    }
    return false;
}

/* When a place that holds nothing between its steps `i` and `end` might: not
 * before the last that does not has gone by.
 */
static int64_t might_hold(struct gsched *s, uint32_t job, uint32_t place,
                          uint32_t i, uint32_t end)
{
    const struct availability *t = &s->plan->all[place];
    const uint32_t dims = s->plan->dims;

    while (end > i + 1
           && holds_any(s, job, place, t->free + (size_t)(end - 1) * dims))
        end--;
    return end < t->count ? t->at[end] : GSCHED_NEVER;
}

/* The place as it is from `now` on for as long as the job may run. */
static void look_at(struct gsched *s, uint32_t job, uint32_t place, int64_t now)
{
    struct gsched_plan *p = s->plan;
    struct earliest_slot *o = p->earliest_slot;
    const struct availability *t = &p->all[place];
    struct look *l = &o->look[place];
    const int64_t time = gsched_plan_time(s, job);
    const int64_t end = time < GSCHED_NEVER - now ? now + time : GSCHED_NEVER;
    const uint32_t groups = groups_of(s, job);
    int64_t *low = o->low + (size_t)place * p->dims;
    uint32_t last;

    assert(place < p->places && l->step < t->count);
    assert(now >= s->now);
    while (l->step + 1 < t->count && t->at[l->step + 1] <= now)
        l->step++;
    last = availability_low(t, p->dims, l->step, end, low);
    if (!holds_any(s, job, place, low)) {
        l->next = might_hold(s, job, place, l->step, last);
    } else {
        l->next = l->step + 1 < t->count ? t->at[l->step + 1] : GSCHED_NEVER;
        if (last < t->count && t->at[last] - time + 1 < l->next)
            l->next = t->at[last] - time + 1;
    }
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t *fits = &o->fits[(size_t)place * groups + g];
        const uint32_t n = fit(s, job, g, place, low);

        if (l->domain != NONE)
            o->sum[(size_t)l->domain * groups + g] += (uint64_t)n - *fits;
        *fits = n;
    }
}

static void looks_begin(struct gsched *s, uint32_t job, int64_t now)
{
    struct gsched_plan *p = s->plan;
    struct earliest_slot *o = earliest_slot_of(p);
    const uint32_t groups = groups_of(s, job);
    const size_t fits = (size_t)p->places * groups;

    for (uint32_t i = 0; i < p->places; i++)
        o->look[i].domain = NONE;
    rooms_find(s, job);
    o->fits = gs_array_grow(o->fits, &o->fits_cap, (uint32_t)fits,
                            sizeof(*o->fits));
    o->sum = gs_array_grow(o->sum, &o->sum_cap, o->room_count * groups + 1,
                           sizeof(*o->sum));
    for (size_t i = 0; i < fits; i++)
        o->fits[i] = 0;
    for (uint32_t i = 0; i < o->room_count * groups; i++)
        o->sum[i] = 0;
    for (uint32_t i = 0; i < p->places; i++) {
        o->look[i].step = timeline_step(&p->all[i], now);
        look_at(s, job, i, now);
    }
}

/* --- slots ---------------------------------------------------------------- */

static void slot_note(struct planned *j, uint32_t place, uint32_t group,
                      uint32_t tasks)
{
    assert(tasks > 0);
    j->slot = gs_array_grow(j->slot, &j->slot_cap, j->slots + 1,
                            sizeof(*j->slot));
    j->slot[j->slots++] = (struct plan_slot){ place, group, tasks };
}

static void slot_add(struct gsched *s, struct planned *j, uint32_t place,
                     uint32_t group, uint32_t tasks)
{
    struct gsched_plan *p = s->plan;
    const int64_t *amount = gsched_plan_amount(s, j->job, group);
    int64_t *low = p->earliest_slot->low + (size_t)place * p->dims;

    assert(place < p->places && place < s->topo->node_count);
    for (uint32_t d = 0; d < p->dims; d++)
        low[d] -= amount[d] * tasks;
    slot_note(j, place, group, tasks);
}

static void slots_undo(struct gsched *s, struct planned *j)
{
    const struct gsched_plan *p = s->plan;

    while (j->slots > 0) {
        const struct plan_slot *c = &j->slot[--j->slots];
        const int64_t *amount = gsched_plan_amount(s, j->job, c->group);
        int64_t *low = p->earliest_slot->low + (size_t)c->place * p->dims;

        for (uint32_t d = 0; d < p->dims; d++)
            low[d] += amount[d] * c->tasks;
    }
}

/* The place that the rest of the group fills best: the one with the least room
 * for it, or the one with the most when none has enough.
 */
static uint32_t best_place(struct gsched *s, uint32_t job, uint32_t group,
                           const struct scope *in, uint32_t left, uint32_t *n)
{
    const struct gsched_plan *p = s->plan;
    uint32_t best = NONE;

    assert(left > 0 && in->end <= p->places);
    *n = 0;
    for (uint32_t i = in->from; i < in->end; i++) {
        const uint32_t m = fit(s, job, group, i,
                               p->earliest_slot->low + (size_t)i * p->dims);

        if (m != *n && (*n >= left ? m >= left && m < *n : m > *n)) {
            best = i;
            *n = m;
        }
    }
    return best;
}

static bool slot_all(struct gsched *s, struct planned *j,
                     const struct scope *in)
{
    for (uint32_t g = 0; g < groups_of(s, j->job); g++) {
        uint32_t left = gsched_gang_of(s, j->job, g);

        while (left > 0) {
            uint32_t n;
            const uint32_t place = best_place(s, j->job, g, in, left, &n);

            if (place == NONE) {
                slots_undo(s, j);
                return false;
            }
            n = n < left ? n : left;
            slot_add(s, j, place, g, n);
            left -= n;
        }
    }
    return true;
}

static bool is_open(struct gsched *s, struct planned *j)
{
    const struct earliest_slot *o = s->plan->earliest_slot;
    const uint32_t groups = groups_of(s, j->job);

    for (uint32_t i = 0; i < o->room_count; i++) {
        bool enough = true;

        for (uint32_t g = 0; g < groups && enough; g++)
            enough = o->sum[(size_t)i * groups + g]
                     >= gsched_gang_of(s, j->job, g);
        if (enough && slot_all(s, j, &o->room[i]))
            return true;
    }
    return false;
}

/* --- the search ----------------------------------------------------------- */

static bool look_before(const void *of, uint32_t i, uint32_t k)
{
    const struct earliest_slot *o = of;
    const uint32_t a = o->heap[i], b = o->heap[k];

    return o->look[a].next != o->look[b].next
               ? o->look[a].next < o->look[b].next
               : a < b;
}

static void look_swap(void *of, uint32_t i, uint32_t k)
{
    uint32_t *heap = ((struct earliest_slot *)of)->heap;
    const uint32_t place = heap[i];

    heap[i] = heap[k];
    heap[k] = place;
}

static const struct gs_heap by_next = { look_before, look_swap };

/* The same where tasks are counted. */
static int64_t counted_find(struct gsched *s, struct planned *j)
{
    const struct availability *t = &s->plan->all[0];
    const int64_t time = gsched_plan_time(s, j->job);
    const int64_t n = s->work->job[j->job].gang;

    assert(s->plan->counts && n > 0);
    for (uint32_t i = timeline_step(t, s->now); i < t->count; i++) {
        const int64_t at = t->at[i] > s->now ? t->at[i] : s->now;
        const int64_t end = time < GSCHED_NEVER - at ? at + time : GSCHED_NEVER;
        uint32_t k = i;

        while (k < t->count && t->free[k] >= n
               && (k + 1 == t->count || t->at[k + 1] < end))
            k++;
        if (k == t->count || t->free[k] >= n) {
            slot_note(j, 0, 0, (uint32_t)n);
            return at;
        }
        i = k;
    }
    return GSCHED_NEVER;
}

bool gsched_earliest_slot_at(struct gsched *s, struct planned *j, int64_t at)
{
    assert(s->plan && at >= s->now);
    looks_begin(s, j->job, at);
    return is_open(s, j);
}

int64_t gsched_earliest_slot_find(struct gsched *s, struct planned *j)
{
    struct earliest_slot *o;
    int64_t now = s->now;

    assert(s->plan && j->slots == 0);
    if (s->plan->counts)
        return counted_find(s, j);
    looks_begin(s, j->job, now);
    o = s->plan->earliest_slot;
    if (is_open(s, j))
        return now;
    o->heap_count = s->plan->places;
    for (uint32_t i = 0; i < o->heap_count; i++)
        o->heap[i] = i;
    gs_heap_build(&by_next, o, o->heap_count);
    while ((now = o->look[o->heap[0]].next) != GSCHED_NEVER) {
        do {
            look_at(s, j->job, o->heap[0], now);
            (void)gs_heap_sink(&by_next, o, o->heap_count, 0);
        } while (o->look[o->heap[0]].next == now);
        if (is_open(s, j))
            return now;
    }
    return GSCHED_NEVER;
}
