/* policies/modules/guarantee_take.h - the victims of guarantee-victims.c:
 * guarantee_room_make() finds those below the fence (guarantee_room.h), a node
 * and what goes there.
 */
#ifndef GSP_GUARANTEE_TAKE_H
#define GSP_GUARANTEE_TAKE_H

#include "policies/modules/guarantee_room.h"

/* --- victims -------------------------------------------------------------- */

/* What a queue that is not above the task gives, from the fence down. */
static inline uint8_t room_policy(const struct guarantee_room *r,
                                  uint32_t queue, int64_t priority,
                                  int64_t *most)
{
    uint32_t way[ROOM_DEPTH], n = 0;
    bool all = false;

    for (uint32_t q = queue; q != r->fence && n < ROOM_DEPTH;
         q = r->host->queue_parent(r->ctx, q)) {
        if (q == GSP_NONE)
            return ROOM_NOTHING; /* it is not below the fence */
        way[n++] = q;
    }
    while (n-- > 0) {
        const uint32_t q = way[n];
        const int64_t offset = r->host->queue_term(r->ctx, q,
                                                   GSP_TERM_PRIORITY_OFFSET);

        if (room_is_above(r, q, r->own)) {
            priority = r->most[q];
        } else if (r->host->queue_term(r->ctx, q, GSP_TERM_PRIORITY_FENCE)
                   > 0) {
            if (offset > priority)
                return ROOM_NOTHING;
            all = true;
        } else {
            priority -= offset;
        }
    }
    *most = priority;
    return all ? ROOM_ALL : ROOM_LOWER;
}

static inline uint8_t room_source(struct guarantee_room *r, uint32_t queue,
                                  int64_t priority)
{
    struct room_left left;
    bool within = true;
    int64_t most = 0;

    if (queue == r->own
        || r->host->queue_term(r->ctx, queue, GSP_TERM_PREEMPTION)
               == ROOM_POLICY_OFF)
        return ROOM_NOTHING;
    left = room_left(r, queue);
    for (uint32_t d = 0; d < r->dims && left.is_set; d++)
        within &= left.at[d] == GUARANTEE_NONE || left.at[d] >= 0;
    if (left.is_set && within)
        return ROOM_NOTHING;
    {
        const uint8_t gives = room_policy(r, queue, priority, &most);

        if (!room_is_above(r, queue, r->own))
            r->most[queue] = most;
        return gives;
    }
}

static inline void room_amount(const struct guarantee_room *r,
                               const struct gsp_placed *p, int64_t *out)
{
    const struct gsp_task *t = r->host->job_task(p->job, p->group);

    for (uint32_t d = 0; d < r->dims; d++)
        out[d] = r->host->amount(t, d) * p->tasks;
}

/* < 0: `a` goes before `b`: the younger one. */
static inline int room_compare(const struct guarantee_room *r,
                               const struct gsp_placed *a,
                               const struct gsp_placed *b)
{
    const gsp_time x = r->host->job_started(a->job),
                   y = r->host->job_started(b->job);

    return (x < y) - (x > y);
}

/* Sort `count` candidates at `at`, stable. */
static inline void room_sort(const struct guarantee_room *r,
                             const struct gsp_standing *v, uint32_t *at,
                             uint32_t count)
{
    uint32_t *from = at, *to = r->scratch;

    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t i = 0; i < count; i += 2 * width) {
            const uint32_t mid = i + width < count ? i + width : count;
            const uint32_t end = mid + width < count ? mid + width : count;
            uint32_t a = i, b = mid, n = i;

            while (a < mid || b < end)
                to[n++] = b >= end
                                  || (a < mid
                                      && room_compare(r, &v->at[from[b]],
                                                      &v->at[from[a]])
                                             >= 0)
                              ? from[a++]
                              : from[b++];
        }
        {
            uint32_t *const other = from;

            from = to;
            to = other;
        }
    }
    if (from != at)
        memcpy(at, from, count * sizeof(*at));
}

static inline void room_grow(struct guarantee_room *r, uint32_t count)
{
    if (count <= r->cap)
        return;
    r->cap = r->cap ? r->cap : 64;
    while (r->cap < count)
        r->cap *= 2;
    r->victim = r->host->keep(r->ctx, r->cap * sizeof(*r->victim));
    r->scratch = r->host->keep(r->ctx, r->cap * sizeof(*r->scratch));
    r->head = r->host->keep(r->ctx, 2 * r->cap * sizeof(*r->head));
}

