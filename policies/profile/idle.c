/* policies/profile/idle.c - parts of a profile without effect, see idle.h. */
#include "policies/profile/idle.h"

#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "policies/profile/extension_points.h"
#include "policies/profile/profile.h"
#include "traces/workload/accounts.h"
#include "traces/workload/workload.h"

#define BIT(action) (1u << (action))
#define EVICTS                                                            \
    (BIT(GSCHED_PREEMPT) | BIT(GSCHED_RECLAIM) | BIT(GSCHED_GANG_PREEMPT) \
     | BIT(GSCHED_GANG_RECLAIM))

static uint32_t actions_of(const struct gsched_profile *p)
{
    uint32_t all = 0;

    for (uint32_t i = 0; i < p->action_count; i++)
        all |= BIT(p->action[i]);
    return all;
}

/* --- modules that no action asks ------------------------------------------ */

/* True when the host asks the module whatever the actions; points that only
 * tell it something do not count.
 */
static bool is_asked_always(const struct gsp_module *m)
{
    return m->job_order || m->queue_order || m->overused || m->allocatable
           || m->filter || m->score || m->pick || m->gang_ready || m->hold_time
           || m->subtree || m->refuses || m->device || m->prefer
           || m->prefer_domain || m->fair_share || m->passes || m->class_open
           || m->retry || m->choice || m->number || m->next_group
           || m->usage_decay;
}

/* The actions that ask the module; 0: none is known to. */
static uint32_t askers_of(const struct gsp_module *m)
{
    uint32_t all = 0;

    if (m->enqueue || m->admits_at)
        all |= BIT(GSCHED_ENQUEUE);
    if (m->backfill)
        all |= BIT(GSCHED_BACKFILL);
    if (m->victims || m->victims_ok || m->breaks)
        all |= EVICTS | BIT(GSCHED_CONSOLIDATE);
    if (m->gang_victims)
        all |= BIT(GSCHED_GANG_PREEMPT) | BIT(GSCHED_GANG_RECLAIM);
    if (m->preemptive)
        all |= BIT(GSCHED_RECLAIM) | BIT(GSCHED_GANG_RECLAIM);
    if (m->make_room)
        all |= BIT(GSCHED_PREEMPT);
    if (m->preemption)
        all |= EVICTS | BIT(GSCHED_CONSOLIDATE) | BIT(GSCHED_ADMIT);
    if (m->moves)
        all |= BIT(GSCHED_SHUFFLE);
    if (m->consolidation)
        all |= BIT(GSCHED_CONSOLIDATE);
    if (m->admit)
        all |= BIT(GSCHED_ADMIT);
    if (m->keep)
        all |= BIT(GSCHED_ALLOCATE);
    return all;
}

static const char *unasked(uint32_t askers, struct gs_arena *arena)
{
    const char *names = "";

    for (uint32_t a = 0; a < GSCHED_ACTIONS; a++) {
        if (askers & BIT(a))
            names = gs_arena_printf(arena, "%s%s%s", names, *names ? ", " : "",
                                    gsched_action_names[a]);
    }
    return gs_arena_printf(arena,
                           "it is asked by actions that the policy lacks "
                           "(%s)",
                           names);
}

/* --- weights -------------------------------------------------------------- */

static const struct gs_ynode *param_find(const struct gsched_use *u,
                                         const char *name, uint32_t *at)
{
    for (uint32_t i = 0; i < u->module->param_count; i++) {
        if (strcmp(u->module->param[i].name, name) == 0) {
            *at = i;
            return u->value[i];
        }
    }
    return NULL;
}

/* True when the user, not a preset, states a weight above 0 other than the
 * default.
 */
static bool states_weight(const struct gsched_profile *p,
                          const struct gsched_use *u)
{
    uint32_t at = 0;
    const struct gs_ynode *v = param_find(u, "weight", &at);
    const bool is_own = v
                        && (p->folder || (v->key && strchr(v->key->text, '.')));

    return is_own && v->kind == GS_YSCALAR
           && strcmp(v->text, u->module->param[at].fallback) != 0
           && strspn(v->text, "0.") < v->len;
}

