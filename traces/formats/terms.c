/* traces/formats/terms.c - the keys of quotas, accounts, QOS, partitions, see
 * terms.h.
 */
#include "traces/formats/terms.h"

#include <string.h>

#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native_task.h"
#include "traces/workload/accounts.h"
#include "traces/workload/quotas.h"
#include "traces/workload/workload.h"

/* --- amounts -------------------------------------------------------------- */

int trace_amount_take(const struct gs_yctx *c, const struct gs_ynode *v,
                      int64_t *amount, struct gs_err *err)
{
    const int dim = trace_dim_put(c, v, err);
    uint32_t pods = 0;

    if (dim < 0
        || (dim == TOPO_PODS     ? gs_yread_u32(c, v, &pods, err)
            : dim == TOPO_MEMORY ? gs_yread_bytes(c, v, &amount[dim], err)
                                 : gs_yread_milli(c, v, &amount[dim], err))
               < 0)
        return -1;
    if (dim == TOPO_PODS)
        amount[dim] = pods;
    return 0;
}

int trace_amounts_take(const struct gs_yctx *c, const struct gs_ynode *map,
                       int64_t *amount, struct gs_err *err)
{
    int rc = 0;

    if (map->kind != GS_YMAP)
        return gs_yread_refuse(c, map, "a mapping such as {gpu: 32, cpu: 64}",
                               err);
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        if (trace_amount_take(c, v, amount, err) < 0)
            rc = -1;
    }
    return rc;
}

/* --- quotas --------------------------------------------------------------- */

struct quota_in {
    const struct gs_ynode *name, *limit;
    uint32_t jobs;
};

int trace_quota_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode **name, struct trace_quota *q,
                      struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "name", gs_yread_node, offsetof(struct quota_in, name), true },
        { "limit", gs_yread_node, offsetof(struct quota_in, limit), false },
        { "jobs", gs_yread_u32, offsetof(struct quota_in, jobs), false },
    };
    const size_t first = name ? 0 : 1;
    struct quota_in in = { .jobs = UINT32_MAX };
    const int rc = gs_ynode_fields(c, map, "quota", fields + first, 3 - first,
                                   &in, err);

    if (name)
        *name = in.name;
    if (in.jobs != UINT32_MAX)
        q->jobs = in.jobs;
    return in.limit && trace_amounts_take(c, in.limit, q->limit, err) < 0 ? -1
                                                                          : rc;
}

/* --- accounts, QOS, partitions -------------------------------------------- */

struct account_in {
    struct trace_account_nodes nodes; /* must be first */
    uint32_t shares;
    double usage;
    const struct gs_ynode *limits;
};

int trace_yread_shares(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    if (v->kind == GS_YSCALAR && strcmp(v->text, "parent") == 0) {
        *(uint32_t *)dest = TRACE_SHARES_PARENT;
        return 0;
    }
    if (v->kind != GS_YSCALAR || v->len == 0 || v->text[0] < '0'
        || v->text[0] > '9')
        return gs_yread_refuse(c, v, TRACE_SHARES_ALLOWED, err);
    return gs_yread_whole(c, v, 0, TRACE_SHARES_MAX, dest, err);
}

/* A number from 0 to 1e30. */
static int read_number(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    double x;

    if (gs_yread_double(c, v, &x, err) < 0)
        return -1;
    if (!(x >= 0 && x <= 1e30))
        return gs_yread_refuse(c, v, "at least 0 and at most 1e30", err);
    *(double *)dest = x;
    return 0;
}

int trace_account_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                        struct trace_account_nodes *nodes,
                        struct trace_account *a, struct gs_err *err)
{
#define IN(member) offsetof(struct account_in, member)
    static const struct gs_yfield fields[] = {
        { "shares", trace_yread_shares, IN(shares), false },
        { "usage", read_number, IN(usage), false },
        { "limits", gs_yread_node, IN(limits), false },
        { "name", gs_yread_node, IN(nodes.name), true },
        { "parent", gs_yread_node, IN(nodes.parent), false },
        { "users", gs_yread_node, IN(nodes.users), false },
    };
#undef IN
    struct account_in in = { .shares = a->shares, .usage = a->usage };
    int rc = gs_ynode_fields(c, map, nodes ? "account" : "user", fields,
                             nodes ? 6 : 3, &in, err);

    if (nodes)
        *nodes = in.nodes;
    for (int i = 0; nodes && i < 2; i++) {
        const struct gs_ynode *v = i ? nodes->parent : nodes->name;

        if (v && (v->kind != GS_YSCALAR || gs_ynode_is_null(v))) {
            rc = gs_yread_refuse(c, v, "the name of an account", err);
            *(i ? &nodes->parent : &nodes->name) = NULL;
        }
    }
    a->shares = in.shares;
    a->usage = in.usage;
    return trace_limits_terms(c, in.limits, &a->limits, err) < 0 ? -1 : rc;
}

struct qos_in {
    uint32_t priority;
    double usage_factor;
    const struct gs_ynode *limits;
    bool over_partition;
    int64_t grace;
    bool decays;
};

int trace_qos_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                    struct trace_qos *q, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "priority", gs_yread_u32, offsetof(struct qos_in, priority), false },
        { "usage_factor", read_number, offsetof(struct qos_in, usage_factor),
          false },
        { "limits", gs_yread_node, offsetof(struct qos_in, limits), false },
        { "over_partition", gs_yread_bool,
          offsetof(struct qos_in, over_partition), false },
        { "grace", gs_yread_duration, offsetof(struct qos_in, grace), false },
        { "decays", gs_yread_bool, offsetof(struct qos_in, decays), false },
    };
    struct qos_in in = { q->priority,       q->usage_factor, NULL,
                         q->over_partition, q->grace,        !q->stays };
    const int rc = gs_ynode_fields(c, map, "QOS", fields, 6, &in, err);

    q->priority = in.priority;
    q->usage_factor = in.usage_factor;
    q->over_partition = in.over_partition;
    q->grace = in.grace;
    q->stays = !in.decays;
    return trace_limits_terms(c, in.limits, &q->limits, err) < 0 ? -1 : rc;
}

/* The string id of a name. */
static int read_name(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    const struct trace_workload *w = c->user;

    if (v->kind != GS_YSCALAR || v->len == 0
        || !gs_text_is_clean(v->text, v->len))
        return gs_yread_refuse(c, v, "a name", err);
    *(uint32_t *)dest = gs_strtab_put(w->names, v->text, v->len);
    return 0;
}

int trace_partition_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                          struct trace_partition *p, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "tier", gs_yread_u32, offsetof(struct trace_partition, tier), false },
        { "factor", gs_yread_u32, offsetof(struct trace_partition, factor),
          false },
        { "qos", read_name, offsetof(struct trace_partition, qos), false },
        { "grace", gs_yread_duration, offsetof(struct trace_partition, grace),
          false },
    };

    return gs_ynode_fields(c, map, "partition", fields, 4, p, err);
}
