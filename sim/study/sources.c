/* sim/study/sources.c - see sources.h. */
#include "sim/study/sources.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "import/account.h"
#include "import/kubernetes/kubernetes.h"
#include "import/slurm/slurm_import.h"
#include "import/source.h"
#include "sim/replay/warm.h"
#include "sim/study/inputs.h"
#include "topology/topology.h"
#include "traces/formats/reader.h"
#include "traces/workload/workload.h"

#define NOTES_SHORT 3 /* of each sort, at the start of a replay */

struct sources {
    struct kube_import *x;      /* NULL after sources_finish */
    struct slurm_import *slurm; /* likewise; one of both */
    struct import_account *account;
    const char *nodes_path; /* of what the nodes are; NULL: none were read */
    uint64_t nodes_hash;
    uint32_t dims; /* that in->topo was made with; 0: it is not of objects */
    bool has_jobs, has_topologies;
};

/* --- a path --------------------------------------------------------------- */

int source_open(struct source *s, const char *path, bool is_native,
                struct gs_err *err)
{
    int rc;

    *s = (struct source){ .path = path };
    if (is_native) {
        s->file = gs_input_open(path, err);
        return s->file ? 0 : -1;
    }
    if (slurm_folder_is(path)) {
        s->system = SOURCE_SLURM;
        return 0;
    }
    rc = import_source_open(path, &s->file, err);
    s->system = rc > 0                              ? SOURCE_KUBERNETES
                : rc == 0 && slurm_file_is(s->file) ? SOURCE_SLURM
                                                    : SOURCE_NATIVE;
    if (rc == 0 && s->system == SOURCE_NATIVE
        && import_foreign_check(s->file, err) < 0) {
        gs_input_close(s->file);
        s->file = NULL;
        rc = -1;
    }
    return rc < 0 ? -1 : 0;
}

int source_open_trace(struct source *s, const char *path,
                      const struct trace_options *o, struct gs_err *err)
{
    if (source_open(s, path, o->format != TRACE_AUTO, err) < 0)
        return -1;
    if (o->columns && s->system == SOURCE_NATIVE)
        s->system = SOURCE_SLURM;
    return 0;
}

const char *sources_name(const struct inputs *in)
{
    assert(in->sources);
    return in->sources->slurm ? "files of Slurm" : "objects of Kubernetes";
}

enum source_part source_slurm_part(const struct source *s)
{
    assert(s->system == SOURCE_SLURM);
    if (!s->file) /* else it holds recordings */
        return slurm_folder_has_conf(s->path) ? SOURCE_CONFIGURATION
                                              : SOURCE_JOBS;
    if (slurm_file_is_conf(s->file))
        return SOURCE_CONFIGURATION;
    return slurm_file_is_jobs(s->file) ? SOURCE_JOBS : SOURCE_OTHER;
}

void source_close(struct source *s)
{
    gs_input_close(s->file);
    *s = (struct source){ 0 };
}

/* --- what was read -------------------------------------------------------- */

void sources_destroy(struct sources *s)
{
    if (!s)
        return;
    kube_import_destroy(s->x);
    slurm_import_destroy(s->slurm);
    import_account_destroy(s->account);
    gs_array_free(s);
}

static struct sources *begin(struct inputs *in, enum source_system system)
{
    struct sources *s = gs_array_new(1, sizeof(*s));

    sources_destroy(in->sources);
    s->account = import_account_create();
    if (system == SOURCE_SLURM)
        s->slurm = slurm_import_create(in->names, &in->dims, s->account);
    else
        s->x = kube_import_create(in->names, &in->dims, s->account);
    in->sources = s;
    return s;
}

static int part_read(struct sources *s, const struct source *from,
                     enum kube_part part, uint64_t *hash, struct gs_err *err)
{
    const struct slurm_file file = { from->path, from->file };
    int rc;

    if (s->slurm) {
        rc = slurm_import_read(s->slurm, &file, 1, err);
        *hash = slurm_import_hash(s->slurm);
        return rc;
    }
    rc = kube_import_read_part(s->x, from->path, from->file, part, err);
    *hash = kube_import_hash(s->x);
    return rc;
}