/* True when the module chooses the nodes of every gang, whatever it states. */
static bool chooses_nodes(const struct gsched_profile *p,
                          const struct gsched_use *u, struct gs_arena *arena)
{
    union gsp_value value[GSCHED_PARAMS_MAX];

    return u->module->choice && !u->only
           && gsched_use_values(u, p->source, NULL, NULL, arena, value, NULL)
                  == 0
           && u->module->unread
           && u->module->unread(value)
                  == (uint32_t)gsched_module_reads(u->module);
}

/* True when every task is of a gang whose nodes are chosen without points. */
static bool points_are_unused(const struct gsched_profile *p,
                              const struct trace_workload *w,
                              struct gs_arena *arena)
{
    bool all = false;

    if (p->unit != GSCHED_UNIT_GANG || (actions_of(p) & EVICTS)
        || w->rule_count > 0)
        return false;
    for (uint32_t i = 0; i < p->use_count; i++)
        all |= chooses_nodes(p, &p->use[i], arena);
    for (uint32_t i = 0; all && i < w->job_count; i++)
        all = w->job[i].gang == w->job[i].tasks;
    return all;
}

/* True when the module has points only for jobs that state some of its inputs,
 * and none does.
 */
static bool lacks_inputs(const struct gsp_module *m, uint64_t stated)
{
    const uint64_t reads = gsched_module_reads(m);

    if (stated
        & GSP_READS_RULES) /* required rules count among preferred ones */
        stated |= GSP_READS_SOFT_AFFINITY;
    return m->regards && !m->score && !m->prefer_domain && reads
           && !(reads & stated);
}

static bool has_points(const struct gsched_use *u, struct gs_arena *arena)
{
    const struct gsp_module *m = gsched_points_of(u->module, u->only, arena);

    return m->score || m->prefer;
}

/* --- the profile ---------------------------------------------------------- */

struct finding {
    uint64_t stated; /* inputs that the workload states */
    uint32_t actions, scorers;
    bool without_points;
};

static struct gsched_idle idle_of(const struct gsched_profile *p,
                                  const struct gsched_use *u,
                                  const struct finding *f,
                                  struct gs_arena *arena)
{
    const struct gsp_module *m = gsched_points_of(u->module, u->only, arena);
    const uint32_t askers = askers_of(m);
    struct gsched_idle idle = { .use = u, .param = "weight" };
    uint32_t at = 0;

    if (askers && !(askers & f->actions)
        && !is_asked_always(m)
        /* an evicted job is kept away, a lost one too */
        && !(m->preemption && param_find(u, "delay", &at)))
        return (struct gsched_idle){ u, NULL, unasked(askers, arena) };
    if (m->keep && p->unit != GSCHED_UNIT_POD)
        return (struct gsched_idle){
            u, NULL, "nodes are kept for single tasks (unit: pod)"
        };
    if (!has_points(u, arena) || !states_weight(p, u))
        return idle;
    if (lacks_inputs(m, f->stated))
        idle.why = "no job states what it gives points for";
    else if (f->scorers == 1 && !m->prefer_domain)
        idle.why = "no other module scores nodes";
    else if (f->without_points)
        idle.why = "nodes are chosen together, without points";
    return idle;
}

uint32_t gsched_profile_idle(const struct gsched_profile *p,
                             const struct trace_workload *w, uint64_t stated,
                             struct gs_arena *arena, struct gsched_idle *out)
{
    struct finding f = { .stated = stated,
                         .actions = actions_of(p),
                         .without_points = points_are_unused(p, w, arena) };
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->use_count; i++)
        f.scorers += has_points(&p->use[i], arena);
    for (uint32_t i = 0; i < p->use_count; i++) {
        const struct gsched_idle idle = idle_of(p, &p->use[i], &f, arena);

        if (idle.why)
            out[n++] = idle;
    }
    return n;
}

