/* import/slurm/slurm_terms.c - see slurm_terms.h. */
#include "import/slurm/slurm_terms.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/quantity.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/workload.h"

#define RANKS_MAX 65536

/* --- queues --------------------------------------------------------------- */

static const struct slurm_account *account_find(const struct slurm *s,
                                                uint32_t name)
{
    for (uint32_t i = 0; i < s->accounts; i++) {
        if (s->user_account[i].name == name && !s->user_account[i].user)
            return &s->user_account[i];
    }
    return NULL;
}

/* "parent/account", without the root; 0 when it is no path. */
static uint32_t path_of(struct slurm *s, uint32_t account)
{
    char path[2200], below[2200];
    int depth = 0;

    (void)snprintf(path, sizeof(path), "%.250s", slurm_str(s, account));
    for (const struct slurm_account *a = account_find(s, account);
         a && a->parent && depth < TRACE_QUEUE_DEPTH_MAX;
         a = account_find(s, a->parent), depth++) {
        if (strcmp(slurm_str(s, a->parent), "root") == 0)
            break;
        (void)snprintf(below, sizeof(below), "%s", path);
        (void)snprintf(path, sizeof(path), "%.250s/%.1900s",
                       slurm_str(s, a->parent), below);
    }
    return trace_queue_name_ok(path) ? slurm_put_text(s, path) : 0;
}

uint32_t slurm_terms_queue(struct slurm *s, struct trace_workload *w,
                           uint32_t account)
{
    uint32_t path;

    if (!account)
        return 0;
    s->queue_of = gs_array_grow(s->queue_of, &s->queue_of_cap, account + 1,
                                sizeof(*s->queue_of));
    if (s->queue_of[account])
        return trace_queue_find(w, s->queue_of[account]);
    path = path_of(s, account);
    if (!path) {
        slurm_tell(s, IMPORT_ASSUMED, NULL,
                   "account '%.60s' cannot be a queue: its jobs are in queue "
                   "'default'",
                   slurm_str(s, account));
        path = slurm_put_text(s, "default");
    }
    s->queue_of[account] = path;
    return trace_queue_put(w, path);
}

void slurm_terms_make(struct slurm *s, struct trace_workload *w)
{
    for (uint32_t i = 0; i < s->accounts; i++) {
        const struct slurm_account *a = &s->user_account[i];

        if (!a->user && strcmp(slurm_str(s, a->name), "root") != 0)
            (void)slurm_terms_queue(s, w, a->name);
    }
}

/* --- priorities ----------------------------------------------------------- */

static double weight_of(const struct slurm *s, const char *key)
{
    const struct slurm_option *o = slurm_option_find(s, key);
    double v = 0;

    return o && gs_quantity_parse_double(o->value, strlen(o->value), &v) == 0
                   && v > 0
               ? v
               : 0;
}

static int64_t qos_priority(const struct slurm *s, uint32_t name)
{
    for (uint32_t i = 0; i < s->qoses; i++) {
        if (s->qos[i].name == name)
            return s->qos[i].priority;
    }
    return 0;
}

static void rank_fill(const struct slurm *s, struct slurm_rank *r)
{
    const uint32_t p = slurm_partition_best(s, r->partition);
    const struct slurm_option *type = slurm_option_find(s, "PriorityType");
    double factor = 1, qos = 1;

    for (uint32_t i = 0; i < s->partitions; i++) {
        if ((double)s->partition[i].factor > factor)
            factor = (double)s->partition[i].factor;
    }
    for (uint32_t i = 0; i < s->qoses; i++) {
        if ((double)s->qos[i].priority > qos)
            qos = (double)s->qos[i].priority;
    }
    r->tier = p == UINT32_MAX ? 1 : s->partition[p].tier;
    if (type && strcasecmp(type->value, "priority/multifactor") != 0)
        return;
    if (p != UINT32_MAX)
        r->added += weight_of(s, "PriorityWeightPartition")
                    * (double)s->partition[p].factor / factor;
    r->added += weight_of(s, "PriorityWeightQOS")
                * (double)qos_priority(s, r->qos) / qos;
}

static int by_rank(const void *a, const void *b)
{
    const struct slurm_rank *x = a, *y = b;

    if (x->tier != y->tier)
        return x->tier < y->tier ? -1 : 1;
    return x->added < y->added ? -1 : x->added > y->added;
}

static uint32_t rank_find(struct slurm_ranks *r, uint32_t partition,
                          uint32_t qos)
{
    if (r->last < r->count && r->at[r->last].partition == partition
        && r->at[r->last].qos == qos)
        return r->last;
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->at[i].partition == partition && r->at[i].qos == qos)
            return r->last = i;
    }
    return UINT32_MAX;
}

void slurm_ranks_make(struct slurm *s, struct slurm_ranks *r)
{
    int32_t value = 0;

    *r = (struct slurm_ranks){ 0 };
    for (uint32_t i = 0; s->has_conf && i < s->jobs; i++) {
        const struct slurm_job *j = &s->job[i];

        if (rank_find(r, j->partition, j->qos) != UINT32_MAX
            || r->count == RANKS_MAX)
            continue;
        r->at = gs_array_grow(r->at, &r->cap, r->count + 1, sizeof(*r->at));
        r->at[r->count] = (struct slurm_rank){ .partition = j->partition,
                                               .qos = j->qos };
        rank_fill(s, &r->at[r->count]);
        r->last = r->count++;
    }
    if (r->count)
        qsort(r->at, r->count, sizeof(*r->at), by_rank);
    for (uint32_t i = 0; i < r->count; i++) {
        if (i && by_rank(&r->at[i - 1], &r->at[i]) != 0)
            value++;
        r->at[i].value = value;
    }
    if (value)
        slurm_tell(s, IMPORT_ASSUMED, NULL,
                   "priority classes 0 to %d: PriorityTier of the partition, "
                   "then what partition and QOS add to the priority",
                   value);
}

const struct slurm_rank *slurm_ranks_find(struct slurm_ranks *r,
                                          uint32_t partition, uint32_t qos)
{
    const uint32_t i = rank_find(r, partition, qos);

    return i == UINT32_MAX ? NULL : &r->at[i];
}

void slurm_ranks_free(struct slurm_ranks *r)
{
    gs_array_free(r->at);
    *r = (struct slurm_ranks){ 0 };
}
