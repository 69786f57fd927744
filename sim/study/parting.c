/* sim/study/parting.c - replays two runs up to the instant at which they part.
 *
 * The first replay of each run records its decisions at the instant, and why
 * jobs wait after it.  Then the job of the first decision that differs is
 * known, and how many decisions of the cycle go before it; the second replay
 * stops the cycle there and asks the modules.
 */
#include "sim/study/parting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "reports/diff/diff.h"
#include "reports/glossary/cause_info.h"
#include "sim/replay/replay.h"
#include "sim/study/again.h"
#include "sim/study/inputs.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define NODES_MOST 8u /* shown: those of both runs, then the best */
#define QUEUES_MOST 12u

/* A decision at the instant. */
struct decided {
    uint32_t cycle, before; /* decisions of the cycle that go before it */
    uint32_t job, by, node, tasks;
    enum gsched_kind kind;
};

struct replayed {
    const struct report_diff *d;
    struct gs_arena *arena;
    struct inputs in;
    struct study_again again;
    bool is_read;
    struct report_diff_reason *reason;
    uint32_t cycle; /* of this replay, at the instant */
    struct decided *decided;
    uint32_t count, cap;
    enum gsched_cause *cause; /* [together] after the instant */
    const char **refuser;
    bool is_second; /* replay: look before decision `look` */
    struct decided look;
    uint32_t other; /* job that this run decided instead; UINT32_MAX */
};

static int job_compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The index of the job among those that differ; their number: none of them. */
static uint32_t together_of(const struct report_diff *d, uint32_t job)
{
    const uint32_t *at = bsearch(&job, d->together, d->together_count,
                                 sizeof(job), job_compare);

    return at ? (uint32_t)(at - d->together) : d->together_count;
}

static const char *job_name(const struct replayed *r, uint32_t job)
{
    const struct trace_workload *w = r->in.work;

    return gs_text_copy(r->arena, gs_strtab_str(w->names, w->job[job].name));
}

/* --- what is seen at the decision ----------------------------------------- */

/* True when a run gave the job this node. */
static bool is_given(const struct report_diff *d, const char *node)
{
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < d->act[side].places; i++) {
            if (strcmp(d->act[side].place[i].node, node) == 0)
                return true;
        }
    }
    return false;
}

/* A node, to be sorted: those that a run gave first, then accepted ones, then
 * by score.
 */
struct seen {
    int given, accepted;
    int64_t score;
    uint32_t node;
};

