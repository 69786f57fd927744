/* sim/replay/warm.c - jobs that run when time begins.
 *
 * sim_warm_find chooses the devices on a cluster of its own, so that a mistake
 * in the trace is told before the run.  sim_warm_begin submits the jobs of time
 * 0, lets the scheduler adopt what stands, the longest there first, and starts
 * jobs whose gang does; a job of which less stands waits for the rest, and
 * holds it.
 */
#include "sim/replay/warm.h"

#include <assert.h>

#include "base/array.h"
#include "base/err.h"
#include "base/heap.h"
#include "base/strtab.h"
#include "sim/replay/nodes.h"
#include "sim/replay/replay_private.h"

/* --- where they stand ----------------------------------------------------- */

struct finding {
    const struct topo *topo;
    const struct trace_workload *work;
    const char *source;
    struct topo_cluster *cluster;
    uint32_t *node_of; /* [string id] node, and 1 */
    uint32_t names;
    struct sim_warm *out;
    uint32_t *dropped; /* tasks that do not fit; NULL: that is an error */
};

static int fail(const struct finding *f, const struct trace_job *j,
                const struct trace_stand *s, const char *why,
                struct gs_err *err)
{
    const struct gs_mark at = { .source = f->source, .line = (int)j->line };
    const struct gs_strtab *names = f->work->names;

    return gs_fail(err, GS_INPUT, at,
                   "job '%.80s' runs at time 0 with %u task%s on '%.80s': %s",
                   gs_strtab_str(names, j->name), s->tasks,
                   s->tasks == 1 ? "" : "s", gs_strtab_str(names, s->node),
                   why);
}

static void grant_add(const struct finding *f, uint32_t job,
                      const struct trace_stand *s, uint32_t first,
                      const struct topo_grant *g)
{
    struct sim_warm *m = f->out;

    m->at = gs_array_grow(m->at, &m->cap, m->count + 1, sizeof(*m->at));
    m->at[m->count++] = (struct sim_warm_grant){
        .job = job, .group = s->group, .first_task = first, .grant = *g
    };
}

static const struct topo_request *request_of(const struct finding *f,
                                             const struct trace_job *j,
                                             const struct trace_stand *s)
{
    return &f->work->shape[trace_group_at(f->work, j->first_group + s->group)
                               ->shape];
}

/* What a task asks for, and the one pod that it is: nodes may limit them. */
static struct topo_request one_pod(const struct topo_request *r)
{
    struct topo_request asks = *r;

    asks.amount[TOPO_PODS] = 1;
    return asks;
}

/* Tasks of one grant from task `task` of the group on, of `left`: those of its
 * minimum together; each above it alone, as it may go alone.
 */
static uint32_t together(const struct finding *f, const struct trace_job *j,
                         const struct trace_stand *s, uint32_t task,
                         uint32_t left)
{
    const uint32_t min =
        j->gang < j->tasks
            ? trace_group_at(f->work, j->first_group + s->group)->min
            : UINT32_MAX;
    const uint32_t most = task < min ? min - task : 1;

    return left < most ? left : most;
}

/* The tasks stand on the node from task `first` of their group on. */
static int stand_find(const struct finding *f, uint32_t job,
                      const struct trace_stand *s, uint32_t first,
                      uint32_t *found, struct gs_err *err)
{
    const struct trace_job *j = &f->work->job[job];
    const struct topo_request asks = one_pod(request_of(f, j, s)), *r = &asks;
    const bool is_single = r->share || r->mig || f->dropped;
    const uint32_t node = s->node < f->names ? f->node_of[s->node] : 0;
    enum topo_misfit misfit;
    uint32_t left = s->tasks;

    if (!node)
        return fail(f, j, s, "the topology has no such node", err);
    misfit = topo_class_misfit(f->topo, f->topo->node_class[node - 1], r);
    if (misfit == TOPO_NO_MODEL)
        return fail(f, j, s, "the node has other GPUs", err);
    if (misfit == TOPO_TOO_SMALL)
        return fail(f, j, s, "the node is too small for one", err);
    while (left > 0) {
        const uint32_t group = topo_cluster_group_of(f->cluster, node - 1);
        const uint32_t task = first + s->tasks - left;
        const uint32_t tasks = is_single ? 1 : together(f, j, s, task, left);
        struct topo_grant g;

        if (topo_group_fit(f->cluster, group, r) < tasks)
            return fail(f, j, s,
                        "the node has no room for them beside what stands "
                        "there",
                        err);
        g = topo_cluster_allocate(f->cluster, node - 1, r, tasks, UINT32_MAX);
        grant_add(f, job, s, task, &g);
        left -= tasks;
        *found += tasks;
    }
    return 0;
}

