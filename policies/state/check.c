/* policies/state/check.c - validation of calls of the host.
 *
 * A live scheduler must survive mistakes of its host, so the public functions
 * check their arguments in every build and refuse a bad call before any change.
 * Each check has constant cost, except for the groups and rules of a job at its
 * submission.
 */
#include "policies/state/check.h"

#include <assert.h>

#include "policies/state/jobs.h"
#include "policies/state/state.h"
#include "topology/cluster.h"

int gsched_refuse(struct gsched *s, const char *why)
{
    assert(why && *why);
    s->why_refused = why;
    return -1;
}

const char *gsched_refusal(const struct gsched *s)
{
    return s ? s->why_refused : "there is no scheduler";
}

int gsched_check_now(struct gsched *s, int64_t now)
{
    if (!s)
        return -1;
    if (now < s->now)
        return gsched_refuse(s, "time runs backwards");
    if (now > GSCHED_LAST)
        return gsched_refuse(s, "the time is too late");
    if (s->topo->dims->count != s->dims)
        return gsched_refuse(s, "a resource was declared after the scheduler"
                                " was created");
    return 0;
}

/* --- jobs ----------------------------------------------------------------- */

bool gsched_is_live(const struct gsched *s, uint32_t job)
{
    return s && job < s->jobs->job_count
           && gsched_job(s, job)->phase != JOB_UNKNOWN
           && gsched_job(s, job)->phase != JOB_OVER
           && gsched_job(s, job)->phase != JOB_ELSEWHERE;
}

int gsched_check_live(struct gsched *s, uint32_t job)
{
    if (!s)
        return -1;
    if (job >= s->jobs->job_count || gsched_job(s, job)->phase == JOB_UNKNOWN)
        return gsched_refuse(s, "the job was not submitted");
    if (gsched_job(s, job)->phase == JOB_OVER)
        return gsched_refuse(s, "the job is over");
    if (gsched_job(s, job)->phase == JOB_ELSEWHERE)
        return gsched_refuse(s, "another scheduler serves the job");
    return 0;
}

/* True when `count` elements from `first` on are within a table of `end`
 * elements.
 */
static bool is_within(uint32_t first, uint32_t count, uint32_t end)
{
    return count <= end && first <= end - count;
}

static int check_group(struct gsched *s, const struct trace_group *g)
{
    if (g->shape >= s->work->shape_count)
        return gsched_refuse(s, "a group of the job has no request");
    if (g->klass > s->classes)
        return gsched_refuse(s, "a priority class of the job was added after"
                                " the scheduler was created");
    if (g->replicas == 0 || g->min > g->replicas)
        return gsched_refuse(s, "a group of the job has no tasks, or fewer than"
                                " its minimum");
    if (g->rule_count > TRACE_TABLE_MAX || g->soft_count > TRACE_TABLE_MAX
        || (g->rule_count + g->soft_count > 0
            && !is_within(g->first_rule, g->rule_count + g->soft_count,
                          s->work->rule_count)))
        return gsched_refuse(s, "a group of the job has rules that are not"
                                " there");
    if (g->label_count
        && !is_within(g->first_label, g->label_count, s->work->label_count))
        return gsched_refuse(s, "a group of the job has labels that are not"
                                " there");
    return 0;
}

static int check_groups(struct gsched *s, const struct trace_job *j)
{
    uint64_t tasks = 0, min = 0;

    for (uint32_t i = 0; i < j->group_count; i++) {
        const struct trace_group *g = trace_group_at(s->work,
                                                     j->first_group + i);

        if (check_group(s, g) < 0)
            return -1;
        tasks += g->replicas;
        min += g->min;
    }
    if (tasks != j->tasks || j->gang == 0 || j->gang > tasks || j->gang < min)
        return gsched_refuse(s, "the job's tasks, its gang and the minimum of"
                                " its groups do not add up");
    return 0;
}

int gsched_check_new(struct gsched *s, uint32_t job, uint32_t created)
{
    const struct trace_workload *w = s->work;
    const struct trace_job *j = &w->job[job];

    if (job >= w->job_count)
        return gsched_refuse(s, "the workload has no such job");
    if (job < s->jobs->job_count && gsched_job(s, job)->phase != JOB_UNKNOWN)
        return gsched_refuse(s, "the job was submitted before");
    if (j->queue >= s->queues)
        return gsched_refuse(s, "the job's queue was added after the scheduler"
                                " was created");
    if (j->klass >= s->classes)
        return gsched_refuse(s, "the job's priority class was added after the"
                                " scheduler was created");
    if (j->group_count == 0
        || !is_within(j->first_group, j->group_count, w->group_count))
        return gsched_refuse(s, "the job has no groups");
    if (j->aside->minimum > w->minimum_count)
        return gsched_refuse(s, "the job states amounts that are not there");
    if (j->aside->label_count
        && !is_within(j->aside->first_label, j->aside->label_count,
                      w->label_count))
        return gsched_refuse(s, "the job has labels that are not there");
    if (check_groups(s, j) < 0)
        return -1;
    if (created > j->tasks)
        return gsched_refuse(s, "more tasks are created than the job has");
    return 0;
}

/* --- nodes ---------------------------------------------------------------- */

int gsched_check_node(struct gsched *s, uint32_t node)
{
    if (node >= s->topo->node_count)
        return gsched_refuse(s, "the topology has no such node");
    return 0;
}

int gsched_check_device(struct gsched *s, uint32_t node, uint32_t device)
{
    if (gsched_check_node(s, node) < 0)
        return -1;
    if (device >= s->topo->klass[s->topo->node_class[node]].gpus)
        return gsched_refuse(s, "the node has no such GPU");
    return 0;
}

/* Number of created tasks of the group. */
static uint32_t created_of(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];

    return s->jobs->group_placed[j->first_group + group]
           + gsched_group_missing(s, job, group);
}

int gsched_check_adopt(struct gsched *s, uint32_t job, uint32_t group,
                       uint32_t first_task, const struct topo_grant *g)
{
    const struct trace_job *j;

    if (gsched_check_live(s, job) < 0)
        return -1;
    j = &s->work->job[job];
    if (group >= j->group_count)
        return gsched_refuse(s, "the job has no such group");
    if (!g || g->tasks == 0)
        return gsched_refuse(s, "nothing is to be adopted");
    if (first_task > created_of(s, job, group)
        || g->tasks > created_of(s, job, group) - first_task)
        return gsched_refuse(s, "the tasks to be adopted do not exist");
    if ((gsched_job(s, job)->has_gaps
         || first_task != s->jobs->group_placed[j->first_group + group])
        && gsched_tasks_placed(s, job, group, first_task + g->tasks)
               != gsched_tasks_placed(s, job, group, first_task))
        return gsched_refuse(s, "a task is adopted once");
    if (gsched_check_node(s, g->node) < 0)
        return -1;
    if (!topo_cluster_could_take(
            s->cluster, &s->work->shape[gsched_group(s, job, group)->shape], g))
        return gsched_refuse(s, "the node has not what is to be adopted, or"
                                " somebody holds it");
    return 0;
}