/* --- priority classes ----------------------------------------------------- */

/* The lowest priority of jobs that may be evicted, by queue and, after the last
 * queue, of all; INT32_MAX: there are none.
 */
static int32_t *lowest_find(const struct trace_workload *w)
{
    int32_t *lowest = gs_array_new(w->queue_count + 1, sizeof(*lowest));

    for (uint32_t q = 0; q <= w->queue_count; q++)
        lowest[q] = INT32_MAX;
    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        for (uint32_t k = 0; k < j->group_count && !j->fixed; k++) {
            const struct trace_group *g = trace_group_at(w, j->first_group + k);
            const int32_t value = w->klass[trace_group_class(j, g)].value;

            if (!g->fixed && value < lowest[j->queue])
                lowest[j->queue] = value;
            if (!g->fixed && value < lowest[w->queue_count])
                lowest[w->queue_count] = value;
        }
    }
    return lowest;
}

/* Set can[k] of classes of which a job may evict some other; has[k] of those
 * that have jobs.  Returns the lowest priority of all jobs.
 */
static int32_t classes_look(const struct trace_workload *w, bool in_queue,
                            const int32_t *lowest, bool *can, bool *has)
{
    int32_t least = INT32_MAX;

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        for (uint32_t k = 0; k < j->group_count; k++) {
            const uint32_t id = trace_group_class(
                j, trace_group_at(w, j->first_group + k));
            const struct trace_class *c = &w->klass[id];

            has[id] = true;
            least = c->value < least ? c->value : least;
            can[id] |= c->victim_count > 0
                       || c->value
                              > lowest[in_queue ? j->queue : w->queue_count];
        }
    }
    return least;
}

static bool tells_queues_apart(const struct gsched_profile *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->use_count; i++) {
        const struct gsp_module *m = p->use[i].module;

        any |= m->queue_order || m->overused || m->preemptive
               || (m->allocatable && !(m->promises & GSP_ANY_QUEUE));
    }
    return any;
}

static bool has_room_maker(const struct gsched_profile *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->use_count; i++)
        any |= p->use[i].module->make_room != NULL;
    return any;
}

const char *gsched_classes_idle(const struct gsched_profile *p,
                                const struct trace_workload *w, uint64_t reads,
                                struct gsched_setting *out)
{
    const uint32_t actions = actions_of(p);
    const bool preempts = actions & EVICTS;
    const bool in_queue = tells_queues_apart(p);
    int32_t *lowest, least;
    bool *can, *has;

    *out = (struct gsched_setting){ .name = "value", .of = "priority class" };
    /* other queues, and victims that a module chooses, follow other rules */
    if (!(reads & GSP_READS_PRIORITY) || has_room_maker(p)
        || (actions & ~BIT(GSCHED_PREEMPT) & ~BIT(GSCHED_GANG_PREEMPT)
            & (EVICTS | BIT(GSCHED_ADMIT))))
        return NULL;
    lowest = lowest_find(w);
    can = gs_array_new(w->class_count, sizeof(*can));
    has = gs_array_new(w->class_count, sizeof(*has));
    least = classes_look(w, in_queue, lowest, can, has);
    for (uint32_t k = 0; k < w->class_count; k++) {
        if (!has[k] || w->klass[k].value <= least || !w->klass[k].preempts
            || (preempts && can[k]))
            continue;
        if (out->count++ == 0) {
            out->first = w->klass[k].name;
            out->line = w->klass[k].line;
        }
    }
    gs_array_free(lowest);
    gs_array_free(can);
    gs_array_free(has);
    return out->count == 0 ? NULL
           : !preempts     ? "the policy has no action preempt"
           : in_queue      ? "no job below it in the queues of its jobs may be "
                             "evicted"
                           : "no job below it may be evicted";
}
