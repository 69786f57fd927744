/* sim/study/inputs_check.c - finds what a replay would refuse, without a
 * replay.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "sim/replay/warm.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/rejection.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* Check the parameters of the modules, without the resources and tiers of a
 * cluster.
 */
static int params_check(struct inputs *in, const struct gsched_profile *p,
                        struct gs_err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < p->use_count; i++) {
        union gsp_value value[GSCHED_PARAMS_MAX];

        if (gsched_use_values(&p->use[i], p->source, NULL, NULL, in->arena,
                              value, err)
            < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

static int scheduler_check(struct inputs *in, const struct gsched_profile *p,
                           struct gs_err *err)
{
    struct trace_workload *none;
    struct topo_cluster *c;
    struct gsched *s;

    if (params_check(in, p, err) < 0)
        return -1;
    if (!in->topo)
        return 0;
    none = trace_workload_create(in->arena, in->names, &in->dims);
    trace_workload_finish(none, 0);
    c = topo_cluster_create(in->topo);
    s = gsched_create(c, none, p, 0, err);
    gsched_destroy(s);
    topo_cluster_destroy(c);
    trace_workload_destroy(none);
    return s ? 0 : -1;
}

int inputs_check_policy(struct inputs *in, const struct gsched_profile *p,
                        struct gs_err *err)
{
    for (; p; p = p->beside) {
        if (scheduler_check(in, p, err) < 0)
            return -1;
    }
    return 0;
}

static enum report_cause cause_of(enum gsched_cause c)
{
    return c == GSCHED_CONSTRAINT ? REPORT_CONSTRAINT
           : c == GSCHED_TOPOLOGY ? REPORT_TOPOLOGY
                                  : REPORT_CAPACITY;
}

int inputs_check_jobs(struct inputs *in, struct gs_err *err)
{
    const struct gs_mark at = { .source = in->trace_path };
    struct gsched_profile *p = inputs_policy(in, "fifo", err);
    struct topo_cluster *c = topo_cluster_create(in->topo);
    struct gsched *s = p ? gsched_create(c, in->work, p, 0, err) : NULL;
    struct sim_warm warm = { 0 };
    int rc = s ? 0 : -1;

    if (s && sim_warm_find(in->topo, in->work, in->trace_path, &warm, err) < 0)
        rc = -1;
    sim_warm_free(&warm);
    for (uint32_t i = 0; s && i < in->work->job_count; i++) {
        const struct trace_job *j = &in->work->job[i];
        enum gsched_cause why;
        char text[240];

        if (gsched_submit(s, i, j->tasks, j->submit) < 0)
            continue;
        why = gsched_never(s, i);
        /* its state is that of the next job, see gsched_forget() */
        (void)gsched_end(s, i, j->submit);
        (void)gsched_forget(s, i);
        if (why == GSCHED_NO_CAUSE)
            continue;
        study_rejection_text(in->topo, in->work, i, cause_of(why), text,
                             sizeof(text));
        rc = gs_fail(err, GS_INPUT, at, "job '%.80s' could never run: %s",
                     gs_strtab_str(in->names, j->name), text);
        if (!gs_err_wants_more(err))
            break;
    }
    gsched_destroy(s);
    topo_cluster_destroy(c);
    return rc;
}
