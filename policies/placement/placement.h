/* policies/placement/placement.h - gangs and single tasks onto nodes, and why
 * they do not fit.
 *
 * What is tried is allocated on the cluster itself and proposed as decisions;
 * either all of it stays, or all of it is undone.
 */
#ifndef POLICIES_PLACEMENT_PLACEMENT_H
#define POLICIES_PLACEMENT_PLACEMENT_H

#include "policies/state/state.h"

struct queue_entry;

/* --- gangs: gang_fit.c ---------------------------------------------------- */

/* Divide the gang among the groups of the job (gsched_gang_of): each group's
 * own minimum, and the rest in the order of groups, as far as an empty cluster
 * holds them.
 */
void gsched_gang_divide(struct gsched *s, uint32_t job);
/* The gang's tasks on nodes [w->from, w->end): allocated and proposed; nothing
 * when false.
 */
bool gsched_gang_try(struct gsched *s, uint32_t job, const struct scope *w);
/* Do the modules let the job run with its gang placed? */
bool gsched_gang_is_ready(struct gsched *s, uint32_t job);
/* Tasks of group `g` that the entry asks for; the amounts [dims] of them all. */
uint32_t gsched_entry_tasks(const struct gsched *s,
                            const struct queue_entry *it, uint32_t g);
void gsched_entry_amount(const struct gsched *s, const struct queue_entry *it,
                         int64_t *amount);
/* Is there room for every group of the entry, of the job's gang, by itself?
 * Rules most failures out.
 */
bool gsched_entry_has_room(struct gsched *s, const struct queue_entry *it);
bool gsched_gang_has_room(struct gsched *s, uint32_t job);
/* Do the quotas allow what the entry asks for? */
bool gsched_entry_allocatable(struct gsched *s, const struct queue_entry *it);

/* --- within the topology: topology_fit.c ---------------------------------- */

/* The gang in the smallest part of the cluster that holds it, as far as the
 * modules ask for that, and not on nodes to avoid (NULL: none), or within `w`:
 * allocated and proposed; nothing when false.
 */
bool gsched_gang_place(struct gsched *s, uint32_t job, const uint8_t *avoid);
bool gsched_gang_place_in(struct gsched *s, const struct scope *w);
/* The domains in which a gang that must not leave one could stand, one after
 * the other, from *at NONE on; once for one that may stand anywhere, or that
 * stands in one already.
 */
bool gsched_topology_next(const struct gsched *s, uint32_t job, uint32_t *at,
                          struct scope *w);
/* A task above the gang stays in the domain that its job must not leave. */
void gsched_topology_stay(const struct gsched *s, struct scope *w);
/* The level of which one domain must hold all of the job's gang; 0: none. */
uint32_t gsched_bound_level(const struct gsched *s, uint32_t job);
/* The dimension by which nodes and domains are the fuller or emptier for a
 * request of these amounts: GPUs; without any, the one of which the amount is
 * the largest part of the cluster's.
 */
uint32_t gsched_main_dim(const struct gsched *s, const int64_t *asked);

/* --- why: diagnosis.c ----------------------------------------------------- */

/* Why the entry cannot be placed now. */
enum gsched_cause gsched_cause_of(struct gsched *s,
                                  const struct queue_entry *it);
/* What is free of the dimension on nodes that suit the shape, wherever. */
int64_t gsched_suitable_free(struct gsched *s, uint32_t shape, uint32_t dim);
/* Is as much free in sum as the entry asks for? */
bool gsched_has_capacity(struct gsched *s, const struct queue_entry *it);

#endif /* POLICIES_PLACEMENT_PLACEMENT_H */
