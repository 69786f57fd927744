/* reports/glossary/glossary.c - the one table of metrics. */
#include "reports/glossary/glossary.h"

#include "reports/glossary/metric_names.h"

#include <assert.h>
#include <string.h>

static const struct report_metric_info glossary[] = {
    { METRIC_WAIT_UNFINISHED_COUNT, REPORT_COUNT, REPORT_LOWER,
      "jobs that had not started when the run ended" },
    { METRIC_WAIT_UNFINISHED_MEAN, REPORT_SECONDS, REPORT_LOWER,
      "how long those had waited by then, on average" },
    { METRIC_WAIT_BY_CAUSE "*", REPORT_SECONDS, REPORT_NEITHER,
      "time that jobs waited, before their first start and after each "
      "eviction, by cause, summed over all jobs; the causes add up to all "
      "waiting.  A cause is found when a job is tried, and anew when what is "
      "free no longer suffices for it in sum, or does again, and when no job "
      "hoards any more; a job without room counts by what the room lacks, "
      "whatever its queue may have by then" },
    { METRIC_WAIT_FIRST "*", REPORT_SECONDS, REPORT_LOWER,
      "from submit to first start, of jobs that started (nearest rank)" },
    { METRIC_WAIT "*", REPORT_SECONDS, REPORT_LOWER,
      "time that a job waited: from submit to first start, and after each "
      "eviction until it ran again; of jobs that started (nearest rank)" },
    { METRIC_JCT "*", REPORT_SECONDS, REPORT_LOWER,
      "job completion time: from submit to end, of jobs that are done" },
    { METRIC_SLOWDOWN "*", REPORT_RATIO, REPORT_LOWER,
      "bounded slowdown: max(1, (end - submit) / max(work, 10 s)), where work "
      "is the job's run time less what it had to repeat" },
    { METRIC_JOBS_TOTAL, REPORT_COUNT, REPORT_NEITHER,
      "jobs submitted in the window" },
    { METRIC_JOBS_DONE, REPORT_COUNT, REPORT_HIGHER, "jobs that ended well" },
    { METRIC_JOBS_FAILED, REPORT_COUNT, REPORT_LOWER, "jobs that failed" },
    { METRIC_JOBS_REJECTED, REPORT_COUNT, REPORT_LOWER,
      "jobs that nothing in the cluster could ever run" },
    { METRIC_JOBS_UNFINISHED, REPORT_COUNT, REPORT_LOWER,
      "jobs that had not ended when the run did, running services aside" },
    { METRIC_JOBS_SERVICES, REPORT_COUNT, REPORT_NEITHER,
      "jobs without an end that ran when the run ended" },
    { METRIC_GPU_BUSY, REPORT_SHARE, REPORT_HIGHER,
      "share of GPU time held by running jobs" },
    { METRIC_GPU_ALLOCATED, REPORT_SHARE, REPORT_NEITHER,
      "share of GPU time held by any job, running (gpu.busy) or partly placed "
      "(gpu.hoarded)" },
    { METRIC_GPU_HOARDED, REPORT_SHARE, REPORT_LOWER,
      "share of GPU time held by partly placed jobs, which do not run" },
    { METRIC_FRAG_NODE_SHARE, REPORT_SHARE, REPORT_LOWER,
      "share of nodes with GPUs that are neither empty nor full, over time" },
    { METRIC_FRAG_FREE_SHARE, REPORT_SHARE, REPORT_LOWER,
      "free GPUs on such nodes / all free GPUs, over time" },
    { METRIC_FRAG_CAPACITY_SHARE, REPORT_SHARE, REPORT_NEITHER,
      "free GPUs on such nodes / all GPUs, over time; not judged, since it "
      "falls when more GPUs are held, by hoarding too" },
    { METRIC_FRAG_DEMAND, REPORT_SHARE, REPORT_LOWER,
      "what the tasks of the mix (the trace's own) could not use of the free "
      "GPUs, averaged over its tasks, / all free GPUs, over time" },
    { METRIC_FRAG_BLOCKED, REPORT_SHARE, REPORT_LOWER,
      "share of time in which the first job of a queue (of all, if the policy "
      "tells no queues apart) waits for cause fragmentation" },
    { METRIC_FRAG_LARGEST_GANG, REPORT_SHARE, REPORT_HIGHER,
      "free GPUs that tasks of 8 GPUs, or of whole smaller nodes (a node is as "
      "large as its GPUs in order), could be given at once / all free GPUs (1: "
      "none is free), over time" },
    { METRIC_DEADLOCK_ENDLESS, REPORT_COUNT, REPORT_LOWER,
      "of those below: nothing known to come could end them; any is worse than "
      "the longest that has an end" },
    { METRIC_DEADLOCK_EPISODES, REPORT_COUNT, REPORT_LOWER,
      "times that a set of partly placed jobs could never complete with what "
      "they held, whatever was known to come (ends, withdrawals, repairs, nodes "
      "that come back or an autoscaler may bring); a gang timeout is no such "
      "help: it takes what a job holds, and ends the episode" },
    { METRIC_DEADLOCK_JOBS, REPORT_COUNT, REPORT_LOWER,
      "jobs that were ever in such a set" },
    { METRIC_DEADLOCK_SECONDS, REPORT_SECONDS, REPORT_LOWER,
      "time during which there was such a set, of an endless one to the end of "
      "the window" },
    { METRIC_DEADLOCK_GPU_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU time held by jobs in such a set" },
    { METRIC_DEADLOCK_FIRST_AT, REPORT_SECONDS, REPORT_NEITHER,
      "when the first began, from the window's begin; absent when there was none" },
    { METRIC_LARGE_COUNT, REPORT_COUNT, REPORT_NEITHER,
      "jobs that ask for at least --large GPUs (64)" },
    { METRIC_LARGE_SUCCESS, REPORT_SHARE, REPORT_HIGHER,
      "share of those that were done in the end, evicted on the way or not; "
      "running services count as done" },
    { METRIC_LARGE_START_DELAY "*", REPORT_SECONDS, REPORT_LOWER,
      "from submit to first start of those" },
    { METRIC_PLACEMENT_TIER_SHARE "*", REPORT_SHARE, REPORT_NEITHER,
      "share of multi-GPU jobs by the smallest tier that held all their "
      "tasks when they started" },
    { METRIC_PREEMPT_COUNT, REPORT_COUNT, REPORT_LOWER,
      "times a job lost tasks to a job of higher priority or to a queue that "
      "deserved more" },
    { METRIC_PREEMPT_JOBS, REPORT_COUNT, REPORT_LOWER,
      "jobs that this happened to" },
    { METRIC_PREEMPT_LOST_GPU_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU time whose work was lost by that and has to be repeated" },
    { METRIC_GANG_TIMEOUTS, REPORT_COUNT, REPORT_LOWER,
      "times a partly placed job gave everything back because its gang did "
      "not complete in time" },
    { METRIC_FAILURE_RESTARTS, REPORT_COUNT, REPORT_LOWER,
      "times a job lost all it held because a node or GPU failed or went" },
    { METRIC_FAILURE_JOBS, REPORT_COUNT, REPORT_LOWER,
      "jobs that this happened to" },
    { METRIC_FAILURE_LOST_GPU_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU time whose work was lost by that and has to be repeated" },
    { METRIC_NODE_HOURS_PAID, REPORT_HOURS, REPORT_LOWER,
      "hours that nodes were there, be they drained or failed" },
    { METRIC_NODE_DOWN_HOURS, REPORT_HOURS, REPORT_LOWER,
      "hours of them in which nodes had failed" },
    { METRIC_NODE_DRAINED_HOURS, REPORT_HOURS, REPORT_LOWER,
      "hours of them in which nodes took no new tasks, but had not failed" },
    { METRIC_NODE_AVAILABILITY, REPORT_SHARE, REPORT_HIGHER,
      "share of node time paid for in which nodes took tasks" },
    { METRIC_GPU_DOWN_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU hours out of order by themselves, not with their nodes" },
    { METRIC_AUTOSCALE_UPS, REPORT_COUNT, REPORT_NEITHER,
      "times the autoscaler brought a node" },
    { METRIC_AUTOSCALE_DOWNS, REPORT_COUNT, REPORT_NEITHER,
      "times the autoscaler let a node go" },
    { METRIC_SERVICE_WANTED_HOURS, REPORT_HOURS, REPORT_NEITHER,
      "hours for which jobs with 'withdraw', such as replicas of services with "
      "a load, were wanted" },
    { METRIC_SERVICE_UNSERVED_HOURS, REPORT_HOURS, REPORT_LOWER,
      "hours of them in which they were not placed, by their tasks" },
    { METRIC_GOODPUT, REPORT_SHARE, REPORT_HIGHER,
      "GPU time of running jobs less the work lost / GPU time held by any "
      "job" },
    { METRIC_SPEED_MEAN, REPORT_RATIO, REPORT_HIGHER,
      "speed of running jobs, 1 where they were measured, averaged over their "
      "GPU time; under a speed model" },
    { METRIC_SPEED_STRETCH, REPORT_RATIO, REPORT_LOWER,
      "run time of all jobs / what the same work takes at speed 1; under a "
      "speed model" },
    { METRIC_FAIR_JAIN, REPORT_RATIO, REPORT_HIGHER,
      "Jain's index (1: all the same) of what the queues at the top held on "
      "average / their weights, of those that ever asked; absent unless two "
      "did" },
    { METRIC_FAIR_DRF_MAX_GAP, REPORT_SHARE, REPORT_LOWER,
      "what a queue lacked of what it deserved (see queue.deserved), averaged "
      "over time, / the cluster; of the queue that lacked most" },
    { METRIC_QUEUE_SHARE, REPORT_SHARE, REPORT_NEITHER,
      "GPUs (CPUs in a cluster without) that the queue and those below it "
      "held / the cluster's, over time" },
    { METRIC_QUEUE_DESERVED, REPORT_SHARE, REPORT_NEITHER,
      "the same of what it deserved: each parent's part is divided by weight, "
      "no child getting more than it asks or its limit, nor less than its "
      "guarantee if it asks for it" },
    { METRIC_MAKESPAN, REPORT_SECONDS, REPORT_LOWER,
      "from the first submit to the last end, rejected jobs aside" },
    { METRIC_THROUGHPUT_JOBS_PER_HOUR, REPORT_JOBS_PER_HOUR, REPORT_HIGHER,
      "jobs done / makespan" },
    { METRIC_BOUND_MAKESPAN, REPORT_SECONDS, REPORT_NEITHER,
      "no scheduler can have a shorter makespan: total work / capacity, and "
      "the job that would end last if it started at once" },
    { METRIC_MAKESPAN_OVER_BOUND, REPORT_RATIO, REPORT_LOWER,
      "makespan / bound.makespan: 1 cannot be beaten; absent unless all jobs "
      "but rejected ones and services are done" },
};

static const struct report_term terms[] = {
    { "window",
      "all metrics are of one window of time: from the first submission to the "
      "end of the run, or --from and --to, less a --warmup; jobs count when "
      "they were submitted in it, whenever they end; what has no end counts to "
      "the end of the window" },
    { "mean \xc2\xb1 reach",
      "of several runs that differ only by chance (see --by): their mean, and "
      "half the width of its 95 % confidence interval; by bootstrap, or by "
      "Student's t of fewer than 5 runs" },
    { "+ and -",
      "better and worse than the first column: of single runs, and where the "
      "seed changes nothing, any difference; of other means one with p < 0.05 "
      "whose 95 % interval leaves out 0" },
    { "~", "no significant difference: this much may be chance" },
    { "=", "the same" },
    { "no mark",
      "neither is better, or nothing can be said: a single run beside a mean" },
    { "p",
      "how likely so large a difference is if there were none: paired t test "
      "over the traces and seeds that both columns have, Welch's if they have "
      "fewer than two; of each metric by itself, so where nothing differs one "
      "in twenty is still marked" },
};

#define N_ENTRIES (sizeof(glossary) / sizeof(glossary[0]))

const struct report_metric_info *report_glossary_at(size_t i)
{
    return i < N_ENTRIES ? &glossary[i] : NULL;
}

const struct report_metric_info *report_glossary_find(const char *name)
{
    assert(name);
    for (size_t i = 0; i < N_ENTRIES; i++) {
        const char *key = glossary[i].name;
        const size_t len = strlen(key);

        if (key[len - 1] == '*' ? strncmp(key, name, len - 1) == 0
                                : strcmp(key, name) == 0)
            return &glossary[i];
    }
    return NULL;
}

const char *report_glossary_scopes(const struct report_metric_info *m)
{
    assert(m);
    if (strcmp(m->name, METRIC_WAIT "*") == 0)
        return "cluster, queue, size";
    if (strcmp(m->name, METRIC_NODE_HOURS_PAID) == 0)
        return "cluster, type";
    return strncmp(m->name, "queue.", 6) == 0 ? "queue" : "cluster";
}

bool report_glossary_has_scope(const struct report_metric_info *m,
                               const char *scope, size_t len)
{
    const char *s = report_glossary_scopes(m);

    while (*s) {
        const size_t n = strcspn(s, ",");

        if (n == len && strncmp(s, scope, n) == 0)
            return true;
        s += n + strspn(s + n, ", ");
    }
    return false;
}

bool report_glossary_is_deadlock_length(const char *name)
{
    assert(name);
    return strcmp(name, METRIC_DEADLOCK_SECONDS) == 0
           || strcmp(name, METRIC_DEADLOCK_GPU_HOURS) == 0;
}

const char *report_better_name(enum report_better b)
{
    static const char *const names[] = {
        [REPORT_NEITHER] = "",
        [REPORT_LOWER] = "lower is better",
        [REPORT_HIGHER] = "higher is better",
    };

    return names[b];
}

const struct report_term *report_glossary_term(size_t i)
{
    return i < sizeof(terms) / sizeof(terms[0]) ? &terms[i] : NULL;
}

const char *report_unit_name(enum report_unit u)
{
    static const char *const names[] = {
        [REPORT_SECONDS] = "s",       [REPORT_SHARE] = "share",
        [REPORT_COUNT] = "count",     [REPORT_RATIO] = "ratio",
        [REPORT_GPU_HOURS] = "GPU h", [REPORT_JOBS_PER_HOUR] = "jobs/h",
        [REPORT_HOURS] = "h",
    };

    return names[u];
}
