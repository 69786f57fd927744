/* policies/modules/guarantee_room.h - what remains of guarantees and limits for
 * a task of guarantee-victims.c, and the fence below which its victims are.
 *
 * guarantee_room_may() is a quick check that most jobs fail.  Queues are
 * changed on trial in `gone`, which is all 0 between calls.
 */
#ifndef GSP_GUARANTEE_ROOM_H
#define GSP_GUARANTEE_ROOM_H

#include "policies/modules/guarantee_share.h"

#define ROOM_DEPTH 64u

enum { ROOM_POLICY_ANY, ROOM_POLICY_FENCE, ROOM_POLICY_OFF };

/* What a leaf gives, of this attempt. */
enum { ROOM_UNKNOWN, ROOM_NOTHING, ROOM_LOWER, ROOM_ALL };

struct guarantee_room {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims, queues;
    int64_t *gone;     /* [queue][dim] removed on trial, less what was added */
    uint32_t *changed; /* queues with a row in `gone`, changed_count */
    uint32_t changed_count;
    bool *is_changed; /* [queue] */
    uint8_t *gives;   /* [queue] */
    int64_t *most; /* [queue] the highest priority of its victims, ROOM_LOWER */
    /* of the attempt */
    uint32_t own, fence; /* queues; fence GSP_NONE: all of them */
    bool has_own;        /* its queue states a guarantee */
    int64_t asked[GUARANTEE_DIMS];
    uint32_t *victim, *scratch,
        *head; /* indices of candidates, room for `cap` */
    uint32_t victims, cap;
};

/* What remains; of nothing stated `is_set` is false. */
struct room_left {
    bool is_set;
    int64_t
        at[GUARANTEE_DIMS]; /* GUARANTEE_NONE: of that resource nothing is */
};

static inline void guarantee_room_open(struct guarantee_room *r,
                                       const struct gsp_host *host, void *ctx)
{
    r->host = host;
    r->ctx = ctx;
    r->dims = host->dims(ctx);
    r->queues = host->queues(ctx);
    assert(r->dims <= GUARANTEE_DIMS);
    r->gone = host->keep(ctx,
                         (size_t)(r->queues + 1) * r->dims * sizeof(*r->gone));
    r->changed = host->keep(ctx, (r->queues + 1) * sizeof(*r->changed));
    r->is_changed = host->keep(ctx, r->queues + 1);
    r->gives = host->keep(ctx, r->queues + 1);
    r->most = host->keep(ctx, (r->queues + 1) * sizeof(*r->most));
}

/* --- what remains --------------------------------------------------------- */

static inline int64_t room_held(const struct guarantee_room *r, uint32_t q,
                                uint32_t d)
{
    return r->host->queue_amount(r->ctx, q, GSP_USED)[d]
           - r->gone[(size_t)q * r->dims + d];
}

/* Take the amount (sign 1) from the queue and all above it, or give it back. */
static inline void room_take(struct guarantee_room *r, uint32_t queue,
                             const int64_t *amount, int sign)
{
    for (uint32_t q = queue; q != GSP_NONE;
         q = r->host->queue_parent(r->ctx, q)) {
        if (!r->is_changed[q])
            r->changed[r->changed_count++] = q;
        r->is_changed[q] = true;
        for (uint32_t d = 0; d < r->dims; d++)
            r->gone[(size_t)q * r->dims + d] += sign * amount[d];
    }
}

/* Queue `q`, of which `*left` is what remains above it. */
static inline void room_step(const struct guarantee_room *r, uint32_t q,
                             bool is_shared, struct room_left *left)
{
    const int64_t *guaranteed = r->host->queue_amount(r->ctx, q, GSP_GUARANTEE);
    bool states = false;

    for (uint32_t d = 0; d < r->dims; d++)
        states |= guaranteed[d] > 0;
    if (!states && !left->is_set)
        return;
    if (states && is_shared && q != r->own && r->has_own) {
        *left = (struct room_left){ .is_set = false };
        return;
    }
    for (uint32_t d = 0; d < r->dims; d++) {
        const int64_t above = left->is_set ? left->at[d] : GUARANTEE_NONE;
        const int64_t here = guaranteed[d] > 0
                                 ? guaranteed[d] - room_held(r, q, d)
                                 : GUARANTEE_NONE;

        left->at[d] = here == GUARANTEE_NONE                   ? above
                      : above == GUARANTEE_NONE || q == r->own ? here
                      : here < above                           ? here
                                                               : above;
    }
    left->is_set = true;
}

static inline bool room_is_above(const struct guarantee_room *r, uint32_t q,
                                 uint32_t below)
{
    while (below != GSP_NONE && below != q)
        below = r->host->queue_parent(r->ctx, below);
    return below == q;
}

static inline struct room_left room_left(const struct guarantee_room *r,
                                         uint32_t queue)
{
    struct room_left left = { .is_set = false };
    uint32_t way[ROOM_DEPTH], n = 0;

    for (uint32_t q = queue; q != GSP_NONE && n < ROOM_DEPTH;
         q = r->host->queue_parent(r->ctx, q))
        way[n++] = q;
    while (n-- > 0)
        room_step(r, way[n], room_is_above(r, way[n], r->own), &left);
    return left;
}

