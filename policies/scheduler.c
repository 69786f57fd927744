/* policies/scheduler.c - the door: events in, a cycle, decisions out. */
#include "policies/scheduler.h"

#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "policies/points.h"
#include "policies/scheduler_private.h"

/* --- making ---------------------------------------------------------------- */

static int cannot_start(const struct gsched_module *m,
                        const struct gsched_use *u, struct gs_err *err)
{
    if (!m->why)
        return gs_fail(err, GS_INPUT, u->at, "module '%s' cannot start",
                       u->module->name);
    return gs_fail(err, GS_INPUT, u->at,
                   m->detail ? "module '%s': %s '%s'" : "module '%s': %s",
                   u->module->name, m->why, m->detail);
}

static int module_open(struct gsched *s, const struct gsched_use *u,
                       uint64_t seed, struct gs_err *err)
{
    struct gsched_module *m = &s->module[s->module_count];
    union gsp_value value[GSCHED_PARAMS_MAX];

    *m = (struct gsched_module){
        .module = gsched_points_of(u->module, u->only, s->arena),
        .s = s,
        .tier = u->tier,
        .only = u->only,
    };
    gs_rng_init(&m->rng, seed, u->module->name);
    if (gsched_use_values(u, s->profile->source, s->topo->dims, s->topo->names,
                          s->arena, value, err)
        < 0)
        return -1;
    if (u->module->open
        && u->module->open(&gsched_host, m, value, &m->self) < 0)
        return cannot_start(m, u, err);
    s->module_count++;
    return 0;
}

/* Every profile checks that tasks fit, whether it says so or not. */
static int fit_open(struct gsched *s, uint64_t seed, struct gs_err *err)
{
    extern const struct gsp_module gsp_module_fit;
    const struct gsched_use fit = { .module = &gsp_module_fit };

    for (uint32_t i = 0; i < s->module_count; i++) {
        if (s->module[i].module == &gsp_module_fit) /* with all its points */
            return 0;
    }
    return module_open(s, &fit, seed, err);
}

/* Number the domains of each tier, and the labels that rules name. */
static void places_open(struct gsched *s)
{
    uint32_t count[TOPO_TIERS_MAX + 1] = { 0 };

    s->scratch = gs_arena_alloc(s->arena, 1, sizeof(*s->scratch));
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        for (uint32_t d = 0; d < s->topo->dims->count; d++)
            s->dim_total[d] +=
                s->topo->klass[s->topo->node_class[n]].capacity[d];
    }
    s->domain_place = gs_arena_alloc(s->arena, s->topo->domain_count,
                                     sizeof(*s->domain_place));
    for (uint32_t d = 0; d < s->topo->domain_count; d++)
        s->domain_place[d] = count[s->topo->domain[d].level]++;
    s->label = gs_arena_alloc(s->arena, s->work->rule_count + 1,
                              sizeof(*s->label));
    for (uint32_t i = 0; i < s->work->rule_count; i++) {
        const struct trace_rule *r = &s->work->rule[i];
        uint32_t k = 0;

        while (k < s->label_count && s->label[k] != r->label)
            k++;
        if (k == s->label_count && r->kind != TRACE_SPREAD)
            s->label[s->label_count++] = r->label;
    }
}

/* The tree of queues, its root last; one line when nobody tells them apart. */
static void queues_open(struct gsched *s)
{
    const uint32_t n = s->has_queues ? s->work->queue_count : 1;
    uint32_t slot = 0;

    s->queue_count = n;
    s->queue = gs_arena_alloc(s->arena, n + 1, sizeof(*s->queue));
    s->child_slot = gs_arena_alloc(s->arena, n, sizeof(*s->child_slot));
    for (uint32_t q = 0; q < n; q++) {
        const uint32_t parent = s->has_queues ? s->work->queue[q].parent
                                              : TRACE_NONE;

        s->queue[q].front = NONE;
        s->queue[q].parent = parent == TRACE_NONE ? n : parent;
        s->queue[s->queue[q].parent].child_count++;
    }
    for (uint32_t q = 0; q <= n; q++) {
        s->queue[q].first_child = slot;
        slot += s->queue[q].child_count;
    }
}

