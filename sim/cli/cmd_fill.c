/* sim/cli/cmd_fill.c - gsim fill: allocation experiments. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "reports/compare/compare.h"
#include "reports/fills/fills.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/progress.h"
#include "sim/cli/source_flags.h"
#include "sim/study/fill.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/pool.h"
#include "sim/study/scheduler_set.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define LISTS_MAX 64
#define RUNS_MAX 20000u

struct fill_options {
    struct cmd_texts policy, set;
    const char *db, *reference, *format;
    struct cmd_seeds seeds;
    uint32_t load; /* thousandths */
    uint64_t jobs, seed;
    struct cmd_source_flags source;
};

#define AT(field) offsetof(struct fill_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_POLICY, AT(policy), "binpack", .repeats = true },
    { .id = OPT_SET, AT(set), .repeats = true },
    { .id = OPT_LOAD, AT(load), "1.3" },
    { .id = OPT_SEED, AT(seed), "42" },
    { .id = OPT_SEEDS, AT(seeds), "10" },
    { .id = OPT_DB, AT(db), "none" },
    { .id = OPT_REFERENCE, AT(reference) },
    { .id = OPT_FORMAT, AT(format), "table", "table csv json" },
    { .id = OPT_JOBS, AT(jobs), .max = STUDY_JOBS_MAX },
    CMD_SOURCE_TAKES(AT(source)),
};

static const struct fill_options defaults = { .policy = { { "binpack" }, 1 },
                                              .load = 1300,
                                              .source = CMD_SOURCE_NONE,
                                              .seed = 42,
                                              .seeds = { .count = 10 },
                                              .format = "table" };

struct fill {
    struct inputs *in;
    const struct fill_options *o;
    struct fill_grid grid;
    struct report_fills fills;
    struct report_reference *reference;
    const struct topo *topo; /* the nodes with GPUs */
    struct fill_list *list[LISTS_MAX];
    struct gsched_profile *profile[CMD_TEXTS_MAX];
    struct report_fill_list about_list[LISTS_MAX];
    struct report_fill_policy about_policy[CMD_TEXTS_MAX];
    struct report_fill_point *point;
};

/* --- options -------------------------------------------------------------- */

static int options_read(struct fill *f, struct gs_err *err)
{
    const struct cmd_seeds *s = &f->o->seeds;

    if (s->first > INT64_MAX - RUNS_MAX || s->count > RUNS_MAX)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--seeds' must be no more than %u, the last below 2^63",
                       RUNS_MAX);
    f->grid.first_seed = s->first;
    f->grid.seeds = (uint32_t)s->count;
    f->grid.load = f->o->load;
    f->grid.jobs = f->o->jobs ? (uint32_t)f->o->jobs : study_pool_cores();
    return 0;
}

/* --- inputs --------------------------------------------------------------- */

static bool cut_end(char *s, const char *end)
{
    const size_t len = strlen(s), n = strlen(end);

    if (len <= n || strcmp(s + len - n, end) != 0)
        return false;
    s[len - n] = '\0';
    return true;
}

/* The name of a list: "default" for "a/openb_pod_list_default.csv.gz". */
static const char *list_name(struct fill *f, const char *path)
{
    static const char prefix[] = "openb_pod_list_";
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    char *name;

    if (strncmp(base, prefix, sizeof(prefix) - 1) == 0
        && base[sizeof(prefix) - 1] != '.')
        base += sizeof(prefix) - 1;
    name = gs_arena_strndup(f->in->arena, base, strlen(base));
    (void)(cut_end(name, ".gz") || cut_end(name, ".xz")
           || cut_end(name, ".zst")); /* it may have no ending */
    (void)(cut_end(name, ".csv") || cut_end(name, ".yaml")
           || cut_end(name, ".yml") || cut_end(name, ".swf"));
    gs_text_clean(name);
    return name;
}

