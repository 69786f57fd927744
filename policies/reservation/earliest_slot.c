/* policies/reservation/earliest_slot.c - the earliest time at which the
 * profiles have room for a gang.
 *
 * The search visits the changes of the profiles in order of time: a place is
 * examined again when a step of its profile begins, or enters the time in which
 * the job would run.  Sums of the tasks that fit tell when the whole gang may
 * fit; then slots are chosen, each on the place that it fills best.
 *
 * With p places and c changes until the start, a search costs p + c log p, and
 * p log p for each choice of slots.  A reservation that still stands is an
 * upper bound of the start: changes after it are not visited.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/reservation/availability.h"
#include "policies/reservation/reservation.h"
#include "policies/state/booked_nodes.h"
#include "policies/state/jobs.h"
#include "topology/cluster.h"

struct place_search {
    int64_t next;    /* when it is examined again; GSCHED_NEVER */
    uint32_t step;   /* of its profile */
    uint32_t domain; /* index in `domain`; NONE */
    bool is_kept;    /* for others, at some time of the run */
};

/* When a place is examined again: its `next`. */
struct due {
    int64_t at;
    uint32_t place;
};

/* What the tasks of one group of the job ask for. */
struct sought {
    const int64_t *amount;  /* [dim] of one task */
    struct class_set suits; /* classes of nodes that suit them */
    uint32_t gang;
};

struct slot_search {
    struct place_search *place; /* [place] */
    int64_t *low;               /* [place][dim] minimum of the free amount while
                             the job would run */
    struct due *heap;           /* places to examine, the first on top */
    uint32_t *room;             /* [place] tasks of one group that fit */
    uint32_t *ranked;           /* places that have some, as a heap */
    uint32_t rank_count;
    uint32_t *fits;        /* [place][group] tasks */
    struct sought *sought; /* [group] */
    int64_t time;          /* for which the job would run */
    struct scope *domain;  /* one of these must hold the gang */
    uint64_t *sum;         /* [domain][group] tasks that fit */
    uint32_t sought_cap, fits_cap, domain_count, domain_cap, sum_cap;
};

static struct slot_search *search_of(struct gsched_plan *p)
{
    struct slot_search *o = p->search;

    if (o)
        return o;
    o = p->search = gs_array_new(1, sizeof(*o));
    o->place = gs_array_new(p->places, sizeof(*o->place));
    o->low = gs_array_new((size_t)p->places * p->dims, sizeof(*o->low));
    o->heap = gs_array_new(p->places, sizeof(*o->heap));
    o->room = gs_array_new(p->places, sizeof(*o->room));
    o->ranked = gs_array_new(p->places, sizeof(*o->ranked));
    return o;
}

void gsched_slot_search_free(struct gsched_plan *p)
{
    struct slot_search *o = p->search;

    if (!o)
        return;
    gs_array_free(o->place);
    gs_array_free(o->low);
    gs_array_free(o->heap);
    gs_array_free(o->room);
    gs_array_free(o->ranked);
    gs_array_free(o->fits);
    gs_array_free(o->sought);
    gs_array_free(o->domain);
    gs_array_free(o->sum);
    gs_array_free(o);
}

static uint32_t groups_of(const struct gsched *s, uint32_t job)
{
    return s->work->job[job].group_count;
}

static int64_t *low_of(const struct gsched *s, uint32_t place)
{
    return s->plan->search->low + (size_t)place * s->plan->dims;
}

/* --- how many tasks fit --------------------------------------------------- */

/* Number of tasks of a group that fit on a place with `low`, at most those
 * needed; 0 while it is kept for others.
 */
