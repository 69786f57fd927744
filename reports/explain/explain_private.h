/* reports/explain/explain_private.h - what the files of explain share. */
#ifndef REPORTS_EXPLAIN_EXPLAIN_PRIVATE_H
#define REPORTS_EXPLAIN_EXPLAIN_PRIVATE_H

#include "reports/explain/explain.h"
#include "reports/store/store.h"

#define EXPLAIN_CELL 64 /* bytes of a time, a list of devices ... */

/* The number of the run and of the job that are meant. */
int explain_find_run(struct report_store *s, const char *name,
                     struct gs_arena *arena, struct report_stored_run *out,
                     struct gs_err *err);
int explain_find_job(struct report_store *s,
                     const struct report_stored_run *run, const char *text,
                     struct gs_arena *arena, int64_t *out, struct gs_err *err);

/* "0-3,7" in buf of `size` bytes; cut short by "..." if need be. */
const char *explain_devices(uint64_t devices, char *buf, size_t size);

/* Bold, where there are colours. */
void explain_heading(const struct report_layout *l, const char *text,
                     FILE *out);

/* A bar over time with its axis and legend; nothing when no time passed. */
void explain_timeline_print(const struct report_explained *e,
                            const struct report_layout *layout, FILE *out);
/* Its speed and the reason; nothing when neither was told. */
void explain_segments_print(const struct report_explained *e, bool has_colour,
                            FILE *out);

void explain_json(const struct report_explained *e, FILE *out);

/* --- the columns of the bar, explain_timeline.c --------------------------- */

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

#endif /* REPORTS_EXPLAIN_EXPLAIN_PRIVATE_H */
