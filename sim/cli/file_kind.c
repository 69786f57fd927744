/* sim/cli/file_kind.c - recognizing files by their content, see file_kind.h.
 *
 * A YAML file is recognized by its top-level keys (base/yamltop.h), so that a
 * file with mistakes, or with text further down that is no YAML, is recognized
 * too. /
 */
#include "sim/cli/file_kind.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/text.h"
#include "base/yamltop.h"
#include "import/source.h"
#include "policies/profile/profile.h"
#include "reports/gate/gate_rules.h"
#include "reports/glossary/glossary.h"
#include "reports/glossary/metric_names.h"
#include "reports/store/figures.h"
#include "sim/cli/gate_suite.h"
#include "sim/speed/speed.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/scheduler_files.h"
#include "sim/study/sources.h"
#include "sim/study/sweep.h"
#include "sim/study/sweep_file.h"
#include "topology/task_mix.h"
#include "topology/topology.h"
#include "traces/model/model.h"
#include "traces/workload/workload.h"
#include "traces/workload/workload_mix.h"

/* --- checks --------------------------------------------------------------- */

int file_trace_read(struct inputs *in, const char *path, struct gs_err *err)
{
    const struct trace_options o = { 0 };

    if (inputs_read_trace(in, path, &o, err) < 0)
        return -1;
    if (!in->topo && (in->facts.topology || sources_have_nodes(in))
        && inputs_read_topology(in, NULL, err) < 0)
        return -1;
    if (!in->topo)
        return 0;
    if (inputs_check(in, err) < 0)
        return -1;
    inputs_count_pods(in);
    return 0;
}

int file_trace_check(struct inputs *in, struct gs_err *err)
{
    return in->topo ? inputs_check_jobs(in, err) : 0;
}

static int trace_check(struct inputs *in, const char *path, struct gs_err *err)
{
    return file_trace_read(in, path, err) < 0 ? -1 : file_trace_check(in, err);
}

/* Jobs that could never run are none of a dump's mistakes. */
static int objects_check(struct inputs *in, const char *path,
                         struct gs_err *err)
{
    return file_trace_read(in, path, err);
}

static int topology_check(struct inputs *in, const char *path,
                          struct gs_err *err)
{
    struct inputs own;
    int rc;

    (void)in; /* its names and resources may be of another cluster */
    inputs_init(&own);
    rc = inputs_read_topology(&own, path, err);
    inputs_fini(&own);
    return rc;
}

static int policy_check(struct inputs *in, const char *path, struct gs_err *err)
{
    const char *const spec = strchr(path, '/') || inputs_policy_is_file(path)
                                 ? path
                                 : gs_input_beside(in->arena, "./", path);
    struct gsched_profile *p = inputs_policy(in, spec, err);

    return p && gsched_profile_check(p, err) == 0
               ? inputs_check_policy(in, p, err)
               : -1;
}

/* A configuration of Slurm is a policy and, with nodes, a topology. */
static int slurm_check(struct inputs *in, const char *path, struct gs_err *err)
{
    struct gs_err why = { 0 };
    struct inputs own;
    int rc;

    if (policy_check(in, path, err) < 0)
        return -1;
    inputs_init(&own);
    rc = inputs_read_topology(&own, path, &why);
    if (rc < 0 && (!own.sources || sources_have_nodes(&own)))
        gs_err_append(err, &why);
    else
        rc = 0; /* NodeName may be in a file that is not here */
    inputs_fini(&own);
    return rc;
}

/* gres.conf, topology.conf and others that slurm.conf or sacct go with. */
static int slurm_part_check(struct inputs *in, const char *path,
                            struct gs_err *err)
{
    return sources_read_part(in, path, err);
}

static int speed_check(struct inputs *in, const char *path, struct gs_err *err)
{
    return inputs_read_speed_file(in, path, err) ? 0 : -1;
}

static int model_check(struct inputs *in, const char *path, struct gs_err *err)
{
    return inputs_read_model(in, path, err) ? 0 : -1;
}

static int sweep_check(struct inputs *in, const char *path, struct gs_err *err)
{
    struct sweep_file f;
    struct sweep s;
    int rc = sweep_file_read(&f, path, in->arena, err);

    if (rc == 0 || gs_err_wants_more(err)) {
        if (sweep_file_check(&f, err) < 0)
            rc = -1;
    }
    if (rc < 0)
        return -1;
    rc = sweep_open(&s, path, false, err); /* as the sweep itself begins */
    sweep_close(&s);
    return rc;
}

static int rules_check(struct inputs *in, const char *path, struct gs_err *err)
{
    struct report_rules r;

    return report_rules_read(path, in->arena, &r, err);
}