/* Reservations are for gangs. */
static int reservations_check(const struct gsched *s, struct gs_err *err)
{
    const struct gs_mark at = { .source = s->profile->source };

    if (s->keeps_lines && s->profile->unit != GSCHED_UNIT_GANG)
        return gs_fail(err, GS_INPUT, at,
                       "backfill with reservations needs 'unit: gang'");
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
    s->free_span = s->free_wait = s->head = NONE;
    s->early_at = -1;
    gsched_ledger_open(s);
    places_open(s);
    for (uint32_t i = 0; i < p->use_count; i++) {
        if (module_open(s, &p->use[i], seed, err) < 0)
            goto fail;
    }
    if (fit_open(s, seed, err) < 0)
        goto fail;
    gsched_modules_sum_up(s);
    s->keeps_lines = s->backfill.mode >= GSP_BACKFILL_EASY
                     && gsched_has_action(s, GSCHED_BACKFILL);
    s->is_planned = s->keeps_lines
                    && s->backfill.mode == GSP_BACKFILL_CONSERVATIVE;
    if (gsched_has_action(s, GSCHED_ENQUEUE) && p->action[0] != GSCHED_ENQUEUE)
        s->asks_to_enter = true; /* even if all may: it comes in its turn */
    if (reservations_check(s, err) < 0)
        goto fail;
    queues_open(s);
    gsched_evict_open(s);
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
    gsched_fragment_free(s);
    gsched_pending_free(s);
    gsched_future_free(s);
    gsched_plan_free(s);
    gsched_evict_free(s);
    for (uint32_t q = 0; s->queue && q < s->queue_count; q++) {
        for (int line = 0; line < LINES; line++)
            gs_array_free(s->queue[q].line[line].bin);
        gs_array_free(s->queue[q].waiting);
    }
    gs_array_free(s->score);
    gs_array_free(s->room);
    gs_array_free(s->refusal);
    gs_array_free(s->hardware);
    gs_array_free(s->job);
    gs_array_free(s->group_placed);
    gs_array_free(s->group_gang);
    gs_array_free(s->group_bin);
    gs_array_free(s->group_at);
    gs_array_free(s->wait);
    gs_array_free(s->settled);
    gs_array_free(s->user);
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
    const struct wait *w = j->wait == NONE ? NULL : &s->wait[j->wait];

    if (!w || w->bin == NONE)
        return (enum gsched_cause)j->cause;
    if (w->is_head && !s->bin[w->bin].held)
        return (enum gsched_cause)w->cause;
    return gsched_bin_cause(s, &s->bin[w->bin]);
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
    const int64_t planned = gsched_plan_next(s);
    const int64_t wake = planned < s->ripe_at ? planned : s->ripe_at;

    if (s->is_early)
        return s->now;
    for (uint32_t i = s->deadline_first; i < s->deadline_count; i++) {
        const int64_t at = s->deadline[i].at;

        if (deadline_stands(s, &s->deadline[i]))
            return at < wake ? at : wake;
    }
    return wake;
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
    s->group_gang = gs_array_grow(s->group_gang, &s->group_gang_cap,
                                  w->group_count, sizeof(*s->group_gang));
    s->group_bin = gs_array_grow(s->group_bin, &s->group_bin_cap,
                                 w->group_count, sizeof(*s->group_bin));
    s->group_at = gs_array_grow(s->group_at, &s->group_at_cap, w->group_count,
                                sizeof(*s->group_at));
    for (; s->job_count < w->job_count; s->job_count++) {
        const struct trace_job *j = &w->job[s->job_count];

        s->job[s->job_count] = (struct job_state){ .first_span = NONE,
                                                   .partly_at = NONE,
                                                   .wait = NONE,
                                                   .older = NONE,
                                                   .newer = NONE,
                                                   .end_at = NONE,
                                                   .estimate = j->estimate };
        for (uint32_t g = 0; g < j->group_count; g++)
            s->group_bin[j->first_group + g] = NONE;
    }
}

void gsched_decide(struct gsched *s, const struct gsched_decision *d)
{
    s->decision = gs_array_grow(s->decision, &s->decision_cap,
                                s->decision_count + 1, sizeof(*s->decision));
    s->decision[s->decision_count++] = *d;
}

bool gsched_has_action(const struct gsched *s, enum gsched_action a)
{
    for (uint32_t i = 0; i < s->profile->action_count; i++) {
        if (s->profile->action[i] == a)
            return true;
    }
    return false;
}

uint32_t gsched_queue_of(const struct gsched *s, uint32_t job)
{
    return s->has_queues ? s->work->job[job].queue : 0;
}

void gsched_submit(struct gsched *s, uint32_t job, uint32_t created,
                   int64_t now)
{
    struct job_state *j;

    s->now = now;
    jobs_grow(s);
    j = &s->job[job];
    j->since = now;
    j->created = created;
    j->phase = JOB_HELD;
    if (s->work->job[job].group_count > 1)
        gsched_gang_divide(s, job);
    s->waiting++;
    gsched_wait_begin(s, job, GSCHED_LATENCY);
    gsched_ledger_asked(s, job, 0, created, 1);
    s->held = gs_array_grow(s->held, &s->held_cap, s->held_count + 1,
                            sizeof(*s->held));
    s->held[s->held_count++] = job;
}

