/* policies/placement/diagnosis.h - why something was left waiting. */
#ifndef POLICIES_PLACEMENT_DIAGNOSIS_H
#define POLICIES_PLACEMENT_DIAGNOSIS_H

#include "policies/state/state.h"

struct queue_entry;

enum gsched_cause gsched_cause_of(struct gsched *s,
                                  const struct queue_entry *i);
/* What is free of the dimension on nodes that suit the shape, wherever. */
int64_t gsched_suitable_free(struct gsched *s, uint32_t shape, uint32_t dim);
/* Is as much free in sum as the entry asks for? */
bool gsched_has_capacity(struct gsched *s, const struct queue_entry *it);

#endif /* POLICIES_PLACEMENT_DIAGNOSIS_H */
