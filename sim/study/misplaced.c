/* sim/study/misplaced.c - see misplaced.h. */
#include "sim/study/misplaced.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/input.h"
#include "base/yamltop.h"
#include "sim/study/scheduler_files.h"
#include "traces/formats/reader.h"

/* What a file is, and the places where it may stand. */
struct content {
    const char *what;
    unsigned places; /* bit enum place */
};

#define IN(place) (1u << (place))

/* By a top-level key; one that comes first decides. */
static const struct {
    const char *key;
    struct content is;
} by_key[] = {
    { "jobs", { "is a trace", IN(PLACE_TRACE) } },
    { "modules", { "is a profile", IN(PLACE_POLICY) } },
    { "schedulers", { "is a profile", IN(PLACE_POLICY) } },
    { "actions", { "is a profile", IN(PLACE_POLICY) } },
    { "node_types", { "is a topology", IN(PLACE_TOPOLOGY) } },
    { "nodes", { "is a topology", IN(PLACE_TOPOLOGY) } },
};

static const struct content unknown = { NULL, 0 };

static struct content native_content(struct gs_input *in)
{
    const enum trace_format format = trace_format_recognise(in, NULL);
    struct gs_err quiet = { 0 };
    struct gs_ytop top;

    if (format != TRACE_YAML && format != TRACE_AUTO)
        return by_key[0].is;
    (void)gs_yaml_top(in, &top, &quiet); /* the keys that were found tell */
    for (size_t i = 0; i < sizeof(by_key) / sizeof(by_key[0]); i++) {
        if (gs_ytop_find(&top, by_key[i].key))
            return by_key[i].is;
    }
    return unknown;
}

static struct content slurm_content(const struct source *s)
{
    switch (source_slurm_part(s)) {
    case SOURCE_CONFIGURATION:
        return (struct content){ "is a configuration of Slurm",
                                 IN(PLACE_POLICY) | IN(PLACE_TOPOLOGY) };
    case SOURCE_JOBS:
        return (struct content){ "holds accounting of Slurm", IN(PLACE_TRACE) };
    default:
        return unknown;
    }
}

static struct content content_of(const struct source *s)
{
    const char *kind = s->file ? scheduler_file_is(s->path) : NULL;

    if (s->system == SOURCE_SLURM)
        return slurm_content(s);
    if (kind && strcmp(kind, "configuration of Volcano") == 0)
        return (struct content){ "is a configuration of Volcano",
                                 IN(PLACE_POLICY) };
    if (kind && strcmp(kind, "configuration of YuniKorn") == 0)
        return (struct content){ "is a configuration of YuniKorn",
                                 IN(PLACE_POLICY) };
    if (kind && strcmp(kind, "configuration of kube-scheduler") == 0)
        return (struct content){ "is a configuration of kube-scheduler",
                                 IN(PLACE_POLICY) };
    if (s->system == SOURCE_KUBERNETES) /* they may configure a scheduler */
        return unknown;
    return s->file ? native_content(s->file) : unknown;
}

/* Open it once more; a pipe was read, or nothing writes to it. */
static bool reopen(struct source *s, const char *path)
{
    struct gs_err quiet = { 0 };
    struct stat st;

    return stat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
           && source_open(s, path, false, &quiet) == 0;
}

bool misplaced_tell(const char *path, enum place place, unsigned had,
                    struct gs_err *err)
{
    static const char *const wanted[] = { "trace", "topology", "policy" };
    const struct gs_mark at = { .source = path };
    struct content is;
    struct source s;

    assert(path && place <= PLACE_POLICY);
    if (!err || had > err->count || !reopen(&s, path))
        return false;
    is = content_of(&s);
    source_close(&s);
    if (!is.what || is.places & IN(place))
        return false;
    err->count = had;
    (void)gs_fail(err, GS_INPUT, at, "%s, no %s: give it as %s", is.what,
                  wanted[place],
                  is.places == IN(PLACE_TRACE)      ? "TRACE"
                  : is.places == IN(PLACE_TOPOLOGY) ? "--topology"
                  : is.places == IN(PLACE_POLICY)   ? "--policy"
                                                    : "--topology or --policy");
    return true;
}

bool misplaced_import_tell(const char *path, enum source_system system,
                           unsigned had, struct gs_err *err)
{
    static const char *const of[] = {
        [SOURCE_KUBERNETES] =
            "holds objects of Kubernetes: 'gsim import kubernetes' reads it",
        [SOURCE_SLURM] = "is a file of Slurm: 'gsim import slurm' reads it",
    };
    enum source_system found;
    struct source s;

    assert(path && err && had <= err->count);
    if (!reopen(&s, path))
        return false;
    found = s.system;
    source_close(&s);
    if (found == system || found == SOURCE_NATIVE)
        return false;
    err->count = had;
    (void)gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path }, "%s",
                  of[found]);
    return true;
}
