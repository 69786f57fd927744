/* tests/lib/fake_queues.h - trees of queues written as a line of text.
 *
 * "a w2 g4 u6; ax q9": queue a, and x in a; a path is a word, a letter for
 * each level.  After the name, in any order:
 *
 *   w weight (1)        u held by its own jobs      p priority
 *   g guarantee         q waits in the queue        c closed
 *   l limit             n entered, yet without      k not reclaimable
 *   m limit of a user   e held above gangs
 *
 * Amounts are GPU/CPU/MEMORY; what is left out is 0, or no limit.
 */
#ifndef TEST_FAKE_QUEUES_H
#define TEST_FAKE_QUEUES_H

#include <stdlib.h>

#include "tests/lib/fake_host.h"

#define TREE_QUEUES 8u
#define TREE_DIMS 3u

struct tree {
    char name[TREE_QUEUES][8];
};

extern const uint32_t tree_dim[TREE_DIMS];

/* Read the name of a queue at `p`, which is advanced. */
uint32_t tree_word(const struct fake *f, const struct tree *t, const char **p);

/* A cluster of `total`, GPU/CPU/MEMORY, divided among the queues of `text`. */
void tree_make(struct fake *f, struct tree *t, const char *total,
               const char *text);

/* Read the amounts at `p`, by dimension of the host. */
void tree_asks(const char **p, int64_t *amount);

#endif /* TEST_FAKE_QUEUES_H */
