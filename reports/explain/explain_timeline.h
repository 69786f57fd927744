/* reports/explain/explain_timeline.h - a job's life in the columns of a bar.
 *
 * Each column of the bar is an equal part of the time from submission to end and
 * shows the state in which the job was longest.  Of causes only sums are known:
 * they divide the columns of the first wait by their shares, longest first.
 */
#ifndef REPORTS_EXPLAIN_EXPLAIN_TIMELINE_H
#define REPORTS_EXPLAIN_EXPLAIN_TIMELINE_H

#include "reports/explain/explain.h"

/* States of a job; of two that last equally long in a column, the later is shown. */
enum timeline_life { LIFE_WAITING, LIFE_AGAIN, LIFE_HOLDING, LIFE_RUNNING };

#define TIMELINE_LIVES 4

/* Marks below the bar: it starts, gives back, ends, goes on; several of these. */
#define TIMELINE_MARKS "^vx>*"
#define TIMELINE_MARK_COUNT (sizeof(TIMELINE_MARKS) - 1)

struct timeline_segment {
    int64_t from; /* since submission, as are all times here */
    enum timeline_life life;
};

struct timeline {
    const struct report_explained *job;
    int64_t length; /* microseconds, at least 1 */
    uint32_t columns;
    struct timeline_segment *segment; /* each lasts to the next */
    uint32_t segments;
    unsigned char *life; /* of each column */
    uint32_t *wait;      /* where it waits at first: which of the job's waits */
    char *mark;          /* below each column; ' ': nothing happens */
    bool has_mark[TIMELINE_MARK_COUNT]; /* behind '*', too */
};

/* For a job that was submitted before its end or the run's; for timeline_fini. */
void timeline_init(struct timeline *t, const struct report_explained *e,
                   uint32_t columns);
void timeline_fini(struct timeline *t);

/* The column in which a time of 0 to `length` lies. */
uint32_t timeline_column(const struct timeline *t, int64_t at);

#endif /* REPORTS_EXPLAIN_EXPLAIN_TIMELINE_H */
