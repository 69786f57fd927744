/* policies/state/limit_checks.c - what jobs hold and use below limits, and
 * which limit refuses a job; see limit_sets.h.
 */
#include <assert.h>

#include "policies/state/jobs.h"
#include "policies/state/limit_counts.h"
#include "policies/state/limit_sets.h"
#include "policies/state/usage.h"

#define MINUTE (INT64_C(60) * 1000000)
#define JOBS TOPO_DIMS_MAX /* column of struct limit_use */

/* --- what is held --------------------------------------------------------- */

#define END_MAX (INT64_C(1) << 50) /* us; of estimated ends, in sums */

/* What so many tasks of the group hold. */
static int64_t amount_of(const struct topo_request *r, uint32_t dim,
                         int64_t tasks)
{
    return dim == TOPO_PODS ? tasks : r->amount[dim] * tasks;
}

/* An amount in sums over time: memory in MiB. */
static limit_time scaled(uint32_t dim, int64_t amount)
{
    return dim == TOPO_MEMORY ? (amount + (1 << 20) - 1) >> 20 : amount;
}

static void use_change(struct limit_use *u, uint32_t column, limit_time more,
                       int64_t now, int64_t end)
{
    u->spent[column] += u->rate[column] * (now - u->since);
    u->rate[column] += more;
    u->ends[column] += more * end;
}

/* Time passed until `at`. */
static void use_pass(struct limit_use *u, int64_t at)
{
    for (uint32_t c = 0; c <= JOBS; c++)
        use_change(u, c, 0, at, 0);
    u->since = at;
}

/* What is left of a sum, of which so many parts of 2^32 stay. */
static limit_time kept_of(limit_time sum, uint64_t keeps)
{
    const limit_time high = sum >> 32, low = sum & UINT32_MAX;

    return high * (limit_time)keeps + ((low * (limit_time)keeps) >> 32);
}

static bool is_idle(const struct limit_use *u)
{
    for (uint32_t c = 0; c <= JOBS; c++) {
        if (u->spent[c] || u->rate[c])
            return false;
    }
    return true;
}

/* The first end of a period after `at`; GSCHED_NEVER. */
static int64_t period_end(const struct gsched *s, int64_t at)
{
    const int64_t period = s->modules->decay.period;

    return period && at / period < GSCHED_LAST / period
               ? (at / period + 1) * period
               : GSCHED_NEVER;
}

/* Time passed until now; at the ends of periods usage is forgotten. */
static void use_follow(const struct gsched *s, struct limit_use *u)
{
    if (s->modules->decay.period && !u->stays) {
        for (int64_t at = period_end(s, u->since); at <= s->now && !is_idle(u);
             at = period_end(s, at)) {
            use_pass(u, at);
            for (uint32_t c = 0; c <= JOBS; c++)
                u->spent[c] = kept_of(u->spent[c], s->modules->decay.keeps);
        }
    }
    use_pass(u, s->now);
}

static void used_change(struct gsched *s, const struct limit_set *set,
                        struct limit_use *u, const struct topo_request *r,
                        int64_t end, int64_t tasks, int64_t jobs)
{
    use_follow(s, u);
    for (uint32_t d = 0; d < s->dims; d++)
        use_change(u, d, scaled(d, amount_of(r, d, 1)) * tasks * set->factor,
                   s->now, end);
    use_change(u, JOBS, (limit_time)jobs * set->factor, s->now, end);
}

void gsched_limits_placed(struct gsched *s, uint32_t job, uint32_t group,
                          int64_t tasks)
{
    struct gsched_limits *l = s->limits;
    const struct topo_request *r = gsched_request(s, job, group);
    const struct job_state *j = gsched_job(s, job);
    const uint32_t number = gsched_job_aside(s, job).limit_set;
    const struct limit_set *set = &l->set[number];
    const int64_t jobs = tasks > 0 ? j->placed == tasks
                                   : -(int64_t)(j->placed == 0);

    if (number && jobs > 0)
        gsched_job_aside_put(s, job)->limit_end =
            s->now + (j->estimate < END_MAX ? j->estimate : END_MAX);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct limit_check *c = &l->check[set->first + i];
        struct limit_count *n;

        if (!c->counts)
            continue;
        n = &l->count[c->count];
        for (uint32_t d = 0; d < s->dims; d++) {
            n->used[d] += amount_of(r, d, tasks);
            assert(n->used[d] >= 0);
        }
        n->jobs += jobs * c->each;
        assert(n->jobs >= 0);
        if (n->use)
            used_change(s, set, &l->use[n->use - 1], r,
                        gsched_job_aside(s, job).limit_end, tasks, jobs);
    }
}

/* --- which limit refuses -------------------------------------------------- */

/* What the job asks for, has, and would have in all. */
struct limit_asks {
    const int64_t *asked;
    int64_t own[TOPO_DIMS_MAX];
    int64_t tasks; /* of those that it asks for */
};

static int64_t asked_of(const struct limit_asks *a, uint32_t dim)
{
    return dim == TOPO_PODS ? a->tasks : a->asked[dim];
}

/* A task of the job asks for more than the limit. */
static bool task_exceeds(const struct gsched *s, uint32_t job, uint32_t dim,
                         int64_t limit)
{
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        if (gsched_request(s, job, g)->amount[dim] > limit)
            return true;
    }
    return false;
}

/* The time that the job would take of a column, at most. */
static limit_time time_of(const struct limit_set *set, uint32_t dim,
                          int64_t amount, int64_t estimate)
{
    return scaled(dim, amount) * set->factor
           * (estimate < END_MAX ? estimate : END_MAX);
}

