/* sim/cli/gate_suite.c - replaying a suite, see gate_suite.h. */
#include "sim/cli/gate_suite.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "policies/profile/profile.h"
#include "reports/store/decisions.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/run.h"
#include "sim/study/source_options.h"

#define SEED 42
#define RUNS_MAX 1000u

struct suite_entry {
    const char *name, *trace, *policy, *speed, *scenario;
    const struct gs_ynode *rules;
    int64_t until;
    struct source_options sources;
};

#define AT(field) offsetof(struct suite_entry, field)

static const struct gs_yfield fields[] = {
    { "name", gs_yread_text, AT(name), true },
    { "trace", gs_yread_text, AT(trace), true },
    { "policy", gs_yread_text, AT(policy), true },
    { "speed", gs_yread_text, AT(speed), false },
    { "world", gs_yread_text, AT(scenario), false },
    { "until", gs_yread_duration, AT(until), false },
    { "sources", source_options_read, AT(sources), false },
    { "rules", gs_yread_node, AT(rules), true },
};

static const struct gs_yfield root_fields[] = {
    { "runs", gs_yread_node, 0, true },
};

/* --- one replay ----------------------------------------------------------- */

/* Read all files of the run into `in`.  Returns the policy, or NULL on failure.
 */
static struct gsched_profile *entry_open(const char *suite,
                                         const struct suite_entry *e,
                                         struct gs_arena *arena,
                                         struct inputs *in, struct gs_err *err)
{
    const struct trace_options o = { 0 };
    const bool is_path = strchr(e->policy, '/');
    const char *speed = e->speed && strchr(e->speed, '/')
                            ? gs_input_beside(arena, suite, e->speed)
                            : e->speed;
    const char *scenario = e->scenario
                               ? gs_input_beside(arena, suite, e->scenario)
                               : NULL;
    struct gsched_profile *p = inputs_policy_in(
        in, suite,
        is_path ? gs_input_beside(arena, suite, e->policy) : e->policy, err);

    if (!p || gsched_profile_check(p, err) < 0
        || source_options_take(&e->sources, in, err) < 0
        || inputs_read(in, gs_input_beside(arena, suite, e->trace), NULL, &o,
                       err)
               < 0
        || inputs_read_speed(in, speed, err) < 0
        || inputs_read_scenario(in, scenario, err) < 0)
        return NULL;
    return p;
}

/* Read all files of the run and, unless `out` is NULL, replay it. */
static int entry_replay(const char *suite, const struct suite_entry *e,
                        struct gs_arena *arena, struct report_figures *out,
                        struct gs_err *err)
{
    struct study_run r = { .sim = { .seed = SEED, .until = e->until },
                           .window = REPORT_WINDOW_WHOLE,
                           .large = REPORT_LARGE,
                           .decisions = arena };
    struct study_outcome run;
    struct inputs in;
    int rc = -1;

    inputs_init(&in);
    r.profile = entry_open(suite, e, arena, &in, err);
    if (r.profile) {
        r.sim.scenario = in.scenario;
        r.sim.speed = in.speed;
        rc = out ? study_run(&in, &r, NULL, &run, err) : 0;
    }
    if (rc == 0 && out) {
        report_figures_take(e->name, run.row, run.rows, arena, out);
        out->decided = run.decided;
        out->decisions = report_decisions_digest(run.decided, arena);
    }
    inputs_fini(&in);
    return rc;
}

/* --- the suite ------------------------------------------------------------ */

static int entry_take(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct gs_arena *arena, struct gate_suite *s,
                      bool is_replay, struct gs_err *err)
{
    const uint32_t i = s->now.runs;
    struct suite_entry e = { .until = SIM_FOREVER,
                             .sources = SOURCE_OPTIONS_NONE };
    int rc = gs_ynode_fields(c, v, "run", fields,
                             sizeof(fields) / sizeof(fields[0]), &e, err);

    if (e.rules
        && report_rules_parse(c->source, e.rules, arena, &s->rules[i], err) < 0)
        rc = -1;
    if (e.name && report_figure_set_find(&s->now, e.name))
        rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                     "two runs are called '%.60s'", e.name);
    else if (e.name)
        s->now.run[s->now.runs++].run = e.name;
    if (rc < 0 && (is_replay || !e.trace || !e.policy))
        return -1;
    return rc
           | entry_replay(c->source, &e, arena,
                          is_replay ? &s->now.run[i] : NULL, err);
}

static int entries_take(const struct gs_yctx *c, const struct gs_ynode *runs,
                        struct gs_arena *arena, struct gate_suite *s,
                        bool is_replay, struct gs_err *err)
{
    int rc = 0;

    for (const struct gs_ynode *v = runs->child; v; v = v->next) {
        if (entry_take(c, v, arena, s, is_replay, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

static int suite_parse(const char *path, const struct gs_ynode *root,
                       struct gs_arena *arena, struct gate_suite *s,
                       bool is_replay, struct gs_err *err)
{
    const struct gs_yctx c = { .source = path };
    const struct gs_ynode *runs = NULL;

    if (gs_ynode_fields(&c, root, "suite", root_fields, 1, (void *)&runs, err)
        < 0)
        return -1;
    if (runs->kind != GS_YSEQ || runs->len == 0 || runs->len > RUNS_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&c, runs),
                       "'runs' must be a list of 1 to %u runs", RUNS_MAX);
    s->rules = gs_arena_alloc(arena, runs->len, sizeof(*s->rules));
    s->now.run = gs_arena_alloc(arena, runs->len, sizeof(*s->now.run));
    s->now.source = path;
    return entries_take(&c, runs, arena, s, is_replay, err);
}

static int suite_read(const char *path, struct gs_arena *arena,
                      struct gate_suite *s, bool is_replay, struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);
    const struct gs_ynode *root;
    int rc = -1;

    if (!in)
        return -1;
    root = gs_yaml_read(in, arena, NULL, err);
    if (root)
        rc = suite_parse(path, root, arena, s, is_replay, err);
    gs_input_close(in);
    return rc;
}

int gate_suite_replay(const char *dir, struct gs_arena *arena,
                      struct gate_suite *out, struct gs_err *err)
{
    const char *path = gs_arena_printf(arena, "%s/suite.yaml", dir);

    *out = (struct gate_suite){ .baseline = gs_input_beside(arena, path,
                                                            "baseline.json") };
    return suite_read(path, arena, out, true, err);
}

int gate_suite_check(const char *path, struct gs_arena *arena,
                     struct gs_err *err)
{
    struct gate_suite s = { 0 };

    return suite_read(path, arena, &s, false, err);
}
