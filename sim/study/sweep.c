/* sim/study/sweep.c - sweeps, see sweep.h. */
#include "sim/study/sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "policies/profile/profile.h"
#include "reports/store/store.h"
#include "sim/study/change.h"
#include "sim/study/keeper.h"
#include "sim/study/notes.h"
#include "sim/study/pool.h"
#include "sim/study/run.h"

static const struct gs_mark nowhere = { 0 };

/* --- what it is made from ---------------------------------------------------------- */

static uint32_t topologies(const struct sweep *s)
{
    return s->file.grid.axis[SWEEP_TOPOLOGY].count;
}

static uint32_t pairs(const struct sweep *s)
{
    return s->file.grid.axis[SWEEP_TRACE].count * topologies(s);
}

/* The pair of trace and topology that point `point` of the grid needs. */
static uint32_t pair_of(const struct sweep *s, uint32_t point)
{
    return point / (grid_points(&s->file.grid) / pairs(s));
}

static int pair_read(struct sweep *s, uint32_t pair, struct gs_err *err)
{
    const struct grid *g = &s->file.grid;
    const char *trace = g->axis[SWEEP_TRACE].choice[pair / topologies(s)].value;
    const char *topology =
        g->axis[SWEEP_TOPOLOGY].choice[pair % topologies(s)].value;
    struct gs_err why = { 0 };
    const struct gs_problem *p = &why.problem[0];

    if (strcmp(trace, "-") == 0 || strcmp(topology, "-") == 0)
        return gs_fail(err, GS_USAGE,
                       (struct gs_mark){ .source = s->file.path },
                       "a sweep reads what it names more than once: standard "
                       "input will not do");
    inputs_fini(&s->in);
    inputs_init(&s->in);
    s->pair = pair;
    if (inputs_read(&s->in, trace, topology[0] ? topology : NULL,
                    &s->file.trace, &why)
            == 0
        && inputs_read_speed(&s->in, s->file.speed, &why) == 0
        && inputs_read_scenario(&s->in, s->file.scenario, &why) == 0)
        return 0;
    if (why.code == GS_USAGE) /* of which a command line would be guilty */
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = trace },
                       "names no topology: %s must, under 'topologies'",
                       s->file.path);
    return gs_fail(
        err, why.code,
        (struct gs_mark){ p->source[0] ? p->source : NULL, p->line, p->column },
        "%s", p->text);
}

/* Where the files of a pair stand in about.file. */
static struct report_sweep_file *pair_files(const struct sweep *s,
                                            struct report_sweep_file *file,
                                            uint32_t pair)
{
    return file + 1 + s->file.grid.axis[SWEEP_POLICY].count + 2 * (size_t)pair;
}

static int changed(const char *path, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                   "has changed since the sweep began");
}

/* The speed model and the scenario are the last files. */
static int models_check(const struct sweep *s, struct gs_err *err)
{
    const struct report_sweep_file *last = s->about.file + s->about.files;

    if (s->file.scenario && (--last)->hash != s->in.scenario_hash)
        return changed(last->path, err);
    if (s->file.speed && (--last)->hash != s->in.speed_hash)
        return changed(last->path, err);
    return 0;
}

static int pair_load(struct sweep *s, uint32_t pair, struct gs_err *err)
{
    const struct report_sweep_file *was =
        s->about.file + 1 + s->file.grid.axis[SWEEP_POLICY].count
        + 2 * (size_t)pair;

    if (s->pair == pair)
        return 0;
    if (pair_read(s, pair, err) < 0)
        return -1;
    if (models_check(s, err) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        if (was[i].hash != (i ? s->in.topology_hash : s->in.trace_hash))
            return changed(was[i].path, err);
    }
    return 0;
}

/* FNV-1a 64, as of files. */
static uint64_t text_hash(const char *text)
{
    uint64_t h = UINT64_C(14695981039346656037);

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return h;
}

static const char *kept(const struct sweep *s, const char *text)
{
    return gs_arena_strndup(s->arena, text, strlen(text));
}

/* Add what the trace that is loaded states without effect under the policies:
 * of several topologies, what is stated beside each is told once.
 */
static int notes_add(struct sweep *s, struct study_notes *all,
                     struct gs_err *err)
{
    const struct grid_axis *a = &s->file.grid.axis[SWEEP_POLICY];
    struct gsched_profile **profile = gs_arena_alloc(s->in.arena, a->count,
                                                     sizeof(*profile));
    struct study_notes notes;

