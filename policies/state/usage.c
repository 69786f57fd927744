/* policies/state/usage.c - amounts held and requested by queues, users and
 * jobs.
 *
 * A queue's amounts include those of the queues below it.  They are kept also
 * when no module distinguishes queues, for hosts that report shares.
 */
#include "policies/state/usage.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "policies/state/budget_counts.h"
#include "policies/state/jobs.h"
#include "policies/state/limit_sets.h"
#include "policies/state/module_calls.h"
#include "policies/state/queue_keys.h"
#include "policies/state/queue_log.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "traces/workload/slices.h"

struct user_row {
    uint32_t queue, user;
    int64_t used[TOPO_DIMS_MAX];
};

/* Amounts held and requested by queues and users. */
struct gsched_usage {
    int64_t *amount[GSP_KEPT + 1]; /* from GSP_USED on: [queue][dim]; NULL: no
                                      module asks for it */
    struct user_row *user;
    uint32_t user_cap;
    struct gs_hash users; /* by queue and user */
    uint64_t changes;     /* number of changes of these */
    uint64_t eases;       /* number of times that one may refuse less */
    struct queue_log changed, eased; /* `eased`: the last one is the cluster */
    uint32_t *jobs; /* [queue] jobs that hold tasks, in it and below */
};

static bool is_counted(const struct gsched *s, enum gsp_amount which)
{
    switch (which) {
    case GSP_ENTERED:
    case GSP_ELASTIC:
        return s->modules->counts_entered;
    case GSP_KEPT:
        return s->modules->counts_kept;
    default:
        return true;
    }
}

static void amount_open(struct gsched *s, enum gsp_amount which)
{
    s->usage->amount[which] = gs_arena_alloc(
        s->arena, (size_t)s->queues * s->dims, sizeof(int64_t));
}

void gsched_usage_open(struct gsched *s)
{
    assert(s->queues > 0);
    s->usage = gs_arena_alloc(s->arena, 1, sizeof(*s->usage));
    amount_open(s, GSP_USED);
    amount_open(s, GSP_ASKED);
    queue_log_open(s, &s->usage->changed, s->queues);
    queue_log_open(s, &s->usage->eased, s->queues + 1);
    s->usage->jobs = gs_arena_alloc(s->arena, s->queues, sizeof(uint32_t));
}

void gsched_usage_sum_up(struct gsched *s)
{
    for (enum gsp_amount a = GSP_ENTERED; a <= GSP_KEPT; a++) {
        if (is_counted(s, a))
            amount_open(s, a);
    }
    for (uint32_t q = 0; q < s->queues && s->modules->has_queues; q++) {
        const struct trace_queue_amounts *a = s->work->queue[q].amounts;

        for (uint32_t d = 0; a && d < s->dims; d++)
            s->modules->counts_users |= a->user_limit[d] >= 0;
    }
}

/* --- queues --------------------------------------------------------------- */

uint32_t gsched_queue_changed(const struct gsched *s, uint64_t since,
                              uint32_t after)
{
    return queue_log_next(&s->usage->changed, since, after);
}

uint32_t gsched_queue_eased(const struct gsched *s, uint64_t since,
                            uint32_t after)
{
    return queue_log_next(&s->usage->eased, since, after);
}

uint64_t gsched_usage_eases(const struct gsched *s)
{
    return s->usage->eases;
}

uint64_t gsched_queue_eased_at(const struct gsched *s, uint32_t queue)
{
    return s->usage->eased.event[queue].at;
}

void gsched_queue_ease(struct gsched *s, uint32_t queue)
{
    assert(queue <= s->queues);
    queue_log_note(&s->usage->eased, queue, ++s->usage->eases);
}

/* Add `tasks` times the request to the amounts of the queue and its ancestors.
 */
