/* import/slurm/sacct_cells.c - see sacct_cells.h. */
#include "import/slurm/sacct_cells.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "import/slurm/slurm_values.h"

void sacct_row_left(struct sacct_row *r, const char *what, enum sacct_field f)
{
    const struct sacct_cell *c = &r->cell[f];
    char shown[40];
    char text[80] = "";

    if (f < SACCT_FIELDS && c->text && c->len) {
        (void)snprintf(text, sizeof(text), "%.*s",
                       (int)(c->len < 60 ? c->len : 60), c->text);
        slurm_tell(r->s, IMPORT_LEFT, &r->at, "rows %s (the first: '%s')", what,
                   gs_text_shown(text, shown, sizeof(shown)));
        return;
    }
    slurm_tell(r->s, IMPORT_LEFT, &r->at, "rows %s", what);
}

const char *sacct_cell_begin(const struct sacct_cell *c, const char **end)
{
    const char *text = c->text ? c->text : "";

    *end = text + (c->text ? c->len : 0);
    return text;
}

bool sacct_cell_is_empty(const struct sacct_cell *c)
{
    return !c->text || slurm_is_none(c->text, c->len);
}

/* Columns that hold numbers, or a word in capitals, where there are any. */
static bool is_of_form(const struct sacct_cell *c, const char *allowed)
{
    for (uint32_t i = 0; c->text && i < c->len; i++) {
        if (!strchr(allowed, c->text[i]))
            return false;
    }
    return true;
}

bool sacct_cells_make_sense(const struct sacct_cell *cell)
{
    static const enum sacct_field times[] = { SACCT_SUBMIT, SACCT_ELIGIBLE,
                                              SACCT_START, SACCT_END };
    static const enum sacct_field numbers[] = {
        SACCT_ELAPSED_RAW, SACCT_CPUS,     SACCT_ALLOC_CPUS,
        SACCT_NODES,       SACCT_REQ_CPUS,
    };
    const struct sacct_cell *id = &cell[SACCT_JOB_ID];

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (!is_of_form(&cell[numbers[i]], "0123456789.KMG"))
            return false;
    }
    if (!is_of_form(&cell[SACCT_ELAPSED], "0123456789:-."))
        return false;
    if (id->text && !sacct_is_job_id(id->text, id->len))
        return false;
    for (size_t i = 0; i < 4; i++) {
        const struct sacct_cell *c = &cell[times[i]];

        if (c->text && !sacct_is_time(c->text, c->len))
            return false;
    }
    return true;
}
