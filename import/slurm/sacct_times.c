/* import/slurm/sacct_times.c - times of a row of accounting, see sacct_cells.h.
 */
#include "base/duration.h"
#include "base/quantity.h"
#include "base/timezone.h"
#include "import/slurm/sacct_cells.h"
#include "import/slurm/slurm_values.h"

static int two(const char *p)
{
    const unsigned a = (unsigned)(p[0] - '0'), b = (unsigned)(p[1] - '0');

    return a > 9 || b > 9 ? -1 : (int)(a * 10 + b);
}

/* "2026-01-31T12:00:00" as seconds, as if it were UTC. */
static bool civil_read(const char *p, uint32_t len, int64_t *seconds)
{
    static const int before[] = { 0,   31,  59,  90,  120, 151,
                                  181, 212, 243, 273, 304, 334 };
    int y, m, d, h, min, sec;
    int64_t days;

    if (len != 19 || p[4] != '-' || p[7] != '-'
        || (p[10] != 'T' && p[10] != ' ') || p[13] != ':' || p[16] != ':')
        return false;
    y = two(p) * 100 + two(p + 2);
    m = two(p + 5);
    d = two(p + 8);
    h = two(p + 11);
    min = two(p + 14);
    sec = two(p + 17);
    if (two(p) < 0 || two(p + 2) < 0 || y < 1900 || m < 1 || m > 12 || d < 1
        || d > 31 || h < 0 || h > 23 || min < 0 || min > 59 || sec < 0
        || sec > 60)
        return false;
    days = (int64_t)y * 365 + (y - 1) / 4 - (y - 1) / 100 + (y - 1) / 400
           + before[m - 1] + d - 1 - 719527;
    if (m > 2 && y % 4 == 0 && (y % 100 || y % 400 == 0))
        days++;
    if (y % 4 == 0 && (y % 100 || y % 400 == 0)) {
        if (m == 2 && d > 29)
            return false;
    } else if (m == 2 && d > 28) {
        return false;
    }
    *seconds = days * 86400 + h * 3600 + min * 60 + sec;
    return true;
}

static int64_t local_utc(struct sacct_row *r, int64_t seconds)
{
    enum gs_zone_hour hour = GS_ZONE_PLAIN;

    if (!r->s->zone)
        return seconds;
    seconds = gs_zone_utc(r->s->zone, seconds, &hour);
    if (hour == GS_ZONE_TWICE)
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "times within the hour that clocks show twice are those of "
                   "the first");
    else if (hour == GS_ZONE_SKIPPED)
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "times within the hour that clocks skip are those of an "
                   "hour later");
    return seconds;
}

/* *us is SLURM_UNKNOWN for no time; -1 for a text that is none. */
static int time_read(struct sacct_row *r, enum sacct_field f, int64_t *us)
{
    const struct sacct_cell *c = &r->cell[f];
    uint64_t number;
    int64_t seconds;

    *us = SLURM_UNKNOWN;
    if (sacct_cell_is_empty(c))
        return 0;
    if (civil_read(c->text, c->len, &seconds)) {
        r->s->has_local_times = true;
        *us = local_utc(r, seconds) * GS_SECOND;
        return 0;
    }
    if (gs_quantity_parse_u64(c->text, c->len, &number) == 0) {
        if (number >= UINT64_C(100000000000))
            return -1;
        *us = number ? (int64_t)number * GS_SECOND : SLURM_UNKNOWN;
        return 0;
    }
    return gs_date_parse(c->text, c->len, us);
}

int sacct_times_read(struct sacct_row *r)
{
    static const struct {
        enum sacct_field field;
        size_t offset;
    } rows[] = {
        { SACCT_SUBMIT, offsetof(struct slurm_job, submit) },
        { SACCT_START, offsetof(struct slurm_job, start) },
        { SACCT_END, offsetof(struct slurm_job, end) },
    };
    struct slurm_job *j = &r->job;
    int64_t eligible;

    for (size_t i = 0; i < 3; i++) {
        char *to = (char *)j + rows[i].offset;

        if (time_read(r, rows[i].field, (int64_t *)(void *)to) < 0) {
            sacct_row_left(r, "with a time that is none", rows[i].field);
            return -1;
        }
    }
    if (time_read(r, SACCT_ELIGIBLE, &eligible) < 0) {
        sacct_row_left(r, "with a time that is none", SACCT_ELIGIBLE);
        return -1;
    }
    if (j->submit == SLURM_UNKNOWN)
        j->submit = eligible;
    j->queued = j->submit;
    if (eligible > j->submit)
        j->submit = eligible;
    if (j->submit == SLURM_UNKNOWN && j->start != SLURM_UNKNOWN) {
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "jobs without a time of submission are submitted when they "
                   "started");
        j->submit = j->queued = j->start;
    }
    if (j->submit == SLURM_UNKNOWN) {
        sacct_row_left(r, "without a time of submission", SACCT_FIELDS);
        return -1;
    }
    return 0;
}

int sacct_spans_read(struct sacct_row *r)
{
    const struct sacct_cell *elapsed = &r->cell[SACCT_ELAPSED];
    const struct sacct_cell *raw = &r->cell[SACCT_ELAPSED_RAW];
    const struct sacct_cell *limit = &r->cell[SACCT_LIMIT];
    const struct sacct_cell *minutes = &r->cell[SACCT_LIMIT_RAW];
    struct slurm_job *j = &r->job;
    uint64_t number;

    j->elapsed = j->limit = SLURM_UNKNOWN;
    if (!sacct_cell_is_empty(raw)) {
        if (gs_quantity_parse_u64(raw->text, raw->len, &number) < 0
            || number > UINT64_C(100000000000)) {
            sacct_row_left(r, "with an elapsed time that is none",
                           SACCT_ELAPSED_RAW);
            return -1;
        }
        j->elapsed = (int64_t)number * GS_SECOND;
    } else if (!sacct_cell_is_empty(elapsed)
               && slurm_elapsed_read(elapsed->text, elapsed->len, &j->elapsed)
                      < 0) {
        sacct_row_left(r, "with an elapsed time that is none", SACCT_ELAPSED);
        return -1;
    }
    if (sacct_cell_is_empty(minutes) && !sacct_cell_is_empty(limit))
        minutes = limit;
    if (sacct_cell_is_empty(minutes)
        || slurm_is_word(minutes->text, minutes->len, "Partition_Limit"))
        return 0;
    if (slurm_span_read(minutes->text, minutes->len, &j->limit) < 0)
        sacct_row_left(r, "with a time limit that is none: it is left out",
                       minutes == limit ? SACCT_LIMIT : SACCT_LIMIT_RAW);
    return 0;
}
