/* sim/audit/ask.c - what the policy would do now, see audit_private.h. */
#include <assert.h>

#include "base/array.h"
#include "sim/audit/audit_private.h"

#define CYCLES_MAX 1000 /* of one instant */

/* Run the cycles of this instant; their decisions are kept. */
static void cycles_run(struct auditing *a)
{
    a->decisions = 0;
    (void)gsched_passes_hurry(a->sched);
    for (int i = 0; i < CYCLES_MAX; i++) {
        uint32_t count;
        const struct gsched_decision *d = gsched_cycle(a->sched, a->now,
                                                       &count);

        a->decision = gs_array_grow(a->decision, &a->decision_cap,
                                    a->decisions + count + 1,
                                    sizeof(*a->decision));
        for (uint32_t k = 0; k < count; k++)
            a->decision[a->decisions++] = d[k];
        if (count == 0 || gsched_next_wake(a->sched) > a->now)
            break;
    }
}

/* The policy starts the job, or evicts it (`kind`), by decision `at`. */
static void want(struct auditing *a, int kind, uint32_t job, uint32_t at)
{
    struct audit_want *w = &a->want[kind][job];

    if (w->last == 0) {
        w->before = w->since + w->grace;
        w->since = a->now;
        w->first = a->point;
        a->wanted[kind] = gs_array_grow(a->wanted[kind], &a->wanted_cap[kind],
                                        a->wanted_count[kind] + 1,
                                        sizeof(*a->wanted[kind]));
        a->wanted[kind][a->wanted_count[kind]++] = job;
    }
    if (w->ask == a->ask)
        return;
    w->last = a->point;
    w->last_at = a->now;
    w->ask = a->ask;
    w->at = at;
    w->by = a->decision[at].by;
    w->grace = a->decision[at].kind == GSCHED_WARN
                   ? a->decision[at].leaves_at - a->now
                   : 0;
    w->node = a->decision[at].grant.node;
}

static void reject(struct auditing *a, uint32_t job)
{
    const struct audit_difference d = {
        .kind = AUDIT_REJECTS,
        .job = job,
        .at = a->now,
        .until = a->now,
        .cause = gsched_wait_cause(a->sched, job),
        .node = AUDIT_NONE,
        .recorded_node = AUDIT_NONE,
        .by = AUDIT_NONE,
    };

    a->job[job].is_rejected = true;
    if (a->work->job[job].record_count)
        audit_difference_add(a, &d);
}

/* Tasks that leave alone are no end of a run. */
static bool is_warning_of_all(const struct auditing *a,
                              const struct gsched_decision *d)
{
    return d->kind == GSCHED_WARN
           && (d->grant.tasks == 0
               || d->grant.tasks >= a->work->job[d->job].tasks);
}

static void decisions_note(struct auditing *a)
{
    for (uint32_t i = 0; i < a->decisions; i++) {
        const struct gsched_decision *d = &a->decision[i];
        const bool runs = a->job[d->job].state == AUDIT_RUNS;

        if (d->kind == GSCHED_REJECT)
            reject(a, d->job);
        else if (d->kind == GSCHED_PLACE && !runs
                 && gsched_placed(a->sched, d->job)
                        >= a->work->job[d->job].gang)
            want(a, WANT_START, d->job, i);
        else if ((d->kind == GSCHED_RETURN || is_warning_of_all(a, d)) && runs)
            want(a, WANT_EVICT, d->job, i);
    }
}

static void decisions_take_back(struct auditing *a)
{
    for (uint32_t i = a->decisions; i-- > 0;) {
        const struct gsched_decision *d = &a->decision[i];
        struct audit_job *j = &a->job[d->job];

        if (d->kind == GSCHED_REJECT)
            continue;
        if (j->state == AUDIT_RUNS)
            j->is_changed = true;
        else if (d->kind == GSCHED_PLACE)
            (void)gsched_give_back(a->sched, d, a->now); /* perhaps all is */
    }
    for (uint32_t i = 0; i < a->decisions; i++) {
        const uint32_t job = a->decision[i].job;

        if (gsched_placed(a->sched, job) > 0
            && (a->job[job].state != AUDIT_RUNS || a->job[job].is_changed))
            (void)gsched_lost(a->sched, job, a->now);
    }
    for (uint32_t i = 0; i < a->decisions; i++) {
        const uint32_t job = a->decision[i].job;

        if (!a->job[job].is_changed)
            continue;
        a->job[job].is_changed = false;
        if (!audit_adopt(a, job))
            assert(false); /* what it held is free again */
    }
}

void audit_ask(struct auditing *a)
{
    a->ask++;
    cycles_run(a);
    decisions_note(a);
    decisions_take_back(a);
}
