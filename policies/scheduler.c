/* policies/scheduler.c - the door: events in, a cycle, decisions out. */
#include "policies/scheduler.h"

#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "policies/scheduler_private.h"

/* --- making ---------------------------------------------------------------- */

static int module_open(struct gsched *s, const struct gsched_use *u,
                       uint64_t seed, struct gs_err *err)
{
    struct gsched_module *m = &s->module[s->module_count];
    union gsp_value value[GSCHED_PARAMS_MAX];

    *m = (struct gsched_module){ .module = u->module, .s = s };
    gs_rng_init(&m->rng, seed, u->module->name);
    if (gsched_use_values(u, s->profile->source, s->topo->dims, s->topo->names,
                          s->arena, value, err)
        < 0)
        return -1;
    if (u->module->open
        && u->module->open(&gsched_host, m, value, &m->self) < 0)
        return gs_fail(err, GS_INPUT, u->at, "module '%s' cannot start",
                       u->module->name);
    s->module_count++;
    return 0;
}

/* Every profile checks that tasks fit, whether it says so or not. */
static int fit_open(struct gsched *s, uint64_t seed, struct gs_err *err)
{
    extern const struct gsp_module gsp_module_fit;
    const struct gsched_use fit = { .module = &gsp_module_fit };

    for (uint32_t i = 0; i < s->module_count; i++) {
        if (s->module[i].module == &gsp_module_fit)
            return 0;
    }
    return module_open(s, &fit, seed, err);
}

static int within_find(struct gsched *s, const struct gsched_module *m,
                       struct gs_mark at, struct gs_err *err)
{
    const char *tier = m->module->within(m->self);
    uint32_t name;
    int level;

    if (!tier)
        return 0;
    name = gs_strtab_find(s->topo->names, tier, strlen(tier));
    level = name == GS_STRTAB_NONE ? -1 : topo_level_find(s->topo, name);
    if (level < 1 || (uint32_t)level > s->topo->tier_count)
        return gs_fail(err, GS_INPUT, at,
                       "the cluster has no tier '%s' above its nodes", tier);
    s->within_level = (uint32_t)level;
    return 0;
}

/* What the open modules mean for the core. */
static int modules_sum_up(struct gsched *s, struct gs_err *err)
{
    s->fills_nodes = true;
    s->hold_time = GSCHED_NEVER;
    for (uint32_t i = 0; i < s->module_count; i++) {
        const struct gsched_module *m = &s->module[i];

        if (m->module->pick)
            s->pick = m;
        if (m->module->pick
            || (m->module->score && !(m->module->promises & GSP_SCORE_RISES)))
            s->fills_nodes = false;
        if (m->module->hold_time) {
            const gsp_time t = m->module->hold_time(m->self);

            s->hold_time = t < s->hold_time ? t : s->hold_time;
        }
        if (m->module->within
            && within_find(s, m, s->profile->use[i].at, err) < 0)
            return -1;
    }
    return 0;
}

struct gsched *gsched_create(struct topo_cluster *c,
                             const struct trace_workload *w,
                             const struct gsched_profile *p, uint64_t seed,
                             struct gs_err *err)
{
    struct gsched *s = gs_array_new(1, sizeof(*s));

    s->arena = gs_arena_create(4096);
    s->cluster = c;
    s->topo = topo_cluster_topology(c);
    s->work = w;
    s->profile = p;
    s->free_span = NONE;
    for (uint32_t i = 0; i < p->use_count; i++) {
        if (module_open(s, &p->use[i], seed, err) < 0)
            goto fail;
    }
    if (fit_open(s, seed, err) < 0 || modules_sum_up(s, err) < 0)
        goto fail;
    return s;
fail:
    gsched_destroy(s);
    return NULL;
}

void gsched_destroy(struct gsched *s)
{
    if (!s)
        return;
    for (uint32_t i = s->module_count; i-- > 0;) {
        if (s->module[i].module->close)
            s->module[i].module->close(s->module[i].self);
    }
    gsched_shapes_free(s);
    gsched_pending_free(s);
    gs_array_free(s->score);
    gs_array_free(s->room);
    gs_array_free(s->refusal);
    gs_array_free(s->hardware);
    gs_array_free(s->job);
    gs_array_free(s->group_placed);
    gs_array_free(s->group_queued);
    gs_array_free(s->span);
    gs_array_free(s->held);
    gs_array_free(s->partly);
    gs_array_free(s->deadline);
    gs_array_free(s->decision);
    gs_arena_destroy(s->arena);
    gs_array_free(s);
}

