/* topology/resources.h - resources that nodes have and tasks ask for.
 *
 * A vector of at most 16 named dimensions.  GPUs are devices; their dimension
 * is the sum in thousandths of devices, so that quotas and scores can treat it
 * like the others.
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

/* True for the name of the dimension of a model of GPUs, "gpu:MODEL": amounts
 * of it are not stated but follow from the devices, see struct topo_model.
 */
bool topo_dim_is_model(const char *name);

/* True for "gpus": the key of devices of a task or a node type, under which a
 * sum of GPUs would be another resource that nothing has.
 */
bool topo_dim_is_misnamed(const char *name);

struct topo_label {
    uint32_t key, value; /* string ids */
};

/* Operators of node selectors, as in Kubernetes.  A missing label is never In,
 * always NotIn, and neither Gt nor Lt.
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

/* Preferred conditions of nodes: a node that meets all of them is worth
 * `weight` more.
 */
struct topo_preference {
    uint32_t weight;          /* 1 to TOPO_WEIGHT_MAX */
    uint32_t condition_count; /* at least 1 */
    const struct topo_condition *condition;
};

#define TOPO_WEIGHT_MAX 100 /* Kubernetes' */

/* A taint or a toleration.  A toleration with value 0 tolerates every value of
 * its key, one with TOPO_NO_VALUE taints without a value, with key 0 every key;
 * its effect may be TOPO_ANY_EFFECT.  A taint TOPO_PREFER_NO_SCHEDULE
 * lowers the score of its node for tasks that do not tolerate it.
 */
enum topo_effect {
    TOPO_NO_SCHEDULE,
    TOPO_NO_EXECUTE,
    TOPO_PREFER_NO_SCHEDULE,
    TOPO_ANY_EFFECT
};

#define TOPO_EFFECTS TOPO_ANY_EFFECT
#define TOPO_NO_VALUE UINT32_MAX

extern const char *const topo_effect_names[TOPO_EFFECTS]; /* "NoSchedule" */

struct topo_taint {
    uint32_t key, value; /* string ids; value 0: none */
    enum topo_effect effect;
};

/* What one task asks of one node.  Lists live in the owner's arena. */
struct topo_request {
    int64_t amount[TOPO_DIMS_MAX]; /* [TOPO_GPU] is set from the members
                                      below */
    uint32_t model_dim;            /* that of its one model, in which it holds
                                      its GPUs too; 0: none, see
                                      topo_models_ask */
    uint32_t gpus;                 /* whole devices, 0 to TOPO_DEVICES_MAX */
    uint32_t share;                /* thousandths of one device, 0 to 999; not
                                   together with gpus */
    uint32_t mig;                  /* kind of the one instance, see mig.h;
                                      not together with gpus or share */
    int64_t share_memory;          /* bytes of one device, instead of a
                                      share, see topo_request_resolve; 0:
                                      none */
    int64_t device_memory;         /* exact memory of its devices; 0: any */
    uint32_t model_count;          /* any of these models; 0: any at all */
    uint32_t selector_count;       /* all of these conditions */
    uint32_t toleration_count;
    uint32_t lent_tolerations; /* the last of them: each holds only where the
                                  flavor that lends it is used, if the
                                  scheduler knows flavors */
    uint32_t preference_count;
    const uint32_t *model; /* string ids */
    const struct topo_condition *selector;
    const struct topo_taint *toleration;
    const struct topo_preference *preference;
};

/* Read "key=value:Effect", "key:Effect", "key=value" or "key"; the effect is
 * one of topo_effect_names, or TOPO_ANY_EFFECT when missing.  -1 when `s` is
 * not a taint.
 */
int topo_taint_parse(struct gs_strtab *names, const char *s,
                     struct topo_taint *out);

/* Parse a label as a whole number such as "-12"; false when it is not one. */
bool topo_label_number(const char *s, int64_t *number);

/* True when it asks for that model (a string id), or for any. */
bool topo_request_takes(const struct topo_request *r, uint32_t model);

/* True when it asks for a part of a device: a share or an instance.  Such tasks
 * are allocated one at a time.
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
