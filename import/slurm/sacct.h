/* import/slurm/sacct.h - exports of Slurm's accounting, and its JSON. */
#ifndef SLURM_SACCT_H
#define SLURM_SACCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct gs_input;
struct slurm;

/* What a text is, by its first bytes. */
enum sacct_form {
    SACCT_NONE,
    SACCT_TABLE, /* a header of sacct's columns */
    SACCT_BARE,  /* rows of jobs without a header */
    SACCT_PAIRS, /* rows of "JobID=1,State=..." */
};

enum sacct_form sacct_recognise(const char *head, size_t size);

/* The byte between the columns of a header; '\0': the line is none. */
char sacct_delimiter_find(const char *line, size_t len);
/* How often the line has the byte. */
uint32_t sacct_delimiter_count(const char *line, size_t len, char c);

/* Read rows, one after another.  With s->columns (a comma list) rows have these
 * columns and there is no header.  -1 when columns are missing; rows that are
 * no use are told.
 */
int sacct_text_read(struct slurm *s, struct gs_input *in, struct gs_err *err);

/* The answer of sacct --json, squeue --json, sinfo --json or scontrol --json:
 * jobs and nodes, one at a time.
 */
int slurm_json_read(struct slurm *s, struct gs_input *in, struct gs_err *err);
/* Do these first bytes of JSON begin such an answer? */
bool slurm_json_is(const char *head, size_t size);
/* ... with jobs, as far as they tell? */
bool slurm_json_has_jobs(struct gs_input *in);

#endif /* SLURM_SACCT_H */
