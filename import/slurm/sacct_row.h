/* import/slurm/sacct_row.h - one row of Slurm's accounting as a job. */
#ifndef SLURM_SACCT_ROW_H
#define SLURM_SACCT_ROW_H

#include <stdbool.h>
#include <stdint.h>

struct slurm;

/* Columns that are read. */
enum sacct_field {
    SACCT_JOB_ID,
    SACCT_JOB_ID_RAW,
    SACCT_JOB_NAME,
    SACCT_USER,
    SACCT_ACCOUNT,
    SACCT_PARTITION,
    SACCT_QOS,
    SACCT_SUBMIT,
    SACCT_ELIGIBLE,
    SACCT_START,
    SACCT_END,
    SACCT_ELAPSED,
    SACCT_ELAPSED_RAW,
    SACCT_LIMIT,
    SACCT_LIMIT_RAW,
    SACCT_STATE,
    SACCT_NODES,
    SACCT_ALLOC_NODES,
    SACCT_REQ_NODES,
    SACCT_CPUS,
    SACCT_ALLOC_CPUS,
    SACCT_REQ_CPUS,
    SACCT_REQ_MEMORY,
    SACCT_REQ_TRES,
    SACCT_ALLOC_TRES,
    SACCT_REQ_GRES,
    SACCT_ALLOC_GRES,
    SACCT_NODE_LIST,
    SACCT_RESERVATION,
    SACCT_CONSTRAINTS,
    SACCT_LICENSES,
    SACCT_SUBMIT_LINE,
    SACCT_DEPENDENCY,
    SACCT_NICE,
    SACCT_EXCLUSIVE,
    SACCT_PRIORITY,
    SACCT_REASON,
    SACCT_SEGMENT,
    SACCT_TASKS,
    SACCT_PER_NODE,
    SACCT_PER_JOB,
    SACCT_PER_TASK,
    SACCT_FIELDS
};

struct sacct_cell {
    const char *text; /* not NUL-terminated; NULL: there is no such column */
    uint32_t len;
};

/* The field of a column by its name, in letters of either case; SACCT_FIELDS
 * for one that is not read.  *is_known: Slurm has such a column.
 */
enum sacct_field sacct_field_find(const char *name, uint32_t len,
                                  bool *is_known);
/* Is it the name of a column, in the letters that sacct writes? */
bool sacct_column_is(const char *name, uint32_t len);
/* The known column whose name is nearest; NULL. */
const char *sacct_column_nearest(const char *name);

/* Why a job cannot be made of these columns; NULL: it can. */
const char *sacct_columns_lack(const bool *has);

/* Does the text look like the id of a job or of a step? */
bool sacct_is_job_id(const char *text, uint32_t len);
/* ... like a time, or one of the words for none? */
bool sacct_is_time(const char *text, uint32_t len);

/* Take a row: cell[SACCT_FIELDS].  What it became is counted, and a row that is
 * no use is told with its line.
 */
void sacct_row_take(struct slurm *s, const struct sacct_cell *cell, int line);

#endif /* SLURM_SACCT_ROW_H */
