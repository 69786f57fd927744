/* policies/pending/quota_rivals.h - sleeping queues that wait for one and the
 * same quota, with action admit.
 *
 * In a tree of queues of which only the root has quota, and in which no job is
 * evicted, jobs that ask for the same fit together or not at all: of those that
 * would be tried in a round only the first in the order of the contest has to
 * be, and when it does not fit all of them have lost.  What a queue tries in
 * which round follows from the request classes that wait in it, in their order:
 * each is refused in a round, and one that fits, and loses, is tried once more
 * in the next.  So queues with the same request classes in the same order go
 * together: they are a path of a trie of request classes, and what is tried,
 * and noted, is a node of it.
 *
 * Life cycle: gsched_rivals_slept() for each queue that went to sleep; when
 * quota of the tree is freed gsched_rivals_file() puts these into the trie, and
 * gsched_rivals_begin() begins a pass.  In each of its rounds
 * gsched_rivals_turn() finds the nodes that would be tried,
 * gsched_rivals_first() returns the first of their jobs as long as there are
 * any, which has won or lost, and gsched_rivals_end() notes what those that
 * lost lacked.  A queue whose job won is awake, as if it had been all the time.
 */
#ifndef POLICIES_PENDING_QUOTA_RIVALS_H
#define POLICIES_PENDING_QUOTA_RIVALS_H

#include "policies/admission/contest.h"
#include "policies/state/quota_holds.h"

void gsched_rivals_open(struct gsched *s);
void gsched_rivals_free(struct gsched *s);

/* Another class queue of the queue sleeps. */
void gsched_rivals_slept(struct gsched *s, uint32_t queue);
/* The queue, which may be in the trie, is awake, or asleep with another first
 * job: take it out.
 */
void gsched_rivals_leave(struct gsched *s, uint32_t queue);
/* Is it in the trie? */
bool gsched_rivals_have(const struct gsched *s, uint32_t queue);
/* What those like the class queue lacked, if one of them was tried since it
 * was; NULL.
 */
const struct quota_lack *gsched_rivals_lack(const struct gsched *s,
                                            uint32_t cqueue);

/* Put the queues that went to sleep into the trie. */
void gsched_rivals_file(struct gsched *s, uint32_t tree);
/* Quota of the tree was freed: those that sleep are tried from this round on.
 */
void gsched_rivals_begin(struct gsched *s, uint32_t tree);
/* A round begins. */
void gsched_rivals_turn(struct gsched *s);
/* Is any of them to be tried, in this round or the next one? */
bool gsched_rivals_wait(const struct gsched *s);
/* The job that is tried next, with its place in the order of the contest, until
 * it has won or lost; false: there is none.
 */
bool gsched_rivals_first(struct gsched *s, struct contest_entry *out);
/* It fits: its queue is awake from its class queue on. */
void gsched_rivals_won(struct gsched *s);
/* It does not fit, nor do those like it. */
void gsched_rivals_lost(struct gsched *s);
/* A round ends; what was reserved in it is free again. */
void gsched_rivals_end(struct gsched *s);
/* The rounds end before all were tried: all of them are awake. */
void gsched_rivals_stop(struct gsched *s);

#endif /* POLICIES_PENDING_QUOTA_RIVALS_H */
