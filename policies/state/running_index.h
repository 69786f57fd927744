/* policies/state/running_index.h - running jobs by queue, priority and start,
 * for preemption
 */
#ifndef POLICIES_STATE_RUNNING_INDEX_H
#define POLICIES_STATE_RUNNING_INDEX_H

#include "base/numbers.h"
#include "policies/state/state.h"

/* Jobs of one priority in one queue that run, by start. */
struct running_list {
    uint32_t oldest, newest;     /* NONE */
    int64_t used[TOPO_DIMS_MAX]; /* sum of what they hold */
};

/* Running jobs by queue, priority and start. */
struct gsched_running {
    struct running_list *running_list; /* [queue][place of the class] */
    uint32_t *class_place;             /* [class] rank by ascending value */
    int32_t *place_value;              /* [place] */
    uint32_t place_count;
    struct gs_numbers moved; /* jobs that started, ended, or changed their place
                                in the order of jobs */
    uint8_t *is_moved;       /* [job] it is among them */
    uint32_t is_moved_cap;
    bool may_evict;
    bool is_followed; /* moved jobs are noted */
};

struct running_list *gsched_running_of(const struct gsched *s, uint32_t job);
void gsched_running_add(struct gsched *s, uint32_t job);
void gsched_running_drop(struct gsched *s, uint32_t job);
/* Note that the job started, ended, or has another place in the order of jobs,
 * where that is followed.
 */
void gsched_running_moved(struct gsched *s, uint32_t job);
/* Create the empty index, if an action may evict. */
void gsched_running_open(struct gsched *s);
void gsched_running_close(struct gsched *s);

#endif /* POLICIES_STATE_RUNNING_INDEX_H */
