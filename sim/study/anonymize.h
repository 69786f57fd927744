/* sim/study/anonymize.h - inputs without the names of their owner. */
#ifndef STUDY_ANONYMIZE_H
#define STUDY_ANONYMIZE_H

#include <stdbool.h>

struct inputs;

/* Replace the names of jobs, users, queues, priority classes and kinds of
 * tasks, and the values of jobs' labels, by "job-1" and the like; with a
 * topology (as it was read) also those of nodes, domains and node types, and
 * the values of labels and taints, there and in what tasks ask of nodes.  Keys
 * that no documented convention has are replaced, too.  Numbers that conditions
 * compare, GPU models, tiers, resources and the names that schedulers know
 * (queue "default", classes "system-...", user "kube-system") stay.  Without a
 * topology, what tasks ask of nodes and where they stand stays, as a topology
 * elsewhere has these names; `with_nodes`: it is replaced.
 *
 * One name becomes one name wherever it stands, and new names are in the order
 * of the old ones: decisions stay the same.  Only in->work and in->topo change,
 * for writing: indices by name are not kept.
 */
void inputs_anonymize(struct inputs *in, bool with_nodes);

#endif /* STUDY_ANONYMIZE_H */
