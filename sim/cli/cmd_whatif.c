/* sim/cli/cmd_whatif.c - gsim whatif: the effect of a change, and the size of a
 * change that meets a target.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/output.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "reports/gate/gate_rules.h"
#include "reports/glossary/metric_names.h"
#include "reports/measure/metrics.h"
#include "reports/page/gnuplot.h"
#include "sim/cli/cmd.h"
#include "sim/cli/progress.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/notes.h"
#include "sim/study/pool.h"
#include "sim/study/run.h"
#include "sim/study/whatif.h"
#include "topology/resize.h"
#include "topology/topology.h"
#include "traces/formats/reader.h"

#define KEYS_MAX 96u
#define SEEDS_MAX 1000u
#define TRACES_MAX 16u
#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

struct whatif_options {
    const char *topology, *speed, *scenario, *target, *format, *plot;
    struct cmd_texts policy, set, vary, metric, cost;
    struct cmd_trace_flags trace;
    struct report_window_request window;
    uint64_t seed, large, jobs;
    struct cmd_seeds seeds;
    bool full;
};

#define AT(field) offsetof(struct whatif_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_VARY, AT(vary), .repeats = true },
    { .id = OPT_TARGET, AT(target) },
    { .id = OPT_SET, AT(set), .repeats = true },
    { .id = OPT_POLICY, AT(policy), "binpack", .repeats = true },
    { .id = OPT_COST, AT(cost), .repeats = true },
    { .id = OPT_METRIC, AT(metric), .repeats = true },
    { .id = OPT_FULL, AT(full) },
    { .id = OPT_JOBS, AT(jobs), .max = STUDY_JOBS_MAX },
    { .id = OPT_PLOT, AT(plot) },
    { .id = OPT_FORMAT, AT(format), "table", "table csv json", "show" },
    { .id = OPT_TOPOLOGY, AT(topology) },
    { .id = OPT_SPEED, AT(speed) },
    { .id = OPT_SCENARIO, AT(scenario), .alias = "world" },
    { .id = OPT_SEED, AT(seed), "42" },
    { .id = OPT_SEEDS, AT(seeds), "1" },
    CMD_TRACE_TAKES(AT(trace)),
    { .id = OPT_LARGE, AT(large), "64", .max = UINT32_MAX },
    { .id = OPT_FROM, AT(window.from), "the first submission" },
    { .id = OPT_TO, AT(window.to) },
    { .id = OPT_WARMUP, AT(window.warmup), "0s" },
};

static const struct whatif_options defaults = {
    .trace = CMD_TRACE_NONE,
    .format = "table",
    .policy = { { "binpack" }, 1 },
    .window = { .from = -1, .to = REPORT_WINDOW_OPEN },
    .seed = 42,
    .seeds = { .count = 1 },
    .large = REPORT_LARGE,
};

struct question {
    const struct cmd_call *call;
    const struct whatif_options *o;
    struct inputs in[TRACES_MAX];
    size_t traces;
    struct whatif w;
    struct report_rule target;
    struct whatif_price price[64];
    const char *key[KEYS_MAX + 1];
    enum report_picture_format picture;
};

static const struct gs_mark nowhere = { 0 };

/* --- the question --------------------------------------------------------- */

static int axes_read(struct question *q, struct gs_err *err)
{
    for (size_t i = 0; i < q->o->vary.count; i++) {
        if (study_axis_parse(q->o->vary.text[i], q->in[0].arena, &q->w.axis[i],
                             err)
            < 0)
            return -1;
    }
    if (q->o->vary.count > 1
        && strcmp(q->w.axis[0].path, q->w.axis[1].path) == 0)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--vary' must be of two paths (got '%s' twice)",
                       q->w.axis[0].path);
    q->w.axes = (uint32_t)q->o->vary.count;
    return 0;
}

static int target_read(struct question *q, struct gs_err *err)
{
    if (!q->o->target)
        return 0;
    if (report_target_parse(q->o->target, q->in[0].arena, &q->target, err) < 0)
        return -1;
    q->w.target = &q->target;
    return 0;
}

static void key_add(struct question *q, const char *key)
{
    for (uint32_t i = 0; i < q->w.keys; i++) {
        if (strcmp(q->key[i], key) == 0)
            return;
    }
    q->key[q->w.keys++] = key;
}

