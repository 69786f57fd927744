/* reports/explain/explain_timeline.h - a job's life in the columns of a bar.
 *
 * The bar has a column for each equal part of the time from submission to end,
 * and says of each what the job was longest in it.  Why it waited is known by
 * sums only, so that causes divide the columns of the first wait by their
 * shares, longest first.
 */
#ifndef REPORTS_EXPLAIN_EXPLAIN_TIMELINE_H
#define REPORTS_EXPLAIN_EXPLAIN_TIMELINE_H

#include "reports/explain/explain.h"

/* What a job is; of two that are as long in a column, the later is shown. */
enum timeline_life { LIFE_WAITING, LIFE_AGAIN, LIFE_HOLDING, LIFE_RUNNING };

#define TIMELINE_LIVES 4

/* What happens: it starts, gives back, ends, goes on; several of these. */
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

/* Of a job that is submitted before its end, or that of the run. */
void timeline_init(struct timeline *t, const struct report_explained *e,
                   uint32_t columns);
void timeline_fini(struct timeline *t);

/* The column in which a time of 0 to `length` lies. */
uint32_t timeline_column(const struct timeline *t, int64_t at);

#endif /* REPORTS_EXPLAIN_EXPLAIN_TIMELINE_H */