/* All candidates in the order of `v`: by nodes. */
static inline void room_gather(struct guarantee_room *r,
                               const struct gsp_standing *v, int64_t priority)
{
    room_grow(r, v->count);
    r->victims = 0;
    memset(r->gives, ROOM_UNKNOWN, r->queues);
    for (uint32_t i = 0; i < v->count; i++) {
        const struct gsp_placed *p = &v->at[i];
        const uint32_t q = r->host->job_queue(p->job);
        int64_t amount[GUARANTEE_DIMS];
        bool shares = false;

        if (!p->may_go)
            continue;
        if (r->gives[q] == ROOM_UNKNOWN)
            r->gives[q] = room_source(r, q, priority);
        if (r->gives[q] == ROOM_NOTHING
            || (r->gives[q] == ROOM_LOWER
                && r->host->job_priority(p->job) > r->most[q]))
            continue;
        room_amount(r, p, amount);
        for (uint32_t d = 0; d < r->dims; d++)
            shares |= r->asked[d] > 0 && amount[d] > 0;
        if (shares)
            r->victim[r->victims++] = i;
    }
}

/* Give back all that was changed on trial. */
static inline void room_reset(struct guarantee_room *r)
{
    while (r->changed_count) {
        const uint32_t q = r->changed[--r->changed_count];

        r->is_changed[q] = false;
        memset(r->gone + (size_t)q * r->dims, 0, r->dims * sizeof(*r->gone));
    }
}

/* Would the queue hold more than its own guarantee, though all victims go? */
static inline bool room_is_alone_over(const struct guarantee_room *r)
{
    const int64_t *guaranteed = r->host->queue_amount(r->ctx, r->own,
                                                      GSP_GUARANTEE);

    for (uint32_t d = 0; d < r->dims; d++) {
        if (guaranteed[d] > 0 && r->asked[d] > 0
            && room_held(r, r->own, d) + r->asked[d] > guaranteed[d])
            return true;
    }
    return false;
}

/* Would the queue of the task hold no more than its guarantee, with the task
 * and without all victims?
 */
static inline bool room_is_possible(struct guarantee_room *r,
                                    const struct gsp_standing *v)
{
    struct room_left left = room_left(r, r->own);
    bool possible;

    if (left.is_set && room_fits(r, &left, r->asked))
        return true;
    room_take(r, r->own, r->asked, -1);
    for (uint32_t i = 0; i < r->victims; i++) {
        int64_t amount[GUARANTEE_DIMS];

        room_amount(r, &v->at[r->victim[i]], amount);
        room_take(r, r->host->job_queue(v->at[r->victim[i]].job), amount, 1);
    }
    left = room_left(r, r->own);
    possible = r->victims && left.is_set && room_is_under(r, &left);
    room_reset(r);
    return possible;
}

/* --- one node ------------------------------------------------------------- */

static inline bool room_covers(const struct guarantee_room *r,
                               const int64_t *free)
{
    for (uint32_t d = 0; d < r->dims; d++) {
        if (r->asked[d] > 0 && free[d] < r->asked[d])
            return false;
    }
    return true;
}

/* Does the amount reduce what the node lacks? */
static inline bool room_helps(const struct guarantee_room *r,
                              const int64_t *free, const int64_t *amount)
{
    for (uint32_t d = 0; d < r->dims; d++) {
        if (r->asked[d] > free[d] && amount[d] > 0)
            return true;
    }
    return false;
}

static inline void room_free(const struct guarantee_room *r, uint32_t node,
                             int64_t *free)
{
    const uint32_t level = r->host->levels(r->ctx) - 1;

    for (uint32_t d = 0; d < r->dims; d++)
        free[d] = r->host->domain_free(r->ctx, node, level, d);
}

/* Put the victims among `at` that may go, those that reduce what is lacking
 * first, into r->head.  Returns their number.
 */