/* The metric of the target, then those of --metric, or the usual ones. */
static int keys_read(struct question *q, struct gs_err *err)
{
    static const char *const usual[] = {
        METRIC_WAIT "mean",        METRIC_WAIT "p95",
        METRIC_JCT "mean",         METRIC_GPU_BUSY,
        METRIC_FRAG_DEMAND,        METRIC_FRAG_CAPACITY_SHARE,
        METRIC_DEADLOCK_GPU_HOURS, METRIC_GOODPUT,
        METRIC_PREEMPT_COUNT,      METRIC_JOBS_UNFINISHED,
        METRIC_JOBS_REJECTED,      METRIC_MAKESPAN,
    };
    /* a table with several lines or two axes has room for few metrics */
    const size_t n = q->w.axes == 0 ? N_ELEMENTS(usual)
                     : q->o->policy.count > 1 || q->w.axes > 1
                         ? q->w.target ? 0 : 1
                         : 4;
    struct report_rule checked;

    q->w.key = q->key;
    if (q->w.target)
        key_add(q, q->target.key);
    for (size_t i = 0; i < q->o->metric.count; i++) {
        const char *rule = gs_arena_printf(q->in[0].arena, "%s<=0",
                                           q->o->metric.text[i]);

        if (report_target_parse(rule, q->in[0].arena, &checked, err) < 0)
            return -1;
        key_add(q, checked.key);
    }
    for (size_t i = 0; i < n && q->o->metric.count == 0; i++)
        key_add(q, usual[i]);
    return 0;
}

static int prices_read(struct question *q, struct gs_err *err)
{
    for (size_t i = 0; i < q->o->cost.count; i++) {
        const char *text = q->o->cost.text[i], *equals = strchr(text, '=');
        struct whatif_price *p = &q->price[i];

        if (!equals || equals == text
            || gs_quantity_parse_double(equals + 1, strlen(equals + 1),
                                        &p->gpu_hour)
                   < 0
            || !(p->gpu_hour >= 0 && p->gpu_hour <= 1e9))
            return gs_fail(err, GS_USAGE, nowhere,
                           "'--cost' must be TYPE=PRICE of a GPU an hour, such "
                           "as h100=2.5, or *=2 (got '%s')",
                           text);
        p->type = gs_arena_strndup(q->in[0].arena, text,
                                   (size_t)(equals - text));
        for (size_t k = 0; k < i; k++) {
            if (strcmp(q->price[k].type, p->type) == 0)
                return gs_fail(err, GS_USAGE, nowhere,
                               "'--cost' has two prices of '%s'", p->type);
        }
    }
    q->w.price = q->price;
    q->w.prices = (uint32_t)q->o->cost.count;
    return 0;
}

/* Every price must be of a node type that exists, and every type with GPUs must
 * have a price: GPUs without one would be the cheapest answer.
 */
static int prices_check(const struct question *q, struct gs_err *err)
{
    const struct topo *t = q->in[0].topo;

    for (uint32_t i = 0; i < q->w.prices; i++) {
        const char *type = q->price[i].type;

        if (!whatif_is_any(type)
            && topo_type_count(t, gs_strtab_find(t->names, type, strlen(type)))
                   == 0)
            return gs_fail(err, GS_USAGE, nowhere,
                           "'--cost': no node is of the type '%s'", type);
    }
    for (uint32_t k = 0; k < t->class_count && q->w.prices; k++) {
        const char *type = gs_strtab_str(t->names, t->klass[k].type);

        if (t->klass[k].gpus && !whatif_price_find(&q->w, type))
            return gs_fail(err, GS_USAGE, nowhere,
                           "'--cost' has no price of '%s', and no '*=PRICE' "
                           "of the others",
                           type);
    }
    return 0;
}

static int picture_read(struct question *q, struct gs_err *err)
{
    const char *dot = q->o->plot ? strrchr(q->o->plot, '.') : NULL;

    if (!q->o->plot)
        return 0;
    q->picture = report_picture_format_find(dot ? dot + 1 : "",
                                            dot ? strlen(dot + 1) : 0);
    if (q->picture == REPORT_PICTURE_FORMATS)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--plot' must end in .svg, .png or .pdf (got '%s')",
                       q->o->plot);
    if (!report_gnuplot_is_there())
        return gs_fail(err, GS_IO, nowhere,
                       "a picture needs gnuplot (package gnuplot-nox)");
    return 0;
}

/* All traces must have one topology: clusters of different sizes give no
 * answer.
 */