static uint32_t fit(const struct gsched *s, uint32_t group, uint32_t place,
                    const int64_t *low)
{
    const struct slot_search *o = s->plan->search;
    const struct sought *of = &o->sought[group];
    uint32_t n = of->gang;

    if (!class_set_has(&of->suits, s->topo->node_class[place])
        || o->place[place].is_kept)
        return 0;
    for (uint32_t d = 0; d < s->plan->dims; d++) {
        if (of->amount[d] <= 0)
            continue;
        if (low[d] < of->amount[d])
            return 0;
        if (low[d] / of->amount[d] < n)
            n = (uint32_t)(low[d] / of->amount[d]);
    }
    return topo_cluster_is_cordoned(s->cluster, place) ? 0 : n;
}

static bool holds_any(struct gsched *s, uint32_t job, uint32_t place,
                      const int64_t *low)
{
    for (uint32_t g = 0; g < groups_of(s, job); g++) {
        if (fit(s, g, place, low) > 0)
            return true;
    }
    return false;
}

/* The earliest time at which a place that holds no task from step `i` to `end`
 * might hold one: the end of the last of these steps that holds none.
 */
static int64_t might_hold(struct gsched *s, uint32_t job, uint32_t place,
                          uint32_t i, uint32_t end)
{
    const struct availability *t = &s->plan->profile[place];

    while (end > i + 1
           && holds_any(s, job, place, availability_free(t, end - 1)))
        end--;
    return end < t->count ? t->at[end] : GSCHED_NEVER;
}

/* Count the tasks that fit on the place from `now` on for the estimated run
 * time.
 */
static void place_look(struct gsched *s, uint32_t job, uint32_t place,
                       int64_t now)
{
    struct slot_search *o = s->plan->search;
    const struct availability *t = &s->plan->profile[place];
    struct place_search *l = &o->place[place];
    const int64_t time = o->time;
    const uint32_t groups = groups_of(s, job);
    int64_t *low = low_of(s, place);
    uint32_t last;

    assert(now >= s->now && l->step < t->count);
    while (l->step + 1 < t->count && t->at[l->step + 1] <= now)
        l->step++;
    last = availability_low(t, l->step, gsched_later(now, time), low);
    l->is_kept = s->booked && gsched_booked_refuses(s, job, place, now, time);
    if (l->is_kept)
        l->next = GSCHED_NEVER;
    else if (!holds_any(s, job, place, low)) {
        l->next = might_hold(s, job, place, l->step, last);
    } else {
        l->next = l->step + 1 < t->count ? t->at[l->step + 1] : GSCHED_NEVER;
        if (last < t->count && t->at[last] - time + 1 < l->next)
            l->next = t->at[last] - time + 1;
    }
    if (s->booked && gsched_booked_turn(s, place, now, time) < l->next)
        l->next = gsched_booked_turn(s, place, now, time);
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t *fits = &o->fits[(size_t)place * groups + g];
        const uint32_t n = fit(s, g, place, low);

        if (l->domain != NONE)
            o->sum[(size_t)l->domain * groups + g] += (uint64_t)n - *fits;
        *fits = n;
    }
}

static void sought_set(struct gsched *s, uint32_t job)
{
    struct slot_search *o = s->plan->search;

    o->time = gsched_plan_time(s, job);
    o->sought = gs_array_grow(o->sought, &o->sought_cap, groups_of(s, job),
                              sizeof(*o->sought));
    for (uint32_t g = 0; g < groups_of(s, job); g++)
        o->sought[g] = (struct sought){
            gsched_plan_amount(s, job, g),
            gsched_shape_known(s, gsched_group(s, job, g)->shape)->suits,
            gsched_gang_of(s, job, g)
        };
}

static void domains_find(struct gsched *s, uint32_t job)
{
    struct slot_search *o = s->plan->search;
    uint32_t at = NONE;
    struct scope w;

    o->domain_count = 0;
    while (gsched_topology_next(s, job, &at, &w)) {
        o->domain = gs_array_grow(o->domain, &o->domain_cap,
                                  o->domain_count + 1, sizeof(*o->domain));
        for (uint32_t n = w.from; n < w.end; n++)
            o->place[n].domain = o->domain_count;
        o->domain[o->domain_count++] = w;
    }
}

