/* policies/modules/guarantee-victims.c - which tasks go for one that does not
 * fit: those of queues that hold more than is guaranteed to them, as long as
 * the queue of the task holds less than its own guarantee.
 *
 * YuniKorn's preemption (scheduler/objects/preemption.go, queue.go).  Victims
 * are below the fence of the task: the first queue above it with `preemption:
 * fence`, or whose limit it would exceed.  `preemption: off` protects a leaf.
 * Priorities are compared where the ways up meet: each queue adds its
 * `priority_offset`, or hides what is below it with `priority_fence`.
 *
 * What remains of a guarantee: the guarantee less what is held, and no more
 * than remains above; of a queue above both the task and a victim only where
 * the queue of the task has no guarantee of its own.
 *
 * On each node victims go youngest first.  The node that needs fewest is
 * chosen.  Where the task has room on a node, and lacks some in its queues, the
 * youngest of all nodes go.
 *
 * A task waits for `preemption_delay` of its queue, or `delay`.  Of a queue up
 * to `attempts` fail at one time; then the queue makes none for `interval` (in
 * YuniKorn each task that tried).
 */
#include "policies/modules/guarantee_take.h"

enum { DELAY, INTERVAL, ATTEMPTS };

static const struct gsp_param params[] = {
    { "delay", GSP_TIME, "30s", 0, INT64_MAX,
      "a task waits for that long first, in queues that state none", NULL },
    { "interval", GSP_TIME, "15s", 0, INT64_MAX,
      "time between attempts that fail, of one queue", NULL },
    { "attempts", GSP_WHOLE, "10", 1, INT32_MAX,
      "attempts of a queue that may fail at one time", NULL },
};

struct guarantee_victims {
    struct guarantee_room room;
    gsp_time delay, interval;
    int64_t attempts;
    struct guarantee_tries {
        gsp_time at; /* of the last attempts that failed */
        int64_t failed;
    } * tries; /* [queue] */
};

static int guarantee_victims_open(const struct gsp_host *host, void *ctx,
                                  const union gsp_value *value, void **self)
{
    struct guarantee_victims *g = host->keep(ctx, sizeof(*g));

    guarantee_room_open(&g->room, host, ctx);
    g->delay = value[DELAY].whole;
    g->interval = value[INTERVAL].whole;
    g->attempts = value[ATTEMPTS].whole;
    g->tries = host->keep(ctx, (g->room.queues + 1) * sizeof(*g->tries));
    *self = g;
    return 0;
}

static gsp_time later(gsp_time at, gsp_time by)
{
    return at > GSP_NEVER - by ? GSP_NEVER : at + by;
}

/* When the queue may make the next attempt. */
static gsp_time next_of(const struct guarantee_victims *g, uint32_t queue)
{
    const struct guarantee_tries *t = &g->tries[queue];

    if (t->failed == 0
        || (t->failed < g->attempts && t->at == g->room.host->now(g->room.ctx)))
        return 0;
    return later(t->at, g->interval);
}

static gsp_time guarantee_victims_room_at(void *self, const struct gsp_job *j)
{
    struct guarantee_victims *g = self;
    const struct gsp_host *h = g->room.host;
    const uint32_t queue = h->job_queue(j);
    const int64_t own = h->queue_term(g->room.ctx, queue,
                                      GSP_TERM_PREEMPTION_DELAY);
    const gsp_time at = later(h->job_since(j), own >= 0 ? own : g->delay);
    gsp_time next;

    if (!guarantee_room_may(&g->room, j)) {
        h->refused_by(g->room.ctx, queue);
        return GSP_NEVER;
    }
    next = next_of(g, queue);
    return at > next ? at : next;
}

static bool guarantee_victims_make_room(void *self, const struct gsp_job *j,
                                        uint32_t group,
                                        const struct gsp_standing *v,
                                        uint8_t *goes, uint32_t *node)
{
    struct guarantee_victims *g = self;
    const struct gsp_host *h = g->room.host;
    const bool made = guarantee_room_make(&g->room, j, group, v, goes, node);

    if (!made) {
        struct guarantee_tries *t = &g->tries[h->job_queue(j)];
        const gsp_time now = h->now(g->room.ctx);

        t->failed = t->failed && t->at == now ? t->failed + 1 : 1;
        t->at = now;
    }
    return made;
}

extern const struct gsp_module gsp_module_guarantee_victims;
const struct gsp_module gsp_module_guarantee_victims = {
    GSP_ABI,
    .name = "guarantee-victims",
    .summary = "queues below their guarantee evict from those above (YuniKorn)",
    GSP_PARAMS(params),
    .reads = GSP_READS_QUEUE_GUARANTEE | GSP_READS_QUEUE_LIMIT
             | GSP_READS_PRIORITY,
    .terms = UINT64_C(1) << GSP_TERM_PRIORITY_OFFSET
             | UINT64_C(1) << GSP_TERM_PRIORITY_FENCE
             | UINT64_C(1) << GSP_TERM_PREEMPTION
             | UINT64_C(1) << GSP_TERM_PREEMPTION_DELAY,
    .open = guarantee_victims_open,
    .room_at = guarantee_victims_room_at,
    .make_room = guarantee_victims_make_room,
};
