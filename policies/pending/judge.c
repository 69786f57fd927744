/* policies/pending/judge.c - what the modules make of a job now: of the nodes
 * for a task of it, and of its place in the order.
 */
#include <string.h>

#include "policies/pending/service_order.h"
#include "policies/placement/candidates.h"
#include "policies/state/check.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "topology/cluster.h"

uint32_t gsched_module_count(const struct gsched *s)
{
    return s ? s->modules->module_count : 0;
}

const char *gsched_module_name(const struct gsched *s, uint32_t module)
{
    return module < gsched_module_count(s)
               ? s->modules->module[module].module->name
               : NULL;
}

/* --- nodes ---------------------------------------------------------------- */

/* The name of the module that refuses the node for the scope's job and group,
 * or of another rule; NULL: none does.
 */
static const char *scope_refuses(const struct gsched *s, struct scope w,
                                 uint32_t node)
{
    const struct gsp_job j = { .s = s, .id = w.job, .group = NONE };

    w.from = node;
    w.end = node + 1;
    if (gsched_modules_allow_node(s, &w, node) == node)
        return NULL;
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->refuses
            && m->module->refuses(m->self, &j, w.group, node))
            return m->module->name;
    }
    return "reserved"; /* for another job, or by a quota of flavors */
}

/* Ask filter() and score() of all modules. */
static void state_judge(struct gsched *s, const struct topo_request *r,
                        uint32_t node, struct gsched_judged *out,
                        int64_t *points)
{
    const uint32_t group = topo_cluster_group_of(s->cluster, node);
    const uint8_t hardware = GSP_ACCEPTED;
    const uint8_t room = topo_group_has_room(s->cluster, group, r);
    const struct gsp_view v = gsched_view(s, group, 1, &room, &hardware);
    const struct gsp_task *t = (const struct gsp_task *)(const void *)r;
    uint8_t refusal = GSP_ACCEPTED;

    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const int64_t before = out->score;

        if (m->module->filter)
            m->module->filter(m->self, &v, t, &refusal);
        if (refusal != GSP_ACCEPTED && !out->refused)
            out->refused = m->module->name;
        if (!m->module->score)
            continue;
        m->module->score(m->self, &v, t, &out->score);
        out->score = gsched_score_limited(out->score);
        points[i] += out->score - before;
    }
    if (!room && !out->refused)
        out->refused = "room";
}

static void node_judge(struct gsched *s, const struct scope *w, uint32_t node,
                       struct gsched_judged *out, int64_t *points)
{
    const struct topo_request *r =
        &s->work->shape[gsched_group(s, w->job, w->group)->shape];

    *out = (struct gsched_judged){ .refused = NULL };
    if (topo_class_misfit(s->topo, s->topo->node_class[node], r) != TOPO_FITS)
        out->refused = "hardware";
    else if (topo_cluster_is_cordoned(s->cluster, node))
        out->refused = "closed";
    if (out->refused)
        return;
    state_judge(s, r, node, out, points);
    if (!out->refused)
        out->refused = scope_refuses(s, *w, node);
}

/* Add the points of modules that compare the nodes that accept the task. */
static void nodes_relate(struct gsched *s, const struct scope *w,
                         struct gsched_judged *out, int64_t *points)
{
    const struct gsp_job j = { .s = s, .id = w->job, .group = NONE };
    const uint32_t modules = s->modules->module_count;
    struct node_scores *n = gsched_node_scores(s);

    n->count = 0;
    for (uint32_t node = 0; node < s->topo->node_count; node++) {
        if (!out[node].refused)
            gsched_node_scores_put(n, node, out[node].score);
    }
    for (uint32_t i = 0; n->count > 1 && i < modules; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (!m->module->regards || !m->module->prefer
            || m->module->regards(m->self, &j, w->group) == GSP_NO_REGARD)
            continue;
        m->module->prefer(m->self, &j, w->group,
                          &(struct gsp_nodes){ n->count, n->node }, n->score);
        for (uint32_t k = 0; k < n->count; k++) {
            struct gsched_judged *at = &out[n->node[k]];

            n->score[k] = gsched_score_limited(n->score[k]);
            points[(size_t)n->node[k] * modules + i] += n->score[k] - at->score;
            at->score = n->score[k];
        }
    }
}

int gsched_judge(struct gsched *s, uint32_t job, uint32_t group,
                 struct gsched_judged *out, int64_t *points)
{
    const uint32_t modules = gsched_module_count(s);
    struct scope w;

    if (gsched_check_live(s, job) < 0)
        return -1;
    if (group >= s->work->job[job].group_count || !out || !points)
        return gsched_refuse(s, "nothing to judge");
    w = gsched_scope_all(s, job, group);
    memset(points, 0, (size_t)s->topo->node_count * modules * sizeof(*points));
    for (uint32_t node = 0; node < s->topo->node_count; node++)
        node_judge(s, &w, node, &out[node], points + (size_t)node * modules);
    nodes_relate(s, &w, out, points);
    return 0;
}

/* --- order ---------------------------------------------------------------- */

/* The queues in which the paths of `a` and `b` part, siblings; false: one is
 * above the other, or they are the same.
 */
static bool siblings_find(const struct gsched *s, uint32_t *a, uint32_t *b)
{
    const struct queue *queue = s->order->queue;

    while (queue[*a].depth > queue[*b].depth)
        *a = queue[*a].parent;
    while (queue[*b].depth > queue[*a].depth)
        *b = queue[*b].parent;
    while (*a != *b && queue[*a].parent != queue[*b].parent) {
        *a = queue[*a].parent;
        *b = queue[*b].parent;
    }
    return *a != *b;
}

int gsched_order_of(const struct gsched *s, uint32_t a, uint32_t b,
                    const char **module)
{
    const struct gsp_job x = { .s = s, .id = a, .group = NONE };
    const struct gsp_job y = { .s = s, .id = b, .group = NONE };
    uint32_t p, q;
    bool has_queues;

    *module = NULL;
    if (!s || !gsched_is_live(s, a) || !gsched_is_live(s, b) || a == b)
        return 0;
    p = s->work->job[a].queue;
    q = s->work->job[b].queue;
    has_queues = s->modules->has_queues && siblings_find(s, &p, &q);
    for (uint32_t i = 0; has_queues && i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const int order = m->module->queue_order
                              ? m->module->queue_order(m->self, p, q)
                              : 0;

        *module = m->module->name;
        if (order != 0)
            return order;
    }
    for (uint32_t i = 0; i < s->modules->order_count; i++) {
        const struct gsched_module *m = s->modules->order_by[i];
        const int order = m->module->job_order(m->self, &x, &y);

        *module = m->module->name;
        if (order != 0)
            return order;
    }
    *module = NULL;
    return a < b ? -1 : 1;
}
