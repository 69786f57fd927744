/* sim/study/change.c - applying changes, see change.h. */
#include "sim/study/change.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "sim/replay/warm.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "topology/resize.h"
#include "topology/topology.h"
#include "traces/edit/edit.h"
#include "traces/edit/estimates.h"
#include "traces/edit/scale.h"

#define NODES "nodes."
#define POLICY "policy="

static struct gs_mark where(void)
{
    return (struct gs_mark){ .source = "--set" };
}

/* Call `fn` with the factor that `value` states. */
static int scale(struct inputs *in, const char *path, const char *value,
                 int (*fn)(struct trace_workload *, double, struct gs_err *),
                 struct gs_err *err)
{
    double factor;

    if (gs_quantity_parse_double(value, strlen(value), &factor) < 0)
        return gs_fail(err, GS_USAGE, where(),
                       "'%s' must be a number such as 1.2 (got '%s')", path,
                       value);
    return fn(in->work, factor, err);
}

static int load_change(struct inputs *in, const char *path, const char *value,
                       struct gs_err *err)
{
    return scale(in, path, value, trace_workload_scale_load, err);
}

static int durations_change(struct inputs *in, const char *path,
                            const char *value, struct gs_err *err)
{
    return scale(in, path, value, trace_workload_scale_durations, err);
}

/* "24", or "+8" and "-8" relative to `there`. */
static int count_parse(const char *path, const char *value, uint32_t there,
                       uint32_t *count, struct gs_err *err)
{
    const bool adds = value[0] == '+', takes = value[0] == '-';
    const char *digits = value + (adds || takes);
    uint64_t n;

    if (gs_quantity_parse_u64(digits, strlen(digits), &n) < 0
        || n > TOPO_NODES_MAX || (takes && n > there))
        return gs_fail(err, GS_USAGE, where(),
                       "'%s' must be a number of nodes, or +N or -N to change "
                       "the present %u (got '%s')",
                       path, there, value);
    *count = (uint32_t)(adds ? there + n : takes ? there - n : n);
    return 0;
}

/* The topology's node types, for a message. */
static const char *types_text(const struct inputs *in, char *buf, size_t size)
{
    buf[0] = '\0';
    for (uint32_t k = 0; k < in->topo->class_count; k++) {
        const uint32_t type = in->topo->klass[k].type;

        if (k == 0 || in->topo->klass[k - 1].type != type)
            gs_text_add(buf, size, "%s%.40s", k ? ", " : "",
                        gs_strtab_str(in->names, type));
    }
    return buf;
}

/* Jobs that stood on nodes that are gone now wait. */
static void topo_set(struct inputs *in, const struct topo *t)
{
    if (in->work)
        in->homeless += sim_warm_leave(in->topo, t, in->work);
    in->topo = t;
}

static int nodes_change(struct inputs *in, const char *path, const char *value,
                        struct gs_err *err)
{
    const char *name = path + strlen(NODES);
    const uint32_t type = gs_strtab_put(in->names, name, strlen(name));
    const uint32_t there = topo_type_count(in->topo, type);
    const struct topo *t;
    uint32_t count = 0;
    char types[160];

    if (there == 0)
        return gs_fail(err, GS_USAGE, where(),
                       "no node is of the type '%.60s' (there are: %s)", name,
                       types_text(in, types, sizeof(types)));
    if (count_parse(path, value, there, &count, err) < 0)
        return -1;
    t = topo_resize(in->topo, type, count, in->arena, err);
    if (!t)
        return -1;
    topo_set(in, t);
    inputs_count_pods(in);
    return 0;
}

static int without_change(struct inputs *in, const char *path,
                          const char *value, struct gs_err *err)
{
    const struct topo *t = topo_without(
        in->topo, gs_strtab_put(in->names, value, strlen(value)), in->arena,
        err);

    (void)path;
    if (!t)
        return -1;
    topo_set(in, t);
    return 0;
}

static int workload_change(struct inputs *in, const char *path,
                           const char *value, struct gs_err *err)
{
    if (trace_change_apply(in->work, "--set", path, value, in->arena, err) < 0)
        return -1;
    inputs_count_pods(in);
    return 0;
}

int study_estimates_set(struct inputs *in, const char *spec, struct gs_err *err)
{
    struct trace_estimates e;

    if (trace_estimates_parse(spec, &e, err) < 0)
        return -1;
    in->estimates = gs_arena_memdup(in->arena, &e, sizeof(e));
    return 0;
}

static int estimates_change(struct inputs *in, const char *path,
                            const char *value, struct gs_err *err)
{
    (void)path; /* always "estimates" */
    return study_estimates_set(in, value, err);
}

typedef int change_fn(struct inputs *in, const char *path, const char *value,
                      struct gs_err *err);

static const struct {
    const char *path; /* one that ends with a dot: every path that begins so */
    change_fn *change;
} changes[] = {
    { "load", load_change },           { "durations", durations_change },
    { "estimates", estimates_change }, { NODES, nodes_change },
    { "without", without_change },
};

static bool matches(const char *text, const char *path)
{
    const size_t n = strlen(path);

    return strncmp(text, path, n) == 0
           && (path[n - 1] == '.' || text[n] == '=');
}

/* The function for a change of the inputs; NULL: it is a setting of the
 * policy.
 */
static change_fn *change_of(const char *text)
{
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        if (matches(text, changes[i].path))
            return changes[i].change;
    }
    return trace_change_is(text) ? workload_change : NULL;
}

bool study_change_names_policy(const char *text)
{
    return strncmp(text, POLICY, strlen(POLICY)) == 0;
}

const char *study_policy_set(const char *spec, const char *const *set,
                             size_t sets)
{
    for (size_t i = 0; i < sets; i++) {
        if (study_change_names_policy(set[i]))
            spec = set[i] + strlen(POLICY);
    }
    return spec;
}

bool study_change_is_policys(const char *text)
{
    return !change_of(text);
}

int study_change_apply(struct inputs *in, struct gsched_profile *p,
                       const char *text, struct gs_err *err)
{
    const char *equals = strchr(text, '=');
    change_fn *change;

    if (!equals || equals == text || !gs_text_is_clean(text, strlen(text)))
        return gs_fail(err, GS_USAGE, where(),
                       "must be PATH=VALUE: " STUDY_CHANGE_HELP " (got '%s')",
                       text);
    change = change_of(text);
    if (!change)
        return gsched_profile_set(p, text, in->arena, err);
    return change(in,
                  gs_arena_strndup(in->arena, text, (size_t)(equals - text)),
                  equals + 1, err);
}

/* --- options of command lines --------------------------------------------- */

int study_policies_read(struct inputs *in, const char *const *spec,
                        size_t count, const char *const *set, size_t sets,
                        struct gsched_profile **profile, struct gs_err *err)
{
    for (size_t i = 0; i < count; i++) {
        profile[i] = inputs_policy(in, spec[i], err);
        if (!profile[i])
            return -1;
        for (size_t k = 0; k < sets; k++) {
            if (study_change_is_policys(set[k])
                && study_change_apply(in, profile[i], set[k], err) < 0)
                return -1;
        }
        if (gsched_profile_check(profile[i], err) < 0)
            return -1;
    }
    return 0;
}

int study_changes_apply(struct inputs *in, const char *const *set, size_t sets,
                        struct gs_err *err)
{
    for (size_t i = 0; i < sets; i++) {
        if (!study_change_is_policys(set[i])
            && study_change_apply(in, NULL, set[i], err) < 0)
            return -1;
    }
    return 0;
}
