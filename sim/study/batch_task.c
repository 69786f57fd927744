/* sim/study/batch_task.c - a task of an array of Slurm, see batch.h. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "reports/store/store.h"
#include "sim/study/batch.h"
#include "sim/study/sweep.h"

static int number_read(struct gs_input *in, uint64_t *n, struct gs_err *err)
{
    size_t len;
    char *line;
    const int got = gs_input_line(in, &line, &len, err);

    if (got == 1 && (gs_quantity_parse_u64(line, len, n) < 0 || *n > INT64_MAX))
        return gs_fail(
            err, GS_INPUT,
            (struct gs_mark){ gs_input_name(in), gs_input_line_number(in), 0 },
            "must be a whole number");
    return got;
}

static int points_read(struct sweep *s, const char *path, struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);
    uint32_t *point = NULL, count = 0, cap = 0;
    uint64_t first = 0, n = 0;
    int rc;

    if (!in)
        return -1;
    rc = number_read(in, &first, err);
    while (rc == 1 && (rc = number_read(in, &n, err)) == 1) {
        point = gs_array_grow(point, &cap, count + 1, sizeof(*point));
        point[count++] = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
        if (count > s->about.grid)
            break; /* which sweep_choose refuses */
    }
    gs_input_close(in);
    if (rc >= 0)
        rc = sweep_choose(s, point, count, (int64_t)first, err);
    gs_array_free(point);
    return rc;
}

int batch_task(struct sweep *s, const char *base, uint32_t jobs,
               struct gs_err *err)
{
    const char *part = gs_arena_printf(s->arena, "%s.part", base),
               *db = gs_arena_printf(s->arena, "%s.db", base);
    struct report_store *last;

    if (access(db, F_OK) == 0)
        return 0; /* Slurm started the task again after its end */
    if (points_read(s, gs_arena_printf(s->arena, "%s.points", base), err) < 0
        || sweep_begin(s, part, false, err) < 0 || sweep_run(s, jobs, err) < 0)
        return -1;
    last = report_store_open(part,
                             err); /* its close merges and removes the WAL */
    if (!last)
        return -1;
    report_store_close(last);
    /* A second process of this task, on a node that Slurm believed lost, may
     * still write `part`: then it is merged when no task is left. /
     */
    if (access(gs_arena_printf(s->arena, "%s-wal", part), F_OK) == 0)
        return 0;
    if (link(part, db) < 0 && errno != EEXIST)
        return gs_fail(err, GS_IO, (struct gs_mark){ .source = db },
                       "cannot be written: %s", strerror(errno));
    (void)unlink(
        part); /* another name of `db`, or of the second process's file */
    return 0;
}