static int suite_check(struct inputs *in, const char *path, struct gs_err *err)
{
    return gate_suite_check(path, in->arena, err);
}

/* Without a topology only names and resources of the mix are checked. */
static int mix_check(struct inputs *in, const char *path, struct gs_err *err)
{
    const struct topo nowhere = { .names = in->names, .dims = &in->dims };
    struct gs_input *file = gs_input_open(path, err);
    struct topo_mix *m;

    if (!file)
        return -1;
    in->work = trace_workload_create(in->arena, in->names, &in->dims);
    m = trace_mix_read(file, in->work, in->topo ? in->topo : &nowhere, err);
    gs_input_close(file);
    topo_mix_destroy(m);
    return m ? 0 : -1;
}

static int figures_check(struct inputs *in, const char *path,
                         struct gs_err *err)
{
    struct report_figure_set set;

    return report_figures_read(path, NULL, in->arena, &set, err);
}

/* --- kinds ---------------------------------------------------------------- */

enum kind {
    TRACE,
    TOPOLOGY,
    PROFILE,
    MODULE,
    SCENARIO,
    SPEED,
    MODEL,
    SWEEP,
    RULES,
    SUITE,
    MIX,
    BASELINE,
    DATABASE,
    VOLCANO,
    YUNIKORN,
    KUBE_SCHEDULER,
    SLURM,
    OBJECTS,
    ACCOUNTING,
    SLURM_PART,
    KINDS
};

static const struct file_kind kinds[KINDS] = {
    [TRACE] = { "trace",
                { "jobs", "priority_classes", "epoch", "topology", "queues" },
                .check = trace_check,
                .is_trace = true },
    [TOPOLOGY] = { "topology",
                   { "nodes", "node_types", "tiers", "cluster" },
                   .check = topology_check },
    [PROFILE] = { "profile",
                  { "modules", "actions", "schedulers" },
                  .check = policy_check },
    [MODULE] = { "module", { NULL }, .check = policy_check },
    [SCENARIO] = { "scenario",
                   { "events", "failures", "autoscale", "checkpoint", "start" },
                   .check = inputs_read_scenario,
                   .unchecked = "whether its nodes, types and tiers exist" },
    [SPEED] = { "speed model",
                { "table", "placement", "replicas" },
                .check = speed_check,
                .unchecked = "whether its tiers exist" },
    [MODEL] = { "trace model",
                { "arrivals", "span", "sizes", "stretches", "correlation" },
                .check = model_check },
    [SWEEP] = { "sweep",
                { "traces", "policies", "topologies", "seeds" },
                .check = sweep_check },
    [RULES] = { "rules",
                { METRIC_WAIT "p95", "wlClassesMaxAvgTimeToAdmissionMs" },
                .check = rules_check },
    [SUITE] = { "suite", { "runs" }, .check = suite_check },
    [MIX] = { "mix", { "- gpus" }, .check = mix_check },
    [BASELINE] = { "baseline", { "baseline" }, .check = figures_check },
    [DATABASE] = { "database", { NULL }, .check = figures_check },
    [VOLCANO] = { "configuration of Volcano",
                  { NULL },
                  .check = policy_check,
                  .tell = scheduler_file_tell },
    [YUNIKORN] = { "configuration of YuniKorn",
                   { NULL },
                   .check = policy_check,
                   .tell = scheduler_file_tell },
    [KUBE_SCHEDULER] = { "configuration of kube-scheduler",
                         { NULL },
                         .check = policy_check,
                         .tell = scheduler_file_tell },
    [SLURM] = { "configuration of Slurm",
                { NULL },
                .check = slurm_check,
                .tell = scheduler_file_tell },
    [ACCOUNTING] = { "accounting of Slurm",
                     { NULL },
                     .check = objects_check,
                     .is_trace = true,
                     .is_objects = true },
    [SLURM_PART] = { "part of a configuration of Slurm",
                     { NULL },
                     .check = slurm_part_check,
                     .is_objects = true },
    [OBJECTS] = { "objects of Kubernetes",
                  { NULL },
                  .check = objects_check,
                  .is_trace = true,
                  .is_objects = true },
};

/* The order of asking: trace models also have key `queues`, baselines `runs`.
 */
static const enum kind by_key[] = { TOPOLOGY, PROFILE,  SCENARIO, SPEED, MODEL,
                                    SWEEP,    BASELINE, SUITE,    TRACE };

/* --- keys ----------------------------------------------------------------- */

/* Does a key name a metric, or look like a mistyped name of one? */
static bool has_metric(const struct gs_ytop *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        char name[GS_YTOP_TEXT_MAX];

        strcpy(name, t->key[i].key);
        name[strcspn(name, "[")] = '\0';
        if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.")])
            continue;
        if (strchr(name, '.') || report_glossary_find(name))
            return true;
    }
    return false;
}

