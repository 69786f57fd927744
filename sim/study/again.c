/* sim/study/again.c - reads the inputs of a stored run, see again.h. */
#include "sim/study/again.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "policies/profile/profile.h"
#include "reports/store/store.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/source_options.h"
#include "traces/edit/estimates.h"

/* The options of the run, as the object that was stored. */
struct options {
    struct inputs *in;
    const json_t *json;
    const char **set;
    size_t sets;
};

/* A text that outlives the JSON; NULL. */
static const char *text_of(const struct options *o, const json_t *value)
{
    const char *text = json_string_value(value);

    return text ? gs_arena_strndup(o->in->arena, text, strlen(text)) : NULL;
}

static const char *text_at(const struct options *o, const char *name)
{
    return text_of(o, json_object_get(o->json, name));
}

static uint32_t count_at(const struct options *o, const char *name)
{
    const json_int_t n = json_integer_value(json_object_get(o->json, name));

    return n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
}

static void sets_take(struct options *o)
{
    const json_t *set = json_object_get(o->json, "set");
    const size_t n = json_array_size(set);

    o->set = gs_arena_alloc(o->in->arena, n + 1, sizeof(*o->set));
    for (size_t i = 0; i < n; i++) {
        const char *text = text_of(o, json_array_get(set, i));

        if (text)
            o->set[o->sets++] = text;
    }
}

static int sources_take(const struct options *o, struct gs_err *err)
{
    const json_t *all = json_object_get(o->json, "sources");
    const json_t *tiers = json_object_get(all, "tiers");
    const json_t *at = json_object_get(all, "at");
    struct source_options s = SOURCE_OPTIONS_NONE;
    char date[32];

    if (!json_is_object(all))
        return 0;
    s.duration = json_integer_value(json_object_get(all, "duration"));
    s.span = json_integer_value(json_object_get(all, "span"));
    s.history = json_is_true(json_object_get(all, "history"));
    if (json_is_integer(at))
        s.at = gs_arena_printf(
            o->in->arena, "%s",
            gs_date_format(json_integer_value(at), date, sizeof(date)));
    for (size_t i = 0; i < json_array_size(tiers) && s.tiers < SOURCE_TIERS_MAX;
         i++) {
        const char *tier = text_of(o, json_array_get(tiers, i));

        if (tier)
            s.tier[s.tiers++] = tier;
    }
    return source_options_take(&s, o->in, err);
}

/* --- the same as then ----------------------------------------------------- */

static int changed(const char *path, const char *what, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                   "the %s is not the one that the run was made of", what);
}

/* Fails unless the file that the option `name` states has its stored hash. */
static int hash_check(const struct options *o, const char *name,
                      const char *path, uint64_t hash, struct gs_err *err)
{
    const char *was = text_at(o, name);
    char is[24];

    snprintf(is, sizeof(is), "%016" PRIx64, hash);
    return was && strcmp(was, is) != 0 ? changed(path, "file", err) : 0;
}

static int inputs_compare(const struct options *o,
                          const struct report_stored_run *run,
                          const struct gsched_profile *p, struct gs_err *err)
{
    const struct inputs *in = o->in;
    char hashes[48];

    snprintf(hashes, sizeof(hashes), "%016" PRIx64 " %016" PRIx64,
             in->trace_hash, in->topology_hash);
    if (strncmp(hashes, run->inputs, 16) != 0)
        return changed(run->trace, "trace", err);
    if (strcmp(hashes, run->inputs) != 0)
        return changed(run->topology, "topology", err);
    if (strcmp(gsched_profile_text(p, in->arena), run->profile) != 0)
        return changed(run->policy, "policy", err);
    if (strcmp(run->version, GSIM_VERSION) != 0)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                       "gsim %.20s made the run, this is %s", run->version,
                       GSIM_VERSION);
    return hash_check(o, "speed_hash", in->speed_spec, in->speed_hash, err) < 0
               ? -1
               : hash_check(o, "world_hash", in->scenario_path,
                            in->scenario_hash, err);
}

/* --- reading -------------------------------------------------------------- */

static int files_read(struct options *o, const struct report_stored_run *run,
                      struct gsched_profile **p, struct gs_err *err)
{
    const struct trace_options t = {
        .processors_are_gpus = json_is_true(
            json_object_get(o->json, "gpu_processors")),
        .task_size = count_at(o, "task_size"),
        .arrivals_only = json_is_true(
            json_object_get(o->json, "arrivals_only")),
        .limit = count_at(o, "limit"),
        .timezone = text_at(o, "timezone"),
        .columns = text_at(o, "columns"),
    };
    const char *estimates = text_at(o, "estimates");

    sets_take(o);
    if (study_policies_read(o->in, &run->policy, 1, o->set, o->sets, p, err) < 0
        || sources_take(o, err) < 0
        || inputs_read(o->in, run->trace, run->topology, &t, err) < 0
        || (estimates && study_estimates_set(o->in, estimates, err) < 0)
        || study_changes_apply(o->in, o->set, o->sets, err) < 0
        || inputs_read_speed(o->in, text_at(o, "speed"), err) < 0
        || inputs_read_scenario(o->in, text_at(o, "world"), err) < 0)
        return -1;
    return inputs_compare(o, run, *p, err);
}

int study_again(struct inputs *in, const struct report_stored_run *run,
                struct study_again *out, struct gs_err *err)
{
    json_t *json = json_loads(run->options, JSON_REJECT_DUPLICATES, NULL);
    struct options o = { .in = in, .json = json };
    struct gsched_profile *p = NULL;
    const int rc = strcmp(run->trace, "-") == 0
                           || strcmp(run->topology, "-") == 0
                       ? gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                                 "an input was read from standard input")
                       : files_read(&o, run, &p, err);

    json_decref(json);
    if (rc < 0)
        return -1;
    if (in->estimates)
        trace_estimates_draw(in->work, in->estimates, run->seed);
    *out = (struct study_again){
        .profile = p,
        .sim = { .source = in->trace_path,
                 .seed = run->seed,
                 .speed = in->speed,
                 .until = SIM_FOREVER,
                 .scenario = in->scenario },
    };
    return 0;
}
