/* tests/host/drive.c - random jobs in virtual time for the live host. */
#include "tests/host/drive.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/rng.h"
#include "base/strtab.h"

#define SECOND INT64_C(1000000)
#define INSTANTS_MAX 100000 /* a run that takes more never ends */

/* State that only the pods have. */
struct driven_load {
    struct live_job *job; /* NULL: not submitted yet */
    char name[16];
    int64_t submit, duration;
    struct trace_job spec;
    struct trace_job_aside aside; /* of spec */
    struct live_group group[2];
};

struct driven {
    const struct drive_options *o;
    struct live *l;
    struct gs_rng rng;
    struct driven_load *load;
    uint32_t next; /* to be submitted */
    uint32_t cycles;
    struct drive_result r;
};

static uint32_t below(struct driven *w, uint32_t n)
{
    return (uint32_t)gs_rng_below(&w->rng, n);
}

/* --- a random world ------------------------------------------------------- */

static uint32_t string(struct driven *w, const char *s)
{
    return gs_strtab_put(w->l->names, s, strlen(s));
}

static void cluster_make(struct driven *w)
{
    const uint32_t racks = 2 + below(w, 3), each = 2 + below(w, 4);
    struct topo_class k = { .type = string(w, "node"),
                            .model = string(w, "M"),
                            .gpus = 4 + 4 * below(w, 2) };

    k.capacity[TOPO_GPU] = (int64_t)k.gpus * TOPO_SHARE_ONE;
    k.capacity[TOPO_CPU] = 32000;
    k.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
    live_tier(w->l, "rack");
    live_class(w->l, &k);
    for (uint32_t i = 0; i < racks * each; i++) {
        char name[16], rack[16];
        uint32_t path[TOPO_TIERS_MAX] = { 0 };

        (void)snprintf(name, sizeof(name), "n%u", i);
        (void)snprintf(rack, sizeof(rack), "r%u", i / each);
        path[0] = string(w, rack);
        live_node(w->l, name, 0, path);
    }
}

static void users_make(struct driven *w)
{
    static const char *const queue[] = { "default", "a", "b" };

    for (uint32_t i = 0; i < 3; i++) {
        const struct trace_queue q = { .name = string(w, queue[i]),
                                       .weight = 1 + i };

        live_queue(w->l, &q);
    }
    for (int32_t i = 0; i < 3; i++) {
        const struct trace_class c = {
            .name = i ? string(w, i == 1 ? "middle" : "high") : 0,
            .value = i * 10,
            .preempts = i > 0
        };

        live_priority(w->l, &c);
    }
}

static struct live_group group_make(struct driven *w)
{
    const uint32_t kind = below(w, 6);
    struct live_group g = { .replicas = 1 + below(w, 6),
                            .asks = { .gpus = 1 } };

    if (!w->o->alike) {
        g.asks.gpus = kind > 1 ? 1u << below(w, 3) : 0;
        g.asks.share = kind == 1 ? 100 + 100 * below(w, 8) : 0;
        g.asks.amount[TOPO_CPU] = 500 * (1 + below(w, 8));
    }
    g.asks.amount[TOPO_GPU] = g.asks.gpus ? g.asks.gpus * TOPO_SHARE_ONE
                                          : g.asks.share;
    g.asks.amount[TOPO_PODS] = 1;
    return g;
}

static void load_make(struct driven *w, uint32_t i)
{
    struct driven_load *j = &w->load[i];
    uint32_t pods;

    (void)snprintf(j->name, sizeof(j->name), "job-%u", i);
    j->spec.group_count = w->o->alike || w->o->one_group ? 1 : 1 + below(w, 2);
    for (uint32_t g = 0; g < j->spec.group_count; g++)
        j->group[g] = group_make(w);
    pods = j->group[0].replicas + j->group[1].replicas;
    j->spec.gang = below(w, 3) ? pods : 1 + below(w, pods);
    if (w->o->singles)
        j->spec.gang = 1;
    j->submit = (i ? w->load[i - 1].submit : 0) + below(w, 8) * SECOND;
    j->duration = below(w, 90) * SECOND;
    j->spec.duration = TRACE_FOREVER;
    j->spec.estimate = j->duration + below(w, 30) * SECOND;
    j->spec.queue = below(w, 3);
    j->spec.klass = below(w, 3);
    j->spec.aside = &j->aside;
    j->aside.task_interval = below(w, 5) ? 0 : SECOND;
    j->aside.checkpoint = below(w, 2) * 10 * SECOND;
    j->spec.retries = below(w, 4) ? TRACE_NONE : below(w, 3);
    if (below(w, 6) == 0) {
        j->aside.within = TRACE_PREFERRED;
        j->aside.within_tier = string(w, "rack");
    }
}

/* --- time ----------------------------------------------------------------- */