/* Is no resource that is asked for above the guarantee? */
static inline bool room_is_under(const struct guarantee_room *r,
                                 const struct room_left *left)
{
    for (uint32_t d = 0; d < r->dims; d++) {
        if (r->asked[d] > 0 && left->at[d] != GUARANTEE_NONE && left->at[d] < 0)
            return false;
    }
    return true;
}

/* Has what remains room for the amount? */
static inline bool room_fits(const struct guarantee_room *r,
                             const struct room_left *left,
                             const int64_t *amount)
{
    for (uint32_t d = 0; d < r->dims; d++) {
        if (amount[d] > 0 && left->at[d] != GUARANTEE_NONE
            && amount[d] > left->at[d])
            return false;
    }
    return true;
}

/* May a queue of which that remains lose a task: it states no guarantee, or
 * holds more of a resource that is asked for?
 */
static inline bool room_gives(const struct guarantee_room *r,
                              const struct room_left *left)
{
    return !left->is_set || !room_is_under(r, left);
}

/* --- the task ------------------------------------------------------------- */

static inline void room_begin(struct guarantee_room *r, const struct gsp_job *j,
                              uint32_t group)
{
    const struct gsp_task *t = r->host->job_task(j, group);
    const int64_t *guaranteed;

    r->own = r->host->job_queue(j);
    r->has_own = false;
    guaranteed = r->host->queue_amount(r->ctx, r->own, GSP_GUARANTEE);
    for (uint32_t d = 0; d < r->dims; d++) {
        r->asked[d] = r->host->amount(t, d);
        r->has_own |= guaranteed[d] > 0;
    }
}

/* Does it have the least a task needs: a guarantee on its way up that is not
 * exceeded where no other queue can help?
 */
static inline bool guarantee_room_may(struct guarantee_room *r,
                                      const struct gsp_job *j)
{
    const int64_t *guaranteed;
    bool any = false;

    for (uint32_t q = r->host->job_queue(j); q != GSP_NONE && !any;
         q = r->host->queue_parent(r->ctx, q)) {
        guaranteed = r->host->queue_amount(r->ctx, q, GSP_GUARANTEE);
        for (uint32_t d = 0; d < r->dims; d++)
            any |= guaranteed[d] > 0;
    }
    if (!any)
        return false;
    guaranteed = r->host->queue_amount(r->ctx, r->host->job_queue(j),
                                       GSP_GUARANTEE);
    for (uint32_t d = 0; d < r->dims; d++) {
        const int64_t used = r->host->queue_amount(
            r->ctx, r->host->job_queue(j), GSP_USED)[d];

        if (guaranteed[d] > 0 && used >= guaranteed[d]
            && r->host->job_minimum(j)[d] > 0)
            return false; /* its own queue holds all of it */
    }
    return true;
}

/* The least limit of a resource from the queue up, and the cluster; -1: none.
 */
static inline int64_t room_limit(const struct guarantee_room *r, uint32_t queue,
                                 uint32_t d)
{
    const int64_t all = r->host->dim_total(r->ctx, d);
    int64_t least = all > 0 ? all : -1;

    for (uint32_t q = queue; q != GSP_NONE;
         q = r->host->queue_parent(r->ctx, q)) {
        const int64_t limit = r->host->queue_amount(r->ctx, q, GSP_LIMIT)[d];

        if (limit >= 0 && (least < 0 || limit < least))
            least = limit;
    }
    return least;
}

/* Would the task exceed a limit of the queue or of those above? */
static inline bool room_exceeds(const struct guarantee_room *r, uint32_t q)
{
    for (uint32_t d = 0; d < r->dims; d++) {
        const int64_t limit = room_limit(r, q, d);

        if (limit >= 0 && room_held(r, q, d) + r->asked[d] > limit)
            return true;
    }
    return false;
}

/* Do the limits of its queues allow the task? */
static inline bool room_is_within(const struct guarantee_room *r)
{
    for (uint32_t q = r->own; q != GSP_NONE;
         q = r->host->queue_parent(r->ctx, q)) {
        const int64_t *limit = r->host->queue_amount(r->ctx, q, GSP_LIMIT);

        for (uint32_t d = 0; d < r->dims; d++) {
            if (limit[d] >= 0 && r->asked[d] > 0
                && room_held(r, q, d) + r->asked[d] > limit[d])
                return false;
        }
    }
    return true;
}

/* Find the fence; `*priority` becomes that of the task as the fence sees it. */
static inline void room_fence(struct guarantee_room *r, int64_t *priority)
{
    uint32_t q = r->own;

    for (;; q = r->host->queue_parent(r->ctx, q)) {
        const int64_t offset = r->host->queue_term(r->ctx, q,
                                                   GSP_TERM_PRIORITY_OFFSET);

        *priority = r->host->queue_term(r->ctx, q, GSP_TERM_PRIORITY_FENCE) > 0
                        ? offset
                        : *priority + offset;
        r->most[q] = *priority;
        if (r->host->queue_term(r->ctx, q, GSP_TERM_PREEMPTION)
                == ROOM_POLICY_FENCE
            || room_exceeds(r, q))
            break;
        if (r->host->queue_parent(r->ctx, q) == GSP_NONE) {
            r->fence = GSP_NONE; /* all queues are below it */
            return;
        }
    }
    r->fence = q;
}

#endif /* GSP_GUARANTEE_ROOM_H */