    for (uint32_t i = 0; i < a->count; i++) {
        profile[i] = inputs_policy(&s->in, a->choice[i].value, err);
        if (!profile[i])
            return -1;
    }
    if (study_notes(&s->in, profile, a->count, &notes, err) < 0)
        return -1;
    for (uint32_t i = 0; i < notes.count; i++)
        study_notes_add(all, kept(s, notes.text[i]));
    return 0;
}

/* In the order of the file, with the trace's name where there are several. */
static void notes_show(const struct sweep *s, const struct study_notes *notes)
{
    const struct grid_axis *a = &s->file.grid.axis[SWEEP_TRACE];

    for (uint32_t t = 0; s->tells && t < a->count; t++) {
        for (uint32_t i = 0; i < notes[t].count; i++)
            fprintf(stderr, "gsim: note: %s%s%s\n",
                    a->count > 1 ? a->choice[t].value : "",
                    a->count > 1 ? ": " : "", notes[t].text[i]);
    }
}

static int policies_read(struct sweep *s, struct report_sweep_file *file,
                         struct gs_err *err)
{
    const struct grid_axis *a = &s->file.grid.axis[SWEEP_POLICY];
    char text[240];

    for (uint32_t i = 0; i < a->count; i++) {
        struct gs_err why = { 0 };
        const struct gsched_profile *p = inputs_policy(
            &s->in, a->choice[i].value, &why);

        if (!p || gsched_profile_check(p, &why) < 0)
            return gs_fail(
                err, GS_INPUT, (struct gs_mark){ .source = s->file.path },
                "'policies': %s", gs_err_format(&why, 0, text, sizeof(text)));
        file[i].path = a->choice[i].value;
        file[i].hash = text_hash(gsched_profile_text(p, s->in.arena));
    }
    return 0;
}

/* Everything is read once before anything is stored. */
static int files_read(struct sweep *s, struct gs_err *err)
{
    const uint32_t policies = s->file.grid.axis[SWEEP_POLICY].count;
    struct report_sweep_file *file;
    struct study_notes *notes = gs_arena_alloc(
        s->arena, s->file.grid.axis[SWEEP_TRACE].count, sizeof(*notes));

    s->about.files = 1 + policies + 2 * pairs(s) + (s->file.speed != NULL)
                     + (s->file.scenario != NULL);
    file = gs_arena_alloc(s->arena, s->about.files, sizeof(*file));
    s->about.file = file;
    file[0] = (struct report_sweep_file){ s->file.path, s->file.hash };
    if (policies_read(s, file + 1, err) < 0)
        return -1;
    /* the first one last: it is the one to begin with */
    for (uint32_t i = pairs(s); i-- > 0;) {
        struct report_sweep_file *f = pair_files(s, file, i);

        if (pair_read(s, i, err) < 0
            || notes_add(s, &notes[i / topologies(s)], err) < 0)
            return -1;
        f[0] = (struct report_sweep_file){ kept(s, s->in.trace_path),
                                           s->in.trace_hash };
        f[1] = (struct report_sweep_file){ kept(s, s->in.topology_path),
                                           s->in.topology_hash };
    }
    notes_show(s, notes);
    file += s->about.files;
    if (s->file.scenario)
        *--file = (struct report_sweep_file){ s->file.scenario,
                                              s->in.scenario_hash };
    if (s->file.speed)
        *--file = (struct report_sweep_file){ s->file.speed, s->in.speed_hash };
    return 0;
}

/* --- changes ----------------------------------------------------------------------- */

static int choice_apply(struct sweep *s, struct gsched_profile *p,
                        const struct grid_choice *c, struct gs_err *err)
{
    for (uint32_t i = 0; i < c->change_count; i++) {
        if (study_change_apply(&s->in, p, c->change[i], err) < 0)
            return -1;
    }
    return 0;
}

/* Choice `i` of all those of the axes that change something; NULL: there are
 * fewer.
 */
static const struct grid_choice *choice_at(const struct grid *g, uint32_t i)
{
    for (uint32_t a = SWEEP_SET; a + 1 < g->axis_count; a++) {
        if (i < g->axis[a].count)
            return &g->axis[a].choice[i];
        i -= g->axis[a].count;
    }
    return NULL;
}