/* The speed of the slowest node that the job stands on, in thousandths. */
static uint32_t slowest_of(const struct finding *f, const struct trace_job *j)
{
    uint32_t slowest = UINT32_MAX;

    for (uint32_t i = 0; i < j->aside->stand_count; i++) {
        const uint32_t id = f->work->stand[j->aside->first_stand + i].node;
        const uint32_t node = id < f->names ? f->node_of[id] : 0;
        const uint32_t speed =
            node ? topo_class_speed(
                &f->topo->klass[f->topo->node_class[node - 1]],
                trace_job_labels(f->work, j), j->aside->label_count)
                 : UINT32_MAX;

        slowest = speed < slowest ? speed : slowest;
    }
    return slowest;
}

/* Has the job, or each of its tasks, work left on the nodes it stands on? */
static int left_check(const struct finding *f, const struct trace_job *j,
                      struct gs_err *err)
{
    const int64_t before = j->aside->completions || j->aside->withdraws
                               ? -j->aside->since
                               : trace_job_ran_before(f->work, j);
    const uint32_t slowest = j->aside->withdraws ? 1000 : slowest_of(f, j);

    if (j->aside->stand_count == 0 || j->duration == TRACE_FOREVER
        || (sim_wide)(uint64_t)before * slowest
               < (sim_wide)(uint64_t)j->duration * 1000)
        return 0;
    return gs_fail(
        err, GS_INPUT,
        (struct gs_mark){ .source = f->source, .line = (int)j->line },
        "job '%.80s' runs at time 0, but would be over: "
        "'running_since' is all of its 'duration' before",
        gs_strtab_str(f->work->names, j->name));
}

static int job_find(const struct finding *f, uint32_t job, struct gs_err *err)
{
    const struct trace_job *j = &f->work->job[job];
    uint32_t first = 0, found = 0;

    for (uint32_t i = 0; i < j->aside->stand_count; i++) {
        const struct trace_stand *s =
            &f->work->stand[j->aside->first_stand + i];

        assert(s->group < j->group_count);
        assert(i == 0 || s[-1].group <= s->group);
        if (i == 0 || s[-1].group != s->group)
            first = 0;
        if (stand_find(f, job, s, first, &found, err) < 0)
            return -1;
        first += s->tasks;
    }
    return left_check(f, j, err);
}

/* Grants as a heap by their times; `number` is their order before. */
struct sorting {
    const struct trace_workload *work;
    struct sim_warm_grant *at;
    uint32_t *number;
};

static bool is_before(const void *of, uint32_t a, uint32_t b)
{
    const struct sorting *s = of;
    const int64_t x = s->work->job[s->at[a].job].aside->since;
    const int64_t y = s->work->job[s->at[b].job].aside->since;

    return x != y ? x < y : s->number[a] < s->number[b];
}

static void exchange(void *of, uint32_t a, uint32_t b)
{
    const struct sorting *s = of;
    const struct sim_warm_grant grant = s->at[a];
    const uint32_t number = s->number[a];

    s->at[a] = s->at[b];
    s->at[b] = grant;
    s->number[a] = s->number[b];
    s->number[b] = number;
}

static void sort(const struct trace_workload *w, struct sim_warm *m)
{
    static const struct gs_heap heap = { is_before, exchange };
    struct sorting s = { w, m->at, gs_array_new(m->count + 1, 4) };

    m->at = gs_array_new(m->count + 1, sizeof(*m->at));
    for (uint32_t i = 0; i < m->count; i++)
        s.number[i] = i;
    gs_heap_build(&heap, &s, m->count);
    for (uint32_t i = 0, left = m->count; left > 0; i++) {
        m->at[i] = s.at[0];
        exchange(&s, 0, --left);
        (void)gs_heap_sink(&heap, &s, left, 0);
    }
    gs_array_free(s.at);
    gs_array_free(s.number);
    m->cap = m->count + 1;
}

static void finding_open(struct finding *f)
{
    f->names = gs_strtab_count(f->work->names);
    f->node_of = gs_array_new(f->names, sizeof(*f->node_of));
    f->cluster = topo_cluster_create(f->topo);
    for (uint32_t n = 0; n < f->topo->node_count; n++)
        f->node_of[f->topo->node_name[n]] = n + 1;
}

