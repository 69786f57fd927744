/* topology/task_mix.h - fragmentation: the free GPU share that tasks cannot
 * use.
 *
 * A task mix is a set of kinds of tasks with weights, such as their number in a
 * trace.  The fragmentation of a node under a mix is the free GPU share that
 * its tasks could not use, weighted (Weng et al., "Beware of Fragmentation",
 * ATC'23):
 *
 *   F = sum over the mix of weight x
 *         all that is free        for tasks that do not fit, or ask for no GPU
 *         devices with less free than one share of it        for those that do
 *
 * On a device that is cut into instances, a task that asks for an instance can
 * use the free memory slices 0 to 6, each a seventh of the device, if the
 * instance has a placement; other tasks can use nothing.
 *
 * All numbers are integers, so sums are exact in any order.
 */
#ifndef TOPO_MIX_H
#define TOPO_MIX_H

#include <stdint.h>

#include "topology/resources.h"

#pragma GCC visibility push(default)

struct topo;
struct topo_free;
struct topo_mix; /* opaque */

#define TOPO_MIX_WEIGHT_MAX (INT64_C(1) << 40) /* of all kinds together */

struct topo_mix_kind {
    struct topo_request request;
    int64_t weight; /* > 0 */
};

/* Kinds are copied; requests' lists must outlive the mix. */
struct topo_mix *topo_mix_create(const struct topo *t,
                                 const struct topo_mix_kind *kind,
                                 uint32_t count);
void topo_mix_destroy(struct topo_mix *m); /* NULL is fine */

/* The sum of the weights.  F divided by it is in thousandths of a GPU. */
int64_t topo_mix_weight(const struct topo_mix *m);

/* The kinds, [0, topo_mix_kinds). */
uint32_t topo_mix_kinds(const struct topo_mix *m);
const struct topo_mix_kind *topo_mix_kind_at(const struct topo_mix *m,
                                             uint32_t i);

/* F of a node, in thousandths of a GPU x weight.  Not const: results are cached
 * by node state.
 */
int64_t topo_mix_fragment(struct topo_mix *m, const struct topo_free *n);

/* F after one more task, which must fit, is placed on the node: its share on a
 * device with `left` thousandths left, or all of its GPUs.
 */
int64_t topo_mix_fragment_with(struct topo_mix *m, const struct topo_free *n,
                               const struct topo_request *r, uint32_t left);

#pragma GCC visibility pop

#endif /* TOPO_MIX_H */
