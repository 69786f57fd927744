/* tests/lib/pods.h - running pods, one job that does not fit, and its victims.
 *
 * A pod is a job of one task on the node of that label.  A group is one job,
 * with a task for each pod, started one after the other; the rest of the group
 * waits for a node to be empty, so that a group of one pod is no single pod.
 */
#ifndef TEST_PODS_H
#define TEST_PODS_H

#include <stdarg.h>

#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define PODS_MAX 32u
#define PODS_NAME 32u
#define PODS_TEXT 8192u
#define PODS_AT 100 /* s: when the job comes that does not fit */

struct pod {
    char name[PODS_NAME], node[PODS_NAME], group[PODS_NAME]; /* or "" */
    int32_t priority;
    unsigned size;       /* thousandths of a CPU; 0: it asks for nothing */
    unsigned start;      /* s */
    uint32_t budget;     /* 1 + index of the budget that counts it; 0 */
    bool stood, is_gone; /* before that job came; when it did */
};

struct pods_node {
    char name[PODS_NAME];
    unsigned size;
};

struct pods {
    struct pods_node node[PODS_MAX];
    struct pod pod[PODS_MAX];
    uint32_t node_count, count;
    unsigned allowed[PODS_MAX]; /* [budget] how many of its pods may go */
    uint32_t budgets;
    struct pod own;         /* pod of the job that does not fit */
    unsigned own_count;     /* number of pods of that job */
    char avoid[PODS_NAME];  /* a pod with which it must not share a node */
    bool never;             /* its class does not preempt */
    bool goes_whole;        /* a group loses all of its pods or none */
    char chosen[PODS_NAME]; /* in the end: its first node; "" */
    uint32_t broken;        /* number of evictions beyond a budget */
};

struct pods_text {
    char at[PODS_TEXT];
    size_t len;
};

__attribute__((format(printf, 2, 3))) void pods_put(struct pods_text *t,
                                                    const char *format, ...);

/* The pod of a placement; NULL for those of the job that did not fit. */
struct pod *pods_of(const struct world *w, struct pods *s,
                    const struct report_placement *p);

/* Replay it under a profile; false when it does not run, or
 * when a pod did not stand where it should. */
bool pods_run(struct pods *s, const char *profile);

#endif /* TEST_PODS_H */
