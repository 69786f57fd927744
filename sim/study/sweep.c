/* sim/study/sweep.c - the points of a sweep, see sweep.h. */
#include "sim/study/sweep.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "policies/profile/profile.h"
#include "reports/store/store.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/notes.h"
#include "sim/study/pool.h"
#include "sim/study/run.h"
#include "sim/study/sweep_private.h"

static const struct gs_mark nowhere = { 0 };

/* --- points --------------------------------------------------------------- */

static void points_describe(struct sweep *s, const uint32_t *point,
                            uint32_t count)
{
    const struct grid *g = &s->file.grid;
    struct report_sweep_point *p = gs_arena_alloc(s->arena, count, sizeof(*p));
    const char **value = gs_arena_alloc(s->arena, (size_t)count * g->axis_count,
                                        sizeof(*value));

    for (uint32_t i = 0; i < count; i++, value += g->axis_count) {
        p[i].point = point ? point[i] : i;
        p[i].run = grid_name(g, p[i].point, s->file.name, s->arena);
        p[i].value = value;
        for (uint32_t a = 0; a < g->axis_count; a++)
            value[a] = grid_choice(g, p[i].point, a)->value;
    }
    s->about.point = p;
    s->about.points = count;
    s->state = gs_arena_alloc(s->arena, count, sizeof(*s->state));
    s->todo = gs_arena_alloc(s->arena, count, sizeof(*s->todo));
}

static int name_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Check that names of runs are unique: different labels may give one name,
 * since they may contain '/'.
 */
static int names_check(struct sweep *s, struct gs_err *err)
{
    const char **name = gs_arena_alloc(s->arena, s->about.points,
                                       sizeof(*name));

    for (uint32_t i = 0; i < s->about.points; i++)
        name[i] = s->about.point[i].run;
    qsort(name, s->about.points, sizeof(*name), name_compare);
    for (uint32_t i = 1; i < s->about.points; i++) {
        if (strcmp(name[i - 1], name[i]) == 0)
            return gs_fail(err, GS_INPUT,
                           (struct gs_mark){ .source = s->file.path },
                           "two runs would be called '%.100s'", name[i]);
    }
    return 0;
}

int sweep_open(struct sweep *s, const char *path, bool tells,
               struct gs_err *err)
{
    const char **axis;

    *s = (struct sweep){ .arena = gs_arena_create(1 << 16),
                         .pair = UINT32_MAX,
                         .turns = -1,
                         .tells = tells };
    inputs_init(&s->in);
    if (strcmp(path, "-") == 0)
        return gs_fail(err, GS_USAGE, nowhere,
                       "a sweep is read more than once: standard input will "
                       "not do");
    if (sweep_file_read(&s->file, path, s->arena, err) < 0
        || sweep_files_read(s, err) < 0 || sweep_changes_check(s, err) < 0)
        return -1;
    axis = gs_arena_alloc(s->arena, GRID_AXES_MAX, sizeof(*axis));
    for (uint32_t a = 0; a < s->file.grid.axis_count; a++)
        axis[a] = s->file.grid.axis[a].name;
    s->about.name = s->file.name;
    s->about.version = GSIM_VERSION;
    s->about.grid = grid_points(&s->file.grid);
    s->about.axes = s->file.grid.axis_count;
    s->about.axis = axis;
    points_describe(s, NULL, s->about.grid);
    return names_check(s, err);
}

void sweep_close(struct sweep *s)
{
    inputs_fini(&s->in);
    gs_arena_destroy(s->arena);
}

int sweep_choose(struct sweep *s, const uint32_t *point, uint32_t count,
                 int64_t first_run, struct gs_err *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (point[i] >= s->about.grid || (i > 0 && point[i] <= point[i - 1]))
            return gs_fail(err, GS_INPUT, nowhere,
                           "the sweep has no point %u, or points are not in "
                           "order",
                           point[i]);
    }
    s->about.first_run = first_run;
    points_describe(s, point, count);
    return 0;
}

void sweep_count(struct sweep *s)
{
    s->done = s->failed = 0;
    for (uint32_t i = 0; i < s->about.points; i++) {
        s->done += s->state[i] == REPORT_POINT_DONE;
        s->failed += s->state[i] == REPORT_POINT_FAILED;
    }
}

/* --- stored --------------------------------------------------------------- */

int sweep_begin(struct sweep *s, const char *db, bool retries,
                struct gs_err *err)
{
    struct report_store *to = report_store_open(db, err);
    int rc;

    if (!to)
        return -1;
    s->db = db;
    rc = report_store_sweep_begin(to, &s->about, &s->place, s->state, err);
    if (rc == 0 && retries) {
        rc = report_store_sweep_retry(to, &s->place, err);
        for (uint32_t i = 0; i < s->about.points; i++) {
            if (s->state[i] == REPORT_POINT_FAILED)
                s->state[i] = REPORT_POINT_PENDING;
        }
    }
    report_store_close(to);
    sweep_count(s);
    return rc;
}

/* The other options that affect the run, as JSON. */
static const char *options_json(const struct sweep *s,
                                const struct study_run *run)
{
    const struct grid *g = &s->file.grid;
    json_t *set = json_array(), *all;

    for (uint32_t a = SWEEP_SET; a + 1 < g->axis_count; a++) {
        const struct grid_choice *c = grid_choice(g, run->point, a);

        for (uint32_t i = 0; i < c->change_count; i++)
            json_array_append_new(set, json_string(c->change[i]));
    }
    all = study_options_json(&s->in, run, &s->file.trace, set);
    json_object_set_new(all, "sweep", json_string(s->file.name));
    return study_json_keep(s->arena, all);
}

