/* sim/study/examine.c - the table of filters and scores, see examine.h. */
#include "sim/study/examine.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "sim/study/again.h"
#include "sim/study/inputs.h"
#include "sim/study/probe_private.h"
#include "topology/amount_text.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define WHY 160

struct looking {
    struct study_examined *out;
    struct gs_arena *arena;
    bool is_done;
};

/* --- settings that refuse ------------------------------------------------- */

static const char *full_text(const struct topo *t, const struct topo_cluster *c,
                             const struct topo_request *r, uint32_t node,
                             char *buf)
{
    const struct topo_groups *g = topo_cluster_groups(c);
    const uint32_t group = topo_cluster_group_of(c, node);
    char asked[TOPO_AMOUNT_TEXT], free[TOPO_AMOUNT_TEXT];

    for (uint32_t d = 0; d < t->dims->count; d++) {
        if (r->amount[d] <= g->free[d][group])
            continue;
        snprintf(buf, WHY, "%.40s: asks for %s, %s free",
                 gs_strtab_str(t->names, t->dims->name[d]),
                 topo_amount_text(t, d, r->amount[d], asked),
                 topo_amount_text(t, d, g->free[d][group], free));
        return buf;
    }
    return r->mig ? "mig" : r->share ? "gpu_share" : "gpus";
}

static const char *hardware_text(const struct topo *t,
                                 const struct topo_request *r, uint32_t node,
                                 char *buf)
{
    const struct topo_class *k = &t->klass[t->node_class[node]];
    char asked[TOPO_AMOUNT_TEXT], has[TOPO_AMOUNT_TEXT];

    switch (topo_class_misfit(t, t->node_class[node], r)) {
    case TOPO_NO_MODEL:
        return "model: it has other GPUs";
    case TOPO_NO_LABEL:
        return "nodes: its labels do not match";
    case TOPO_TAINTED:
        return "tolerations: a taint is not tolerated";
    default:
        break;
    }
    for (uint32_t d = 0; d < t->dims->count; d++) {
        if (r->amount[d] <= k->capacity[d])
            continue;
        snprintf(buf, WHY, "%.40s: asks for %s, it has %s",
                 gs_strtab_str(t->names, t->dims->name[d]),
                 topo_amount_text(t, d, r->amount[d], asked),
                 topo_amount_text(t, d, k->capacity[d], has));
        return buf;
    }
    return "it is too small";
}

/* The required rules of the group. */
static const char *rules_text(const struct trace_workload *w,
                              const struct trace_group *g, char *buf)
{
    static const char *const names[] = { [TRACE_NEAR] = "affinity",
                                         [TRACE_APART] = "anti_affinity",
                                         [TRACE_SPREAD] = "spread" };
    unsigned told = 0;

    buf[0] = '\0';
    for (uint32_t i = 0; i < g->rule_count; i++) {
        const enum trace_rule_kind kind = w->rule[g->first_rule + i].kind;

        if (!(told >> kind & 1))
            gs_text_add(buf, WHY, "%s%s", told ? ", " : "", names[kind]);
        told |= 1u << kind;
    }
    return told ? buf : "anti_affinity of jobs there";
}

static const char *why_text(const struct looking *l, struct gsched *s,
                            const struct trace_group *g, uint32_t node,
                            const char *refused, char *buf)
{
    const struct inputs *in = l->out->in;
    const struct topo_request *r = &in->work->shape[g->shape];
    const struct topo_cluster *c = gsched_cluster(s);

    if (strcmp(refused, "hardware") == 0)
        return hardware_text(in->topo, r, node, buf);
    if (strcmp(refused, "closed") == 0)
        return "it takes no new tasks";
    if (strcmp(refused, "fit") == 0 || strcmp(refused, "room") == 0)
        return full_text(in->topo, c, r, node, buf);
    if (strcmp(refused, "constraints") == 0)
        return rules_text(in->work, g, buf);
    return "";
}

/* --- nodes ---------------------------------------------------------------- */

struct judged_node {
    uint32_t node;
    const char *refused, *why;
    int64_t score;
    const int64_t *points;
    size_t modules;
};

