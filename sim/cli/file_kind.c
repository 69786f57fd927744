/* sim/cli/file_kind.c - telling files by their content, see file_kind.h.
 *
 * A YAML file is told by its top-level keys: those that stand as far left as
 * the first one does, in its first 64 KiB.  So a file with mistakes, or one
 * that is no YAML at all further down, is told as well as a good one.
 */
#include "sim/cli/file_kind.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "policies/profile.h"
#include "reports/figures.h"
#include "reports/glossary.h"
#include "reports/rules.h"
#include "sim/cli/gate_suite.h"
#include "sim/speed.h"
#include "sim/study/inputs.h"
#include "sim/study/sweep_file.h"
#include "topology/mix.h"
#include "topology/topology.h"
#include "traces/mix.h"
#include "traces/model.h"
#include "traces/workload.h"

/* --- checks ------------------------------------------------------------------ */

static int trace_check(struct inputs *in, const char *path, struct gs_err *err)
{
    const struct trace_options o = { 0 };

    if (inputs_read_trace(in, path, &o, err) < 0)
        return -1;
    if (!in->topo && in->facts.topology
        && inputs_read_topology(in, NULL, err) < 0)
        return -1;
    return in->topo ? inputs_check(in, err) : 0;
}

static int topology_check(struct inputs *in, const char *path,
                          struct gs_err *err)
{
    struct inputs own;
    int rc;

    (void)in; /* names and resources of another cluster are none of its */
    inputs_init(&own);
    rc = inputs_read_topology(&own, path, err);
    inputs_fini(&own);
    return rc;
}

static int policy_check(struct inputs *in, const char *path, struct gs_err *err)
{
    const char *const spec = strchr(path, '/') || inputs_policy_is_file(path)
                                 ? path
                                 : inputs_beside(in->arena, "./", path);
    struct gsched_profile *p = inputs_policy(in, spec, err);

    return p ? gsched_profile_check(p, err) : -1;
}

static int world_check(struct inputs *in, const char *path, struct gs_err *err)
{
    return inputs_read_world(in, path, err);
}

static int speed_check(struct inputs *in, const char *path, struct gs_err *err)
{
    struct gs_input *file = gs_input_open(path, err);
    const struct sim_speed *m;

    if (!file)
        return -1;
    m = sim_speed_read(file, in->topo, in->arena, err);
    gs_input_close(file);
    return m ? 0 : -1;
}

static int model_check(struct inputs *in, const char *path, struct gs_err *err)
{
    struct gs_input *file = gs_input_open(path, err);
    const struct trace_model *m;

    if (!file)
        return -1;
    m = trace_model_read(file, in->arena, err);
    gs_input_close(file);
    return m ? 0 : -1;
}

static int sweep_check(struct inputs *in, const char *path, struct gs_err *err)
{
    struct sweep_file f;

    return sweep_file_read(&f, path, in->arena, err) < 0
               ? -1
               : sweep_file_check(&f, err);
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

/* Of a cluster it needs the names alone. */
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

/* --- kinds ------------------------------------------------------------------- */

enum kind {
    TRACE,
    TOPOLOGY,
    PROFILE,
    MODULE,
    WORLD,
    SPEED,
    MODEL,
    SWEEP,
    RULES,
    SUITE,
    MIX,
    BASELINE,
    DATABASE,
    KINDS
};

static const struct file_kind kinds[KINDS] = {
    [TRACE] = { "trace",
                { "jobs", "priority_classes", "epoch", "topology", "queues" },
                trace_check,
                NULL },
    [TOPOLOGY] = { "topology",
                   { "nodes", "node_types", "tiers", "cluster" },
                   topology_check,
                   NULL },
    [PROFILE] = { "profile", { "modules", "actions" }, policy_check, NULL },
    [MODULE] = { "module", { NULL }, policy_check, NULL },
    [WORLD] = { "world",
                { "events", "failures", "autoscale", "checkpoint" },
                world_check,
                "whether its nodes, types and tiers are there" },
    [SPEED] = { "speed model",
                { "table", "placement", "replicas" },
                speed_check,
                "whether its tiers are there" },
    [MODEL] = { "trace model",
                { "arrivals", "span", "sizes", "stretches", "correlation" },
                model_check,
                NULL },
    [SWEEP] = { "sweep",
                { "traces", "policies", "topologies", "seeds" },
                sweep_check,
                NULL },
    [RULES] = { "rules", { "wait.p95" }, rules_check, NULL },
    [SUITE] = { "suite", { "runs" }, suite_check, NULL },
    [MIX] = { "mix", { "- gpus" }, mix_check, NULL },
    [BASELINE] = { "baseline", { "baseline" }, figures_check, NULL },
    [DATABASE] = { "database", { NULL }, figures_check, NULL },
};

/* Those that others' keys would not tell from them come first: models have
 * queues, too, and baselines runs.
 */
static const enum kind by_key[] = { TOPOLOGY, PROFILE,  WORLD, SPEED, MODEL,
                                    SWEEP,    BASELINE, SUITE, TRACE };

/* --- top-level keys ---------------------------------------------------------- */

#define KEYS_MAX 256u
#define KEY_MAX 80u

/* Of what is a mapping; is_list: it is a list. */
struct top {
    char key[KEYS_MAX][KEY_MAX];
    size_t count;
    bool is_list;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* "wait.p95[queue=a]" of `'wait.p95[queue=a]': {max: 1h}`; its length, 0 when
 * there is no key.
 */
static size_t key_take(const char *s, const char *end, char *key)
{
    const char quote = *s == '"' || *s == '\'' ? *s : '\0';
    const char *stop = s += quote != '\0';

    while (stop < end && (quote ? *stop != quote : *stop != ':'))
        stop++;
    if (stop == end || stop == s || (size_t)(stop - s) >= KEY_MAX
        || (quote && (stop + 1 == end || stop[1] != ':')))
        return 0;
    memcpy(key, s, (size_t)(stop - s));
    key[stop - s] = '\0';
    return (size_t)(stop - s);
}

/* `s` is a line that says something, from its first letter on. */
static void line_take(struct top *t, const char *s, const char *end,
                      size_t column, size_t *left)
{
    if (t->count == 0 && *left == SIZE_MAX) {
        t->is_list = *s == '[' || (*s == '-' && end - s > 1 && is_blank(s[1]));
        if (*s == '{') {
            for (s++, column++; s < end && is_blank(*s); s++)
                column++;
            if (s == end)
                return;
        }
        *left = column;
    }
    if (column == *left && t->count < KEYS_MAX
        && key_take(s, end, t->key[t->count]))
        t->count++;
}

static void top_read(struct top *t, const char *s, size_t size)
{
    const char *end = s + size;
    size_t left = SIZE_MAX;

    t->count = 0;
    t->is_list = false;
    if (size >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        s += 3;
    while (s < end) {
        const char *lf = memchr(s, '\n', (size_t)(end - s));
        const char *stop = lf ? lf : end, *text = s;

        while (text < stop && is_blank(*text))
            text++;
        if (text < stop && *text != '#' && *text != '%'
            && (stop - text < 3 || memcmp(text, "---", 3) != 0))
            line_take(t, text, stop, (size_t)(text - s), &left);
        s = lf ? lf + 1 : end;
    }
}

static bool has_key(const struct top *t, const char *key)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->key[i], key) == 0)
            return true;
    }
    return false;
}