static void search_begin(struct gsched *s, uint32_t job, int64_t now)
{
    struct gsched_plan *p = s->plan;
    struct slot_search *o = search_of(p);
    const uint32_t groups = groups_of(s, job), fits = p->places * groups;

    for (uint32_t i = 0; i < p->places; i++)
        o->place[i].domain = NONE;
    sought_set(s, job);
    domains_find(s, job);
    o->fits = gs_array_grow(o->fits, &o->fits_cap, fits, sizeof(*o->fits));
    o->sum = gs_array_grow(o->sum, &o->sum_cap, o->domain_count * groups + 1,
                           sizeof(*o->sum));
    memset(o->fits, 0, fits * sizeof(*o->fits));
    memset(o->sum, 0, (size_t)o->domain_count * groups * sizeof(*o->sum));
    for (uint32_t i = 0; i < p->places; i++) {
        o->place[i].step = availability_step(&p->profile[i], now);
        place_look(s, job, i, now);
    }
}

/* --- slots ---------------------------------------------------------------- */

/* Subtract the slot from the place (sign -1), or add it again (1). */
static void low_change(struct gsched *s, uint32_t job,
                       const struct reserved_slot *at, int sign)
{
    const int64_t *amount = gsched_plan_amount(s, job, at->group);
    int64_t *low = low_of(s, at->node);

    for (uint32_t d = 0; d < s->plan->dims; d++)
        low[d] += sign * amount[d] * at->tasks;
}

/* Places of the domain with room for tasks of the group are ranked: the one
 * with the most room first, then the lowest.
 */
static bool has_more(const void *of, uint32_t i, uint32_t k)
{
    const struct slot_search *o = of;
    const uint32_t a = o->ranked[i], b = o->ranked[k];

    return o->room[a] != o->room[b] ? o->room[a] > o->room[b] : a < b;
}

static void rank_swap(void *of, uint32_t i, uint32_t k)
{
    uint32_t *ranked = ((struct slot_search *)of)->ranked;
    const uint32_t place = ranked[i];

    ranked[i] = ranked[k];
    ranked[k] = place;
}

static const struct gs_heap by_room = { has_more, rank_swap };

static void places_rank(struct gsched *s, uint32_t group,
                        const struct scope *in)
{
    struct slot_search *o = s->plan->search;

    assert(in->end <= s->plan->places);
    o->rank_count = 0;
    for (uint32_t i = in->from; i < in->end; i++) {
        o->room[i] = fit(s, group, i, low_of(s, i));
        if (o->room[i] > 0)
            o->ranked[o->rank_count++] = i;
    }
    gs_heap_build(&by_room, o, o->rank_count);
}

/* The best place for the rest of the group, with its room: the one with the
 * least room that is enough, or the one with the most room when none has
 * enough, which is filled and ranked no more.
 */
static uint32_t best_place(struct slot_search *o, uint32_t left, uint32_t *n)
{
    uint32_t best = o->rank_count ? o->ranked[0] : NONE;

    assert(left > 0);
    *n = best == NONE ? 0 : o->room[best];
    if (best == NONE)
        return NONE;
    if (*n < left) {
        o->ranked[0] = o->ranked[--o->rank_count];
        (void)gs_heap_sink(&by_room, o, o->rank_count, 0);
        return best;
    }
    for (uint32_t i = 0; i < o->rank_count; i++) {
        const uint32_t place = o->ranked[i], m = o->room[place];

        if (m >= left && (m < *n || (m == *n && place < best))) {
            best = place;
            *n = m;
        }
    }
    return best;
}

/* Each group costs p log p with p places: all but its last slot take the first
 * in rank, and the last is the end of it.
 */