/* Does the first key of its first item show that a list is a mix of tasks? */
static bool is_mix(const char *first)
{
    static const char *const keys[] = {
        "gpus",   "gpu_share", "weight", "gpu_memory", "mig",  "cpu",
        "memory", "model",     "nodes",  "resources",  "rdma", "tolerations"
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (strcmp(keys[i], first) == 0 || gs_nearest(first, &keys[i], 1))
            return true;
    }
    return false;
}

static enum kind kind_of_keys(const struct gs_ytop *t)
{
    if (t->is_list)
        return is_mix(t->key[0].first) ? MIX : KINDS;
    for (size_t i = 0; i < sizeof(by_key) / sizeof(by_key[0]); i++) {
        const char *const *key = kinds[by_key[i]].key;

        for (size_t k = 0; k < 6 && key[k]; k++) {
            if (gs_ytop_find(t, key[k]))
                return by_key[i];
        }
    }
    return has_metric(t) || gs_ytop_find(t, kinds[RULES].key[1]) ? RULES
                                                                 : KINDS;
}

/* --- all of it ------------------------------------------------------------ */

static int unknown(const char *path, struct gs_err *err)
{
    char list[240] = "";

    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].key[0])
            gs_text_add(list, sizeof(list), "%s%s (%s)", list[0] ? ", " : "",
                        kinds[k].name, kinds[k].key[0]);
    }
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                   "is no file that gsim reads; gsim recognizes files by these "
                   "keys: %s, and traces in CSV or SWF",
                   list);
}

/* By the name of a configuration; NULL: none. */
static enum kind scheduler_kind(const char *name)
{
    for (int k = VOLCANO; name && k <= KUBE_SCHEDULER; k++) {
        if (strcmp(kinds[k].name, name) == 0)
            return (enum kind)k;
    }
    return KINDS;
}

static enum kind kind_of_yaml(struct gs_input *in, struct gs_err *err)
{
    const char *path = gs_input_name(in);
    struct gs_err why = { 0 };
    struct gs_ytop top;
    const int rc = gs_yaml_top(in, &top, &why);
    const enum kind scheduler = scheduler_kind(scheduler_file_kind(&top));
    const enum kind kind = kind_of_keys(&top);

    if (scheduler != KINDS)
        return scheduler;
    if (kind != KINDS)
        return kind;
    if (rc < 0)
        gs_err_append(err, &why);
    else if (top.is_empty)
        gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                "the file is empty, or holds comments only");
    else
        unknown(path, err);
    return KINDS;
}

static enum kind kind_of(struct gs_input *in, struct gs_err *err)
{
    static const char magic[] = "SQLite format 3", nodes[] = "sn,";
    size_t size = 0;
    const char *text = gs_input_head(in, &size, err);

    if (!text)
        return KINDS;
    if (size >= sizeof(magic) && memcmp(text, magic, sizeof(magic)) == 0)
        return DATABASE;
    if (size >= sizeof(nodes) - 1
        && memcmp(text, nodes, sizeof(nodes) - 1) == 0)
        return TOPOLOGY;
    switch (trace_format_recognise(in, NULL)) {
    case TRACE_AUTO:
        if (strstr(gs_input_name(in), ".csv")) {
            trace_format_recognise(in, err); /* says what a header needs */
            return KINDS;
        }
        return kind_of_yaml(in, err);
    case TRACE_YAML:
        return kind_of_yaml(in, err);
    default:
        return TRACE;
    }
}

/* A configuration of kube-scheduler is an object, too. */
static enum kind kind_of_objects(const struct source *s)
{
    const enum kind kind = s->file ? scheduler_kind(scheduler_file_is(s->path))
                                   : KINDS;

    return kind == KINDS ? OBJECTS : kind;
}

static enum kind kind_of_slurm(const struct source *s)
{
    switch (source_slurm_part(s)) {
    case SOURCE_CONFIGURATION:
        return SLURM;
    case SOURCE_JOBS:
        return ACCOUNTING;
    default:
        return SLURM_PART;
    }
}

const struct file_kind *file_kind_of(const char *path, struct gs_err *err)
{
    enum kind kind = KINDS;
    struct source s;

    if (source_open(&s, path, gsched_profile_names_plugin(path), err) == 0)
        kind = s.system == SOURCE_SLURM            ? kind_of_slurm(&s)
               : source_is_foreign(&s)             ? kind_of_objects(&s)
               : gsched_profile_names_plugin(path) ? MODULE
                                                   : kind_of(s.file, err);
    source_close(&s);
    return kind == KINDS ? NULL : &kinds[kind];
}
