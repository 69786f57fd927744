/* reports/explain/explain_private.h - functions shared by the files of explain.
 */
#ifndef REPORTS_EXPLAIN_EXPLAIN_PRIVATE_H
#define REPORTS_EXPLAIN_EXPLAIN_PRIVATE_H

#include "reports/explain/explain.h"
#include "reports/store/store.h"

#define EXPLAIN_CELL 64 /* bytes of a time, a list of devices ... */

/* Find the number of the named run, and of the named job. */
int explain_find_run(struct report_store *s, const char *name,
                     struct gs_arena *arena, struct report_stored_run *out,
                     struct gs_err *err);
int explain_find_job(struct report_store *s,
                     const struct report_stored_run *run, const char *text,
                     struct gs_arena *arena, int64_t *out, struct gs_err *err);

/* Print a heading, bold on a terminal with colours. */
void explain_heading(const struct report_layout *l, const char *text,
                     FILE *out);

/* A bar over time with its axis and legend; nothing when no time passed. */
void explain_timeline_print(const struct report_explained *e,
                            const struct report_layout *layout, FILE *out);
/* Print the speed of the job and its source; nothing when neither was recorded.
 */
void explain_segments_print(const struct report_explained *e, bool has_colour,
                            FILE *out);

void explain_json(const struct report_explained *e, FILE *out);

/* --- the columns of the bar, explain_timeline.c --------------------------- */

/* States of a job; of two that last equally long in a column, the later one is
 * shown.
 */
enum timeline_life { LIFE_WAITING, LIFE_AGAIN, LIFE_HOLDING, LIFE_RUNNING };

#define TIMELINE_LIVES 4

/* Marks below the bar: start, eviction, end, goes on after the bar; several of
 * these.
 */
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
    struct timeline_segment *segment; /* each lasts until the next */
    uint32_t segments;
    unsigned char *life; /* of each column */
    uint32_t *wait;      /* for LIFE_WAITING: index of the wait */
    char *mark;          /* mark below each column; ' ': none */
    bool has_mark[TIMELINE_MARK_COUNT]; /* marks that occur, also those
                                           merged into '*' */
};

/* Initialise for a job that was submitted before its end or that of the run;
 * freed by timeline_fini().
 */
void timeline_init(struct timeline *t, const struct report_explained *e,
                   uint32_t columns);
void timeline_fini(struct timeline *t);

/* The column of a time from 0 to `length`. */
uint32_t timeline_column(const struct timeline *t, int64_t at);

#endif /* REPORTS_EXPLAIN_EXPLAIN_PRIVATE_H */