static int traces_read(struct question *q, const char *const *trace,
                       const struct trace_options *t, struct gs_err *err)
{
    for (size_t i = 0; i < q->traces; i++) {
        if (cmd_source_take(&q->o->trace.source, &q->in[i], err) < 0)
            return -1;
        if (inputs_read(&q->in[i], trace[i], q->o->topology, t, err) < 0)
            return -1;
        if (q->in[i].topology_hash != q->in[0].topology_hash)
            return gs_fail(err, GS_USAGE, nowhere,
                           "the traces must be of one topology ('%s' names "
                           "'%s', '%s' names '%s'): give '--topology'",
                           trace[0], q->in[0].topology_path, trace[i],
                           q->in[i].topology_path);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(trace[k], trace[i]) == 0)
                return gs_fail(err, GS_USAGE, nowhere,
                               "the trace '%s' is given twice", trace[i]);
        }
    }
    return 0;
}

static int question_read(struct question *q, struct gs_err *err)
{
    const struct trace_options t = cmd_trace_options(&q->o->trace);

    if (study_window_check(&q->o->window, SIM_FOREVER, err) < 0
        || axes_read(q, err) < 0 || target_read(q, err) < 0
        || keys_read(q, err) < 0 || prices_read(q, err) < 0
        || picture_read(q, err) < 0)
        return -1;
    q->w.arena = q->in[0].arena;
    q->w.in = q->in;
    q->w.traces = (uint32_t)q->traces;
    q->w.policy = q->o->policy.text;
    q->w.policies = (uint32_t)q->o->policy.count;
    q->w.set = q->o->set.text;
    q->w.sets = (uint32_t)q->o->set.count;
    q->w.looks_at_all = q->o->full;
    q->w.speed = q->o->speed;
    q->w.scenario = q->o->scenario;
    q->w.seed = q->o->seeds.first;
    q->w.seeds = (uint32_t)q->o->seeds.count;
    q->w.window = q->o->window;
    q->w.large = (uint32_t)q->o->large;
    q->w.jobs = q->o->jobs ? (uint32_t)q->o->jobs : study_pool_cores();
    if (traces_read(q, q->call->operand, &t, err) < 0
        || prices_check(q, err) < 0)
        return -1;
    if (q->o->plot && gs_output_is_same(q->o->plot, q->in[0].topology_path))
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--plot' would overwrite '%s', which the trace names",
                       q->in[0].topology_path);
    return 0;
}

/* The policy, or the one that --set names instead, with the changes of --set.
 */
static struct gsched_profile *profile_changed(struct question *q,
                                              struct inputs *in,
                                              const char *policy,
                                              struct gs_err *err)
{
    const struct cmd_texts *set = &q->o->set;
    struct gsched_profile *p = inputs_policy(
        in, study_policy_set(policy, set->text, set->count), err);

    for (size_t k = 0; p && k < set->count; k++) {
        if (!study_change_names_policy(set->text[k])
            && study_change_is_policys(set->text[k])
            && study_change_apply(in, p, set->text[k], err) < 0)
            return NULL;
    }
    return p;
}

/* Add the notes of a trace, and of --vary and --set paths without effect. */
static int notes_tell(struct question *q, struct inputs *in,
                      struct study_notes *told, struct gs_err *err)
{
    struct gsched_profile *profile[sizeof(q->o->policy.text) / sizeof(char *)];
    struct study_notes n;