static int finish(const struct inputs *in, const char *path, struct gs_err *err)
{
    struct sources *s = in->sources;

    if (s->slurm) {
        s->has_jobs = slurm_import_has_jobs(s->slurm);
        return slurm_import_finish(s->slurm, err);
    }
    if (kube_import_finish(
            s->x, in->objects ? in->objects : &kube_options_default, err)
            < 0
        || kube_import_check(s->x, path, err) < 0)
        return -1;
    s->has_jobs = kube_import_has_jobs(s->x);
    s->has_topologies = kube_import_has_topologies(s->x);
    return 0;
}

static bool has_nodes(const struct sources *s)
{
    return s->slurm ? slurm_import_has_nodes(s->slurm)
                    : kube_import_has_nodes(s->x);
}

static int trace_make(struct sources *s, struct trace_workload *w,
                      int64_t *epoch, struct gs_err *err)
{
    const int rc = s->slurm ? slurm_import_trace(s->slurm, w, epoch, err)
                            : kube_import_trace(s->x, w, epoch, err);

    w->epoch = rc < 0 ? 0 : *epoch;
    return rc;
}

/* The last name of a path: a trace names its topology as seen from its folder.
 */
static const char *name_of(struct gs_arena *arena, const char *path)
{
    size_t len = strlen(path), from;

    while (len > 1 && path[len - 1] == '/')
        len--;
    for (from = len; from > 0 && path[from - 1] != '/'; from--)
        ;
    return gs_arena_strndup(arena, path + from, len - from);
}

static int no_nodes(const struct sources *s, const char *path,
                    struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                   "holds no nodes (%s)",
                   s->slurm ? "NodeName of slurm.conf, scontrol show node"
                            : "objects of kind Node");
}

/* --- the trace ------------------------------------------------------------ */

static int systems_check(const struct source *trace,
                         const struct source *cluster, struct gs_err *err)
{
    if (!cluster || trace->system == cluster->system)
        return 0;
    return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = trace->path },
                   "the trace and the topology are of two systems "
                   "(Kubernetes and Slurm): 'gsim import' makes native files "
                   "of one");
}

static int trace_options_set(struct sources *s, const struct trace_options *o,
                             bool is_native, struct gs_err *err)
{
    const struct slurm_options slurm = { o->timezone, o->columns, is_native };

    return s->slurm ? slurm_import_options(s->slurm, &slurm, err) : 0;
}

/* The default spreads, or the queues, of a policy's configuration, for pods. */
static int settings_lend(struct inputs *in, struct gs_err *err)
{
    in->takes_lent = in->lent_path && in->sources->x;
    return in->takes_lent ? kube_import_lend(in->sources->x, in->lent_path, err)
                          : 0;
}

int sources_read_trace(struct inputs *in, const struct source *trace,
                       const struct source *cluster,
                       const struct trace_options *o, struct gs_err *err)
{
    const bool is_remade = sources_made_topology(in);
    const bool is_native = in->topo && !is_remade && !cluster;
    struct sources *s;

    assert(in->work && source_is_foreign(trace));
    if (systems_check(trace, cluster, err) < 0)
        return -1;
    s = begin(in, trace->system);
    if (is_native && s->x)
        kube_import_know(s->x, in->topo->stated ? in->topo->stated : in->topo);
    if (trace_options_set(s, o, is_native, err) < 0
        || part_read(s, trace, cluster || is_native ? KUBE_JOBS : KUBE_ALL,
                     &in->trace_hash, err)
               < 0
        || (cluster
            && part_read(s, cluster, KUBE_CLUSTER, &s->nodes_hash, err) < 0)
        || settings_lend(in, err) < 0 || finish(in, trace->path, err) < 0
        || trace_make(s, in->work, &in->facts.epoch, err) < 0)
        return -1;
    if (o->limit)
        trace_workload_finish(in->work, o->limit);
    if (is_native)
        sources_fit(in->work, in->topo, s->account);
    if (!has_nodes(s))
        return cluster ? no_nodes(s, cluster->path, err) : 0;
    s->nodes_path = cluster ? cluster->path : trace->path;
    if (!cluster) {
        s->nodes_hash = in->trace_hash;
        if (strcmp(trace->path, "-") != 0)
            in->facts.topology = name_of(in->arena, trace->path);
    }
    return is_remade ? sources_read_topology(in, cluster, err) : 0;
}

/* --- the topology --------------------------------------------------------- */

