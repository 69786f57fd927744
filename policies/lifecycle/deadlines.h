/* policies/lifecycle/deadlines.h - when jobs without their gang give back what
 * they hold: a heap of jobs by the time, then by the order in which they came.
 *
 * How long a job may hold is what it states itself, else what the modules say;
 * without such a module no job has a deadline.
 */
#ifndef DEADLINES_H
#define DEADLINES_H

#include <stdint.h>

struct gsched;

/* The job is partially allocated from now on. */
void gsched_deadline_add(struct gsched *s, uint32_t job);
/* It is no more; fine for one without a deadline. */
void gsched_deadline_drop(struct gsched *s, uint32_t job);

/* With unit gang: a running job with several groups has a deadline while one of
 * these has less than its minimum, and none else.
 */
void gsched_deadline_follow(struct gsched *s, uint32_t job);

/* The next deadline; GSCHED_NEVER. */
int64_t gsched_deadline_next(const struct gsched *s);
/* The job whose deadline is next, if that has passed; NONE. */
uint32_t gsched_deadline_passed(const struct gsched *s);

#endif /* DEADLINES_H */