static void add(struct gsched *s, enum gsp_amount which, uint32_t queue,
                const struct topo_request *r, int64_t tasks)
{
    uint32_t dim[TOPO_DIMS_MAX], dims = 0;
    bool is_less = false;

    assert(queue < s->queues && is_counted(s, which));
    for (uint32_t d = 0; d < s->dims; d++) {
        /* queues count GPUs of any model */
        if (r->amount[d] && (d != r->model_dim || d == TOPO_CPU))
            dim[dims++] = d;
    }
    s->usage->changes++;
    for (uint32_t q = queue; q != TRACE_NONE; q = s->work->queue[q].parent) {
        int64_t *row = s->usage->amount[which] + (size_t)q * s->dims;
        bool eases = false;

        queue_log_note(&s->usage->changed, q, s->usage->changes);
        gsched_queue_key_forget(s, q, which != GSP_ASKED);
        for (uint32_t i = 0; i < dims; i++) {
            const int64_t more = r->amount[dim[i]] * tasks;

            row[dim[i]] += more;
            assert(row[dim[i]] >= 0); /* only held amounts are released */
            eases |= which == GSP_ELASTIC ? more > 0 : more < 0;
        }
        if (eases && which != GSP_ASKED) {
            gsched_queue_ease(s, q);
            is_less = true;
        }
    }
    if (is_less)
        gsched_queue_ease(s, s->queues);
}

/* --- users ---------------------------------------------------------------- */

struct sought_user {
    const struct gsched_usage *u;
    uint32_t queue, user;
};

static bool is_same(const void *of, uint32_t at)
{
    const struct sought_user *k = of;

    return k->u->user[at].user == k->user && k->u->user[at].queue == k->queue;
}

/* The row of the job's user in its queue; GS_HASH_NONE. */
static uint32_t user_find(const struct gsched *s, const struct trace_job *j)
{
    const struct sought_user k = { s->usage, j->queue, j->user };

    return gs_hash_find(&s->usage->users, gs_hash_mix(j->queue, j->user),
                        is_same, &k);
}

/* The same, created when new. */
static struct user_row *user_of(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    struct gsched_usage *u = s->usage;
    uint32_t i = user_find(s, j);

    if (i == GS_HASH_NONE) {
        i = u->users.count;
        u->user = gs_array_grow(u->user, &u->user_cap, i + 1, sizeof(*u->user));
        u->user[i].queue = j->queue;
        u->user[i].user = j->user;
        gs_hash_put(&u->users, gs_hash_mix(j->queue, j->user), i);
    }
    return &u->user[i];
}

const int64_t *gsched_user_used(const struct gsched *s, uint32_t job)
{
    static const int64_t nothing[TOPO_DIMS_MAX];
    const uint32_t i = user_find(s, &s->work->job[job]);

    assert(job < s->work->job_count);
    return i == GS_HASH_NONE ? nothing : s->usage->user[i].used;
}

/* --- changes -------------------------------------------------------------- */

static int64_t above(int64_t tasks, int64_t gang)
{
    return tasks > gang ? tasks - gang : 0;
}

static void add_amount(struct gsched *s, enum gsp_amount which, uint32_t queue,
                       const int64_t *amount, int sign)
{
    struct topo_request r = { .gpus = 0 };

    memcpy(r.amount, amount, s->dims * sizeof(*amount));
    add(s, which, queue, &r, sign);
}

/* The amounts by which what the job holds is above (sign 1), or below (-1),
 * those that it states.
 */
static void beyond(const struct gsched *s, uint32_t job, const int64_t *used,
                   int sign, int64_t *out)
{
    const struct trace_job *j = &s->work->job[job];
    const int64_t *least = s->work->minimum[j->aside->minimum - 1].amount;

    for (uint32_t d = 0; d < s->dims; d++)
        out[d] = sign > 0 ? above(used[d], least[d]) : above(least[d], used[d]);
}

/* As elastic_update, of a job that states its amounts. */
static void elastic_of_stated(struct gsched *s, uint32_t job, uint32_t group,
                              int64_t n)
{
    const int64_t *each = gsched_request(s, job, group)->amount;
    const uint32_t queue = s->work->job[job].queue;
    int64_t used[TOPO_DIMS_MAX], now[TOPO_DIMS_MAX], then[TOPO_DIMS_MAX];

    gsched_job_used(s, job, used);
    beyond(s, job, used, 1, now);
    for (uint32_t d = 0; d < s->dims; d++)
        used[d] -= each[d] * n;
    beyond(s, job, used, 1, then);
    for (uint32_t d = 0; d < s->dims; d++)
        now[d] -= then[d];
    add_amount(s, GSP_ELASTIC, queue, now, 1);
}