static int choice_try(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    struct sweep *s = ctx;
    const struct grid *g = &s->file.grid;
    struct gsched_profile *p = inputs_policy(
        &s->in, g->axis[SWEEP_POLICY].choice[0].value, err);

    (void)answer; /* that it can be done is all */
    if (!p || choice_apply(s, p, choice_at(g, i), err) < 0)
        return -1;
    return gsched_profile_check(p, err);
}

static int choice_tried(void *ctx, uint32_t i, const void *answer,
                        const struct gs_err *failure, struct gs_err *err)
{
    const struct sweep *s = ctx;
    const struct grid_choice *c = choice_at(&s->file.grid, i);

    (void)answer;
    if (!failure)
        return 0;
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = s->file.path },
                   "'%.60s': %s", c->label, failure->problem[0].text);
}

/* Each in a process of its own, one after the other, so that the first mistake
 * is the one to be told.
 */
static int changes_check(struct sweep *s, struct gs_err *err)
{
    struct study_pool pool = {
        .jobs = 1, .point = choice_try, .over = choice_tried, .ctx = s
    };
    int rc;

    while (choice_at(&s->file.grid, pool.count))
        pool.count++;
    rc = study_pool_run(&pool, err);
    s->signal = pool.signal;
    return rc;
}

/* --- points ------------------------------------------------------------------------ */

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

/* Labels that differ may still make one name, by the '/' in them. */
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
        || files_read(s, err) < 0 || changes_check(s, err) < 0)
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

/* --- stored -------------------------------------------------------------------------- */

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

static void hash_put(json_t *all, const char *name, uint64_t hash)
{
    char text[20];

    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    json_object_set_new(all, name, json_string(text));
}

/* What else the run depends on, as of gsim replay. */
static const char *options_json(const struct sweep *s, uint32_t point)
{
    const struct sweep_file *f = &s->file;
    json_t *set = json_array(), *all;
    const char *text;
    char *dumped;

    for (uint32_t a = SWEEP_SET; a + 1 < f->grid.axis_count; a++) {
        const struct grid_choice *c = grid_choice(&f->grid, point, a);

        for (uint32_t i = 0; i < c->change_count; i++)
            json_array_append_new(set, json_string(c->change[i]));
    }
    all = json_pack("{s:I, s:I, s:I, s:I, s:s, s:o}", "until",
                    (json_int_t)(f->until == SIM_FOREVER ? -1 : f->until),
                    "limit", (json_int_t)f->trace.limit, "task_size",
                    (json_int_t)f->trace.task_size, "large",
                    (json_int_t)f->large, "sweep", f->name, "set", set);
    study_window_json(all, &f->window);
    if (f->speed)
        json_object_set_new(all, "speed", json_string(f->speed));
    if (f->scenario)
        json_object_set_new(all, "world", json_string(f->scenario));
    if (s->in.speed_hash)
        hash_put(all, "speed_hash", s->in.speed_hash);
    if (f->scenario)
        hash_put(all, "world_hash", s->in.scenario_hash);
    dumped = json_dumps(all, JSON_SORT_KEYS);
    text = kept(s, dumped ? dumped : "{}");
    free(dumped);
    json_decref(all);
    return text;
}

/* The policy of a point, with all that the point changes. */
static struct gsched_profile *point_change(struct sweep *s, uint32_t point,
                                           struct gs_err *err)
{
    const struct grid *g = &s->file.grid;
    struct gsched_profile *p = inputs_policy(
        &s->in, grid_choice(g, point, SWEEP_POLICY)->value, err);

    for (uint32_t a = SWEEP_SET; p && a + 1 < g->axis_count; a++) {
        if (choice_apply(s, p, grid_choice(g, point, a), err) < 0)
            return NULL;
    }
    return p && gsched_profile_check(p, err) == 0 ? p : NULL;
}

static int point_begin(void *ctx, uint32_t i, struct gs_err *err)
{
    struct sweep *s = ctx;

    return pair_load(s, pair_of(s, s->about.point[s->todo[i]].point), err);
}

/* In a process of its own. */
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
        .options = options_json(s, at->point),
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
    run.notes = study_notes_json(&s->in, &notes);
    /* a scenario is of the nodes as they are now */
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
    for (uint32_t i = 0; i < s->about.points; i++) {
        if (s->state[i] == REPORT_POINT_PENDING)
            s->todo[pool.count++] = i;
    }
    keeper = pool.count > 1 ? study_keeper_begin(s->db) : 0;
    rc = study_pool_run(&pool, err);
    study_keeper_end(keeper);
    s->signal = pool.signal;
    s->turns = -1;
    fclose(turns);
    return rc;
}