static int seen_compare(const void *pa, const void *pb)
{
    const struct seen *a = pa, *b = pb;

    if (a->given != b->given)
        return b->given - a->given;
    if (a->accepted != b->accepted)
        return b->accepted - a->accepted;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

static void nodes_see(struct replayed *r, struct gsched *s)
{
    const struct topo *t = r->in.topo;
    const uint32_t modules = gsched_module_count(s);
    struct gsched_judged *judged = gs_array_new(t->node_count, sizeof(*judged));
    int64_t *points = gs_array_new((size_t)t->node_count * modules + 1,
                                   sizeof(*points));
    struct seen *seen = gs_array_new(t->node_count, sizeof(*seen));
    struct report_diff_reason *out = r->reason;

    if (gsched_judge(s, r->d->job, 0, judged, points) == 0) {
        out->modules = modules;
        out->module_name = gs_arena_alloc(r->arena, modules + 1,
                                          sizeof(*out->module_name));
        for (uint32_t m = 0; m < modules; m++)
            out->module_name[m] = gs_text_copy(r->arena,
                                               gsched_module_name(s, m));
        for (uint32_t i = 0; i < t->node_count; i++) {
            const char *name = gs_strtab_str(t->names, t->node_name[i]);

            seen[i] = (struct seen){ is_given(r->d, name), !judged[i].refused,
                                     judged[i].score, i };
        }
        qsort(seen, t->node_count, sizeof(*seen), seen_compare);
        out->nodes = t->node_count < NODES_MOST ? t->node_count : NODES_MOST;
        out->node = gs_arena_alloc(r->arena, out->nodes, sizeof(*out->node));
    }
    for (uint32_t i = 0; i < out->nodes; i++) {
        const uint32_t node = seen[i].node;

        out->node[i] = (struct report_diff_node){
            .node = gs_text_copy(r->arena,
                                 gs_strtab_str(t->names, t->node_name[node])),
            .refused = gs_text_copy(r->arena, judged[node].refused),
            .score = judged[node].score,
            .points = gs_arena_memdup(r->arena, points + (size_t)node * modules,
                                      (modules + 1) * sizeof(*points)),
        };
    }
    gs_array_free(judged);
    gs_array_free(points);
    gs_array_free(seen);
}

static double stated(int64_t amount, int64_t none)
{
    return amount == none ? (double)NAN : (double)amount;
}

static void queue_see(struct replayed *r, const struct gsched *s, uint32_t q,
                      uint32_t dim)
{
    const struct trace_workload *w = r->in.work;
    const struct trace_queue_amounts *amounts = trace_queue_amounts(
        &w->queue[q]);
    const int64_t *used = gsched_queue_used(s, q);
    struct report_diff_reason *out = r->reason;

    for (uint32_t i = 0; i < out->queues; i++) {
        if (strcmp(out->queue[i].name,
                   gs_strtab_str(w->names, w->queue[q].name))
            == 0)
            return;
    }
    if (!used || out->queues == QUEUES_MOST)
        return;
    out->queue[out->queues++] = (struct report_diff_queue){
        .name = gs_text_copy(r->arena,
                             gs_strtab_str(w->names, w->queue[q].name)),
        .used = (double)used[dim],
        .asked = (double)gsched_queue_asked(s, q)[dim],
        .guarantee = stated(amounts->guarantee[dim], 0),
        .deserved = stated(amounts->deserved[dim], 0),
        .limit = stated(amounts->limit[dim], -1),
    };
}

/* The queues of the job and of the other, and those above them. */
static void queues_see(struct replayed *r, const struct gsched *s)
{
    const struct trace_workload *w = r->in.work;
    const uint32_t dim = r->in.topo->gpu_count ? TOPO_GPU : TOPO_CPU;
    const uint32_t job[] = { r->d->job, r->other };

    r->reason->unit = dim == TOPO_GPU ? "GPUs" : "cores";
    r->reason->queue = gs_arena_alloc(r->arena, QUEUES_MOST,
                                      sizeof(*r->reason->queue));
    for (size_t i = 0; i < sizeof(job) / sizeof(job[0]); i++) {
        uint32_t q = job[i] < w->job_count ? w->job[job[i]].queue : TRACE_NONE;

        for (; q != TRACE_NONE; q = w->queue[q].parent)
            queue_see(r, s, q, dim);
    }
}

static void see(struct replayed *r, struct gsched *s)
{
    const char *module = NULL;
    int order;

    nodes_see(r, s);
    queues_see(r, s);
    if (r->other >= r->in.work->job_count)
        return;
    order = gsched_order_of(s, r->d->job, r->other, &module);
    if (order != 0 && (order < 0) == r->reason->is_first)
        r->reason->order_by = module ? gs_text_copy(r->arena, module)
                                     : "order of submission";
}

/* --- watching ------------------------------------------------------------- */

static void before_cycle(void *self, struct gsched *s)
{
    struct replayed *r = self;

    if (!r->is_second || r->cycle != r->look.cycle)
        return;
    if (r->look.before == 0)
        see(r, s);
    else
        (void)gsched_limit_decisions(s, r->look.before);
}

static void decisions_keep(struct replayed *r, const struct gsched_decision *d,
                           uint32_t count)
{
    r->decided = gs_array_grow(r->decided, &r->cap, r->count + count + 1,
                               sizeof(*r->decided));
    for (uint32_t i = 0; i < count; i++)
        r->decided[r->count++] = (struct decided){
            .cycle = r->cycle,
            .before = i,
            .job = d[i].job,
            .by = d[i].kind == GSCHED_PLACE ? UINT32_MAX : d[i].by,
            .node = d[i].grant.node,
            .tasks = d[i].grant.tasks,
            .kind = d[i].kind,
        };
}

static void after_cycle(void *self, struct gsched *s,
                        const struct gsched_decision *d, uint32_t count)
{
    struct replayed *r = self;

    if (r->is_second) {
        if (r->cycle == r->look.cycle && r->look.before > 0)
            see(r, s);
        r->cycle++;
        return;
    }
    decisions_keep(r, d, count);
    r->cycle++;
    for (uint32_t i = 0; i < r->d->together_count; i++) {
        r->cause[i] = gsched_wait_cause(s, r->d->together[i]);
        r->refuser[i] = gs_text_copy(r->arena,
                                     gsched_wait_refuser(s, r->d->together[i]));
    }
}

static int replay(struct replayed *r, struct gs_err *err)
{
    const struct sim_watch watch = {
        .self = r, .at = r->d->at, .before = before_cycle, .after = after_cycle
    };
    struct sim_options o = r->again.sim;
    struct sim_stats stats;

    o.until = r->d->at;
    o.watch = &watch;
    r->cycle = 0;
    return sim_replay(r->in.topo, r->in.work, r->again.profile, &o, NULL, 0,
                      &stats, err);
}

static void first_replay(struct replayed *r, int side)
{
    struct gs_err err = { 0 };
    char text[300];

    r->cause = gs_array_new(r->d->together_count, sizeof(*r->cause));
    r->refuser = gs_array_new(r->d->together_count, sizeof(*r->refuser));
    r->is_read = study_again(&r->in, &r->d->run[side].run, &r->again, &err) == 0
                 && replay(r, &err) == 0;
    if (!r->is_read)
        r->count = 0;
    if (!r->is_read)
        r->reason->missing = gs_text_copy(
            r->arena, gs_err_format(&err, 0, text, sizeof(text)));
    else if (r->cycle == 0) {
        r->is_read = false;
        r->reason->missing = "no policy decided at that instant";
    }
}

/* --- the first decision that differs -------------------------------------- */

/* The first decision from `i` on about a job that differs; NULL. */
static const struct decided *next_of(const struct replayed *r, uint32_t i)
{
    for (; i < r->count; i++) {
        if (together_of(r->d, r->decided[i].job) < r->d->together_count)
            return &r->decided[i];
    }
    return NULL;
}

/* Find the first decisions of both runs, of those about jobs that differ, that
 * are not the same; NULL where a run has no more.
 */
static void parting_find(const struct replayed r[2],
                         const struct decided *found[2])
{
    const struct decided *a = next_of(&r[0], 0), *b = next_of(&r[1], 0);

    while (a && b && a->job == b->job && a->node == b->node
           && a->tasks == b->tasks && a->kind == b->kind) {
        a = next_of(&r[0], (uint32_t)(a - r[0].decided) + 1);
        b = next_of(&r[1], (uint32_t)(b - r[1].decided) + 1);
    }
    found[0] = a;
    found[1] = b;
}

/* The job that the decision is about: that for which another one is evicted. */
static uint32_t job_of(const struct report_diff *d, const struct decided *at)
{
    return together_of(d, at->by) < d->together_count ? at->by : at->job;
}

/* The begin of the gang that decision `at` belongs to, and as many of its cycle
 * before it; the gang is decided as one.
 */
static struct decided gang_begin(const struct replayed *r,
                                 const struct decided *at)
{
    const struct decided *first = at;
    uint64_t tasks = 0;

    while (first > r->decided && first[-1].cycle == at->cycle
           && first[-1].job == at->job) {
        first--;
        tasks += first->tasks;
    }
    return tasks < r->in.work->job[at->job].gang ? *first : *at;
}

/* The cause of a wait after the instant, as far as the job waits. */
static void wait_tell(struct replayed *r, uint32_t i)
{
    r->reason->cause = report_cause_info(sim_cause_of(r->cause[i]))->name;
    r->reason->module = r->refuser[i];
}

static bool waits(const struct report_diff_act *a)
{
    return strcmp(a->deed, "waits") == 0 || strcmp(a->deed, "is evicted") == 0;
}

/* Let both runs part at the first of their decisions about jobs that differ. */
static void job_choose(struct report_diff *d, struct replayed r[2],
                       struct gs_arena *arena)
{
    const struct decided *at[2];
    uint32_t job[2] = { UINT32_MAX, UINT32_MAX };

    parting_find(r, at);
    if (!at[0] && !at[1])
        return;
    for (int side = 0; side < 2; side++)
        job[side] = at[side] ? job_of(d, at[side]) : UINT32_MAX;
    report_diff_job_set(d, at[0] ? job[0] : job[1], arena);
    for (int side = 0; side < 2; side++) {
        const int own = at[side] ? side : !side;

        r[side].look = gang_begin(&r[own], at[own]);
        r[side].is_second = r[side].is_read;
        if (!at[0] || !at[1] || job[0] == job[1])
            continue;
        r[side].other = job[1];
        d->reason[side].other = job_name(&r[side], job[1]);
        d->reason[side].is_first = side == 0;
    }
}

void study_parting(struct report_diff *d, struct gs_arena *arena)
{
    struct replayed r[2];

    for (int side = 0; side < 2; side++) {
        d->reason[side] = (struct report_diff_reason){ .order_by = "" };
        r[side] = (struct replayed){ .d = d,
                                     .arena = arena,
                                     .reason = &d->reason[side],
                                     .other = UINT32_MAX };
        inputs_init(&r[side].in);
        first_replay(&r[side], side);
    }
    job_choose(d, r, arena);
    for (int side = 0; side < 2; side++) {
        const uint32_t i = together_of(d, d->job);

        if (r[side].is_read && waits(&d->act[side]))
            wait_tell(&r[side], i);
        if (r[side].is_second)
            (void)replay(&r[side], NULL);
        inputs_fini(&r[side].in);
        gs_array_free(r[side].decided);
        gs_array_free(r[side].cause);
        gs_array_free(r[side].refuser);
    }
}
