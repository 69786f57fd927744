/* sim/waits.c - what held a job back until its first start, by cause. */
#include "base/array.h"
#include "sim/sim_private.h"

static const enum report_cause causes[] = {
    [GSCHED_NO_CAUSE] = REPORT_NO_CAUSE,
    [GSCHED_QUOTA] = REPORT_QUOTA,
    [GSCHED_CAPACITY] = REPORT_CAPACITY,
    [GSCHED_FRAGMENTATION] = REPORT_FRAGMENTATION,
    [GSCHED_TOPOLOGY] = REPORT_TOPOLOGY,
    [GSCHED_CONSTRAINT] = REPORT_CONSTRAINT,
    [GSCHED_HOARDING] = REPORT_HOARDING,
    [GSCHED_ORDER] = REPORT_ORDER,
    [GSCHED_LATENCY] = REPORT_LATENCY,
};

enum report_cause sim_cause(const struct sim *s, uint32_t job)
{
    return causes[gsched_wait_cause(s->sched, job)];
}

static void waits_map(int64_t *to, const int64_t *from)
{
    for (uint32_t c = 0; c < REPORT_CAUSES; c++)
        to[c] = 0;
    for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
        to[causes[c]] += from[c];
}

void sim_waits_take(struct sim *s, uint32_t job)
{
    const int64_t *us = gsched_waits(s->sched, job, s->now);
    uint32_t i = s->free_waits;

    if (!us || s->job[job].waits != UINT32_MAX)
        return;
    if (i != UINT32_MAX) {
        s->free_waits = s->waits[i].next;
    } else {
        s->waits = gs_array_grow(s->waits, &s->waits_cap, s->waits_count + 1,
                                 sizeof(*s->waits));
        i = s->waits_count++;
    }
    waits_map(s->waits[i].us, us);
    s->job[job].waits = i;
}

void sim_waits_complete(struct sim *s, uint32_t job)
{
    int64_t *us = s->waits[s->job[job].waits].us;
    int64_t rest = s->now - s->work->job[job].submit;

    for (uint32_t c = 0; c < REPORT_CAUSES; c++)
        rest -= us[c];
    us[REPORT_LATENCY] += rest;
}

void sim_waits_free(struct sim *s, uint32_t job)
{
    const uint32_t i = s->job[job].waits;

    if (i == UINT32_MAX)
        return;
    s->waits[i].next = s->free_waits;
    s->free_waits = i;
    s->job[job].waits = UINT32_MAX;
}

const int64_t *sim_job_waits(struct sim *s, uint32_t job)
{
    const int64_t *us;

    if (s->job[job].waits != UINT32_MAX) {
        if (s->job[job].start < 0)
            sim_waits_complete(s, job);
        return s->waits[s->job[job].waits].us;
    }
    us = gsched_waits(s->sched, job, s->now);
    if (!us)
        return NULL;
    waits_map(s->told_waits, us);
    return s->told_waits;
}
