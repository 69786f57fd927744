/* sim/replay/waits.c - time in which a job waited, by cause; time in which it
 * ran.
 *
 * The scheduler counts the wait time by its decisions; the rest of the time in
 * which a job did not run is the time between decisions and their effect.
 */
#include <assert.h>

#include "base/strtab.h"
#include "base/text.h"
#include "sim/replay/replay_private.h"
#include "topology/amount_text.h"
#include "traces/workload/queue_terms.h"

static const enum report_cause causes[] = {
    [GSCHED_NO_CAUSE] = REPORT_LATENCY,
    [GSCHED_QUOTA] = REPORT_QUOTA,
    [GSCHED_CAPACITY] = REPORT_CAPACITY,
    [GSCHED_FRAGMENTATION] = REPORT_FRAGMENTATION,
    [GSCHED_TOPOLOGY] = REPORT_TOPOLOGY,
    [GSCHED_CONSTRAINT] = REPORT_CONSTRAINT,
    [GSCHED_HOARDING] = REPORT_HOARDING,
    [GSCHED_ORDER] = REPORT_ORDER,
    [GSCHED_LATENCY] = REPORT_LATENCY,
};

enum report_cause sim_cause_of(unsigned cause)
{
    assert(cause < GSCHED_CAUSES);
    return causes[cause];
}

int64_t sim_job_ran(const struct sim *s, uint32_t job)
{
    const struct sim_job *j = sim_life(s, job);

    assert(j->ran >= 0
           && (j->state != REPORT_RUNNING || j->run_start <= s->now));
    return j->ran
           + (j->state == REPORT_RUNNING ? s->now - sim_in_run(j->run_start)
                                         : 0);
}

/* What the scheduler does not count is the time between decisions and their
 * effect, and the time in which a quota kept its tasks from being created; so
 * is what it counts as latency while the gang was short.
 */
static void rest_divide(struct sim *s, uint32_t job, int64_t rest)
{
    int64_t quota = sim_quota_waited(s, job);

    s->told_waits[REPORT_LATENCY] += rest;
    if (quota > s->told_waits[REPORT_LATENCY])
        quota = s->told_waits[REPORT_LATENCY];
    s->told_waits[REPORT_LATENCY] -= quota;
    s->told_waits[REPORT_QUOTA] += quota;
    s->told_quota = quota;
}

const int64_t *sim_job_waits(struct sim *s, uint32_t job)
{
    const bool is_known = sim_life(s, job)->created > 0;
    const int64_t *us = is_known ? gsched_waits(sim_sched(s, job), job, s->now)
                                 : NULL;
    int64_t rest = s->now - sim_life(s, job)->eligible - sim_job_ran(s, job);

    assert(job < s->next_submit);
    assert(rest >= 0);
    if (is_known && !us)
        return NULL;
    for (uint32_t c = 0; c < REPORT_CAUSES; c++)
        s->told_waits[c] = 0;
    for (uint32_t c = 0; us && c < GSCHED_CAUSES; c++) {
        assert(us[c] >= 0);
        s->told_waits[causes[c]] += us[c];
        rest -= us[c];
    }
    assert(rest >= 0);
    rest_divide(s, job, rest);
    assert(s->told_waits[REPORT_NO_CAUSE] == 0);
    return s->told_waits;
}

uint32_t sim_job_refusals(struct sim *s, uint32_t job,
                          struct report_refusal *out)
{
    const int64_t *us = sim_life(s, job)->created
                            ? gsched_refused(sim_sched(s, job), job, s->now)
                            : NULL;
    uint32_t n = 0;

    for (uint32_t g = 0; us && g < gsched_gates(sim_sched(s, job)); g++) {
        assert(us[g] >= 0);
        if (us[g] > 0)
            out[n++] = (struct report_refusal){
                gsched_gate(sim_sched(s, job), g), us[g]
            };
    }
    if (sim_quota_waited(s, job) > 0 && s->told_quota > 0)
        out[n++] = (struct report_refusal){ sim_quota_module(s, job),
                                            s->told_quota };
    return n;
}

void sim_job_lack(struct sim *s, uint32_t job, char *buf, size_t size)
{
    char lacks[TOPO_AMOUNT_TEXT], asked[TOPO_AMOUNT_TEXT];
    char own[TOPO_AMOUNT_TEXT], lent[TOPO_AMOUNT_TEXT];
    struct gsched_lack l;
    const char *queue;

    buf[0] = '\0';
    if (!sim_life(s, job)->created
        || !gsched_quota_lack(sim_sched(s, job), job, &l))
        return;
    if (l.held) {
        gs_text_add(buf, size, "a job that was admitted did not run yet");
        return;
    }
    queue = gs_strtab_str(s->topo->names, s->work->queue[l.queue].name);
    (void)topo_amount_text(s->topo, l.dim, l.asked, asked);
    if (!l.suits) {
        gs_text_add(buf, size, "queue %s has no quota of %s for it", queue,
                    asked);
        return;
    }
    gs_text_add(buf, size, "queue %s lacked %s of %s", queue,
                topo_amount_text(s->topo, l.dim, l.asked - l.left, lacks),
                asked);
    if (l.flavor != UINT32_MAX)
        gs_text_add(buf, size, " of flavor %s",
                    gs_strtab_str(s->topo->names,
                                  s->work->terms->flavor[l.flavor].name));
    gs_text_add(buf, size, ": of its own %s are left, %s are lent to it",
                topo_amount_text(s->topo, l.dim, l.own, own),
                topo_amount_text(s->topo, l.dim, l.left - l.own, lent));
}

enum report_cause sim_job_cause(const struct sim *s, uint32_t job,
                                const int64_t *waits)
{
    enum report_cause longest = REPORT_NO_CAUSE;
    int64_t most = 0;

    if (sim_life(s, job)->is_starting)
        return REPORT_LATENCY;
    if (sim_quota_waits(s, job))
        return REPORT_QUOTA;
    if (sim_life(s, job)->state <= REPORT_PARTLY
        || sim_life(s, job)->state == REPORT_REJECTED)
        return causes[gsched_wait_cause(sim_sched(s, job), job)];
    for (int c = 0; waits && c < REPORT_CAUSES; c++) {
        if (waits[c] > most) {
            most = waits[c];
            longest = (enum report_cause)c;
        }
    }
    return longest;
}