void gsched_tasks_created(struct gsched *s, uint32_t job, uint32_t created,
                          int64_t now)
{
    struct job_state *j = &s->job[job];

    s->now = now;
    if (j->phase == JOB_OVER)
        return;
    gsched_ledger_asked(s, job, j->created, created, 1);
    j->created = created;
    if (j->phase != JOB_HELD)
        gsched_pending_add(s, job);
}

void gsched_end(struct gsched *s, uint32_t job, int64_t now)
{
    const uint8_t phase = s->job[job].phase;

    s->now = now;
    gsched_pending_drop(s, job);
    gsched_release_all(s, job, NULL);
    if (phase == JOB_WAITING || phase == JOB_PARTLY || phase == JOB_HELD) {
        s->waiting--;
        gsched_wait_end(s, job);
    }
    gsched_ledger_asked(s, job, 0, s->job[job].created, -1);
    s->job[job].phase = JOB_OVER;
}

void gsched_adopt(struct gsched *s, uint32_t job, uint32_t group,
                  uint32_t first_task, const struct topo_grant *g, int64_t now)
{
    const struct trace_job *j = &s->work->job[job];

    s->now = now;
    if (s->job[job].phase == JOB_HELD) {
        for (uint32_t i = 0; i < s->held_count; i++) {
            if (s->held[i] == job)
                s->held[i] = NONE;
        }
        gsched_pending_drop(s, job);
        s->job[job].phase = JOB_WAITING;
        gsched_ledger_entered(s, job, 1);
    }
    topo_cluster_take(
        s->cluster,
        &s->work->shape[s->work->group[j->first_group + group].shape], g);
    gsched_tell_placed(s, job, group, g->node, g->tasks);
    gsched_pending_drop(s, job);
    gsched_hold(s, job, group, first_task, g);
    gsched_pending_add(s, job);
}

void gsched_estimate(struct gsched *s, uint32_t job, int64_t us)
{
    struct job_state *j;

    jobs_grow(s);
    j = &s->job[job];
    if (j->phase == JOB_RUNNING) {
        const int64_t past = s->now - j->held_since;

        gsched_future_ended(s, job); /* known there by its end */
        j->estimate = us < GSCHED_NEVER - past ? us + past : GSCHED_NEVER;
        gsched_future_started(s, job);
        return;
    }
    if (s->is_planned)
        gsched_plan_forget(s, job);
    j->estimate = us;
    gsched_pending_moved(s, job);
}

/* --- a cycle ---------------------------------------------------------------- */

/* Has some domain of the level as much of everything as the gang asks for, when
 * it is empty?
 */
static bool level_has(const struct gsched *s, uint32_t job, uint32_t level)
{
    const struct topo *t = s->topo;
    int64_t asked[TOPO_DIMS_MAX], here[TOPO_DIMS_MAX] = { 0 };

    gsched_job_minimum(s, job, asked);
    for (uint32_t n = 0; n < t->node_count; n++) {
        const struct topo_class *k = &t->klass[t->node_class[n]];
        bool enough = true;

        if (n > 0
            && (level > t->tier_count
                || topo_domain_of(t, n, level)
                       != topo_domain_of(t, n - 1, level)))
            memset(here, 0, sizeof(here));
        for (uint32_t d = 0; d < t->dims->count; d++) {
            here[d] += k->capacity[d];
            enough = enough && here[d] >= asked[d];
        }
        if (enough)
            return true;
    }
    return false;
}

/* Tasks of the job's gang that ask for the same as group `g`. */
static uint32_t alike(const struct gsched *s, uint32_t job, uint32_t g)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < s->work->job[job].group_count; k++) {
        if (gsched_group(s, job, k)->shape == gsched_group(s, job, g)->shape)
            n += gsched_gang_of(s, job, k);
    }
    return n;
}

/* Could an empty cluster hold every group of the job's gang? */
static enum gsched_cause never_fits(struct gsched *s, uint32_t job)
{
    const uint32_t level = gsched_bound_level(s, job);

    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        const uint32_t n = alike(s, job, g);
        const uint64_t most =
            n ? gsched_shape(s, gsched_group(s, job, g)->shape)->most : 0;

        if (most < n)
            return most == 0 ? GSCHED_CONSTRAINT : GSCHED_CAPACITY;
        if (level && n
            && gsched_shape_most_in(s, gsched_group(s, job, g)->shape, level)
                   < n)
            return GSCHED_TOPOLOGY;
    }
    if (s->work->job[job].group_count > 1) {
        if (!level_has(s, job, 0))
            return GSCHED_CAPACITY;
        if (level && !level_has(s, job, level))
            return GSCHED_TOPOLOGY;
    }
    return GSCHED_NO_CAUSE;
}