/* A metric's name, or one that could only be meant to be one. */
static bool has_metric(const struct top *t)
{
    for (size_t i = 0; i < t->count; i++) {
        char name[KEY_MAX];

        strcpy(name, t->key[i]);
        name[strcspn(name, "[")] = '\0';
        if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.")])
            continue;
        if (strchr(name, '.') || report_glossary_find(name))
            return true;
    }
    return false;
}

static enum kind kind_of_yaml(const char *text, size_t size)
{
    struct top t;

    top_read(&t, text, size);
    if (t.is_list)
        return MIX;
    for (size_t i = 0; i < sizeof(by_key) / sizeof(by_key[0]); i++) {
        const char *const *key = kinds[by_key[i]].key;

        for (size_t k = 0; k < 6 && key[k]; k++) {
            if (has_key(&t, key[k]))
                return by_key[i];
        }
    }
    return has_metric(&t) ? RULES : KINDS;
}

/* --- all of it --------------------------------------------------------------- */

static int unknown(const char *path, struct gs_err *err)
{
    char list[240] = "";
    size_t at = 0;

    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].key[0])
            at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s (%s)",
                                   at ? ", " : "", kinds[k].name,
                                   kinds[k].key[0]);
    }
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                   "is no file that gsim reads; those are told by keys: %s, "
                   "or are traces in CSV or SWF",
                   list);
}

static enum kind kind_of(struct gs_input *in, struct gs_err *err)
{
    static const char magic[] = "SQLite format 3", nodes[] = "sn,";
    size_t size = 0;
    const char *text = gs_input_head(in, &size, err);
    enum kind kind;

    if (!text)
        return KINDS;
    if (size >= sizeof(magic) && memcmp(text, magic, sizeof(magic)) == 0)
        return DATABASE;
    if (size >= sizeof(nodes) - 1
        && memcmp(text, nodes, sizeof(nodes) - 1) == 0)
        return TOPOLOGY;
    switch (trace_format_recognise(in, NULL)) {
    case TRACE_AUTO:
    case TRACE_YAML:
        break;
    default:
        return TRACE;
    }
    kind = kind_of_yaml(text, size);
    if (kind == KINDS && size == 0)
        gs_fail(err, GS_INPUT, (struct gs_mark){ .source = gs_input_name(in) },
                "the file is empty");
    else if (kind == KINDS)
        unknown(gs_input_name(in), err);
    return kind;
}

const struct file_kind *file_kind_of(const char *path, struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);
    enum kind kind = KINDS;

    if (!in)
        return NULL;
    kind = gsched_profile_names_plugin(path) ? MODULE : kind_of(in, err);
    gs_input_close(in);
    return kind == KINDS ? NULL : &kinds[kind];
}