static int text_compare(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int kinds_compare(const struct judged_node *a,
                         const struct judged_node *b)
{
    const int refused = text_compare(a->refused, b->refused);
    const int why = text_compare(a->why, b->why);

    if (refused)
        return refused;
    if (a->score != b->score && !a->refused)
        return a->score > b->score ? -1 : 1;
    if (why)
        return why;
    return a->refused
               ? 0
               : memcmp(a->points, b->points, a->modules * sizeof(*a->points));
}

static int nodes_compare(const void *pa, const void *pb)
{
    const struct judged_node *a = pa, *b = pb;
    const int kind = kinds_compare(a, b);

    return kind ? kind : (a->node > b->node) - (a->node < b->node);
}

/* Make kinds of the sorted nodes. */
static void kinds_make(const struct looking *l, const struct judged_node *at,
                       uint32_t count, struct study_examined_group *to)
{
    uint32_t *node = gs_arena_alloc(l->arena, count + 1, sizeof(*node));

    to->kind = gs_arena_alloc(l->arena, count + 1, sizeof(*to->kind));
    for (uint32_t i = 0; i < count; i++) {
        struct study_examined_nodes *k;

        node[i] = at[i].node;
        if (i == 0 || kinds_compare(&at[i - 1], &at[i]) != 0)
            to->kind[to->kinds++] = (struct study_examined_nodes){
                .node = &node[i],
                .refused = at[i].refused,
                .why = at[i].why ? at[i].why : "",
                .score = at[i].score,
                .points = at[i].points,
            };
        k = &to->kind[to->kinds - 1];
        k->count++;
    }
}

/* False: the job was not submitted, or is over. */
static bool group_judge(const struct looking *l, struct gsched *s, uint32_t g,
                        struct study_examined_group *to)
{
    const struct inputs *in = l->out->in;
    const struct trace_job *j = &in->work->job[l->out->job];
    const uint32_t nodes = in->topo->node_count, modules = l->out->modules;
    struct gsched_judged *judged = gs_array_new(nodes, sizeof(*judged));
    struct judged_node *at = gs_array_new(nodes, sizeof(*at));
    int64_t *points = gs_arena_alloc(l->arena, (size_t)nodes * modules + 1,
                                     sizeof(*points));
    const bool is_live = gsched_judge(s, l->out->job, g, judged, points) == 0;
    char buf[WHY];

    if (is_live) {
        for (uint32_t i = 0; i < nodes; i++) {
            at[i] = (struct judged_node){ i,
                                          judged[i].refused,
                                          NULL,
                                          judged[i].score,
                                          points + (size_t)i * modules,
                                          modules };
            if (judged[i].refused)
                at[i].why = gs_text_copy(
                    l->arena,
                    why_text(l, s, trace_group_at(in->work, j->first_group + g),
                             i, judged[i].refused, buf));
        }
        qsort(at, nodes, sizeof(*at), nodes_compare);
        kinds_make(l, at, nodes, to);
    }
    gs_array_free(judged);
    gs_array_free(at);
    return is_live;
}

/* --- the time ------------------------------------------------------------- */

static void look(struct looking *l, struct gsched *s)
{
    struct study_examined *e = l->out;

    l->is_done = true;
    e->placed = gsched_placed(s, e->job);
    e->modules = gsched_module_count(s);
    e->module = gs_arena_alloc(l->arena, e->modules + 1, sizeof(*e->module));
    for (uint32_t i = 0; i < e->modules; i++)
        e->module[i] = gs_text_copy(l->arena, gsched_module_name(s, i));
    e->groups = e->in->work->job[e->job].group_count;
    e->group = gs_arena_alloc(l->arena, e->groups + 1, sizeof(*e->group));
    for (uint32_t g = 0; g < e->groups; g++)
        e->is_live = group_judge(l, s, g, &e->group[g]);
}

static void before(void *self, struct gsched *s)
{
    struct looking *l = self;

    if (l->is_done)
        return;
    l->out->has_cycle = true;
    look(l, s);
}

static void chosen_mark(struct study_examined_group *g, uint32_t node,
                        uint32_t tasks)
{
    for (uint32_t i = 0; i < g->kinds; i++) {
        for (uint32_t k = 0; k < g->kind[i].count; k++)
            g->kind[i].chosen += g->kind[i].node[k] == node ? tasks : 0;
    }
}

static void after(void *self, struct gsched *s, const struct gsched_decision *d,
                  uint32_t count)
{
    struct study_examined *e = ((struct looking *)self)->out;

    (void)s;
    for (uint32_t i = 0; i < count; i++) {
        if (d[i].kind == GSCHED_PLACE && d[i].job == e->job
            && d[i].group < e->groups)
            chosen_mark(&e->group[d[i].group], d[i].grant.node,
                        d[i].grant.tasks);
    }
}

static void ended(void *self, int64_t now, struct gsched *s)
{
    struct looking *l = self;
    struct study_examined *e = l->out;
    struct probe_state quota = { .in = e->in,
                                 .profile = e->profile,
                                 .job = e->job,
                                 .s = s,
                                 .answer = &e->quota };
    const char *refuser;

    (void)now;
    if (!l->is_done)
        look(l, s);
    e->cause = gsched_wait_cause(s, e->job);
    e->placed_after = gsched_placed(s, e->job);
    refuser = gsched_wait_refuser(s, e->job);
    e->refuser = refuser ? gs_text_copy(l->arena, refuser) : NULL;
    if (e->cause == GSCHED_QUOTA)
        probe_queues_compare(&quota);
}

int study_examine(struct inputs *in, const struct study_again *again,
                  int64_t at, uint32_t job, struct study_examined *out,
                  struct gs_err *err)
{
    struct looking l = { .out = out, .arena = in->arena };
    const struct sim_watch watch = {
        .self = &l, .at = at, .before = before, .after = after, .ended = ended
    };
    struct sim_options sim = again->sim;
    struct sim_stats stats;
    char time[64];

    *out = (struct study_examined){
        .in = in, .profile = again->profile, .at = at, .job = job
    };
    sim.until = at;
    sim.watch = &watch;
    if (job >= in->work->job_count)
        return gs_fail(err, GS_INPUT,
                       (struct gs_mark){ .source = in->trace_path },
                       "has no job %u", job);
    if (sim_replay(in->topo, in->work, again->profile, &sim, NULL, 0, &stats,
                   err)
        < 0)
        return -1;
    if (!out->is_live)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "job '%.80s' does not wait or run at %s",
                       gs_strtab_str(in->names, in->work->job[job].name),
                       gs_instant_format(at, time, sizeof(time)));
    return 0;
}