/* Update the elastic amount after `n` tasks (negative: released) were counted
 * in group_placed.
 */
static void elastic_update(struct gsched *s, uint32_t job, uint32_t group,
                           int64_t n)
{
    const struct trace_job *j = &s->work->job[job];
    const int64_t gang = gsched_gang_of(s, job, group);
    const int64_t placed = s->jobs->group_placed[j->first_group + group];
    const int64_t more = above(placed, gang) - above(placed - n, gang);

    if (more != 0)
        add(s, GSP_ELASTIC, j->queue,
            &s->work->shape[gsched_group(s, job, group)->shape], more);
}

/* The job holds `n` tasks more (less, below 0) than before. */
static void jobs_count(struct gsched *s, uint32_t job, int64_t n)
{
    const uint32_t placed = gsched_job(s, job)->placed;
    const bool comes = n > 0 && placed == n, goes = n < 0 && placed == 0;

    for (uint32_t q = comes || goes ? s->work->job[job].queue : TRACE_NONE;
         q != TRACE_NONE; q = s->work->queue[q].parent) {
        assert(comes || s->usage->jobs[q] > 0);
        s->usage->jobs[q] += comes ? 1 : UINT32_MAX;
    }
}

uint32_t gsched_queue_jobs(const struct gsched *s, uint32_t queue)
{
    assert(queue < s->queues);
    return s->usage->jobs[queue];
}

void gsched_usage_expect(struct gsched *s, uint32_t job, uint32_t group,
                         uint32_t tasks, int sign)
{
    const struct topo_request *r = gsched_request(s, job, group);
    const int64_t n = sign * (int64_t)tasks;

    assert(sign == 1 || sign == -1);
    add(s, GSP_USED, s->work->job[job].queue, r, n);
    if (s->modules->counts_kept && s->work->job[job].fixed)
        add(s, GSP_KEPT, s->work->job[job].queue, r, n);
}

void gsched_usage_allocated(struct gsched *s, uint32_t job, uint32_t group,
                            uint32_t tasks, int sign)
{
    const struct topo_request *r =
        &s->work->shape[gsched_group(s, job, group)->shape];
    const int64_t n = sign * (int64_t)tasks;

    assert(sign == 1 || sign == -1);
    assert(tasks > 0);
    assert(group < s->work->job[job].group_count);
    s->allocations->allocation_changes++;
    add(s, GSP_USED, s->work->job[job].queue, r, n);
    if (s->modules->counts_kept && s->work->job[job].fixed)
        add(s, GSP_KEPT, s->work->job[job].queue, r, n);
    jobs_count(s, job, n);
    gsched_budgets_placed(s, job, group, n);
    if (s->limits)
        gsched_limits_placed(s, job, group, n);
    if (s->modules->counts_entered && s->work->job[job].aside->minimum)
        elastic_of_stated(s, job, group, n);
    else if (s->modules->counts_entered)
        elastic_update(s, job, group, n);
    if (s->running->may_evict) {
        struct running_list *k = gsched_running_of(s, job);

        for (uint32_t d = 0; d < s->dims; d++) {
            k->used[d] += r->amount[d] * n;
            assert(k->used[d] >= 0);
        }
    }
    if (s->modules->counts_users) {
        struct user_row *u = user_of(s, job);

        for (uint32_t d = 0; d < s->dims; d++) {
            u->used[d] += r->amount[d] * n;
            assert(u->used[d] >= 0);
        }
    }
}