void sources_fit(struct trace_workload *w, const struct topo *t,
                 struct import_account *account)
{
    const uint32_t tasks = sim_warm_fit(t, w);

    if (tasks)
        import_account_tell(
            account, IMPORT_LEFT, NULL, NULL,
            "where %u pods run whose node has no room for them: "
            "they wait",
            tasks);
}

static int topology_make(struct inputs *in, struct gs_err *err)
{
    struct topo *t = topo_create(in->arena, in->names, &in->dims);

    in->sources->dims = in->dims.count;
    if ((in->sources->slurm ? slurm_import_topology(in->sources->slurm, t, err)
                            : kube_import_topology(in->sources->x, t, err))
        < 0)
        return -1;
    in->topo = t;
    if (in->work && in->sources->has_jobs)
        sources_fit(in->work, t, in->sources->account);
    return 0;
}

static bool is_open(const struct sources *s)
{
    return s->x || s->slurm;
}

/* Nodes have the resources that the pods beside them ask for. */
static int nodes_read(struct inputs *in, const struct source *from,
                      struct gs_err *err)
{
    struct sources *s = begin(in, from->system);
    struct trace_workload *w = NULL;
    int64_t epoch;
    int rc = part_read(s, from, KUBE_ALL, &s->nodes_hash, err);

    if (rc == 0)
        rc = finish(in, from->path, err);
    if (rc == 0 && !has_nodes(s))
        rc = no_nodes(s, from->path, err);
    if (rc == 0) {
        w = trace_workload_create(in->arena, in->names, &in->dims);
        rc = trace_make(s, w, &epoch, err);
    }
    s->nodes_path = from->path;
    trace_workload_destroy(w);
    return rc;
}

int sources_read_topology(struct inputs *in, const struct source *from,
                          struct gs_err *err)
{
    const struct sources *s = in->sources;
    const char *path = from ? from->path : s->nodes_path;

    if ((!s || !is_open(s) || !s->nodes_path
         || strcmp(s->nodes_path, path) != 0)
        && nodes_read(in, from, err) < 0)
        return -1;
    in->topology_path = path;
    in->topology_hash = in->sources->nodes_hash;
    return topology_make(in, err);
}

int sources_read_part(struct inputs *in, const char *path, struct gs_err *err)
{
    struct sources *s = begin(in, SOURCE_SLURM);
    const struct slurm_file file = { path, NULL };

    return slurm_import_read(s->slurm, &file, 1, err);
}

bool sources_have_nodes(const struct inputs *in)
{
    return in->sources && in->sources->nodes_path;
}

bool sources_have_jobs(const struct inputs *in)
{
    return in->sources && in->sources->has_jobs;
}

bool sources_have_topologies(const struct inputs *in)
{
    return in->sources && in->sources->has_topologies;
}

const char *sources_jobs_wanted(const struct inputs *in)
{
    return in->sources->slurm ? "jobs: an export of sacct has them"
           : in->sources->x && kube_import_profiles(in->sources->x)
               ? "workloads and no pods that become jobs: it configures a "
                 "scheduler, give it as --policy"
               : "workloads and no pods that become jobs";
}

bool sources_made_topology(const struct inputs *in)
{
    return in->sources && in->sources->dims;
}

int sources_remake(struct inputs *in, struct gs_err *err)
{
    const struct sources *s = in->sources;

    if (!s || !is_open(s) || !s->dims || s->dims == in->dims.count)
        return 0;
    return topology_make(in, err);
}

void sources_finish(struct inputs *in)
{
    if (!in->sources)
        return;
    kube_import_destroy(in->sources->x);
    slurm_import_destroy(in->sources->slurm);
    in->sources->x = NULL;
    in->sources->slurm = NULL;
}

/* --- the account ---------------------------------------------------------- */

void inputs_tell_sources(const struct inputs *in)
{
    if (in->sources)
        import_account_print_short(in->sources->account, NOTES_SHORT,
                                   "gsim: note: ", stderr);
    else if (in->objects)
        fputs("gsim: note: --at, --duration, --history, --span and --tier have "
              "no effect: no objects of Kubernetes are read\n",
              stderr);
}

void inputs_print_sources(const struct inputs *in, FILE *out)
{
    if (in->sources)
        import_account_print(in->sources->account, out);
}
