/* policies/create.c - a scheduler is made for a cluster, a workload, a profile. */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "policies/lifecycle/label_naming.h"
#include "policies/pending/pending.h"
#include "policies/placement/candidates.h"
#include "policies/preemption/attempt.h"
#include "policies/profile/extension_points.h"
#include "policies/reservation/easy_shadow.h"
#include "policies/reservation/plan.h"
#include "policies/scheduler.h"
#include "policies/state/fragmentation.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "policies/state/running_index.h"
#include "policies/state/state.h"
#include "policies/state/usage.h"

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
    s->module_reads |= u->module->reads;
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
    gsched_rules_open(s);
}

/* The tree of queues, its root last; one line when nobody tells them apart. */
static void queues_open(struct gsched *s)
{
    const uint32_t n = s->has_queues ? s->queues : 1;
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

static int created_check(const struct topo_cluster *c,
                         const struct trace_workload *w,
                         const struct gsched_profile *p, struct gs_err *err)
{
    const struct gs_mark nowhere = { .source = NULL };
    const struct topo *t;

    if (!c || !w || !p)
        return gs_fail(err, GS_INPUT, nowhere,
                       "a scheduler needs a cluster, a workload and a profile");
    t = topo_cluster_topology(c);
    if (t->dims != w->dims || t->names != w->names)
        return gs_fail(err, GS_INPUT, nowhere,
                       "the workload and the topology must share their names"
                       " and resources");
    return 0;
}

struct gsched *gsched_create(struct topo_cluster *c,
                             const struct trace_workload *w,
                             const struct gsched_profile *p, uint64_t seed,
                             struct gs_err *err)
{
    struct gsched *s;

    if (created_check(c, w, p, err) < 0)
        return NULL;
    s = gs_array_new(1, sizeof(*s));
    s->arena = gs_arena_create(4096);
    s->cluster = c;
    s->topo = topo_cluster_topology(c);
    s->work = w;
    s->profile = p;
    s->dims = w->dims->count;
    s->queues = w->queue_count;
    s->classes = w->class_count;
    s->decision = gs_array_grow(NULL, &s->decision_cap, 1,
                                sizeof(*s->decision));
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
    gsched_rank_open(s);
    gsched_attempt_open(s);
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
    gsched_rules_free(s);
    gsched_future_free(s);
    gsched_plan_free(s);
    gsched_attempt_free(s);
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