/* What running jobs will use of the column until their estimated ends; those
 * that run for longer reduce it.
 */
static limit_time rest_of(const struct gsched *s, const struct limit_use *u,
                          uint32_t column)
{
    const limit_time rest = u->ends[column] - u->rate[column] * s->now;

    return rest > 0 ? rest : 0;
}

/* Has so much of the column, or more, been used?  It may be less at the end of
 * a period.
 */
static bool is_spent(const struct gsched *s, struct limit_use *u,
                     uint32_t column, limit_time limit)
{
    struct gsched_limits *l = s->limits;

    use_follow(s, u);
    if (u->spent[column] < limit)
        return false;
    if (limit > 0 && !u->stays && period_end(s, s->now) < l->next)
        l->next = period_end(s, s->now);
    return true;
}

static limit_time limit_of(uint32_t dim, int64_t minutes)
{
    return scaled(dim, minutes) * MINUTE * LIMIT_FACTOR;
}

/* The rest of running jobs, above 0, falls with time: note when it has fallen
 * by `over`, at most all of it.
 */
static void rest_note(const struct gsched *s, const struct limit_use *u,
                      uint32_t column, limit_time over)
{
    struct gsched_limits *l = s->limits;
    limit_time later;

    assert(u->rate[column] > 0);
    later = (over + u->rate[column] - 1) / u->rate[column];
    if (later < GSCHED_LAST - s->now && s->now + (int64_t)later < l->next)
        l->next = s->now + (int64_t)later;
}

static bool exceeds(const struct gsched *s, const struct limit_check *c,
                    const struct limit_set *set, uint32_t job,
                    const struct limit_asks *a, uint32_t d)
{
    const struct gsched_limits *l = s->limits;
    const struct limit_count *n = c->count == NONE ? NULL : &l->count[c->count];
    struct limit_use *u = n && n->use ? &l->use[n->use - 1] : NULL;
    const int64_t estimate = gsched_job(s, job)->estimate;
    const int64_t all = a->own[d] + asked_of(a, d);
    limit_time over;

    switch (c->kind) {
    case TRACE_LIMIT_TASK:
        return task_exceeds(s, job, d, c->amount[d]);
    case TRACE_LIMIT_LEAST:
        return all < c->amount[d];
    case TRACE_LIMIT_MINUTES:
        return u ? is_spent(s, u, d, limit_of(d, c->amount[d]))
                 : time_of(set, d, all, estimate) > limit_of(d, c->amount[d]);
    case TRACE_LIMIT_RUNNING:
        over = time_of(set, d, asked_of(a, d), estimate)
               - limit_of(d, c->amount[d]);
        if (over <= 0 && over + rest_of(s, u, d) > 0)
            rest_note(s, u, d, over + rest_of(s, u, d));
        return over + rest_of(s, u, d) > 0;
    default:
        return asked_of(a, d) > 0
               && (n ? n->used[d] + asked_of(a, d) : all) > c->amount[d];
    }
}

static const char *check_reason(const struct gsched *s,
                                const struct limit_check *c,
                                const struct limit_set *set, uint32_t job,
                                const struct limit_asks *a)
{
    const struct gsched_limits *l = s->limits;
    const struct job_state *j = gsched_job(s, job);
    const struct limit_count *n = c->count == NONE ? NULL : &l->count[c->count];

    if (c->jobs >= 0 && j->placed == 0 && n->jobs + c->each > c->jobs)
        return c->reason ? c->reason
                         : gsched_limit_jobs_name(c->holder, c->scope);
    if (c->wall >= 0
        && (c->kind == TRACE_LIMIT_MINUTES
                ? is_spent(s, &l->use[n->use - 1], JOBS,
                           (limit_time)c->wall * LIMIT_FACTOR)
                : s->work->job[job].estimate > c->wall))
        return gsched_limit_wall_name(c->holder, c->scope);
    for (uint32_t d = 0; d < s->dims; d++) {
        if (c->amount[d] >= 0 && exceeds(s, c, set, job, a, d))
            return c->reason ? c->reason
                             : gsched_limit_amount_name(c->holder, c->scope,
                                                        c->kind, d);
    }
    return NULL;
}

const char *gsched_limits_reason(const struct gsched *s, uint32_t job,
                                 const int64_t *asked)
{
    const struct gsched_limits *l = s->limits;
    const struct job_state *j = gsched_job(s, job);
    const struct limit_set *set =
        l ? &l->set[gsched_job_aside(s, job).limit_set] : NULL;
    const uint32_t gang = s->work->job[job].gang;
    struct limit_asks a = { .asked = asked,
                            .tasks = j->placed < gang ? gang - j->placed : 1 };
    const char *reason = NULL;

    if (!set || set->count == 0)
        return NULL;
    gsched_job_used(s, job, a.own);
    a.own[TOPO_PODS] = j->placed;
    for (uint32_t i = 0; i < set->count && !reason; i++)
        reason = check_reason(s, &l->check[set->first + i], set, job, &a);
    return reason;
}

int64_t gsched_limits_next(const struct gsched *s)
{
    return s->limits ? s->limits->next : GSCHED_NEVER;
}

void gsched_limits_follow(struct gsched *s)
{
    if (s->limits && s->limits->next <= s->now) {
        s->limits->next = GSCHED_NEVER;
        s->limits->turns++;
    }
}

uint64_t gsched_limits_turns(const struct gsched *s)
{
    return s->limits ? s->limits->turns : 0;
}
