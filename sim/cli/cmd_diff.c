/* sim/cli/cmd_diff.c - gsim diff: the first decision in which two runs part. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "reports/diff/diff.h"
#include "reports/diff/recordings.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/terminal.h"
#include "sim/study/inputs.h"
#include "sim/study/parting.h"

struct diff_options {
    uint64_t list;
    const char *format;
};

static const struct cmd_take take[] = {
    { .id = OPT_LIST, offsetof(struct diff_options, list), "5", .max = 1000 },
    { .id = OPT_FORMAT,
      offsetof(struct diff_options, format),
      "text",
      "text json" },
};

static const struct diff_options defaults = { .list = 5, .format = "text" };

/* The two runs and their databases. */
struct pair {
    struct report_store *store[2];
    struct report_choice run[2];
};

/* Open `path`, unless it is that of the first run. */
static int run_open(struct pair *p, int side, const char *path,
                    const char *name, struct gs_arena *arena,
                    struct gs_err *err)
{
    struct report_choice *choice;
    struct report_store *s = p->store[0];
    uint32_t count;

    if (!s || strcmp(report_store_path(s), path) != 0)
        s = p->store[side] = report_store_open_readonly(path, err);
    if (!s || report_choose(&s, 1, &name, 1, arena, &choice, &count, err) < 0)
        return -1;
    p->run[side] = choice[0];
    return 0;
}

/* "DB:RUN": the run is what follows the last colon after the name of a file. */
static int pair_open(struct pair *p, int side, const char *text,
                     struct gs_arena *arena, struct gs_err *err)
{
    for (const char *colon = strrchr(text, ':'); colon;) {
        const char *path = gs_arena_strndup(arena, text,
                                            (size_t)(colon - text));

        if (access(path, F_OK) == 0)
            return run_open(p, side, path, colon + 1, arena, err);
        while (colon > text && *--colon != ':')
            ;
        colon = colon > text ? colon : NULL;
    }
    return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                   "'%.100s' must be DB:RUN, with a database that exists",
                   text);
}

static int runs_open(struct pair *p, const struct cmd_call *call,
                     struct gs_err *err)
{
    struct gs_arena *arena = call->in->arena;

    for (int side = 0; side < 2; side++) {
        const int rc = call->count == 3
                           ? run_open(p, side, call->operand[0],
                                      call->operand[1 + side], arena, err)
                           : pair_open(p, side, call->operand[side], arena,
                                       err);

        if (rc < 0)
            return -1;
    }
    return 0;
}

/* True when both operands are files, so that they name no runs. */
static bool are_recordings(const struct cmd_call *call)
{
    return call->count == 2 && access(call->operand[0], F_OK) == 0
           && access(call->operand[1], F_OK) == 0;
}

static int recordings_run(const struct cmd_call *call,
                          const struct report_layout *layout,
                          struct gs_err *err)
{
    struct report_recordings r;

    if (report_recordings(call->operand, call->in->arena, &r, err) < 0)
        return -1;
    if (layout->format == REPORT_JSON)
        report_recordings_json(&r, stdout);
    else
        report_recordings_print(&r, stdout);
    return r.differs ? CMD_MISSED : CMD_OK;
}

static int runs_run(const struct cmd_call *call,
                    const struct report_layout *layout, struct gs_err *err)
{
    const struct diff_options *o = call->options;
    struct pair p = { .store = { NULL } };
    struct report_diff d = { .differs = false };
    int rc = runs_open(&p, call, err);

    if (rc == 0)
        rc = report_diff(&p.run[0], &p.run[1], (uint32_t)o->list,
                         call->in->arena, &d, err);
    if (rc == 0) {
        if (d.differs)
            study_parting(&d, call->in->arena);
        if (layout->format == REPORT_JSON)
            report_diff_json(&d, stdout);
        else
            report_diff_print(&d, (uint32_t)o->list, layout, stdout);
    }
    report_store_close(p.store[0]);
    report_store_close(p.store[1]);
    return rc < 0 ? -1 : d.differs ? CMD_MISSED : CMD_OK;
}

static int diff_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct diff_options *o = call->options;
    const struct report_layout layout = terminal_layout(o->format);

    return are_recordings(call) ? recordings_run(call, &layout, err)
                                : runs_run(call, &layout, err);
}

const struct cmd cmd_diff = {
    .name = "diff",
    .args = "DB A B | DB:A DB:B | FILE FILE [--list N] [--format F]",
    .summary = "show the first decision in which two runs part, and who gained",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 2,
    .most = 3,
    .needs = "a database and two runs are needed, or two recordings",
    .help = "The runs are of the same jobs.  Two FILEs are recordings of a "
            "scheduler's door.\nExit status 0: no decision differs; 1: one "
            "does.\n\n"
            "Examples:\n"
            "  gsim diff gsim.db binpack spread\n"
            "  gsim diff before.db:binpack after.db:binpack --format json\n",
    .run = diff_run,
};
