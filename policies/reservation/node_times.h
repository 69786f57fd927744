/* policies/reservation/node_times.h - which nodes are free, by time.
 *
 * A step function of time whose values are sets of nodes.  It is for gangs that
 * take whole nodes: a node is free for them or not, so that a gang's
 * reservation changes one set for each step of its time, not one profile for
 * each of its nodes.
 *
 * Steps stand in blocks with the most free nodes of each, so that a search
 * passes over blocks that have too few at any time.  Each step knows when
 * nodes were last given there: a search that failed before looks only at times
 * that meet such steps.
 */
#ifndef POLICIES_RESERVATION_NODE_TIMES_H
#define POLICIES_RESERVATION_NODE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct node_times;

/* All of `nodes` are free from 0 us on.  Freed by the caller. */
struct node_times *node_times_new(uint32_t nodes);
void node_times_free(struct node_times *t); /* NULL is fine */

/* Sets of nodes are rows of bits, each 64 nodes a word.  A new set, empty; its
 * number is above 0.  Its bits are valid until the next call of
 * node_times_set_new(), node_times_take() or node_times_give().
 */
uint32_t node_times_set_new(struct node_times *t);
void node_times_set_free(struct node_times *t, uint32_t set);
uint64_t *node_times_set(const struct node_times *t, uint32_t set);
uint32_t node_times_words(const struct node_times *t);

/* Take the nodes of the set, which are free, from `from` until `to`
 * (GSCHED_NEVER: without end); give them, which are not.
 */
void node_times_take(struct node_times *t, uint32_t set, int64_t from,
                     int64_t to);
void node_times_give(struct node_times *t, uint32_t set, int64_t from,
                     int64_t to);
/* True when all nodes of the set are free from `from` until `to`. */
bool node_times_are_free(const struct node_times *t, uint32_t set, int64_t from,
                         int64_t to);
/* Forget the steps before `now`. */
void node_times_trim(struct node_times *t, int64_t now);
/* It rises with each gift, from 1 on. */
uint64_t node_times_version(const struct node_times *t);

/* What is sought: `nodes` nodes that are free for `time`, from one of the times
 * at which nodes become free or from `from` on.
 */
struct nodes_sought {
    uint32_t nodes; /* at least 1 */
    int64_t time;   /* us, at least 1 */
    int64_t from;   /* the first start, us */
    int64_t before; /* starts are before this time, us */
    uint64_t since; /* version: starts that meet no later gift are known to
                       fail; 0 */
    uint32_t own;   /* set of nodes that are free for `time` from `before` on
                       too; 0 */
};

/* The earliest start; `before` when there is none. */
int64_t node_times_earliest(struct node_times *t,
                            const struct nodes_sought *it);
/* The same with nodes of its own, which have a start at `before`.  False when
 * there is none before, nor anything was given since for that start.
 */
bool node_times_better(struct node_times *t, const struct nodes_sought *it,
                       int64_t *at);
/* Put the lowest nodes that a start at `at` may have into the set, after a
 * search for the same.  False, with an unknown set, when there are too few.
 */
bool node_times_lowest(struct node_times *t, const struct nodes_sought *it,
                       int64_t at, uint32_t set);

#endif /* POLICIES_RESERVATION_NODE_TIMES_H */