    for (size_t i = 0; i < q->o->policy.count; i++) {
        profile[i] = profile_changed(q, in, q->o->policy.text[i], err);
        if (!profile[i])
            return -1;
    }
    if (study_notes(in, profile, q->o->policy.count, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < q->o->policy.count; i++) {
        for (uint32_t a = 0; a < q->w.axes; a++)
            study_notes_add(
                &n, study_note_of_path(in, profile[i], q->w.axis[a].path));
        for (size_t k = 0; k < q->o->set.count; k++)
            study_notes_add(
                &n, study_note_of_path(in, profile[i], q->o->set.text[k]));
    }
    for (uint32_t i = 0; i < n.count; i++)
        study_notes_add(told, n.text[i]);
    return 0;
}

/* Print the notes of all traces, each text once. */
static int all_notes_tell(struct question *q, struct gs_err *err)
{
    struct study_notes told = { 0 };

    for (size_t i = 0; i < q->traces; i++) {
        if (notes_tell(q, &q->in[i], &told, err) < 0)
            return -1;
        inputs_tell_sources(&q->in[i]);
    }
    study_notes_show(&told);
    return 0;
}

/* --- the answer ----------------------------------------------------------- */

static int picture_draw(const struct question *q, struct gs_err *err)
{
    FILE *script = gs_output_scratch(err);
    struct gs_output *out = script ? gs_output_open(q->o->plot, err) : NULL;
    int rc = -1;

    if (out) {
        whatif_script(&q->w, q->picture, script);
        rc = gs_output_close(out,
                             report_gnuplot_draw(script, q->picture,
                                                 gs_output_stream(out),
                                                 q->o->plot, err),
                             err);
    }
    if (script)
        fclose(script);
    return rc;
}

static int answer_find(struct question *q, struct gs_err *err)
{
    struct progress line;
    int rc;

    progress_begin(&line, "replays", q->call->is_quiet);
    q->w.progress = progress_count;
    q->w.progress_ctx = &line;
    rc = whatif_run(&q->w, err);
    progress_end(&line);
    return rc;
}

static int answer_show(const struct question *q, struct gs_err *err)
{
    if (q->o->plot && picture_draw(q, err) < 0)
        return -1;
    if (strcmp(q->o->format, "csv") == 0) {
        whatif_csv(&q->w, stdout);
        return 0;
    }
    if (strcmp(q->o->format, "json") == 0) {
        whatif_json(&q->w, stdout);
        return 0;
    }
    whatif_words(&q->w, stdout);
    if (q->w.target && q->w.axes)
        putchar('\n');
    whatif_table(&q->w, stdout);
    return 0;
}

/* The exit status. */
static int question_answer(struct question *q, struct gs_err *err)
{
    if (question_read(q, err) < 0
        || (!q->call->is_quiet && all_notes_tell(q, err) < 0)
        || answer_find(q, err) < 0 || answer_show(q, err) < 0)
        return -1;
    return q->w.target && whatif_answer(&q->w) == STUDY_NO_POINT ? CMD_MISSED
                                                                 : CMD_OK;
}

static int whatif_run_cmd(const struct cmd_call *call, struct gs_err *err)
{
    const struct whatif_options *o = call->options;
    struct question q = { .call = call, .o = o, .traces = call->count };
    int status;

    if (o->vary.count > WHATIF_AXES)
        return cmd_usage(call->cmd, "at most two '--vary' are allowed");
    if (o->vary.count == 0 && o->set.count == 0)
        return cmd_usage(call->cmd,
                         "nothing changes: give '--vary' or '--set'");
    if (o->vary.count == 0 && o->plot)
        return cmd_usage(call->cmd, "'--plot' needs '--vary'");
    if (o->seeds.count > SEEDS_MAX
        || o->seeds.first > UINT64_MAX - o->seeds.count)
        return cmd_usage(call->cmd, "'--seeds' must be from 1 to %u seeds",
                         SEEDS_MAX);
    for (size_t i = 0; i < q.traces; i++)
        inputs_init(&q.in[i]);
    status = question_answer(&q, err);
    for (size_t i = 0; i < q.traces; i++)
        inputs_fini(&q.in[i]);
    return status;
}

const struct cmd cmd_whatif = {
    .name = "whatif",
    .args = "TRACE... [--vary PATH=VALUES] [--target T] [OPTION]...",
    .summary = "find the number of nodes, load or quota that meets a target",
    .take = take,
    .takes = N_ELEMENTS(take),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = TRACES_MAX,
    .needs = "a trace is needed",
    .help =
        "Without --vary the trace is replayed as it is and as --set changes it.\n"
        "Exit status 1: no replayed value meets the target.\n"
        "\n"
        "Examples:\n"
        "  gsim whatif trace.yaml --set nodes.h100=+8 --set load=1.2\n"
        "  gsim whatif philly.csv.gz --topology cluster.yaml --set load=1.5 \\\n"
        "      --vary nodes.gpu8=88..160:2 --target 'wait.p95<=10m' \\\n"
        "      --policy binpack --policy spread --plot nodes.svg\n"
        "  gsim whatif trace.yaml --vary load=0.8..1.6:0.1 \\\n"
        "      --target 'wait.mean<=30m'\n"
        "  gsim whatif trace.yaml --vary nodes.a100=0..32:4 \\\n"
        "      --vary nodes.h100=0..16:4 --cost a100=1.8 --cost h100=3 \\\n"
        "      --target 'wait.p95<=1h'\n",
    .run = whatif_run_cmd,
};
