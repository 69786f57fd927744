/* policies/state/kept_nodes.h - nodes that are kept for tasks which fit nowhere
 * (module keep-nodes).
 *
 * A kept node takes the task that it is kept for and no other.  A task has at
 * most one, so a task group has at most as many as it lacks tasks:
 * gsched_node_keep().  One of them opens again when a task of the group is
 * placed, there or elsewhere (gsched_kept_met()), and all when the job gives
 * back what it holds or is over (gsched_kept_close()).  Nodes that opened stand
 * in `reopened` until gsched_kept_reopen() (actions/keep_nodes.h) tells of
 * them.
 */
#ifndef POLICIES_STATE_KEPT_NODES_H
#define POLICIES_STATE_KEPT_NODES_H

#include "base/numbers.h"
#include "policies/state/state.h"

struct queue_entry;

struct kept_node {
    uint32_t job, group; /* job NONE: it is not kept */
    uint32_t at;         /* index in gsched_kept.node */
    uint32_t next;       /* the next one of the group + 1; 0 */
    int64_t since;
};

struct gsched_kept {
    struct kept_node *of;         /* [node] */
    struct gs_numbers node;       /* those that are kept */
    struct gs_numbers reopened;   /* those that were, and are open again */
    uint32_t *first;              /* [workload group] its last one + 1; 0 */
    uint32_t *tasks;              /* [workload group] how many it has */
    uint32_t first_cap, task_cap; /* of these */
    struct queue_entry *entry;    /* scratch of actions/keep_nodes.c */
    uint32_t entry_cap;
    int64_t due; /* when the next task may have a node; GSCHED_NEVER */
};

/* NULL parts without the module. */
void gsched_kept_open(struct gsched *s);
void gsched_kept_free(struct gsched *s);

static inline bool gsched_has_kept(const struct gsched *s)
{
    return s->kept && s->kept->node.count;
}
/* Is the node kept for others than the tasks of the scope? */
bool gsched_kept_refuses(const struct gsched *s, const struct scope *w,
                         uint32_t node);
/* Number of nodes that are kept for tasks of the group. */
uint32_t gsched_kept_for(const struct gsched *s, uint32_t job, uint32_t group);
/* Keep the node, which is open, for a task of the group. */
void gsched_node_keep(struct gsched *s, uint32_t node, uint32_t job,
                      uint32_t group);
/* The node is kept no longer. */
void gsched_kept_drop(struct gsched *s, uint32_t node);
/* Tasks of the group, which now lacks `missing`, were placed on the node. */
void gsched_kept_met(struct gsched *s, uint32_t job, uint32_t group,
                     uint32_t node, uint32_t missing);
/* Open all nodes that are kept for the job. */
void gsched_kept_close(struct gsched *s, uint32_t job);

#endif /* POLICIES_STATE_KEPT_NODES_H */
