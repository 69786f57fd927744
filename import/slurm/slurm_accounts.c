/* import/slurm/slurm_accounts.c - see slurm_accounts.h. */
#include "import/slurm/slurm_accounts.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "import/slurm/slurm_cluster.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/accounts.h"
#include "traces/workload/limits.h"
#include "traces/workload/workload.h"

/* --- limits --------------------------------------------------------------- */

/* The dimension of a TRES, -1: none of the cluster. */
static int dim_of(struct slurm *s, const char *key, size_t len)
{
    if (slurm_is_word(key, len, "cpu"))
        return TOPO_CPU;
    if (slurm_is_word(key, len, "mem"))
        return TOPO_MEMORY;
    if (slurm_is_word(key, len, "node"))
        return TOPO_PODS;
    if (slurm_is_word(key, len, "gres/gpu"))
        return TOPO_GPU;
    if (len > 9 && strncasecmp(key, "gres/gpu:", 9) == 0
        && slurm_has_type(s, slurm_put(s, key + 9, len - 9)))
        return topo_dims_put(s->dims, slurm_put(s, key + 5, len - 5));
    if (len > 5 && strncmp(key, "gres/", 5) == 0)
        return topo_dims_find(s->dims, slurm_put(s, key + 5, len - 5));
    return -1;
}

static void tres_read(struct slurm *s, const struct slurm_place *at,
                      const char *text, int64_t *amount)
{
    const char *p = text, *end = p + strlen(p), *part;
    size_t len, used;
    char of;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const char *equals = memchr(part, '=', len);
        const size_t key = equals ? (size_t)(equals - part) : len;
        const char *value = part + key + 1;
        const size_t n = equals ? len - key - 1 : 0;
        const int dim = dim_of(s, part, key);
        int64_t v = -1;

        if (dim < 0 || !n || *value == '-'
            || (dim == TOPO_MEMORY
                    ? slurm_memory_read(value, n, &v, &of)
                    : slurm_count_read(value, n, 1000,
                                       dim == TOPO_PODS ? 1 : 1000, &v, &used))
                   < 0) {
            if (!n || *value != '-')
                slurm_tell(s, IMPORT_IGNORED, at, "limit on %.*s",
                           (int)(key < 40 ? key : 40), part);
            continue;
        }
        if (dim == TOPO_PODS)
            slurm_tell(s, IMPORT_ASSUMED, at,
                       "limits on nodes count a node for each job on it");
        amount[dim] = v;
    }
}

static bool is_stated(const struct slurm_limits *l)
{
    bool any = l->wall >= 0 || l->group_wall >= 0;

    for (int k = 0; k < TRACE_LIMIT_KINDS; k++) {
        for (int i = 0; i < TRACE_LIMIT_SCOPES; i++)
            any |= l->tres[k][i] != NULL;
    }
    for (int i = 0; i < TRACE_LIMIT_JOB; i++)
        any |= l->jobs[i] >= 0;
    return any;
}

static uint32_t limits_make(struct slurm *s, struct trace_workload *w,
                            const struct slurm_limits *l,
                            const struct slurm_place *at)
{
    uint32_t to;

    if (!is_stated(l))
        return 0;
    to = trace_limits_put(w, 0);
    for (int k = 0; k < TRACE_LIMIT_KINDS; k++) {
        for (int i = 0; i < TRACE_LIMIT_SCOPES; i++) {
            if (l->tres[k][i])
                tres_read(s, at, l->tres[k][i], w->limits[to - 1].amount[k][i]);
        }
    }
    memcpy(w->limits[to - 1].jobs, l->jobs, sizeof(l->jobs));
    w->limits[to - 1].wall = l->wall;
    w->limits[to - 1].group_wall = l->group_wall;
    return to;
}

/* --- accounts ------------------------------------------------------------- */

static uint32_t whole_shares(const struct slurm_account *a)
{
    return a->as_parent                     ? TRACE_SHARES_PARENT
           : a->shares > 0 && a->shares < 1 ? 1
           : a->shares >= TRACE_SHARES_MAX  ? TRACE_SHARES_MAX
           : a->shares > 0                  ? (uint32_t)a->shares
                                            : 0;
}

static void account_put(struct slurm *s, struct trace_workload *w,
                        const struct slurm_account *a)
{
    const bool is_root = strcmp(slurm_str(s, a->name), TRACE_ROOT_ACCOUNT) == 0;
    const bool is_below = a->parent && !is_root && !a->user
                          && strcmp(slurm_str(s, a->parent), TRACE_ROOT_ACCOUNT)
                                 != 0;

    if (trace_account_find(w, a->name, a->user) != TRACE_NONE) {
        slurm_tell(s, IMPORT_LEFT, &a->at,
                   "associations of one account, or user of it, beyond the "
                   "first");
        return;
    }
    trace_account_add(w, &(struct trace_account){
                             .name = a->name,
                             .user = a->user,
                             .parent = is_below ? a->parent : 0,
                             .shares = whole_shares(a),
                             .limits = limits_make(s, w, &a->limits, &a->at) });
}

