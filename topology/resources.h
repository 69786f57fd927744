/* topology/resources.h - what nodes have and tasks ask for.
 *
 * A vector of at most 16 named dimensions.  GPUs are devices, not a number;
 * their dimension holds thousandths of devices in all, so that quotas and
 * scores can treat it like the others.
 */
#ifndef TOPO_RESOURCES_H
#define TOPO_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

struct gs_strtab;

#define TOPO_DIMS_MAX 16
#define TOPO_DEVICES_MAX 64 /* GPUs in one node */
#define TOPO_SHARE_ONE 1000 /* thousandths in a whole device */

enum topo_dim {
    TOPO_CPU,        /* millicores */
    TOPO_MEMORY,     /* bytes */
    TOPO_RDMA,       /* NICs, thousandths */
    TOPO_PODS,       /* tasks; counted only if a node type limits
                                   them */
    TOPO_GPU,        /* thousandths of devices */
    TOPO_DIMS_FIXED, /* declared ones follow, in thousandths */
};

/* The names of the dimensions; one table for a topology and its traces. */
struct topo_dims {
    uint32_t count;
    uint32_t name[TOPO_DIMS_MAX]; /* ids in the shared string table */
};

void topo_dims_init(struct topo_dims *d, struct gs_strtab *names);
/* The dimension called by string id `name`, or -1. */
int topo_dims_find(const struct topo_dims *d, uint32_t name);
/* The same, adding it when new; -1 when all 16 are taken. */
int topo_dims_put(struct topo_dims *d, uint32_t name);

struct topo_label {
    uint32_t key, value; /* string ids */
};

/* What a node's label must be, as in Kubernetes: no label is in no list, and
 * less or greater than nothing.
 */
enum topo_op {
    TOPO_IN,
    TOPO_NOT_IN,
    TOPO_EXISTS,
    TOPO_ABSENT,
    TOPO_GT,
    TOPO_LT
};

#define TOPO_OPS (TOPO_LT + 1)

extern const char *const topo_op_names[TOPO_OPS]; /* "In", "NotIn", ... */

struct topo_condition {
    uint32_t key; /* string id */
    enum topo_op op;
    uint32_t value_count;  /* TOPO_IN, TOPO_NOT_IN: at least 1; else 0 */
    const uint32_t *value; /* string ids */
    int64_t number;        /* TOPO_GT, TOPO_LT; else 0 */
};

/* A taint, or the toleration of one.  A toleration with value 0 tolerates
 * every value of its key; its effect may be TOPO_ANY_EFFECT.
 */
enum topo_effect { TOPO_NO_SCHEDULE, TOPO_NO_EXECUTE, TOPO_ANY_EFFECT };

struct topo_taint {
    uint32_t key, value; /* string ids; value 0: none */
    enum topo_effect effect;
};

/* What one task asks of one node.  Lists live in the owner's arena. */
struct topo_request {
    int64_t amount[TOPO_DIMS_MAX]; /* [TOPO_GPU] follows from below */
    uint32_t gpus;                 /* whole devices, 0 to TOPO_DEVICES_MAX */
    uint32_t share;                /* thousandths of one device, 0 to 999; not
                                   together with gpus */
    uint32_t mig;                  /* one instance of this kind, see mig.h; not
                                   together with either */
    int64_t share_memory;          /* bytes of one device that it asks for
                                   instead, see topo_request_resolve; 0 */
    int64_t device_memory;         /* bytes of its devices, exactly; 0: any */
    uint32_t model_count;          /* any of these models; 0: any at all */
    uint32_t selector_count;       /* all of these conditions */
    uint32_t toleration_count;
    const uint32_t *model; /* string ids */
    const struct topo_condition *selector;
    const struct topo_taint *toleration;
};

/* Read "key=value:Effect", "key:Effect", "key=value" or "key", where an effect is
 * NoSchedule or NoExecute; TOPO_ANY_EFFECT without one.  -1: it is none.
 */
int topo_taint_parse(struct gs_strtab *names, const char *s,
                     struct topo_taint *out);

/* The whole number that a label says, "-12"; false when it says none. */
bool topo_label_number(const char *s, int64_t *number);

/* Does it ask for a part of a device, a share or an instance?  Such tasks are
 * granted one at a time.
 */
static inline bool topo_request_is_part(const struct topo_request *r)
{
    return (r->share | r->mig) != 0;
}

bool topo_request_equal(const struct topo_request *a,
                        const struct topo_request *b);
uint64_t topo_request_hash(const struct topo_request *r);

#pragma GCC visibility pop

#endif /* TOPO_RESOURCES_H */
