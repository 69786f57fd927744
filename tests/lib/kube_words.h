/* tests/lib/kube_words.h - words for pods in vectors of kube-scheduler: "p1 low
 * small on node1".
 */
#ifndef TEST_KUBE_WORDS_H
#define TEST_KUBE_WORDS_H

#include <ctype.h>
#include <stdlib.h>

#include "base/yamldoc.h"
#include "tests/lib/pods.h"
#include "tests/lib/vectors.h"

/* The number after `word`, as in "start2". */
bool number_behind(const char *text, const char *word, unsigned *n);

/* The next word of a text, without what stands in brackets; "" at the end. */
const char *word_next(const char *text, char *word, size_t size);

/* A pod that runs on `node`, unless it says where: "mid", "p1 low small" or
 * {prio: mid, start: 2}.
 */
struct pod *pod_read(const struct vector *v, struct pods *s,
                     const struct gs_ynode *n, const char *node);

void node_add(struct pods *s, const char *name, unsigned size);

/* "high large", "high, anti-affinity to p1.1", "group of 3 pods, high" */
void own_read(const struct vector *v, struct pods *s, const char *text);

#endif /* TEST_KUBE_WORDS_H */