/* Accounts that users name are there, and so are all parents; none is above
 * itself.
 */
static void tree_mend(struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->accounts->account_count; i++) {
        const struct trace_account a = w->accounts->account[i];
        const uint32_t names[] = { a.name, a.parent };

        for (int k = 0; k < 2; k++) {
            if (names[k] && trace_account_find(w, names[k], 0) == TRACE_NONE)
                trace_account_add(w, &(struct trace_account){ .name = names[k],
                                                              .shares = 1 });
        }
    }
    for (uint32_t i = 0; i < w->accounts->account_count; i++) {
        uint32_t at = i, steps = 0;

        while (w->accounts->account[at].parent
               && ++steps <= TRACE_QUEUE_DEPTH_MAX * 8)
            at = trace_account_find(w, w->accounts->account[at].parent, 0);
        if (w->accounts->account[at].parent)
            w->accounts->account[i].parent = 0;
    }
}

/* --- QOS and partitions --------------------------------------------------- */

static void qos_put(struct slurm *s, struct trace_workload *w,
                    const struct slurm_qos *q)
{
    const uint32_t at = trace_qos_put(w, q->name);
    struct trace_qos *to = &w->accounts->qos[at];

    to->priority = q->priority < 0 ? 0 : (uint32_t)q->priority;
    to->usage_factor = q->usage_factor;
    to->stays = q->flags && slurm_list_has(q->flags, "NoDecay");
    to->over_partition = q->flags && slurm_list_has(q->flags, "OverPartQOS");
    to->limits = limits_make(s, w, &q->limits, &q->at);
}

void slurm_accounts_make(struct slurm *s, struct trace_workload *w)
{
    bool any = false;

    assert(s && w);
    for (uint32_t i = 0; i < s->accounts; i++)
        account_put(s, w, &s->user_account[i]);
    tree_mend(w);
    for (uint32_t i = 0; i < s->qoses; i++)
        qos_put(s, w, &s->qos[i]);
    for (uint32_t i = 0; i < s->partitions; i++)
        any |= s->partition[i].qos != NULL || s->partition[i].tier != 1
               || s->partition[i].factor != 1;
    for (uint32_t i = 0; any && i < s->partitions; i++) {
        const struct slurm_partition *p = &s->partition[i];
        const uint32_t at = trace_partition_put(w, p->name);
        struct trace_partition *to = &w->accounts->partition[at];

        to->tier = p->tier < 0 ? 0 : (uint32_t)p->tier;
        to->factor = p->factor < 0 ? 0 : (uint32_t)p->factor;
        to->qos = p->qos ? slurm_put_text(s, p->qos) : 0;
        if (to->qos && trace_qos_find(w, to->qos) == TRACE_NONE) {
            (void)trace_qos_put(w, to->qos);
            slurm_tell(s, IMPORT_LEFT, &p->at,
                       "QOS %.60s of a partition: sacctmgr show qos -P has its "
                       "limits",
                       p->qos);
        }
    }
}

/* A list of partitions is one of the tier and the factor of the best. */
static void partition_of_job(struct slurm *s, struct trace_workload *w,
                             uint32_t names)
{
    const uint32_t known = w->accounts->partition_count;
    const uint32_t at = trace_partition_put(w, names);
    const uint32_t best = slurm_partition_best(s, names);
    uint32_t from;

    if (at < known || best == UINT32_MAX)
        return;
    from = trace_partition_find(w, s->partition[best].name);
    if (from == TRACE_NONE)
        return;
    w->accounts->partition[at].tier = w->accounts->partition[from].tier;
    w->accounts->partition[at].factor = w->accounts->partition[from].factor;
    w->accounts->partition[at].qos = w->accounts->partition[from].qos;
}

void slurm_accounts_finish(struct slurm *s, struct trace_workload *w)
{
    const bool accounts = w->accounts->account_count,
               qos = w->accounts->qos_count,
               partitions = w->accounts->partition_count;
    const uint32_t root = slurm_put_text(s, TRACE_ROOT_ACCOUNT);

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        if (accounts && j->aside->account && j->aside->account != root
            && trace_account_find(w, j->aside->account, 0) == TRACE_NONE)
            trace_account_add(w, &(struct trace_account){
                                     .name = j->aside->account, .shares = 1 });
        if (qos && j->aside->qos)
            (void)trace_qos_put(w, j->aside->qos);
        if (partitions && j->aside->partition)
            partition_of_job(s, w, j->aside->partition);
    }
}
