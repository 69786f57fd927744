/* sim/audit/judge.c - compares the record with what the policy wants, see
 * audit_private.h.
 */
#include <assert.h>

#include "base/array.h"
#include "sim/audit/audit_private.h"
#include "topology/topology.h"
#include "traces/workload/records.h"

void audit_difference_add(struct auditing *a, const struct audit_difference *d)
{
    struct audit *out = a->out;

    out->difference = gs_array_grow(out->difference, &out->cap, out->count + 1,
                                    sizeof(*out->difference));
    out->difference[out->count++] = *d;
    out->kinds[d->kind]++;
    if (d->kind == AUDIT_LATE)
        out->causes[d->cause]++;
}

void audit_points_mark(struct auditing *a, uint32_t first, uint32_t last)
{
    assert(first >= 1 && last <= a->point);
    if (first > last)
        return;
    a->unequal[first]++;
    a->unequal[last + 1]--;
}

/* The last point, up to `last`, that is more than the tolerance before now. */
static uint32_t last_before(const struct auditing *a, uint32_t last)
{
    uint32_t low = 0, high = last;

    while (low < high) {
        const uint32_t mid = high - (high - low) / 2;

        if (a->time[mid] < a->now - a->tolerance)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

static struct audit_difference difference_of(const struct auditing *a,
                                             enum audit_kind kind, uint32_t job)
{
    return (struct audit_difference){ .kind = kind,
                                      .job = job,
                                      .at = a->now,
                                      .until = a->now,
                                      .node = AUDIT_NONE,
                                      .recorded_node = AUDIT_NONE,
                                      .by = AUDIT_NONE };
}

/* What the policy wanted is over: the record has it now, or never had it. */
static void want_close(struct auditing *a, int kind, uint32_t job,
                       bool is_recorded)
{
    struct audit_want *w = &a->want[kind][job];
    struct audit_difference d = difference_of(
        a, kind == WANT_START ? AUDIT_EARLY : AUDIT_EVICTS, job);

    if (a->now - w->since > a->tolerance + w->grace) {
        d.at = w->since;
        d.is_recorded = is_recorded;
        d.by = w->by;
        d.node = w->node;
        audit_difference_add(a, &d);
        audit_points_mark(a, w->first,
                          is_recorded ? last_before(a, w->last) : w->last);
    }
    w->last = 0;
}

/* The nodes of a record start with these tasks on `node`?  Both lists hold few
 * nodes, in any order.
 */
static uint32_t tasks_on(const struct auditing *a, const struct trace_record *r,
                         uint32_t node)
{
    uint32_t tasks = 0;

    for (uint32_t i = 0; i < r->spot_count; i++) {
        const struct trace_spot *s = &a->work->records->spot[r->first_spot + i];

        if (s->node == a->topo->node_name[node])
            tasks += s->tasks;
    }
    return tasks;
}

static uint32_t node_called(const struct auditing *a, uint32_t name)
{
    return name < a->recorded.names && a->recorded.node_of[name]
               ? a->recorded.node_of[name] - 1
               : AUDIT_NONE;
}

/* Count whether the policy takes the nodes of the record. */
static void nodes_judge(struct auditing *a, uint32_t job,
                        const struct trace_record *r)
{
    const struct audit_want *w = &a->want[WANT_START][job];
    struct audit_difference d = difference_of(a, AUDIT_NODES, job);
    bool is_same = true;

    if (r->spot_count == 0 || w->last != a->point || w->ask != a->ask)
        return;
    a->out->placed++;
    for (uint32_t i = w->at; i < a->decisions && a->decision[i].job == job
                             && a->decision[i].kind == GSCHED_PLACE;
         i++) {
        uint32_t tasks = 0;

        for (uint32_t k = w->at; k < a->decisions && a->decision[k].job == job
                                 && a->decision[k].kind == GSCHED_PLACE;
             k++)
            tasks += a->decision[k].grant.node == a->decision[i].grant.node
                         ? a->decision[k].grant.tasks
                         : 0;
        if (tasks == tasks_on(a, r, a->decision[i].grant.node))
            continue;
        if (is_same)
            d.node = a->decision[i].grant.node;
        is_same = false;
    }
    a->out->equal_nodes += is_same;
    if (is_same)
        return;
    d.recorded_node = node_called(a,
                                  a->work->records->spot[r->first_spot].node);
    audit_difference_add(a, &d);
}

static void start_judge(struct auditing *a, const struct audit_event *e)
{
    const struct trace_job *t = &a->work->job[e->job];
    const struct trace_record *r =
        &a->work->records->record[t->first_record + e->run];
    struct audit_want *w = &a->want[WANT_START][e->job];
    struct audit_difference d = difference_of(a, AUDIT_LATE, e->job);

    if (a->job[e->job].is_rejected) {
        audit_points_mark(a, a->point, a->point);
        return;
    }
    if (w->ask && a->now - w->last_at <= a->tolerance) {
        a->out->equal_starts++;
        nodes_judge(a, e->job, r);
        if (w->last)
            want_close(a, WANT_START, e->job, true);
        return;
    }
    d.cause = gsched_wait_cause(a->sched, e->job);
    if (r->spot_count)
        d.recorded_node = node_called(
            a, a->work->records->spot[r->first_spot].node);
    audit_difference_add(a, &d);
    audit_points_mark(a, a->point, a->point);
}

/* A victim that was warned goes, although its room may not be needed any more.
 */
static bool is_due(const struct auditing *a, const struct audit_want *w)
{
    return w->grace && w->before - a->now <= a->tolerance
           && a->now - w->before <= a->tolerance;
}

static void evict_judge(struct auditing *a, const struct audit_event *e)
{
    struct audit_want *w = &a->want[WANT_EVICT][e->job];
    const struct audit_difference d = difference_of(a, AUDIT_SPARES, e->job);
    const int64_t due = w->since + w->grace;
    const int64_t last = w->last_at > due ? w->last_at : due;

    a->out->evictions++;
    if (w->ask
        && ((due - a->now <= a->tolerance && a->now - last <= a->tolerance)
            || is_due(a, w))) {
        a->out->equal_evictions++;
        if (w->last)
            want_close(a, WANT_EVICT, e->job, true);
        return;
    }
    audit_difference_add(a, &d);
    audit_points_mark(a, a->point, a->point);
}

void audit_judge(struct auditing *a, const struct audit_event *e)
{
    if (e->kind == AUDIT_START) {
        a->out->starts++;
        start_judge(a, e);
    } else if (e->kind == AUDIT_EVICT) {
        evict_judge(a, e);
    }
}

void audit_wants_over(struct auditing *a, bool is_end)
{
    for (int kind = 0; kind < WANTS; kind++) {
        uint32_t left = 0;

        for (uint32_t i = 0; i < a->wanted_count[kind]; i++) {
            const uint32_t job = a->wanted[kind][i];
            const struct audit_want *w = &a->want[kind][job];

            if (w->last == 0)
                continue; /* it was recorded */
            if (w->ask == a->ask && !is_end)
                a->wanted[kind][left++] = job;
            else
                want_close(a, kind, job, false);
        }
        a->wanted_count[kind] = left;
    }
}
