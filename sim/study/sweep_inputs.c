/* sim/study/sweep_inputs.c - the traces, topologies, policies and changes of a
 * sweep: all are read once before anything is stored, then one pair of trace
 * and topology at a time.
 */
#include "sim/study/sweep_private.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "policies/profile/profile.h"
#include "sim/study/change.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/notes.h"
#include "sim/study/pool.h"

#define PAIR_FILES 4 /* at most: trace, topology, speed model, scenario */

/* --- what it is made from ------------------------------------------------- */

static uint32_t topologies(const struct sweep *s)
{
    return s->file.grid.axis[SWEEP_TOPOLOGY].count;
}

static uint32_t pairs(const struct sweep *s)
{
    return s->file.grid.axis[SWEEP_TRACE].count * topologies(s);
}

static int pair_read(struct sweep *s, uint32_t pair, struct gs_err *err)
{
    const struct grid *g = &s->file.grid;
    const char *trace = g->axis[SWEEP_TRACE].choice[pair / topologies(s)].value;
    const char *topology =
        g->axis[SWEEP_TOPOLOGY].choice[pair % topologies(s)].value;
    struct gs_err why = { 0 };

    if (strcmp(trace, "-") == 0 || strcmp(topology, "-") == 0)
        return gs_fail(err, GS_USAGE,
                       (struct gs_mark){ .source = s->file.path },
                       "a sweep reads what it names more than once: standard "
                       "input will not do");
    inputs_fini(&s->in);
    inputs_init(&s->in);
    s->pair = pair;
    if (source_options_take(&s->file.sources, &s->in, err) < 0)
        return -1;
    if (inputs_read(&s->in, trace, topology[0] ? topology : NULL,
                    &s->file.trace, &why)
            == 0
        && inputs_read_speed(&s->in, s->file.speed, &why) == 0
        && inputs_read_scenario(&s->in, s->file.scenario, &why) == 0)
        return 0;
    if (why.code == GS_USAGE) /* here it is a mistake in a file */
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = trace },
                       "names no topology: %s must, under 'topologies'",
                       s->file.path);
    gs_err_append(err, &why);
    return -1;
}

/* The loaded files, the trace and the topology first.  Returns their number. */
static uint32_t files_now(const struct sweep *s, struct report_sweep_file *file)
{
    uint32_t n = 0;

    file[n++] = (struct report_sweep_file){ s->in.trace_path,
                                            s->in.trace_hash };
    file[n++] = (struct report_sweep_file){ s->in.topology_path,
                                            s->in.topology_hash };
    if (s->file.speed)
        file[n++] = (struct report_sweep_file){ s->file.speed,
                                                s->in.speed_hash };
    if (s->file.scenario)
        file[n++] = (struct report_sweep_file){ s->file.scenario,
                                                s->in.scenario_hash };
    return n;
}

/* The index in about.file of file `i` of `n` of the loaded pair: about.file has
 * the sweep, the policies, two files of each pair, and the files common to all
 * pairs.
 */
static uint32_t place_of(const struct sweep *s, uint32_t i, uint32_t n)
{
    return i < 2 ? 1 + s->file.grid.axis[SWEEP_POLICY].count + 2 * s->pair + i
                 : s->about.files - n + i;
}

int sweep_pair_load(struct sweep *s, uint32_t point, struct gs_err *err)
{
    const uint32_t pair = point / (grid_points(&s->file.grid) / pairs(s));
    struct report_sweep_file now[PAIR_FILES];
    uint32_t n;

    if (s->pair == pair)
        return 0;
    if (pair_read(s, pair, err) < 0)
        return -1;
    n = files_now(s, now);
    for (uint32_t i = 0; i < n; i++) {
        const struct report_sweep_file *was = &s->about.file[place_of(s, i, n)];

        if (was->hash != now[i].hash)
            return gs_fail(err, GS_INPUT,
                           (struct gs_mark){ .source = was->path },
                           "has changed since the sweep began");
    }
    return 0;
}

/* FNV-1a 64, as for files. */
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

/* Add the notes of the loaded pair under all policies; a note that is the same
 * with several topologies is added once.
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

/* Print the notes in the order of the file, with the name of the trace if there
 * are several.
 */
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

int sweep_files_read(struct sweep *s, struct gs_err *err)
{
    const uint32_t policies = s->file.grid.axis[SWEEP_POLICY].count;
    struct report_sweep_file *file, now[PAIR_FILES];
    struct study_notes *notes = gs_arena_alloc(
        s->arena, s->file.grid.axis[SWEEP_TRACE].count, sizeof(*notes));

    s->about.files = 1 + policies + 2 * pairs(s) + (s->file.speed != NULL)
                     + (s->file.scenario != NULL);
    file = gs_arena_alloc(s->arena, s->about.files, sizeof(*file));
    s->about.file = file;
    file[0] = (struct report_sweep_file){ s->file.path, s->file.hash };
    if (policies_read(s, file + 1, err) < 0)
        return -1;
    /* the first pair last: it stays loaded */
    for (uint32_t pair = pairs(s); pair-- > 0;) {
        uint32_t n;

        if (pair_read(s, pair, err) < 0
            || notes_add(s, &notes[pair / topologies(s)], err) < 0)
            return -1;
        n = files_now(s, now);
        for (uint32_t i = 0; i < n; i++)
            file[place_of(s, i, n)] =
                (struct report_sweep_file){ kept(s, now[i].path), now[i].hash };
    }
    notes_show(s, notes);
    return 0;
}

/* --- changes -------------------------------------------------------------- */

int sweep_choice_apply(struct sweep *s, struct gsched_profile *p,
                       const struct grid_choice *c, struct gs_err *err)
{
    for (uint32_t i = 0; i < c->change_count; i++) {
        if (study_change_apply(&s->in, p, c->change[i], err) < 0)
            return -1;
    }
    return 0;
}

/* Choice `i` among all choices that change something; NULL: there are fewer. */
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

    (void)answer; /* only the success matters */
    if (!p || sweep_choice_apply(s, p, choice_at(g, i), err) < 0)
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

/* Try the changes one after the other, each in its own process, so that the
 * first mistake is reported.
 */
int sweep_changes_check(struct sweep *s, struct gs_err *err)
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

/* --- is it there? --------------------------------------------------------- */

/* Check that the file can be opened, without reading it: traces may be large,
 * and many.
 */
static int file_check(const char *path, struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);

    if (!in)
        return -1;
    gs_input_close(in);
    return 0;
}

static int policy_check(const char *from, const char *spec, struct gs_err *err)
{
    struct gsched_profile *p;
    struct inputs in;
    int rc;

    inputs_init(&in);
    p = inputs_policy_in(&in, from, spec, err);
    rc = p ? gsched_profile_check(p, err) : -1;
    inputs_fini(&in);
    return rc;
}

int sweep_file_check(const struct sweep_file *f, struct gs_err *err)
{
    int rc = 0;

    for (uint32_t a = SWEEP_TRACE; a < SWEEP_SET && a < f->grid.axis_count;
         a++) {
        const struct grid_axis *axis = &f->grid.axis[a];

        for (uint32_t i = 0; i < axis->count; i++) {
            const char *value = axis->choice[i].value;

            if (value[0] == '\0') /* the topology that the trace names */
                continue;
            if ((a == SWEEP_POLICY ? policy_check(f->path, value, err)
                                   : file_check(value, err))
                < 0)
                rc = -1;
            if (rc < 0 && !gs_err_wants_more(err))
                return -1;
        }
    }
    return rc;
}
