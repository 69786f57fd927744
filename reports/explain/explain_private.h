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

#endif /* REPORTS_EXPLAIN_EXPLAIN_PRIVATE_H */
