/* policies/placement/partitions.c - see partitions.h. */
#include "policies/placement/partitions.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "policies/state/jobs.h"
#include "topology/cluster.h"

#define PREFIX "partition."

struct partition {
    uint32_t key;       /* string id of its label; 0: all nodes */
    uint8_t *has_class; /* [class] 1: it has these nodes */
};

struct gsched_partitions {
    struct partition *at;
    uint32_t count, cap;
    uint32_t *of_shape; /* number and 1; 0: not known yet */
    uint32_t of_cap;
};

static struct gsched_partitions *partitions_of(struct gsched *s)
{
    if (!s->partitions)
        s->partitions = gs_array_new(1, sizeof(*s->partitions));
    return s->partitions;
}

/* The condition that states the partition; NULL: none. */
static const struct topo_condition *condition_of(const struct gsched *s,
                                                 const struct topo_request *r)
{
    for (uint32_t i = 0; i < r->selector_count; i++) {
        const char *key = gs_strtab_str(s->work->names, r->selector[i].key);

        if (strncmp(key, PREFIX, strlen(PREFIX)) == 0)
            return &r->selector[i];
    }
    return NULL;
}

static uint32_t partition_add(struct gsched *s, uint32_t key,
                              const struct topo_condition *c)
{
    const struct topo_request nodes = { .selector = c,
                                        .selector_count = c ? 1 : 0 };
    struct gsched_partitions *p = s->partitions;
    uint8_t *has = gs_array_new(s->topo->class_count, 1);

    for (uint32_t k = 0; k < s->topo->class_count; k++)
        has[k] = !c || topo_class_misfit(s->topo, k, &nodes) == TOPO_FITS;
    p->at = gs_array_grow(p->at, &p->cap, p->count + 1, sizeof(*p->at));
    p->at[p->count] = (struct partition){ key, has };
    return p->count++;
}

uint32_t gsched_partition_of(struct gsched *s, uint32_t job)
{
    const uint32_t shape = gsched_group(s, job, 0)->shape;
    struct gsched_partitions *p = partitions_of(s);
    const struct topo_condition *c;
    uint32_t i = 0;

    p->of_shape = gs_array_grow(p->of_shape, &p->of_cap, shape + 1,
                                sizeof(*p->of_shape));
    if (p->of_shape[shape])
        return p->of_shape[shape] - 1;
    c = condition_of(s, &s->work->shape[shape]);
    if (p->count == 0)
        (void)partition_add(s, 0, NULL);
    while (i < p->count && p->at[i].key != (c ? c->key : 0))
        i++;
    if (i == p->count)
        i = partition_add(s, c->key, c);
    p->of_shape[shape] = i + 1;
    return i;
}

uint32_t gsched_partitions(const struct gsched *s)
{
    return s->partitions ? s->partitions->count : 0;
}

bool gsched_partition_has(const struct gsched *s, uint32_t partition,
                          uint32_t node)
{
    assert(partition < gsched_partitions(s) && node < s->topo->node_count);
    return s->partitions->at[partition].has_class[s->topo->node_class[node]];
}

void gsched_partitions_free(struct gsched *s)
{
    struct gsched_partitions *p = s->partitions;

    for (uint32_t i = 0; p && i < p->count; i++)
        gs_array_free(p->at[i].has_class);
    if (p) {
        gs_array_free(p->at);
        gs_array_free(p->of_shape);
    }
    gs_array_free(p);
}