/* The policy of a point; the changes of the point are applied. */
static struct gsched_profile *point_change(struct sweep *s, uint32_t point,
                                           struct gs_err *err)
{
    const struct grid *g = &s->file.grid;
    struct gsched_profile *p = inputs_policy(
        &s->in, grid_choice(g, point, SWEEP_POLICY)->value, err);

    for (uint32_t a = SWEEP_SET; p && a + 1 < g->axis_count; a++) {
        if (sweep_choice_apply(s, p, grid_choice(g, point, a), err) < 0)
            return NULL;
    }
    return p && gsched_profile_check(p, err) == 0 ? p : NULL;
}

static int point_begin(void *ctx, uint32_t i, struct gs_err *err)
{
    struct sweep *s = ctx;

    return sweep_pair_load(s, s->about.point[s->todo[i]].point, err);
}

/* Called in its own process. */
static int point_run(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    struct sweep *s = ctx;
    const struct report_sweep_point *at = &s->about.point[s->todo[i]];
    const uint32_t last = s->file.grid.axis_count - 1;
    struct gsched_profile *const profile = point_change(s, at->point, err);
    struct study_run run = {
        .name = at->run,
        .policy = grid_choice(&s->file.grid, at->point, SWEEP_POLICY)->value,
        .profile = profile,
        .sim = { .until = s->file.until },
        .window = s->file.window,
        .large = s->file.large,
        .metrics_only = s->file.metrics_only,
        .place = &s->place,
        .point = at->point,
    };
    struct study_notes notes;
    struct report_store *to;
    struct study_outcome out;
    int rc;

    (void)answer; /* it is in the database */
    if (!run.profile || study_notes(&s->in, &profile, 1, &notes, err) < 0)
        return -1;
    run.options = options_json(s, &run);
    run.notes = study_notes_json(&s->in, &notes);
    /* names in the scenario are looked up in the changed topology */
    if (inputs_read_scenario(&s->in, s->file.scenario, err) < 0)
        return -1;
    run.sim.speed = s->in.speed;
    run.sim.scenario = s->in.scenario;
    /* checked when the file was read */
    run.sim.seed = strtoull(grid_choice(&s->file.grid, at->point, last)->value,
                            NULL, 10);
    to = report_store_open_in_turn(s->db, s->turns, err);
    if (!to)
        return -1;
    rc = study_run(&s->in, &run, to, &out, err);
    report_store_close(to);
    return rc;
}

static int failure_store(struct sweep *s, uint32_t i, const char *why,
                         struct gs_err *err)
{
    struct report_store *to = report_store_open_in_turn(s->db, s->turns, err);
    int rc;

    if (!to)
        return -1;
    rc = report_store_sweep_fail(to, &s->place, s->about.point[i].point, why,
                                 err);
    report_store_close(to); /* before the next process begins */
    return rc;
}

static int point_over(void *ctx, uint32_t i, const void *answer,
                      const struct gs_err *failure, struct gs_err *err)
{
    struct sweep *s = ctx;
    char why[512];

    (void)answer;
    i = s->todo[i];
    s->state[i] = failure ? REPORT_POINT_FAILED : REPORT_POINT_DONE;
    s->done += !failure;
    s->failed += failure != NULL;
    return failure ? failure_store(
               s, i, gs_err_format(failure, 0, why, sizeof(why)), err)
                   : 0;
}

static void points_tick(void *ctx)
{
    const struct sweep *s = ctx;

    if (s->progress)
        s->progress(s->progress_ctx, s);
}

uint32_t sweep_pending(struct sweep *s)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->about.points; i++) {
        if (s->state[i] == REPORT_POINT_PENDING)
            s->todo[count++] = i;
    }
    return count;
}

/* Start a process that keeps the database open.  The last process to close a
 * database in WAL mode copies the log into it and waits for the disk; without
 * the keeper each point would do so.  Returns 0 on failure, which costs time
 * only.
 */
static pid_t keeper_begin(const char *db)
{
    const pid_t parent = getpid(), pid = fork();
    sigset_t all;

    if (pid != 0)
        return pid < 0 ? 0 : pid;
    /* it ends only by a signal of this process, or with its parent */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent
        && report_store_open(db, NULL))
        pause();
    _exit(0);
}

/* End the keeper; 0 is allowed. */
static void keeper_end(pid_t keeper)
{
    if (keeper == 0)
        return;
    kill(keeper, SIGKILL);
    waitpid(keeper, NULL, 0);
}

int sweep_run(struct sweep *s, uint32_t jobs, struct gs_err *err)
{
    struct study_pool pool = { .jobs = jobs,
                               .begin = point_begin,
                               .point = point_run,
                               .over = point_over,
                               .tick = points_tick,
                               .ctx = s };
    FILE *turns = tmpfile();
    pid_t keeper;
    int rc;

    if (!turns)
        return gs_fail(err, GS_IO, nowhere, "cannot make a temporary file: %s",
                       strerror(errno));
    s->turns = fileno(turns);
    pool.count = sweep_pending(s);
    keeper = pool.count > 1 ? keeper_begin(s->db) : 0;
    rc = study_pool_run(&pool, err);
    keeper_end(keeper);
    s->signal = pool.signal;
    s->turns = -1;
    fclose(turns);
    return rc;
}