/* --- asking ---------------------------------------------------------------- */

const struct trace_group *gsched_group(const struct gsched *s, uint32_t job,
                                       uint32_t group)
{
    return &s->work->group[s->work->job[job].first_group + group];
}

uint32_t gsched_group_missing(const struct gsched *s, uint32_t job,
                              uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    const uint32_t placed = s->group_placed[j->first_group + group];
    uint32_t created = s->job[job].created;

    for (uint32_t g = 0; g < group; g++) {
        const uint32_t n = gsched_group(s, job, g)->replicas;

        created -= n < created ? n : created;
    }
    if (created > gsched_group(s, job, group)->replicas)
        created = gsched_group(s, job, group)->replicas;
    return created > placed ? created - placed : 0;
}

enum gsched_cause gsched_wait_cause(const struct gsched *s, uint32_t job)
{
    const struct job_state *j = &s->job[job];
    uint32_t bin;

    if (j->phase != JOB_WAITING && j->phase != JOB_PARTLY)
        return (enum gsched_cause)j->cause;
    bin = gsched_bin_of(s, job);
    if (bin == NONE || (s->bin[bin].kind == BIN_ALL && j->cause))
        return (enum gsched_cause)j->cause;
    return s->bin[bin].kind == BIN_ALL ? GSCHED_ORDER
                                       : (enum gsched_cause)s->bin[bin].cause;
}

uint32_t gsched_placed(const struct gsched *s, uint32_t job)
{
    return s->job[job].placed;
}

uint32_t gsched_waiting(const struct gsched *s)
{
    return s->waiting;
}

bool gsched_could_place(struct gsched *s, uint32_t shape)
{
    return gsched_shape_has_room(s, shape, 1);
}

/* Does the deadline still stand: was the job partly placed ever since? */
static bool deadline_stands(const struct gsched *s, const struct deadline *d)
{
    const struct job_state *j = &s->job[d->job];

    return j->phase == JOB_PARTLY && j->held_since + s->hold_time == d->at;
}

int64_t gsched_next_wake(const struct gsched *s)
{
    for (uint32_t i = s->deadline_first; i < s->deadline_count; i++) {
        if (deadline_stands(s, &s->deadline[i]))
            return s->deadline[i].at;
    }
    return GSCHED_NEVER;
}

/* --- events ----------------------------------------------------------------- */

/* Make room for all jobs the workload has now. */
static void jobs_grow(struct gsched *s)
{
    const struct trace_workload *w = s->work;

    if (s->job_count >= w->job_count)
        return;
    s->job = gs_array_grow(s->job, &s->job_cap, w->job_count, sizeof(*s->job));
    s->group_placed = gs_array_grow(s->group_placed, &s->group_cap,
                                    w->group_count, sizeof(*s->group_placed));
    s->group_queued = gs_array_grow(s->group_queued, &s->queued_cap,
                                    w->group_count, sizeof(*s->group_queued));
    for (; s->job_count < w->job_count; s->job_count++)
        s->job[s->job_count] = (struct job_state){ .first_span = NONE,
                                                   .partly_at = NONE };
}

void gsched_decide(struct gsched *s, const struct gsched_decision *d)
{
    s->decision = gs_array_grow(s->decision, &s->decision_cap,
                                s->decision_count + 1, sizeof(*s->decision));
    s->decision[s->decision_count++] = *d;
}

static bool has_action(const struct gsched *s, enum gsched_action a)
{
    for (uint32_t i = 0; i < s->profile->action_count; i++) {
        if (s->profile->action[i] == a)
            return true;
    }
    return false;
}

void gsched_submit(struct gsched *s, uint32_t job, uint32_t created,
                   int64_t now)
{
    struct job_state *j;

    jobs_grow(s);
    j = &s->job[job];
    j->since = now;
    j->created = created;
    j->phase = JOB_HELD;
    s->waiting++;
    s->held = gs_array_grow(s->held, &s->held_cap, s->held_count + 1,
                            sizeof(*s->held));
    s->held[s->held_count++] = job;
}

void gsched_tasks_created(struct gsched *s, uint32_t job, uint32_t created,
                          int64_t now)
{
    (void)now; /* tasks know when they are made */
    s->job[job].created = created;
    if (s->job[job].phase != JOB_HELD && s->job[job].phase != JOB_OVER)
        gsched_pending_add(s, job);
}

