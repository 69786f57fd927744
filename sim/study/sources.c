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
#include "import/source.h"
#include "sim/replay/warm.h"
#include "sim/study/inputs.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define NOTES_SHORT 3 /* of each sort, at the start of a replay */

struct sources {
    struct kube_import *x; /* NULL after sources_finish */
    struct import_account *account;
    const char *nodes_path; /* of what the nodes are; NULL: none were read */
    uint64_t nodes_hash;
    uint32_t dims; /* that in->topo was made with; 0: it is not of objects */
    bool has_jobs;
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
    rc = import_source_open(path, &s->file, err);
    s->is_objects = rc > 0;
    return rc < 0 ? -1 : 0;
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
    import_account_destroy(s->account);
    gs_array_free(s);
}

static struct sources *begin(struct inputs *in)
{
    struct sources *s = gs_array_new(1, sizeof(*s));

    sources_destroy(in->sources);
    s->account = import_account_create();
    s->x = kube_import_create(in->names, &in->dims, s->account);
    in->sources = s;
    return s;
}

static int part_read(struct sources *s, const struct source *from,
                     enum kube_part part, uint64_t *hash, struct gs_err *err)
{
    const int rc = kube_import_read_part(s->x, from->path, from->file, part,
                                         err);

    *hash = kube_import_hash(s->x);
    return rc;
}

static int finish(const struct inputs *in, const char *path, struct gs_err *err)
{
    struct sources *s = in->sources;

    if (kube_import_finish(
            s->x, in->objects ? in->objects : &kube_options_default, err)
            < 0
        || kube_import_check(s->x, path, err) < 0)
        return -1;
    s->has_jobs = kube_import_has_jobs(s->x);
    return 0;
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

static int no_nodes(const char *path, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                   "holds no nodes (objects of kind Node)");
}

/* --- the trace ------------------------------------------------------------ */

int sources_read_trace(struct inputs *in, const struct source *trace,
                       const struct source *cluster, uint32_t limit,
                       struct gs_err *err)
{
    const bool is_remade = sources_made_topology(in);
    const bool is_native = in->topo && !is_remade && !cluster;
    struct sources *s = begin(in);

    assert(in->work && trace->is_objects && (!cluster || cluster->is_objects));
    if (is_native)
        kube_import_know(s->x, in->topo->stated ? in->topo->stated : in->topo);
    if (part_read(s, trace, cluster || is_native ? KUBE_JOBS : KUBE_ALL,
                  &in->trace_hash, err)
            < 0
        || (cluster
            && part_read(s, cluster, KUBE_CLUSTER, &s->nodes_hash, err) < 0)
        || finish(in, trace->path, err) < 0
        || kube_import_trace(s->x, in->work, &in->facts.epoch, err) < 0)
        return -1;
    if (limit)
        trace_workload_finish(in->work, limit);
    if (is_native)
        sources_fit(in->work, in->topo, s->account);
    if (!kube_import_has_nodes(s->x))
        return cluster ? no_nodes(cluster->path, err) : 0;
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
    if (kube_import_topology(in->sources->x, t, err) < 0)
        return -1;
    in->topo = t;
    if (in->work && in->sources->has_jobs)
        sources_fit(in->work, t, in->sources->account);
    return 0;
}

/* Nodes have the resources that the pods beside them ask for. */
static int nodes_read(struct inputs *in, const struct source *from,
                      struct gs_err *err)
{
    struct sources *s = begin(in);
    struct trace_workload *w = NULL;
    int64_t epoch;
    int rc = part_read(s, from, KUBE_ALL, &s->nodes_hash, err);

    if (rc == 0)
        rc = finish(in, from->path, err);
    if (rc == 0 && !kube_import_has_nodes(s->x))
        rc = no_nodes(from->path, err);
    if (rc == 0) {
        w = trace_workload_create(in->arena, in->names, &in->dims);
        rc = kube_import_trace(s->x, w, &epoch, err);
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

    if ((!s || !s->x || !s->nodes_path || strcmp(s->nodes_path, path) != 0)
        && nodes_read(in, from, err) < 0)
        return -1;
    in->topology_path = path;
    in->topology_hash = in->sources->nodes_hash;
    return topology_make(in, err);
}

bool sources_have_nodes(const struct inputs *in)
{
    return in->sources && in->sources->nodes_path;
}

bool sources_have_jobs(const struct inputs *in)
{
    return in->sources && in->sources->has_jobs;
}

bool sources_made_topology(const struct inputs *in)
{
    return in->sources && in->sources->dims;
}

int sources_remake(struct inputs *in, struct gs_err *err)
{
    const struct sources *s = in->sources;

    if (!s || !s->x || !s->dims || s->dims == in->dims.count)
        return 0;
    return topology_make(in, err);
}

void sources_finish(struct inputs *in)
{
    if (!in->sources)
        return;
    kube_import_destroy(in->sources->x);
    in->sources->x = NULL;
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
