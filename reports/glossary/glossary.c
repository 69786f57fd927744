/* reports/glossary/glossary.c - the table of metrics. */
#include "reports/glossary/glossary.h"

#include "reports/glossary/metric_names.h"

#include <assert.h>
#include <string.h>

static const struct report_metric_info glossary[] = {
    { METRIC_GPU_TIME_USEFUL, REPORT_SHARE, REPORT_HIGHER,
      "GPU time of running jobs, without gpu_time.repeated; share of the GPUs "
      "of the cluster times the window, of which all gpu_time.* are parts that "
      "add up to 1" },
    { METRIC_GPU_TIME_REPEATED, REPORT_SHARE, REPORT_LOWER,
      "GPU time of runs whose work an eviction or a failure lost later, so "
      "that the job must do it again" },
    { METRIC_GPU_TIME_STARTING, REPORT_SHARE, REPORT_LOWER,
      "GPU time of jobs that hold their gang and do not run yet: decided, not "
      "yet effective" },
    { METRIC_GPU_TIME_HOARDED, REPORT_SHARE, REPORT_LOWER,
      "GPU time of jobs that hold a part of their gang" },
    { METRIC_GPU_TIME_FRAGMENTED, REPORT_SHARE, REPORT_LOWER,
      "GPU time free while a job lacks these GPUs that waits for cause "
      "fragmentation, topology or constraint: enough is free, but not where "
      "the job fits" },
    { METRIC_GPU_TIME_SHORT, REPORT_SHARE, REPORT_NEITHER,
      "GPU time free while a job lacks these GPUs that waits for cause "
      "capacity or hoarding: less is free than it asks for" },
    { METRIC_GPU_TIME_QUOTA, REPORT_SHARE, REPORT_NEITHER,
      "GPU time free while a job lacks these GPUs that waits for cause quota" },
    { METRIC_GPU_TIME_ORDER, REPORT_SHARE, REPORT_LOWER,
      "GPU time free while a job lacks these GPUs that waits for cause order "
      "or latency: it would fit, but the order, a reservation or the time of "
      "the next pass keeps it out.  A free GPU counts for one cause: order "
      "first, then quota, fragmented, short; each up to the GPUs that the "
      "gangs of its jobs lack, on nodes of a type that suits them" },
    { METRIC_GPU_TIME_IDLE, REPORT_SHARE, REPORT_NEITHER,
      "GPU time free that no waiting job lacks" },
    { METRIC_GPU_TIME_DOWN, REPORT_SHARE, REPORT_LOWER,
      "GPU time not held of nodes that had failed, were drained or not there, "
      "and of failed GPUs" },
    { METRIC_WAIT_UNFINISHED_COUNT, REPORT_COUNT, REPORT_LOWER,
      "jobs that had not started when the run ended" },
    { METRIC_WAIT_UNFINISHED_MEAN, REPORT_SECONDS, REPORT_LOWER,
      "mean time from submission to the end of the run, of those jobs" },
    { METRIC_WAIT_BY_CAUSE "*", REPORT_SECONDS, REPORT_NEITHER,
      "time that jobs waited, by cause, summed over all jobs; the causes add "
      "up to all waiting, before the first start and after each eviction.  "
      "The scheduler finds the cause of a job when it tries the job, and "
      "again when the sum of what is free becomes too small or large enough "
      "for the job, and when the last hoarding job stops hoarding.  A job "
      "for which no room was found keeps the cause that the missing room "
      "gives, whatever its queue may hold by then" },
    { METRIC_WAIT_FIRST "*", REPORT_SECONDS, REPORT_LOWER,
      "time from submission, or from when its dependencies were met, to "
      "first start, of jobs that started; "
      "percentiles by nearest rank" },
    { METRIC_WAIT "*", REPORT_SECONDS, REPORT_LOWER,
      "time that a job waited, from submission to first start and after each "
      "eviction until it ran again, of jobs that started; percentiles by "
      "nearest rank" },
    { METRIC_JCT "*", REPORT_SECONDS, REPORT_LOWER,
      "job completion time: from submission to end, of jobs that are done" },
    { METRIC_SLOWDOWN "*", REPORT_RATIO, REPORT_LOWER,
      "bounded slowdown: max(1, (end - submit) / max(work, 10 s)); work is "
      "the job's run time less the time that it had to repeat" },
    { METRIC_JOBS_TOTAL, REPORT_COUNT, REPORT_NEITHER,
      "jobs submitted in the window" },
    { METRIC_JOBS_DONE, REPORT_COUNT, REPORT_HIGHER, "jobs that completed" },
    { METRIC_JOBS_FAILED, REPORT_COUNT, REPORT_LOWER, "jobs that failed" },
    { METRIC_JOBS_REJECTED, REPORT_COUNT, REPORT_LOWER,
      "jobs that the cluster could never run" },
    { METRIC_JOBS_HELD, REPORT_COUNT, REPORT_LOWER,
      "jobs whose dependencies (`after`) were not met when the run ended; no "
      "other metric has them" },
    { METRIC_JOBS_UNFINISHED, REPORT_COUNT, REPORT_LOWER,
      "jobs that had not ended when the run ended, without running services" },
    { METRIC_JOBS_SERVICES, REPORT_COUNT, REPORT_NEITHER,
      "jobs without an end (services) that ran when the run ended" },
    { METRIC_GPU_BUSY, REPORT_SHARE, REPORT_HIGHER,
      "share of GPU time held by running jobs" },
    { METRIC_GPU_ALLOCATED, REPORT_SHARE, REPORT_NEITHER,
      "share of GPU time held by any job, running (gpu.busy) or partially "
      "allocated (gpu.hoarded)" },
    { METRIC_GPU_HOARDED, REPORT_SHARE, REPORT_LOWER,
      "share of GPU time held by partially allocated jobs, which do not run" },
    { METRIC_FRAG_NODE_SHARE, REPORT_SHARE, REPORT_LOWER,
      "share of nodes with GPUs that are neither empty nor full, over time" },
    { METRIC_FRAG_FREE_SHARE, REPORT_SHARE, REPORT_LOWER,
      "free GPUs on such nodes / all free GPUs, over time" },
    { METRIC_FRAG_CAPACITY_SHARE, REPORT_SHARE, REPORT_NEITHER,
      "free GPUs on such nodes / all GPUs, over time; not judged, since "
      "every GPU that is held lowers it, a hoarded one too" },
    { METRIC_FRAG_DEMAND, REPORT_SHARE, REPORT_LOWER,
      "free GPUs that a task of the mix (the trace's own tasks) cannot use / "
      "all free GPUs; mean over the tasks of the mix and over time" },
    { METRIC_FRAG_BLOCKED, REPORT_SHARE, REPORT_LOWER,
      "share of time in which the head of any queue waits for cause "
      "fragmentation; if the policy has no queues, the first of all waiting "
      "jobs" },
    { METRIC_FRAG_LARGEST_GANG, REPORT_SHARE, REPORT_HIGHER,
      "free GPUs that one gang of 8-GPU tasks could take / all free GPUs, "
      "over time; on a node with fewer GPUs in order a task takes all of "
      "them; 1 when no GPU is free" },
    { METRIC_FRAG_TIER_SHARE "*", REPORT_SHARE, REPORT_NEITHER,
      "nodes in domains of the tier (or the nodes themselves) that are not "
      "wholly free: a task is on one of their nodes, or one is out of service; "
      "share of all nodes, over time; where there are tiers" },
    { METRIC_DEADLOCK_ENDLESS, REPORT_COUNT, REPORT_LOWER,
      "deadlock episodes that nothing known to come could end; one of them "
      "is worse than any episode that ends" },
    { METRIC_DEADLOCK_EPISODES, REPORT_COUNT, REPORT_LOWER,
      "times that a set of partially allocated jobs could never complete "
      "with what they held, even with all that is known to come: ends, "
      "withdrawals, repairs, nodes that return or that an autoscaler may "
      "add; a gang timeout does not count as such: it takes back what a job "
      "holds, which ends the episode" },
    { METRIC_DEADLOCK_JOBS, REPORT_COUNT, REPORT_LOWER,
      "jobs that were in a deadlock at any time" },
    { METRIC_DEADLOCK_SECONDS, REPORT_SECONDS, REPORT_LOWER,
      "time with at least one deadlock; an endless one counts to the end of "
      "the window" },
    { METRIC_DEADLOCK_GPU_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU time held by jobs in a deadlock" },
    { METRIC_DEADLOCK_FIRST_AT, REPORT_SECONDS, REPORT_NEITHER,
      "time from the begin of the window to the begin of the first deadlock; "
      "absent when there was none" },
    { METRIC_LARGE_COUNT, REPORT_COUNT, REPORT_NEITHER,
      "large jobs: they ask for at least --large GPUs (64)" },
    { METRIC_LARGE_SUCCESS, REPORT_SHARE, REPORT_HIGHER,
      "share of large jobs that were done when the run ended, evicted before "
      "or not; running services count as done" },
    { METRIC_LARGE_START_DELAY "*", REPORT_SECONDS, REPORT_LOWER,
      "time from submission to first start, of large jobs" },
    { METRIC_PLACEMENT_TIER_SHARE "*", REPORT_SHARE, REPORT_NEITHER,
      "share of multi-GPU jobs by the smallest tier that held all their "
      "tasks when they started" },
    { METRIC_PREEMPT_COUNT, REPORT_COUNT, REPORT_LOWER,
      "times a job lost tasks to a job of higher priority (preempted) or to "
      "a queue below its share (reclaimed)" },
    { METRIC_PREEMPT_JOBS, REPORT_COUNT, REPORT_LOWER,
      "jobs that were preempted or reclaimed at least once" },
    { METRIC_PREEMPT_OVER_BUDGET, REPORT_COUNT, REPORT_LOWER,
      "evictions that exceeded a disruption budget; only where the trace has "
      "budgets" },
    { METRIC_PREEMPT_LOST_GPU_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU time of work that jobs must repeat because they were preempted or "
      "reclaimed" },
    { METRIC_MOVES_COUNT, REPORT_COUNT, REPORT_LOWER,
      "times a job, or a task above its gang, was moved to another place to "
      "make room; only where some were" },
    { METRIC_MOVES_LOST_GPU_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU time of work that jobs must repeat because they were moved" },
    { METRIC_MOVES_NODES, REPORT_COUNT, REPORT_NEITHER,
      "nodes that were emptied by moves, not for a certain job" },
    { METRIC_CONFLICTS, REPORT_COUNT, REPORT_LOWER,
      "tasks that nodes refused since another scheduler had used their room at "
      "the same instant; absent unless the policy has several schedulers" },
    { METRIC_GANG_TIMEOUTS, REPORT_COUNT, REPORT_LOWER,
      "times a partially allocated job gave everything back because its gang "
      "did not complete in time" },
    { METRIC_FAILURE_RESTARTS, REPORT_COUNT, REPORT_LOWER,
      "times a job lost all it held because a node or GPU failed or left" },
    { METRIC_FAILURE_JOBS, REPORT_COUNT, REPORT_LOWER,
      "jobs that lost all they held to failures at least once" },
    { METRIC_FAILURE_LOST_GPU_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU time of work that jobs must repeat because of failures" },
    { METRIC_NODE_HOURS_PAID, REPORT_HOURS, REPORT_LOWER,
      "hours that nodes were there, drained and failed nodes included" },
    { METRIC_NODE_DOWN_HOURS, REPORT_HOURS, REPORT_LOWER,
      "part of node.hours_paid in which nodes had failed" },
    { METRIC_NODE_DRAINED_HOURS, REPORT_HOURS, REPORT_LOWER,
      "part of node.hours_paid in which nodes took no new tasks, but had not "
      "failed" },
    { METRIC_NODE_AVAILABILITY, REPORT_SHARE, REPORT_HIGHER,
      "share of node.hours_paid in which nodes took tasks" },
    { METRIC_GPU_DOWN_HOURS, REPORT_GPU_HOURS, REPORT_LOWER,
      "GPU hours out of order because the GPU itself failed, not its node" },
    { METRIC_AUTOSCALE_UPS, REPORT_COUNT, REPORT_NEITHER,
      "times the autoscaler added a node" },
    { METRIC_AUTOSCALE_DOWNS, REPORT_COUNT, REPORT_NEITHER,
      "times the autoscaler removed a node" },
    { METRIC_SERVICE_WANTED_HOURS, REPORT_HOURS, REPORT_NEITHER,
      "hours for which jobs with 'withdraw' were wanted, such as the "
      "replicas of a service with 'load'" },
    { METRIC_SERVICE_UNSERVED_HOURS, REPORT_HOURS, REPORT_LOWER,
      "part of service.wanted_hours in which these jobs were not placed; a "
      "job with some of its tasks placed counts in part" },
    { METRIC_GOODPUT, REPORT_SHARE, REPORT_HIGHER,
      "(GPU time of running jobs - GPU time of work that was lost) / GPU "
      "time held by any job" },
    { METRIC_SPEED_MEAN, REPORT_RATIO, REPORT_HIGHER,
      "mean speed of running jobs by GPU time, under a speed model; 1 is the "
      "speed at which durations were measured" },
    { METRIC_SPEED_STRETCH, REPORT_RATIO, REPORT_LOWER,
      "run time of all jobs / run time of the same work at speed 1, under a "
      "speed model" },
    { METRIC_FAIR_JAIN, REPORT_RATIO, REPORT_HIGHER,
      "Jain's index of mean holding / weight, over the top-level queues that "
      "ever asked for something; 1: all are equal; absent unless two queues "
      "asked" },
    { METRIC_FAIR_DRF_MAX_GAP, REPORT_SHARE, REPORT_LOWER,
      "mean over time of what a queue lacked of its deserved share "
      "(queue.deserved), as a share of the cluster; maximum over the queues" },
    { METRIC_QUEUE_SHARE, REPORT_SHARE, REPORT_NEITHER,
      "GPUs (CPUs in a cluster without GPUs) that the queue and the queues "
      "below it held / those of the cluster, over time" },
    { METRIC_QUEUE_DESERVED, REPORT_SHARE, REPORT_NEITHER,
      "share of the cluster that the queue deserved, over time: each "
      "parent's share is divided by weight; a child gets no more than its "
      "limit and than it asks for, and no less than its guarantee as far as "
      "it asks for it" },
    { METRIC_MAKESPAN, REPORT_SECONDS, REPORT_LOWER,
      "time from the first submission to the last end, rejected jobs left out" },
    { METRIC_THROUGHPUT_JOBS_PER_HOUR, REPORT_JOBS_PER_HOUR, REPORT_HIGHER,
      "jobs done / makespan" },
    { METRIC_BOUND METRIC_MAKESPAN, REPORT_SECONDS, REPORT_NEITHER,
      "lower bound of the makespan under any scheduler: the larger of total "
      "work / capacity and the last end if every job started at its "
      "submission" },
    { METRIC_BOUND METRIC_WAIT "mean", REPORT_SECONDS, REPORT_NEITHER,
      "lower bound of wait.mean of the same jobs under any scheduler: all GPUs "
      "(CPUs in a cluster without) as one machine that runs the shortest job "
      "first, without nodes, gangs and queues; of two relaxations, by ends and "
      "by mean busy times, the larger; jobs that are not done count as 0" },
    { METRIC_BOUND METRIC_JCT "mean", REPORT_SECONDS, REPORT_NEITHER,
      "lower bound of jct.mean of the same jobs: what they wait at least, as "
      "bound.wait.mean, and their shortest run times" },
    { METRIC_MAKESPAN_OVER_BOUND, REPORT_RATIO, REPORT_LOWER,
      "makespan / bound.makespan; 1 is the best possible; absent unless all "
      "jobs but services and rejected jobs are done" },
};

static const struct report_term terms[] = {
    { "window",
      "all metrics are of one window of time: from the first submission to "
      "the end of the run, or from --from to --to, less a --warmup.  A job "
      "counts when it was submitted in the window, whenever it ends; an "
      "interval that has no end counts to the end of the window" },
    { "mean \xc2\xb1 reach",
      "of several runs that differ only by chance (see --by): their mean, "
      "and half the width of its 95 % confidence interval, from a bootstrap, "
      "or from Student's t for fewer than 5 runs" },
    { "+ and -",
      "better and worse than the first column.  Between single runs, and "
      "where the seed changes nothing, any difference counts; between other "
      "means, one with p < 0.05 whose 95 % interval does not contain 0" },
    { "~", "no significant difference: it may be chance" },
    { "=", "the same" },
    { "bound",
      "beside the name of a metric: no scheduler could make it lower; the least "
      "bound.* of the runs, and absent where it is 0" },
    { "no mark",
      "neither is better, or there is no test: a single run beside a mean" },
    { "p",
      "probability of a difference at least as large if the true difference "
      "is 0: paired t test over the traces and seeds that both columns have, "
      "Welch's test if they share fewer than two.  Each metric is tested by "
      "itself: where nothing differs, one in twenty is still marked" },
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
        return "cluster, queue, size, scheduler, qos";
    if (strcmp(m->name, METRIC_CONFLICTS) == 0
        || strcmp(m->name, METRIC_JOBS_TOTAL) == 0
        || strcmp(m->name, METRIC_JOBS_DONE) == 0)
        return "cluster, scheduler";
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