static inline uint32_t room_heads(struct guarantee_room *r,
                                  const struct gsp_standing *v,
                                  const uint32_t *at, uint32_t count,
                                  int64_t *free)
{
    uint32_t *tail = r->head + r->cap, tails = 0, n = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct gsp_placed *p = &v->at[at[i]];
        const uint32_t q = r->host->job_queue(p->job);
        struct room_left left = room_left(r, q);
        int64_t amount[GUARANTEE_DIMS];

        if (!room_gives(r, &left))
            continue;
        room_amount(r, p, amount);
        room_take(r, q, amount, 1);
        left = room_left(r, r->own);
        if (!left.is_set || !room_fits(r, &left, amount))
            break;
        if (room_helps(r, free, amount)) {
            room_take(r, r->own, amount, -1);
            for (uint32_t d = 0; d < r->dims; d++)
                free[d] += amount[d];
            r->head[n++] = at[i];
        } else {
            room_take(r, q, amount, -1);
            tail[tails++] = at[i];
        }
    }
    memmove(r->head + n, tail, tails * sizeof(*tail));
    room_reset(r);
    return n + tails;
}

/* The number of victims on the node with which the task fits, the first ones of
 * r->head; 0: it does not.
 */
static inline uint32_t room_node(struct guarantee_room *r,
                                 const struct gsp_standing *v, uint32_t *at,
                                 uint32_t count, uint32_t node)
{
    int64_t free[GUARANTEE_DIMS];
    uint32_t n = 0, heads;

    room_free(r, node, free);
    room_sort(r, v, at, count);
    heads = room_heads(r, v, at, count, free);
    room_free(r, node, free);
    for (uint32_t i = 0; i < heads; i++) {
        const struct gsp_placed *p = &v->at[r->head[i]];
        const uint32_t q = r->host->job_queue(p->job);
        const struct room_left left = room_left(r, q);
        int64_t amount[GUARANTEE_DIMS];

        if (!room_gives(r, &left))
            continue;
        room_amount(r, p, amount);
        room_take(r, q, amount, 1);
        for (uint32_t d = 0; d < r->dims; d++)
            free[d] += amount[d];
        r->head[n++] = r->head[i];
        if (room_covers(r, free))
            break;
    }
    room_reset(r);
    return room_covers(r, free) ? n : 0;
}

static inline bool room_suits(const struct guarantee_room *r,
                              const struct gsp_job *j, uint32_t group,
                              uint32_t node)
{
    return r->host->node_takes(r->ctx, node)
           && r->host->job_suits(j, group, node);
}

/* The node with the fewest victims, the first *count of r->head; GSP_NONE. */
static inline uint32_t room_best(struct guarantee_room *r,
                                 const struct gsp_job *j, uint32_t group,
                                 const struct gsp_standing *v, uint32_t *count)
{
    uint32_t best = GSP_NONE, least = UINT32_MAX, first = 0;

    for (uint32_t i = 0, end; i < r->victims && least > 1; i = end) {
        const uint32_t node = v->at[r->victim[i]].node;
        uint32_t n = 0;

        for (end = i; end < r->victims && v->at[r->victim[end]].node == node;)
            end++;
        if (room_suits(r, j, group, node))
            n = room_node(r, v, r->victim + i, end - i, node);
        if (n == 0 || n >= least)
            continue;
        best = node;
        least = n;
        first = i;
    }
    if (best == GSP_NONE)
        return best;
    for (*count = first;
         *count < r->victims && v->at[r->victim[*count]].node == best;)
        ++*count;
    *count = room_node(r, v, r->victim + first, *count - first, best);
    return best;
}

/* --- room in the queues --------------------------------------------------- */

/* Victims of all nodes beside those that went on one, the first `count` of
 * r->head, appended to these.  False: they are not enough.
 */
static inline bool room_more(struct guarantee_room *r,
                             const struct gsp_standing *v, const uint8_t *goes,
                             uint32_t *count)
{
    const uint32_t before = *count;
    struct room_left left;

    room_sort(r, v, r->victim, r->victims);
    for (uint32_t i = 0; i < before; i++) {
        int64_t amount[GUARANTEE_DIMS];

        room_amount(r, &v->at[r->head[i]], amount);
        room_take(r, r->host->job_queue(v->at[r->head[i]].job), amount, 1);
    }
    for (uint32_t i = 0; i < r->victims; i++) {
        const struct gsp_placed *p = &v->at[r->victim[i]];
        const uint32_t q = r->host->job_queue(p->job);
        int64_t amount[GUARANTEE_DIMS];
        bool changes = false;

        left = room_left(r, q);
        if (goes[r->victim[i]] || !room_gives(r, &left))
            continue;
        room_amount(r, p, amount);
        room_take(r, q, amount, 1);
        left = room_left(r, r->own);
        if (!left.is_set || !room_fits(r, &left, amount)) {
            room_take(r, q, amount, -1);
            break;
        }
        for (uint32_t d = 0; d < r->dims; d++)
            changes |= amount[d] > 0 && left.at[d] != GUARANTEE_NONE;
        if (!changes) {
            room_take(r, q, amount, -1);
            continue;
        }
        room_take(r, r->own, amount, -1);
        r->head[(*count)++] = r->victim[i];
    }
    left = room_left(r, r->own);
    room_reset(r);
    return *count == before || (left.is_set && room_is_under(r, &left));
}

