/* sim/audit/audit_private.h - an audit that is under way. */
#ifndef SIM_AUDIT_AUDIT_PRIVATE_H
#define SIM_AUDIT_AUDIT_PRIVATE_H

#include "sim/audit/audit.h"
#include "sim/replay/recorded.h"
#include "sim/replay/warm.h"
#include "traces/workload/workload.h"

#define AUDIT_NONE UINT32_MAX

enum audit_event_kind {            /* in the order of an instant */
                        AUDIT_END, /* a run, or a job that was withdrawn, is
                                      over */
                        AUDIT_SUBMIT,
                        AUDIT_EVICT, /* a run ends, and its job waits again */
                        AUDIT_BRIEF, /* a run that was evicted as it began */
                        AUDIT_START
};

struct audit_event {
    int64_t at;
    uint32_t job;
    uint32_t run; /* of the job; AUDIT_NONE: it is not of a recorded run */
    enum audit_event_kind kind;
};

/* That the policy starts a job, or evicts it, at points that follow one
 * another.
 */
struct audit_want {
    int64_t since;
    uint32_t first, last; /* points, from 1; last 0: it does not */
    int64_t last_at;      /* time of the last point */
    uint32_t ask, at;     /* the last ask, and the first decision of it */
    uint32_t by;          /* of an eviction */
    int64_t grace;        /* ... from `since` to it, with a grace time */
    int64_t before;       /* ... when it was to be, last wanted before that */
    uint32_t node;        /* of a start: the first that it takes */
};

enum { WANT_START, WANT_EVICT, WANTS };

enum audit_state { AUDIT_ABSENT, AUDIT_WAITS, AUDIT_RUNS, AUDIT_OVER };

struct audit_job {
    uint8_t state;    /* enum audit_state */
    bool is_rejected; /* the scheduler knows it no more */
    bool is_changed;  /* the cycle that is taken back changed what it holds */
    int64_t since;    /* start of the run that is imposed */
    uint32_t grants, first_grant; /* into auditing.held[] */
};

struct auditing {
    const struct topo *topo;
    const struct trace_workload *work;
    const struct audit_options *options;
    struct audit *out;
    struct topo_cluster *cluster; /* of the scheduler */
    struct gsched *sched;
    struct sim_recorded recorded;
    struct sim_warm warm;
    struct audit_event *event;
    uint32_t events, event_cap;
    struct audit_job *job;
    struct audit_want *want[WANTS]; /* [job] */
    uint32_t *wanted[WANTS]; /* jobs that were wanted at the last point */
    uint32_t wanted_count[WANTS], wanted_cap[WANTS];
    struct sim_recorded_grant *held;
    uint32_t held_count, held_cap;
    struct gsched_decision *decision; /* of the cycle that is taken back */
    uint32_t decisions, decision_cap;
    int64_t *time;    /* [point] */
    int32_t *unequal; /* [point] differences that begin there, less those that
                         ended at the one before */
    int64_t tolerance;
    int64_t now;
    uint32_t point; /* number of the current one, from 1 */
    uint32_t ask;   /* ... of the ask */
};

/* events.c: what happened, by time; -1: there is no recorded run. */
int audit_events_make(struct auditing *a, struct gs_err *err);

/* impose.c: carry out an event of the record; the jobs that stand at time 0;
 * let the job adopt what it holds by the record, false: the scheduler refused.
 */
bool audit_adopt(struct auditing *a, uint32_t job);
void audit_impose(struct auditing *a, const struct audit_event *e);
void audit_warm(struct auditing *a);

/* ask.c: run the cycles of an instant, note what the policy wants, and take its
 * decisions back.
 */
void audit_ask(struct auditing *a);

/* judge.c: compare a recorded start or eviction with what the policy wants;
 * what the policy no longer wants at this point; all that is left at the end.
 */
void audit_judge(struct auditing *a, const struct audit_event *e);
void audit_wants_over(struct auditing *a, bool is_end);
void audit_difference_add(struct auditing *a, const struct audit_difference *d);
/* All points from `first` to `last` are unequal. */
void audit_points_mark(struct auditing *a, uint32_t first, uint32_t last);

#endif /* SIM_AUDIT_AUDIT_PRIVATE_H */