static int list_read(struct fill *f, const char *path, struct gs_err *err)
{
    const struct trace_options o = { .arrivals_only = true };
    const uint32_t i = f->grid.lists;

    if (inputs_read_trace(f->in, path, &o, err) < 0)
        return -1;
    inputs_relabel(f->in);
    if (inputs_resolve_shares(f->in, err) < 0)
        return -1;
    inputs_count_pods(f->in);
    f->topo = fill_topology(f->in->topo, f->in->topology_path, f->in->arena,
                            err);
    f->list[i] = f->topo ? fill_list_create(f->topo, f->in->work, f->grid.load,
                                            path, err)
                         : NULL;
    trace_workload_destroy(f->in->work);
    f->in->work = NULL;
    if (!f->list[i])
        return -1;
    f->grid.lists++;
    f->about_list[i] = (struct report_fill_list){ list_name(f, path), path,
                                                  f->in->trace_hash,
                                                  fill_list_tasks(f->list[i]) };
    for (uint32_t k = 0; k < i; k++) {
        if (f->about_list[k].hash == f->about_list[i].hash)
            return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = path },
                           "holds the same as %s", f->about_list[k].path);
    }
    return 0;
}

/* Read a policy and reduce its actions to allocate: each task is tried once,
 * when it arrives. /
 */
static int policy_read(struct fill *f, const char *spec, struct gs_err *err)
{
    struct gsched_profile *p = inputs_policy(f->in, spec, err);
    const uint32_t i = f->grid.profiles;

    if (!p || scheduler_set_refuse(p, "fill", err) < 0)
        return -1;
    for (size_t k = 0; k < f->o->set.count; k++) {
        if (gsched_profile_set(p, f->o->set.text[k], f->in->arena, err) < 0)
            return -1;
    }
    if (p->is_recorded)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "policy '%s' follows when jobs really ran, and fill has "
                       "no times",
                       p->name);
    if (gsched_profile_check(p, err) < 0)
        return -1;
    p->action[0] = GSCHED_ALLOCATE;
    p->action_count = 1;
    f->profile[i] = p;
    f->about_policy[i] = (struct report_fill_policy){
        p->name, gsched_profile_text(p, f->in->arena)
    };
    for (uint32_t k = 0; k < i; k++) {
        if (strcmp(f->about_policy[k].name, p->name) == 0)
            return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                           "two policies are called '%s'", p->name);
    }
    f->grid.profiles++;
    return 0;
}

static int reference_read(struct fill *f, struct gs_err *err)
{
    struct gs_input *file;

    if (!f->o->reference)
        return 0;
    file = gs_input_open(f->o->reference, err);
    if (!file)
        return -1;
    f->reference = report_reference_read(file, f->in->arena, err);
    gs_input_close(file);
    return f->reference ? 0 : -1;
}

static int inputs_read_all(struct fill *f, const char *const *path,
                           size_t paths, struct gs_err *err)
{
    for (size_t i = 0; i < f->o->policy.count; i++) {
        if (policy_read(f, f->o->policy.text[i], err) < 0)
            return -1;
    }
    if (reference_read(f, err) < 0
        || inputs_read_topology(f->in, path[0], err) < 0)
        return -1;
    f->topo = fill_topology(f->in->topo, path[0], f->in->arena, err);
    for (size_t i = 1; f->topo && i < paths; i++) {
        if (list_read(f, path[i], err) < 0)
            return -1;
    }
    if (f->topo
        && (uint64_t)f->grid.lists * f->grid.profiles * f->grid.seeds
               > RUNS_MAX)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "lists, policies and seeds make more than %u "
                       "experiments",
                       RUNS_MAX);
    return f->topo ? 0 : -1;
}

/* --- the experiments ------------------------------------------------------ */

static void fills_describe(struct fill *f)
{
    f->grid.list = f->list;
    f->grid.profile = f->profile;
    f->fills = (struct report_fills){
        .version = GSIM_VERSION,
        .topology = f->in->topology_path,
        .topology_hash = f->in->topology_hash,
        .nodes = f->topo->node_count,
        .gpu_milli = (int64_t)f->topo->gpu_count * TOPO_SHARE_ONE,
        .load = f->grid.load,
        .lists = f->grid.lists,
        .policies = f->grid.profiles,
        .seeds = f->grid.seeds,
        .points = fill_points(f->grid.load),
        .first_seed = f->grid.first_seed,
        .list = f->about_list,
        .policy = f->about_policy,
    };
}

