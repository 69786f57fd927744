/* import/slurm/sacct_cells.h - the cells of a row of accounting, and what they
 * say of its job.  Private to sacct_*.c.
 */
#ifndef SLURM_SACCT_CELLS_H
#define SLURM_SACCT_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "import/slurm/sacct_row.h"
#include "import/slurm/slurm_state.h"

/* What a number of GPUs that a job asks for is of. */
enum sacct_part { SACCT_OF_NODE, SACCT_OF_JOB, SACCT_OF_TASK, SACCT_PARTS };

/* A row that is read. */
struct sacct_row {
    struct slurm *s;
    const struct sacct_cell *cell; /* [SACCT_FIELDS] */
    struct slurm_place at;
    struct slurm_job job;
    struct {
        int64_t gpus;
        uint32_t type; /* string id; 0: any */
        uint32_t tasks;
    } asked[SACCT_PARTS]; /* by options, where no column tells the GPUs */
};

/* The job asks for GPUs: "2", "a100:2"; with names in a list of gres, "gpu:2",
 * "gpu:a100:2,tmpfs:1G", "gres/gpu:2".
 */
void sacct_gpus_ask(struct sacct_row *r, enum sacct_part of, bool has_names,
                    const char *text, size_t len);
/* Set the GPUs of a job of which no column tells any. */
void sacct_gpus_settle(struct sacct_row *r);

/* Tell that rows like this are left out; `f` is the cell to show, SACCT_FIELDS
 * for none.
 */
void sacct_row_left(struct sacct_row *r, const char *what, enum sacct_field f);

/* The first byte of a cell, and its end. */
const char *sacct_cell_begin(const struct sacct_cell *c, const char **end);
bool sacct_cell_is_empty(const struct sacct_cell *c);

/* Do the bytes begin with the text `with`? */
static inline bool sacct_text_begins(const char *text, size_t len,
                                     const char *with)
{
    const size_t n = strlen(with); /* a constant, mostly */

    return len >= n && memcmp(text, with, n) == 0;
}

/* Are times, numbers and the id of a row what their columns hold? */
bool sacct_cells_make_sense(const struct sacct_cell *cell);

/* Times of submission, start and end; the time elapsed and the limit; nodes,
 * CPUs, memory and GPUs of the job.  -1 for a row that is no use, which is
 * told.
 */
int sacct_times_read(struct sacct_row *r);
int sacct_spans_read(struct sacct_row *r);
int sacct_resources_read(struct sacct_row *r);

#endif /* SLURM_SACCT_CELLS_H */