static void finding_close(struct finding *f)
{
    topo_cluster_destroy(f->cluster);
    gs_array_free(f->node_of);
}

int sim_warm_find(const struct topo *t, const struct trace_workload *w,
                  const char *source, struct sim_warm *out, struct gs_err *err)
{
    struct finding f = { .topo = t, .work = w, .source = source, .out = out };
    int rc = 0;

    assert(t && w && out && out->count == 0);
    if (w->stand_count == 0)
        return 0;
    finding_open(&f);
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (job_find(&f, i, err) == 0)
            continue;
        rc = -1;
        if (!gs_err_wants_more(err))
            break;
    }
    finding_close(&f);
    sort(w, out);
    return rc;
}

/* Keep of the job's stands the tasks that fit. */
static void job_fit(const struct finding *f, struct trace_workload *w,
                    uint32_t job)
{
    const struct trace_job *j = &w->job[job];
    struct trace_job_aside aside = *j->aside;
    uint32_t n = 0;

    for (uint32_t i = 0; i < j->aside->stand_count; i++) {
        struct trace_stand s = w->stand[j->aside->first_stand + i];
        const struct topo_request *r = request_of(f, j, &s);
        struct gs_err why = { 0 };
        uint32_t found = 0;

        if (r->share_memory && !r->share) /* resolved when it is replayed */
            found = s.tasks;
        else
            (void)stand_find(f, job, &s, 0, &found, &why);
        *f->dropped += s.tasks - found;
        s.tasks = found;
        if (found)
            w->stand[j->aside->first_stand + n++] = s;
    }
    aside.stand_count = n;
    aside.since = n ? aside.since : 0;
    if (n == 0 && !aside.admitted)
        aside.admitted_since = 0;
    trace_job_aside_set(w, job, &aside);
}

uint32_t sim_warm_fit(const struct topo *t, struct trace_workload *w)
{
    uint32_t dropped = 0;
    struct sim_warm all = { 0 };
    struct finding f = {
        .topo = t, .work = w, .out = &all, .dropped = &dropped
    };

    finding_open(&f);
    for (uint32_t i = 0; w->stand_count && i < w->job_count; i++)
        job_fit(&f, w, i);
    finding_close(&f);
    sim_warm_free(&all);
    return dropped;
}

/* --- nodes that are gone -------------------------------------------------- */

bool *sim_warm_nodes(const struct topo *t, const struct trace_workload *w)
{
    const uint32_t names = gs_strtab_count(w->names);
    bool *is_named, *holds;

    if (w->stand_count == 0)
        return NULL;
    is_named = gs_array_new(names, sizeof(*is_named));
    holds = gs_array_new(t->node_count, sizeof(*holds));
    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        for (uint32_t k = 0; k < j->aside->stand_count; k++)
            is_named[w->stand[j->aside->first_stand + k].node] = true;
    }
    for (uint32_t n = 0; n < t->node_count; n++)
        holds[n] = is_named[t->node_name[n]];
    gs_array_free(is_named);
    return holds;
}

/* The job begins anew, with what it saved of its work. */
static void job_leave(const struct finding *f, struct trace_workload *w,
                      uint32_t job)
{
    struct trace_job *j = &w->job[job];
    struct trace_job_aside aside = *j->aside;
    int64_t saved = (int64_t)((sim_wide)(uint64_t)trace_job_ran_before(f->work,
                                                                       j)
                              * slowest_of(f, j) / 1000);

    if (!j->aside->resumes)
        saved = j->aside->checkpoint ? saved - saved % j->aside->checkpoint : 0;
    if (j->duration != TRACE_FOREVER && !j->aside->withdraws)
        j->duration -= saved < j->duration ? saved : j->duration;
    if (j->estimate != TRACE_FOREVER && !j->aside->withdraws)
        j->estimate -= saved < j->estimate ? saved : j->estimate;
    aside.stand_count = 0;
    aside.since = 0;
    if (!aside.admitted)
        aside.admitted_since = 0;
    trace_job_aside_set(w, job, &aside);
}

/* Did the job lose tasks?  Stands of it on nodes that are gone are removed. */
static bool stands_leave(const struct finding *f, const bool *is_gone,
                         struct trace_workload *w, uint32_t job)
{
    const struct trace_job *j = &w->job[job];
    struct trace_job_aside aside = *j->aside;
    uint32_t left = 0, lost = 0, stays = 0;