void gsched_usage_requested(struct gsched *s, uint32_t job, uint32_t from,
                            uint32_t to, int sign)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t first = 0;

    assert(sign == 1 || sign == -1);
    assert(from <= to && to <= j->tasks);
    for (uint32_t g = 0; g < j->group_count && first < to; g++) {
        const struct trace_group *group = gsched_group(s, job, g);
        const uint32_t end = first + group->replicas;
        const uint32_t a = from > first ? from : first;
        const uint32_t b = to < end ? to : end;

        if (a < b) {
            add(s, GSP_ASKED, j->queue, &s->work->shape[group->shape],
                sign * (int64_t)(b - a));
            gsched_budgets_asked(s, job, g, sign * (int64_t)(b - a));
        }
        first = end;
    }
}

void gsched_usage_admitted(struct gsched *s, uint32_t job, int sign)
{
    const struct trace_job *j = &s->work->job[job];

    assert(sign == 1 || sign == -1);
    assert(job < s->jobs->job_count);
    if (!s->modules->counts_entered)
        return;
    if (j->aside->minimum) {
        int64_t used[TOPO_DIMS_MAX], lacks[TOPO_DIMS_MAX];

        gsched_job_used(s, job, used);
        beyond(s, job, used, -1, lacks);
        add_amount(s, GSP_ENTERED, j->queue, lacks, sign);
        return;
    }
    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t n = gsched_gang_of(s, job, g);
        const uint32_t placed = s->jobs->group_placed[j->first_group + g];

        if (placed < n)
            add(s, GSP_ENTERED, j->queue,
                &s->work->shape[gsched_group(s, job, g)->shape],
                sign * (int64_t)(n - placed));
    }
}

/* --- a job ---------------------------------------------------------------- */

void gsched_job_used(const struct gsched *s, uint32_t job, int64_t *amount)
{
    const struct trace_job *j = &s->work->job[job];

    assert(job < s->jobs->job_count && amount);
    memset(amount, 0, s->dims * sizeof(*amount));
    for (uint32_t g = 0; gsched_job(s, job)->placed && g < j->group_count;
         g++) {
        const struct topo_request *r =
            &s->work->shape[gsched_group(s, job, g)->shape];

        for (uint32_t d = 0; d < s->dims; d++)
            amount[d] += r->amount[d]
                         * s->jobs->group_placed[j->first_group + g];
    }
}

static void minimum_add(const struct gsched *s, uint32_t job, uint32_t group,
                        int64_t *amount)
{
    const struct topo_request *r =
        &s->work->shape[gsched_group(s, job, group)->shape];
    const uint32_t n = gsched_gang_of(s, job, group);

    for (uint32_t d = 0; d < s->dims; d++)
        amount[d] += r->amount[d] * n;
}

void gsched_job_minimum(const struct gsched *s, uint32_t job, int64_t *amount)
{
    assert(job < s->jobs->job_count && amount);
    memset(amount, 0, s->dims * sizeof(*amount));
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++)
        minimum_add(s, job, g, amount);
}

void gsched_group_minimum(const struct gsched *s, uint32_t job, uint32_t group,
                          int64_t *amount)
{
    assert(group < s->work->job[job].group_count && amount);
    memset(amount, 0, s->dims * sizeof(*amount));
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        if (trace_groups_join(s->work, &s->work->job[job], group, g))
            minimum_add(s, job, g, amount);
    }
}

const int64_t *gsched_queue_amount(const struct gsched *s, uint32_t queue,
                                   enum gsp_amount which)
{
    static const int64_t nothing[TOPO_DIMS_MAX];

    assert(queue < s->queues && which >= GSP_USED && which <= GSP_KEPT);
    return s->usage->amount[which]
               ? s->usage->amount[which] + (size_t)queue * s->dims
               : nothing;
}

const int64_t *gsched_queue_used(const struct gsched *s, uint32_t queue)
{
    return s && queue < s->queues ? gsched_queue_amount(s, queue, GSP_USED)
                                  : NULL;
}

const int64_t *gsched_queue_asked(const struct gsched *s, uint32_t queue)
{
    return s && queue < s->queues ? gsched_queue_amount(s, queue, GSP_ASKED)
                                  : NULL;
}

uint64_t gsched_usage_changes(const struct gsched *s)
{
    return s->usage->changes;
}

void gsched_usage_free(struct gsched *s)
{
    gs_array_free(s->usage->user);
    gs_hash_free(&s->usage->users);
}