static int run_all(struct fill *f, bool is_quiet, struct gs_err *err)
{
    const struct fill_grid *g = &f->grid;
    const size_t of_list = (size_t)g->profiles * g->seeds * f->fills.points;
    struct fill_point *point = gs_array_new(g->lists * of_list, sizeof(*point));
    struct progress line;
    int rc;

    progress_begin(&line, "experiments", is_quiet);
    f->grid.progress = progress_count;
    f->grid.progress_ctx = &line;
    rc = fill_grid_run(g, point, err);
    progress_end(&line);
    f->point = gs_array_new(g->lists * of_list, sizeof(*f->point));
    for (size_t i = 0; rc == 0 && i < g->lists * of_list; i++)
        f->point[i] = (struct report_fill_point){
            point[i].allocated,
            (double)point[i].fragmented
                / (double)fill_list_weight(f->list[i / of_list])
        };
    f->fills.point = f->point;
    gs_array_free(point);
    return rc;
}

/* Check that the database can take the experiments or, with `write`, store
 * them.
 */
static int fills_store(const struct fill *f, bool write, struct gs_err *err)
{
    struct report_store *to;
    int rc = -1;

    if (!f->o->db)
        return 0;
    to = report_store_open(f->o->db, err);
    if (to)
        rc = (write ? report_store_write_fills
                    : report_store_check_fills)(to, &f->fills, err);
    report_store_close(to);
    return rc;
}

static int fill_all(struct fill *f, const struct cmd_call *call,
                    struct gs_err *err)
{
    if (options_read(f, err) < 0
        || cmd_source_take(&f->o->source, f->in, err) < 0
        || inputs_read_all(f, call->operand, call->count, err) < 0)
        return -1;
    if (!call->is_quiet)
        inputs_tell_sources(f->in);
    fills_describe(f);
    if (fills_store(f, false, err) < 0 || run_all(f, call->is_quiet, err) < 0
        || fills_store(f, true, err) < 0)
        return -1;
    report_fills_print(&f->fills, f->reference,
                       report_format_find(f->o->format), stdout);
    return 0;
}

static int fill_cmd_run(const struct cmd_call *call, struct gs_err *err)
{
    struct fill f = { .in = call->in, .o = call->options };
    int rc;

    if (call->count < 2)
        return cmd_usage(call->cmd,
                         call->count
                             ? "a list of tasks is needed"
                             : "a topology and a list of tasks are needed");
    rc = fill_all(&f, call, err);
    for (uint32_t i = 0; i < f.grid.lists; i++)
        fill_list_destroy(f.list[i]);
    gs_array_free(f.point);
    return rc;
}

const struct cmd cmd_fill = {
    .name = "fill",
    .args = "NODES TASKS... [--policy P]... [OPTION]...",
    .summary = "let tasks arrive until nothing fits: GPUs allocated and "
               "fragmented",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .most = LISTS_MAX + 1,
    .help =
        "NODES is a topology; its nodes without GPUs are left out.  TASKS are "
        "openb pod\nlists, or traces of any format.  For each seed the tasks "
        "of a list arrive one by\none in random order, then more drawn from the "
        "list.  Each task is tried once,\nand none leaves.  Times, queues and "
        "priorities play no role.\n\n"
        "Examples:\n"
        "  gsim fill topology/samples/openb-nodes.csv \\\n"
        "      traces/samples/openb-pods.csv --policy random --policy binpack\n"
        "  gsim fill nodes.csv.gz default.csv.gz cpu050.csv.gz --policy "
        "random \\\n"
        "      --reference published.csv --db fill.db\n",
    .run = fill_cmd_run,
};