/* Is the sum of victims still below what is asked for: nothing, or of what both
 * name no resource is above it and one is not equal?
 */
static inline bool room_lacks(const struct guarantee_room *r,
                              const int64_t *sum)
{
    bool differs = false, any = false;

    for (uint32_t d = 0; d < r->dims; d++) {
        if (r->asked[d] <= 0 || sum[d] <= 0)
            continue;
        if (sum[d] > r->asked[d])
            return false;
        any = true;
        differs |= sum[d] < r->asked[d];
    }
    return !any || differs;
}

/* Of the chosen ones as many as the task needs, of its node unless it fits
 * there already; false: all together are less than it asks for.
 */
static inline bool room_finish(const struct guarantee_room *r,
                               const struct gsp_standing *v, uint32_t count,
                               uint32_t node, uint8_t *goes)
{
    int64_t sum[GUARANTEE_DIMS] = { 0 };

    for (uint32_t i = 0; i < count; i++) {
        const struct gsp_placed *p = &v->at[r->head[i]];
        int64_t amount[GUARANTEE_DIMS];

        if (node != GSP_NONE && p->node != node)
            continue;
        goes[r->head[i]] = room_lacks(r, sum);
        room_amount(r, p, amount);
        for (uint32_t d = 0; d < r->dims; d++)
            sum[d] += amount[d];
    }
    return !room_lacks(r, sum);
}

/* Does the task fit on the node as it stands? */
static inline bool room_is_open(const struct guarantee_room *r,
                                const struct gsp_job *j, uint32_t group,
                                uint32_t node)
{
    int64_t free[GUARANTEE_DIMS];

    room_free(r, node, free);
    return room_covers(r, free) && room_suits(r, j, group, node);
}

static inline bool room_any_open(const struct guarantee_room *r,
                                 const struct gsp_job *j, uint32_t group)
{
    uint32_t n = r->host->domains(r->ctx, r->host->levels(r->ctx) - 1);
    bool any = false;

    while (n-- > 0 && !any)
        any = room_is_open(r, j, group, n);
    return any;
}

/* Of the open nodes of candidates that of the youngest one; GSP_NONE. */
static inline uint32_t room_open_node(const struct guarantee_room *r,
                                      const struct gsp_job *j, uint32_t group,
                                      const struct gsp_standing *v)
{
    const struct gsp_placed *best = NULL;

    for (uint32_t i = 0; i < r->victims; i++) {
        const struct gsp_placed *p = &v->at[r->victim[i]];

        if ((!best || room_compare(r, p, best) < 0)
            && room_is_open(r, j, group, p->node))
            best = p;
    }
    return best ? best->node : GSP_NONE;
}

/* Where only queues lack room, an open node of candidates is the best one. */
static inline bool guarantee_room_make(struct guarantee_room *r,
                                       const struct gsp_job *j, uint32_t group,
                                       const struct gsp_standing *v,
                                       uint8_t *goes, uint32_t *node)
{
    int64_t priority = r->host->job_priority(j);
    uint32_t count = 0;
    bool within, open;

    room_begin(r, j, group);
    if (room_is_alone_over(r))
        return false;
    room_fence(r, &priority);
    room_gather(r, v, priority);
    if (!room_is_possible(r, v))
        return false;
    within = room_is_within(r);
    *node = within ? GSP_NONE : room_open_node(r, j, group, v);
    open = *node != GSP_NONE;
    if (!open)
        *node = room_best(r, j, group, v, &count);
    if (*node == GSP_NONE && (within || !room_any_open(r, j, group)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        goes[r->head[i]] = 1;
    if (!room_more(r, v, goes, &count))
        return false;
    memset(goes, 0, v->count);
    return room_finish(r, v, count, open ? GSP_NONE : *node, goes);
}

#endif /* GSP_GUARANTEE_TAKE_H */
