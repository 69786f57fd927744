/* sim/replay/quota.c - quotas, see quota.h.
 *
 * Jobs that are short stand in classes: those with the same quotas whose next
 * task asks for the same, and with whole gangs all tasks of the gang.  When the
 * first of a class may have no task, none of it may.
 */
#include "sim/replay/quota.h"

#include <assert.h>

#include "base/array.h"
#include "base/far.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "base/text.h"
#include "sim/replay/replay_private.h"
#include "traces/workload/quotas.h"

#define NONE UINT32_MAX

/* Sums of what any number of jobs asks for. */
__extension__ typedef __int128 quota_sum;

struct sim_quota {
    quota_sum used[TOPO_DIMS_MAX];
    int64_t jobs;
    bool is_freed;
};

struct sim_quota_class {
    uint32_t set, shape;
    uint64_t gang;        /* what its tasks ask for; 0: it may exist in parts */
    bool is_job;          /* they are not counted as jobs yet */
    bool is_tried;        /* in this retry, in vain */
    uint32_t first, last; /* jobs, by submission; NONE */
};

struct sim_quota_job {
    int64_t waited, since;   /* us; since when it waits; -1: it does not */
    uint32_t klass;          /* in which it stands; NONE */
    uint32_t next, previous; /* in its class; NONE */
    uint32_t by;             /* the quota that it waited for last */
    bool is_counted;         /* as a job */
    bool is_known;           /* to its scheduler */
    int64_t lack;            /* counted in sim_quotas.lack */
};

void sim_quotas_open(struct sim *s)
{
    struct sim_quotas *q = &s->quotas;

    if (s->work->quotas->quota_set_count == 0)
        return;
    q->quota = gs_array_new(s->work->quotas->quota_count, sizeof(*q->quota));
    q->job = gs_far_new(s->work->far, s->work->job_count + 1, sizeof(*q->job));
    q->index = gs_array_new(1, sizeof(*q->index));
    for (uint32_t i = 0; i < s->work->job_count; i++)
        q->job[i] = (struct sim_quota_job){
            .since = -1, .klass = NONE, .next = NONE, .previous = NONE
        };
}

void sim_quotas_free(struct sim *s)
{
    if (s->quotas.index)
        gs_hash_free(s->quotas.index);
    gs_array_free(s->quotas.index);
    gs_array_free(s->quotas.quota);
    gs_far_free(s->work->far, s->quotas.job);
    gs_array_free(s->quotas.klass);
}

/* --- classes -------------------------------------------------------------- */

struct sought {
    const struct sim_quotas *q;
    uint32_t set, shape;
    uint64_t gang;
    bool is_job;
};

static bool is_same(const void *of, uint32_t at)
{
    const struct sought *k = of;
    const struct sim_quota_class *c = &k->q->klass[at];

    return c->set == k->set && c->shape == k->shape && c->gang == k->gang
           && c->is_job == k->is_job;
}

static uint32_t class_of(struct sim_quotas *q, const struct sought *k)
{
    const uint64_t hash = gs_hash_mix(
        gs_hash_mix(gs_hash_mix(k->set, k->shape), k->gang), k->is_job);
    const uint32_t found = gs_hash_find(q->index, hash, is_same, k);

    if (found != GS_HASH_NONE)
        return found;
    q->klass = gs_array_grow(q->klass, &q->klass_cap, q->klasses + 1,
                             sizeof(*q->klass));
    q->klass[q->klasses] = (struct sim_quota_class){
        .set = k->set,
        .shape = k->shape,
        .gang = k->gang,
        .is_job = k->is_job,
        .first = NONE,
        .last = NONE,
    };
    gs_hash_put(q->index, hash, q->klasses);
    return q->klasses++;
}

static void leave(struct sim_quotas *q, uint32_t job)
{
    struct sim_quota_job *j = &q->job[job];
    struct sim_quota_class *c;

    if (j->klass == NONE)
        return;
    c = &q->klass[j->klass];
    *(j->previous == NONE ? &c->first : &q->job[j->previous].next) = j->next;
    *(j->next == NONE ? &c->last : &q->job[j->next].previous) = j->previous;
    j->klass = j->next = j->previous = NONE;
}