static void reject(struct gsched *s, uint32_t job, enum gsched_cause why)
{
    const struct gsched_decision d = { .kind = GSCHED_REJECT, .job = job };

    gsched_wait_end(s, job);
    gsched_ledger_asked(s, job, 0, s->job[job].created, -1);
    s->job[job].phase = JOB_OVER;
    s->job[job].cause = (uint8_t)why;
    s->waiting--;
    gsched_decide(s, &d);
}

/* The job is in the queue of those that are scheduled. */
static void enter(struct gsched *s, uint32_t job)
{
    s->job[job].phase = JOB_WAITING;
    gsched_ledger_entered(s, job, 1);
}

/* Look at what was submitted since: reject what can never run; the rest enters
 * the queue, or asks to.
 */
static void take_in(struct gsched *s, bool must_ask)
{
    for (uint32_t i = 0; i < s->held_count; i++) {
        const uint32_t job = s->held[i];
        enum gsched_cause never;

        if (job == NONE)
            continue;
        never = never_fits(s, job);
        if (never != GSCHED_NO_CAUSE) {
            reject(s, job, never);
            continue;
        }
        if (!must_ask)
            enter(s, job);
        gsched_pending_add(s, job);
    }
    s->held_count = 0;
}

/* The action: those that the modules let in enter, in order. */
static void enqueue(struct gsched *s)
{
    uint32_t bin;

    gsched_turn_begin(s, LINE_ENTER);
    while ((bin = gsched_turn_next(s, LINE_ENTER)) != NONE) {
        const struct item it = s->bin[bin].heap[0];
        const uint32_t queue = s->bin[bin].queue;

        if (s->bin[bin].tried[0] == s->releases
            || !gsched_vote_enqueue(s, it.job)) {
            s->bin[bin].tried[0] = s->releases;
            gsched_line_aside(s, bin, GSCHED_QUOTA);
        } else {
            enter(s, it.job);
            gsched_item_served(s, &it);
        }
        gsched_turn_taken(s, queue, LINE_ENTER);
    }
}

/* Those whose time is up give up.  Deadlines that no longer stand are dropped
 * from the front, and the room before it is used again.
 */
static void expire(struct gsched *s)
{
    const struct gsched_decision timeout = { .reason = GSCHED_TIMEOUT,
                                             .by = NONE };

    for (; s->deadline_first < s->deadline_count; s->deadline_first++) {
        const struct deadline d = s->deadline[s->deadline_first];

        if (!deadline_stands(s, &d))
            continue;
        if (d.at > s->now)
            break;
        gsched_return(s, d.job, s->now, &timeout);
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

    if (!map)
        return;
    gsched_shapes_remap(s, map);
    gsched_fragment_forget(s);
}

static void (*const actions[GSCHED_ACTIONS])(struct gsched *s) = {
    [GSCHED_ENQUEUE] = enqueue,          [GSCHED_ALLOCATE] = gsched_allocate,
    [GSCHED_BACKFILL] = gsched_backfill, [GSCHED_PREEMPT] = gsched_preempt,
    [GSCHED_RECLAIM] = gsched_reclaim,
};

/* The more important may evict the less important, which evict the even less
 * important, all at one instant: but only so often as there are priorities.
 * Equals who take from one another wait for the next event.
 */
static void limit_early(struct gsched *s)
{
    s->early_count = s->early_at == s->now ? s->early_count + 1 : 1;
    s->early_at = s->now;
    if (s->early_count > s->place_count + 2)
        s->is_early = false;
}

const struct gsched_decision *gsched_cycle(struct gsched *s, int64_t now,
                                           uint32_t *count)
{
    s->now = now;
    s->cycle++;
    s->decision_count = 0;
    s->has_evicted = s->is_early = false;
    gsched_waits_free(s);
    gsched_line_rejoin(s);
    expire(s);
    if (s->ripe_at <= now) {
        s->ripe_at = GSCHED_NEVER;
        s->holdings++; /* who failed to make room tries again */
    }
    take_in(s, s->asks_to_enter);
    for (uint32_t i = 0; i < s->profile->action_count; i++)
        actions[s->profile->action[i]](s);
    if (s->has_evicted)
        gsched_allocate(s); /* who had to go may fit elsewhere */
    limit_early(s);
    s->is_early |= gsched_pending_may_wake(s);
    forget(s);
    *count = s->decision_count;
    return s->decision;
}