static bool slots_choose(struct gsched *s, struct reservation *r,
                         const struct scope *in)
{
    for (uint32_t g = 0; g < groups_of(s, r->job); g++) {
        uint32_t left = gsched_gang_of(s, r->job, g);

        places_rank(s, g, in);
        while (left > 0) {
            uint32_t n;
            const uint32_t place = best_place(s->plan->search, left, &n);

            if (place == NONE) {
                while (r->slots > 0)
                    low_change(s, r->job, &r->slot[--r->slots], 1);
                return false;
            }
            n = n < left ? n : left;
            gsched_slot_add(r, g, place, n);
            low_change(s, r->job, &r->slot[r->slots - 1], -1);
            left -= n;
        }
    }
    return true;
}

static bool is_open(struct gsched *s, struct reservation *r)
{
    const struct slot_search *o = s->plan->search;
    const uint32_t groups = groups_of(s, r->job);

    for (uint32_t i = 0; i < o->domain_count; i++) {
        bool enough = true;

        for (uint32_t g = 0; g < groups && enough; g++)
            enough = o->sum[(size_t)i * groups + g]
                     >= gsched_gang_of(s, r->job, g);
        if (enough && slots_choose(s, r, &o->domain[i]))
            return true;
    }
    return false;
}

/* --- the search ----------------------------------------------------------- */

static bool goes_before(const void *of, uint32_t i, uint32_t k)
{
    const struct due *heap = of;

    return heap[i].at != heap[k].at ? heap[i].at < heap[k].at
                                    : heap[i].place < heap[k].place;
}

GS_HEAP_SWAP(swap, struct due)

static const struct gs_heap by_next = { goes_before, swap };

/* The same when tasks are only counted. */
static int64_t counted_find(struct gsched *s, struct reservation *r)
{
    const struct availability *t = &s->plan->profile[0];
    const int64_t time = gsched_plan_time(s, r->job);
    const int64_t n = s->work->job[r->job].gang;

    assert(s->plan->counts && n > 0);
    for (uint32_t i = availability_step(t, s->now); i < t->count; i++) {
        const int64_t at = t->at[i] > s->now ? t->at[i] : s->now;
        const int64_t end = gsched_later(at, time);
        uint32_t k = i;

        while (k < t->count && t->free[k] >= n
               && (k + 1 == t->count || t->at[k + 1] < end))
            k++;
        if (k == t->count || t->free[k] >= n) {
            gsched_slot_add(r, 0, 0, (uint32_t)n);
            return at;
        }
        i = k;
    }
    return GSCHED_NEVER;
}

bool gsched_slot_at(struct gsched *s, struct reservation *r, int64_t at)
{
    assert(s->plan && at >= s->now);
    search_begin(s, r->job, at);
    return is_open(s, r);
}

int64_t gsched_earliest_slot(struct gsched *s, struct reservation *r,
                             int64_t latest)
{
    struct slot_search *o;
    uint32_t count;
    int64_t at;

    assert(s->plan && r->slots == 0);
    if (s->plan->counts)
        return counted_find(s, r);
    if (s->plan->whole)
        return gsched_whole_earliest(s, r, latest);
    if (gsched_slot_at(s, r, s->now))
        return s->now;
    o = s->plan->search;
    count = 0;
    for (uint32_t i = 0; i < s->plan->places; i++) {
        if (o->place[i].next <= latest)
            o->heap[count++] = (struct due){ o->place[i].next, i };
    }
    gs_heap_build(&by_next, o->heap, count);
    while (count && (at = o->heap[0].at) <= latest && at != GSCHED_NEVER) {
        do {
            place_look(s, r->job, o->heap[0].place, at);
            o->heap[0].at = o->place[o->heap[0].place].next;
            if (o->heap[0].at > latest)
                o->heap[0] = o->heap[--count];
            (void)gs_heap_sink(&by_next, o->heap, count, 0);
        } while (count && o->heap[0].at == at);
        if (is_open(s, r))
            return at;
    }
    return GSCHED_NEVER;
}