/* Behind the jobs that were submitted before it: mostly the last. */
static void stand(struct sim_quotas *q, uint32_t job, uint32_t klass)
{
    struct sim_quota_job *j = &q->job[job];
    struct sim_quota_class *c = &q->klass[klass];
    uint32_t at = c->last;

    if (c->first != NONE && c->first > job)
        at = NONE;
    while (at != NONE && at > job)
        at = q->job[at].previous;
    j->klass = klass;
    j->previous = at;
    j->next = at == NONE ? c->first : q->job[at].next;
    *(at == NONE ? &c->first : &q->job[at].next) = job;
    *(j->next == NONE ? &c->last : &q->job[j->next].previous) = job;
}

/* --- amounts -------------------------------------------------------------- */

static const struct trace_quota_set *set_of(const struct sim *s, uint32_t job)
{
    return &s->work->quotas->quota_set[s->work->job[job].aside->quotas - 1];
}

/* The group of the job's task `task`, and how many tasks of it follow. */
static const struct trace_group *group_of(const struct sim *s, uint32_t job,
                                          uint32_t task, uint32_t *left)
{
    const struct trace_job *w = &s->work->job[job];
    uint32_t at = w->first_group;
    const struct trace_group *g = trace_group_at(s->work, at);

    assert(task < w->tasks);
    for (; task >= g->replicas; g = trace_group_at(s->work, ++at))
        task -= g->replicas;
    *left = g->replicas - task;
    return g;
}

/* What a task of the shape counts for. */
static int64_t amount_of(const struct sim *s, uint32_t shape, uint32_t dim)
{
    return dim == TOPO_PODS ? 1 : s->work->shape[shape].amount[dim];
}

/* At most `n` tasks of the shape, as many as the quotas have room for. */
static uint32_t room(struct sim *s, uint32_t job, uint32_t shape, uint32_t n)
{
    const struct trace_quota_set *set = set_of(s, job);

    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t at = s->work->quotas->quota_of[set->first + i];
        const int64_t *limit = s->work->quotas->quota[at].limit;
        const quota_sum *used = s->quotas.quota[at].used;

        for (uint32_t d = 0; d < s->work->dims->count; d++) {
            const int64_t each = amount_of(s, shape, d);
            const quota_sum free = limit[d] - used[d];

            if (limit[d] < 0 || each == 0 || free / each >= n)
                continue;
            n = free < each ? 0 : (uint32_t)(free / each);
            s->quotas.job[job].by = at;
        }
    }
    return n;
}

/* Count `n` tasks of the shape, or forget them (below 0). */
static void count(struct sim *s, uint32_t job, uint32_t shape, int64_t n)
{
    const struct trace_quota_set *set = set_of(s, job);

    for (uint32_t i = 0; i < set->count; i++) {
        struct sim_quota *q =
            &s->quotas.quota[s->work->quotas->quota_of[set->first + i]];

        for (uint32_t d = 0; d < s->work->dims->count; d++) {
            q->used[d] += (quota_sum)n * amount_of(s, shape, d);
            assert(q->used[d] >= 0);
        }
        q->is_freed |= n < 0;
    }
    s->quotas.is_freed |= n < 0;
}

/* Count it as a job, where its quotas have room for one more. */
static bool job_count(struct sim *s, uint32_t job, bool is_forced)
{
    const struct trace_quota_set *set = set_of(s, job);

    for (uint32_t i = 0; !is_forced && i < set->count; i++) {
        const uint32_t at = s->work->quotas->quota_of[set->first + i];

        if (s->work->quotas->quota[at].jobs >= 0
            && s->quotas.quota[at].jobs >= s->work->quotas->quota[at].jobs) {
            s->quotas.job[job].by = at;
            return false;
        }
    }
    for (uint32_t i = 0; i < set->count; i++)
        s->quotas.quota[s->work->quotas->quota_of[set->first + i]].jobs++;
    s->quotas.job[job].is_counted = true;
    return true;
}

/* --- taking --------------------------------------------------------------- */

/* GPU thousandths of the first `gang` tasks of the job. */
static int64_t gang_milli(const struct sim *s, uint32_t job, uint32_t gang)
{
    int64_t milli = 0;

    for (uint32_t task = 0, left; task < gang; task += left) {
        const uint32_t shape = group_of(s, job, task, &left)->shape;

        left = left < gang - task ? left : gang - task;
        milli += amount_of(s, shape, TOPO_GPU) * left;
    }
    return milli;
}