    for (uint32_t i = 0; i < j->aside->stand_count; i++) {
        const struct trace_stand *s = &w->stand[j->aside->first_stand + i];
        const bool goes = s->node < f->names && is_gone[s->node];

        lost += goes ? s->tasks : 0;
        left += goes ? 0 : s->tasks;
    }
    if (lost == 0)
        return false;
    if (left == 0 || (left < j->gang && left + lost >= j->gang)) {
        job_leave(f, w, job);
        return true;
    }
    for (uint32_t i = 0; i < j->aside->stand_count; i++) {
        const struct trace_stand s = w->stand[j->aside->first_stand + i];

        if (s.node >= f->names || !is_gone[s.node])
            w->stand[j->aside->first_stand + stays++] = s;
    }
    aside.stand_count = stays;
    trace_job_aside_set(w, job, &aside);
    return true;
}

uint32_t sim_warm_leave(const struct topo *was, const struct topo *now,
                        struct trace_workload *w)
{
    struct finding f = { .topo = was, .work = w };
    uint32_t jobs = 0;
    bool *is_gone;

    if (w->stand_count == 0)
        return 0;
    finding_open(&f);
    is_gone = gs_array_new(f.names, sizeof(*is_gone));
    for (uint32_t n = 0; n < was->node_count; n++)
        is_gone[was->node_name[n]] = true;
    for (uint32_t n = 0; n < now->node_count; n++)
        is_gone[now->node_name[n]] = false;
    for (uint32_t i = 0; i < w->job_count; i++)
        jobs += stands_leave(&f, is_gone, w, i);
    gs_array_free(is_gone);
    finding_close(&f);
    return jobs;
}

void sim_warm_free(struct sim_warm *m)
{
    gs_array_free(m->at);
    *m = (struct sim_warm){ 0 };
}

/* --- when time begins ----------------------------------------------------- */

int sim_warm_open(struct sim *s, struct gs_err *err)
{
    const struct gs_strtab *names = s->work->names;

    if (sim_warm_find(s->topo, s->work, s->options->source, &s->warm, err) < 0)
        return -1;
    for (uint32_t i = 0; s->nodes && i < s->warm.count; i++) {
        const struct sim_warm_grant *g = &s->warm.at[i];
        const struct trace_job *j = &s->work->job[g->job];

        if (s->nodes->node[g->grant.node].state >= REPORT_NODE_FAILED)
            return gs_fail(
                err, GS_INPUT,
                (struct gs_mark){ .source = s->options->source,
                                  .line = (int)j->line },
                "job '%.80s' runs at time 0 on '%.80s', which the scenario "
                "has not then",
                gs_strtab_str(names, j->name),
                gs_strtab_str(names, s->topo->node_name[g->grant.node]));
    }
    return 0;
}

static void adopt(struct sim *s, const struct sim_warm_grant *g)
{
    const int64_t since = s->work->job[g->job].aside->since;
    const struct gsched_decision d = { .kind = GSCHED_PLACE,
                                       .job = g->job,
                                       .group = g->group,
                                       .first_task = g->first_task,
                                       .grant = g->grant,
                                       .placed_at = since,
                                       .by = UINT32_MAX };
    struct sim_job *j = sim_life(s, g->job);

    sim_accepted(gsched_adopt(sim_sched(s, g->job), g->job, g->group,
                              g->first_task, &g->grant, since, s->now));
    j->placed += g->grant.tasks;
    sim_allocated_add(s, g->job, sim_milli_of(s, &d));
    if (s->work->job[g->job].aside->completions)
        sim_run_begin(s, &d, 0);
    sim_tell_allocation(s, &d, ALLOCATION_PLACED);
}

void sim_warm_begin(struct sim *s)
{
    if (s->warm.count == 0)
        return;
    assert(s->now == 0 && s->next_submit == 0);
    while (s->next_submit < s->work->job_count
           && s->work->job[s->next_submit].submit == 0)
        sim_job_arrive(s, s->next_submit++);
    for (uint32_t i = 0; i < s->warm.count; i++)
        adopt(s, &s->warm.at[i]);
    for (uint32_t job = 0; job < s->next_submit; job++) {
        const struct trace_job *w = &s->work->job[job];

        if (w->aside->stand_count == 0)
            continue;
        sim_touch(s, job);
        if (sim_life(s, job)->placed < w->gang)
            sim_state_set(s, job, REPORT_PARTLY);
        else
            sim_job_start(s, job);
    }
    s->is_dirty = true;
    sim_warm_free(&s->warm);
}