void gsched_end(struct gsched *s, uint32_t job)
{
    const uint8_t phase = s->job[job].phase;

    gsched_pending_drop(s, job);
    gsched_release_all(s, job, false);
    s->waiting -= phase == JOB_WAITING || phase == JOB_PARTLY;
    s->job[job].phase = JOB_OVER;
}

/* --- a cycle ---------------------------------------------------------------- */

/* Could an empty cluster hold every group of the job's gang? */
static enum gsched_cause never_fits(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t left = j->gang;

    for (uint32_t g = 0; g < j->group_count && left; g++) {
        const struct trace_group *group = gsched_group(s, job, g);
        const uint32_t n = group->replicas < left ? group->replicas : left;
        const uint64_t most = gsched_shape(s, group->shape)->most;

        if (most < n)
            return most == 0 ? GSCHED_CONSTRAINT : GSCHED_CAPACITY;
        left -= n;
    }
    return GSCHED_NO_CAUSE;
}

static void reject(struct gsched *s, uint32_t job, enum gsched_cause why)
{
    const struct gsched_decision d = { .kind = GSCHED_REJECT, .job = job };

    s->job[job].phase = JOB_OVER;
    s->job[job].cause = (uint8_t)why;
    s->waiting--;
    gsched_decide(s, &d);
}

static bool may_enqueue(struct gsched *s, uint32_t job)
{
    const struct gsp_job j = { s, job };

    for (uint32_t i = 0; i < s->module_count; i++) {
        const struct gsched_module *m = &s->module[i];

        if (m->module->enqueue && !m->module->enqueue(m->self, &j))
            return false;
    }
    return true;
}

/* The action: submitted jobs that may enter the queue do so, in order.
 * Without it in the profile nobody is asked.
 */
static void enqueue(struct gsched *s, bool ask)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < s->held_count; i++) {
        const uint32_t job = s->held[i];
        const enum gsched_cause never = never_fits(s, job);

        if (never != GSCHED_NO_CAUSE)
            reject(s, job, never);
        else if (ask && !may_enqueue(s, job))
            s->held[kept++] = job;
        else {
            s->job[job].phase = JOB_WAITING;
            gsched_pending_add(s, job);
        }
    }
    s->held_count = kept;
}

/* A partly placed job gives back, and waits as if new. */
static void give_up(struct gsched *s, uint32_t job)
{
    const struct gsched_decision back = { .kind = GSCHED_RETURN, .job = job };

    gsched_pending_drop(s, job);
    gsched_release_all(s, job, true);
    s->job[job].phase = JOB_WAITING;
    s->job[job].since = s->now;
    gsched_decide(s, &back);
    gsched_pending_add(s, job);
}

/* Those whose time is up give up.  Deadlines that no longer stand are dropped
 * from the front, and the room before it is used again.
 */
static void expire(struct gsched *s)
{
    for (; s->deadline_first < s->deadline_count; s->deadline_first++) {
        const struct deadline d = s->deadline[s->deadline_first];

        if (!deadline_stands(s, &d))
            continue;
        if (d.at > s->now)
            break;
        give_up(s, d.job);
    }
    if (s->deadline_first > s->deadline_count / 2) {
        s->deadline_count -= s->deadline_first;
        memmove(s->deadline, s->deadline + s->deadline_first,
                s->deadline_count * sizeof(*s->deadline));
        s->deadline_first = 0;
    }
}

/* Let go of states that no node is in; the groups freed are told by number. */
static void forget(struct gsched *s)
{
    const uint32_t *map = s->freed_count == 0 ? topo_cluster_sweep(s->cluster)
                                              : NULL;

    if (map)
        gsched_shapes_remap(s, map);
}

const struct gsched_decision *gsched_cycle(struct gsched *s, int64_t now,
                                           uint32_t *count)
{
    s->now = now;
    s->cycle++;
    s->decision_count = 0;
    expire(s);
    if (!has_action(s, GSCHED_ENQUEUE))
        enqueue(s, false);
    for (uint32_t i = 0; i < s->profile->action_count; i++) {
        if (s->profile->action[i] == GSCHED_ENQUEUE)
            enqueue(s, true);
        else
            gsched_allocate(s);
    }
    forget(s);
    *count = s->decision_count;
    return s->decision;
}