/* Begin, or end, to count the wait of a job whose gang is, or is not, short. */
static void wait_follow(struct sim *s, uint32_t job, uint32_t created)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_quota_job *j = &s->quotas.job[job];
    const bool waits = j->klass != NONE && created < w->gang;

    s->quotas.lack[j->is_known] -= j->lack;
    j->is_known = created > 0;
    j->lack = waits ? gang_milli(s, job, w->gang) : 0;
    s->quotas.lack[j->is_known] += j->lack;
    if (waits && j->since < 0) {
        j->since = s->now;
    } else if (!waits && j->since >= 0) {
        j->waited += s->now - j->since;
        j->since = -1;
    }
}

/* Count the job's tasks from `task` on that are due, as far as there is room.
 * Returns the first that is not counted.
 */
static uint32_t take(struct sim *s, uint32_t job, uint32_t task)
{
    const bool is_forced = s->work->job[job].aside->stand_count > 0
                           || s->recording.is_on;
    const uint32_t due = sim_life(s, job)->due;

    for (uint32_t n = 0, left = 0; task < due && n == left; task += n) {
        const uint32_t shape = group_of(s, job, task, &left)->shape;

        left = left < due - task ? left : due - task;
        n = is_forced ? left : room(s, job, shape, left);
        count(s, job, shape, n);
    }
    return task;
}

/* Number of the job's first tasks that hold its gang, with the minimum of each
 * kind.
 */
static uint32_t gang_of(const struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    uint32_t gang = w->gang, first = 0;

    for (uint32_t g = 0; g < w->group_count; g++) {
        const struct trace_group *x = trace_group_at(s->work,
                                                     w->first_group + g);

        if (x->min && first + x->min > gang)
            gang = first + x->min;
        first += x->replicas;
    }
    return gang;
}

/* Have the quotas room for the first `gang` tasks of the job, which has none?
 */
static bool gang_fits(struct sim *s, uint32_t job, uint32_t gang)
{
    const struct trace_quota_set *set = set_of(s, job);
    quota_sum asks[TOPO_DIMS_MAX] = { 0 };

    for (uint32_t task = 0, left; task < gang; task += left) {
        const uint32_t shape = group_of(s, job, task, &left)->shape;

        left = left < gang - task ? left : gang - task;
        for (uint32_t d = 0; d < s->work->dims->count; d++)
            asks[d] += (quota_sum)left * amount_of(s, shape, d);
    }
    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t at = s->work->quotas->quota_of[set->first + i];
        const int64_t *limit = s->work->quotas->quota[at].limit;

        for (uint32_t d = 0; d < s->work->dims->count; d++) {
            if (limit[d] < 0 || asks[d] == 0
                || s->quotas.quota[at].used[d] + asks[d] <= limit[d])
                continue;
            s->quotas.job[job].by = at;
            return false;
        }
    }
    return true;
}

/* A number for what the first `gang` tasks ask for, above 0. */
static uint64_t key_of(const struct sim *s, uint32_t job, uint32_t gang)
{
    uint64_t key = 1;

    for (uint32_t task = 0, left; task < gang; task += left) {
        const uint32_t shape = group_of(s, job, task, &left)->shape;

        left = left < gang - task ? left : gang - task;
        key = gs_hash_mix(gs_hash_mix(key, shape), left) | 1;
    }
    return key;
}

uint32_t sim_quota_take(struct sim *s, uint32_t job)
{
    const struct sim_job *j = sim_life(s, job);
    const bool is_forced = s->work->job[job].aside->stand_count > 0;
    struct sim_quotas *q = &s->quotas;
    uint32_t task = j->created, gang = 0, left;

    assert(j->due >= j->created);
    if (!q->job || !s->work->job[job].aside->quotas)
        return j->due - j->created;
    leave(q, job);
    if (task == 0 && gsched_wants_whole_gangs(sim_sched(s, job)))
        gang = gang_of(s, job);
    if (gang > j->due)
        return 0;
    if ((q->job[job].is_counted || job_count(s, job, is_forced))
        && (is_forced || gang_fits(s, job, gang)))
        task = take(s, job, task);
    if (task < j->due)
        stand(q, job,
              class_of(q, &(struct sought){
                              .q = q,
                              .set = s->work->job[job].aside->quotas,
                              .shape = group_of(s, job, task, &left)->shape,
                              .gang = task < gang ? key_of(s, job, gang) : 0,
                              .is_job = !q->job[job].is_counted,
                          }));
    wait_follow(s, job, task);
    return task - j->created;
}