static int64_t end_of(const struct driven_load *j)
{
    return j->job && j->job->phase == LIVE_RUNNING
               ? j->job->run_start + j->duration - j->job->saved
               : GSCHED_NEVER;
}

static bool is_over(const struct driven_load *j)
{
    return j->job && live_is_over(j->job);
}

/* Time at which its next pod is created. */
static int64_t pod_at(const struct driven_load *j)
{
    return j->job && !is_over(j) && j->job->created < j->job->pods
               ? j->submit + j->job->created * j->aside.task_interval
               : GSCHED_NEVER;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t next_instant(const struct driven *w)
{
    int64_t at = live_due(w->l);

    if (w->next < w->o->jobs)
        at = earlier(at, w->load[w->next].submit);
    for (uint32_t i = 0; i < w->next; i++)
        at = earlier(at, earlier(end_of(&w->load[i]), pod_at(&w->load[i])));
    return at;
}

static void submit(struct driven *w, struct driven_load *j, int64_t now)
{
    const uint32_t pods = j->group[0].replicas + j->group[1].replicas;

    j->job = live_submit(w->l, j->name, &j->spec, j->group,
                         j->aside.task_interval ? 1 : pods, now);
}

/* Ends, then submissions, then pods. */
static void instant(struct driven *w, int64_t now)
{
    for (uint32_t i = 0; i < w->next; i++) {
        if (end_of(&w->load[i]) == now)
            live_ended(w->l, w->load[i].job, now);
    }
    while (w->next < w->o->jobs && w->load[w->next].submit == now)
        submit(w, &w->load[w->next++], now);
    for (uint32_t i = 0; i < w->next; i++) {
        if (pod_at(&w->load[i]) == now)
            live_created(w->l, w->load[i].job, w->load[i].job->created + 1,
                         now);
    }
}

static void note(struct driven *w, const struct gsched_decision *d)
{
    char line[LIVE_LINE];

    w->r.count++;
    w->r.evictions += d->kind == GSCHED_RETURN || d->kind == GSCHED_SHRINK;
    for (const char *c = live_tell(w->l, d, line); *c; c++)
        w->r.decisions = (w->r.decisions ^ (uint8_t)*c)
                         * UINT64_C(0x100000001b3);
}

static void cycle(struct driven *w, int64_t now)
{
    const struct gsched_decision *d;
    uint32_t count;

    do {
        d = live_cycle(w->l, now, &count);
        for (uint32_t i = 0; i < count; i++)
            note(w, &d[i]);
    } while (w->o->limit && count >= w->o->limit);
    if (w->o->refuse && ++w->cycles % w->o->refuse == 0 && count
        && d[count - 1].kind == GSCHED_PLACE
        && !live_is_over(w->l->known[d[count - 1].job])) {
        const struct gsched_decision last = d[count - 1];

        live_refuse(w->l, &last, now);
        w->r.refused++;
    }
    if (!live_consistent(w->l))
        live_fault(w->l, "host and scheduler disagree", w->o->preset);
}

static void run(struct driven *w)
{
    for (uint32_t n = 1;; n++) {
        const int64_t now = next_instant(w);

        if (now == GSCHED_NEVER || w->l->faults || n == w->o->instants)
            return;
        if (n > INSTANTS_MAX) {
            live_fault(w->l, "it does not end", w->o->preset);
            return;
        }
        instant(w, now);
        if (live_due(w->l) == now)
            cycle(w, now);
        for (uint32_t i = 0; w->o->forget && i < w->next; i++) {
            if (is_over(&w->load[i]))
                live_forget(w->l, w->load[i].job);
        }
        if (w->o->restart && n % w->o->restart == 0) {
            w->r.restarts++;
            if ((w->o->takes_over ? live_take_over(w->l, now)
                                  : live_restart(w->l, now))
                < 0)
                live_fault(w->l, w->l->err.problem[0].text, "restart");
        }
    }
}

struct drive_result drive(const struct drive_options *o)
{
    struct driven w = { .o = o, .l = live_create() };

    gs_rng_init(&w.rng, o->seed, "drive");
    cluster_make(&w);
    users_make(&w);
    w.load = gs_array_new(o->jobs, sizeof(*w.load));
    for (uint32_t i = 0; i < o->jobs; i++)
        load_make(&w, i);
    w.l->limit = o->limit ? o->limit : UINT32_MAX;
    if (live_start(w.l, o->preset, o->setting) < 0)
        live_fault(w.l, w.l->err.problem[0].text, o->preset);
    else
        run(&w);
    w.r.left = o->jobs - live_over(w.l);
    w.r.faults = w.l->faults;
    w.r.numbers = w.l->work ? w.l->work->job_count : 0;
    gs_array_free(w.load);
    live_destroy(w.l);
    return w.r;
}