/* Forget the job's tasks from `from` to `to`. */
static void forget(struct sim *s, uint32_t job, uint32_t from, uint32_t to)
{
    for (uint32_t left; from < to; from += left) {
        const uint32_t shape = group_of(s, job, from, &left)->shape;

        left = left < to - from ? left : to - from;
        count(s, job, shape, -(int64_t)left);
    }
}

void sim_quota_give(struct sim *s, uint32_t job, uint32_t created)
{
    const struct sim_job *j = sim_life(s, job);

    if (!s->quotas.job || !s->work->job[job].aside->quotas)
        return;
    forget(s, job, created, j->created);
    if (j->due == created)
        leave(&s->quotas, job);
    wait_follow(s, job, created);
}

void sim_quota_over(struct sim *s, uint32_t job)
{
    const struct trace_quota_set *set;

    if (!s->quotas.job || !s->work->job[job].aside->quotas)
        return;
    leave(&s->quotas, job);
    wait_follow(s, job, 0);
    forget(s, job, 0, sim_life(s, job)->created);
    set = set_of(s, job);
    for (uint32_t i = 0; s->quotas.job[job].is_counted && i < set->count; i++) {
        struct sim_quota *q =
            &s->quotas.quota[s->work->quotas->quota_of[set->first + i]];

        q->jobs--;
        q->is_freed = s->quotas.is_freed = true;
    }
    s->quotas.job[job].is_counted = false;
}

/* --- trying again --------------------------------------------------------- */

/* May a class have tasks, since one of its quotas was freed? */
static bool may_go_on(const struct sim *s, const struct sim_quota_class *c)
{
    const struct trace_quota_set *set = &s->work->quotas->quota_set[c->set - 1];

    for (uint32_t i = 0; i < set->count; i++) {
        if (s->quotas.quota[s->work->quotas->quota_of[set->first + i]].is_freed)
            return true;
    }
    return false;
}

/* The class whose first job was submitted first, of those not tried yet. */
static struct sim_quota_class *next_class(const struct sim_quotas *q)
{
    struct sim_quota_class *best = NULL;

    for (uint32_t i = 0; i < q->klasses; i++) {
        struct sim_quota_class *c = &q->klass[i];

        if (c->first != NONE && !c->is_tried
            && (!best || c->first < best->first))
            best = c;
    }
    return best;
}

void sim_quotas_retry(struct sim *s)
{
    struct sim_quotas *q = &s->quotas;
    struct sim_quota_class *c;

    if (!q->is_freed)
        return;
    q->is_freed = false;
    for (uint32_t i = 0; i < q->klasses; i++)
        q->klass[i].is_tried = !may_go_on(s, &q->klass[i]);
    for (uint32_t i = 0; i < s->work->quotas->quota_count; i++)
        q->quota[i].is_freed = false;
    while ((c = next_class(q))) {
        const uint32_t klass = (uint32_t)(c - q->klass), job = c->first;

        if (!sim_tasks_create(s, job))
            q->klass[klass].is_tried = true;
    }
}

/* --- waits ---------------------------------------------------------------- */

bool sim_quota_waits(const struct sim *s, uint32_t job)
{
    return s->quotas.job && s->quotas.job[job].since >= 0;
}

int64_t sim_quota_waited(const struct sim *s, uint32_t job)
{
    const struct sim_quota_job *j = s->quotas.job ? &s->quotas.job[job] : NULL;

    return !j ? 0 : j->waited + (j->since >= 0 ? s->now - j->since : 0);
}

const char *sim_quota_module(struct sim *s, uint32_t job)
{
    const uint32_t by = s->quotas.job[job].by;

    s->quotas.name[0] = '\0';
    gs_text_add(s->quotas.name, sizeof(s->quotas.name), "quota %.350s",
                gs_strtab_str(s->work->names, s->work->quotas->quota[by].name));
    return s->quotas.name;
}
