/* sim/cli/cmd_import.c - gsim import: files of other systems as native ones. */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "import/account.h"
#include "import/kubernetes/kubernetes.h"
#include "policies/profile/profile.h"
#include "sim/cli/cmd.h"
#include "sim/cli/import_files.h"
#include "sim/cli/source_flags.h"
#include "sim/study/anonymize.h"
#include "sim/study/inputs.h"
#include "sim/study/misplaced.h"
#include "sim/study/source_schedulers.h"
#include "sim/study/sources.h"
#include "topology/topology.h"
#include "traces/formats/writer.h"
#include "traces/workload/workload.h"

#define SOURCES_MAX 1024

struct import_options {
    const char *dir;
    struct cmd_source_flags source;
    const char *pool; /* NULL: all */
    bool is_anonymous;
};

#define AT(field) offsetof(struct import_options, field)

static const struct import_options defaults = { .source = CMD_SOURCE_NONE };

static const struct cmd_take take[] = {
    { .id = OPT_ANONYMIZE, AT(is_anonymous) },
    { .id = OPT_NODE_POOL, AT(pool) },
    { .id = OPT_OUT_DIR, AT(dir) },
    CMD_SOURCE_TAKES(AT(source)),
};

/* --- kubernetes ----------------------------------------------------------- */

static int objects_read(const struct cmd_call *call, struct kube_import *x,
                        struct gs_err *err)
{
    const struct import_options *o = call->options;

    if (cmd_source_take(&o->source, call->in, err) < 0)
        return -1;
    kube_import_pool(x, o->pool);
    for (size_t i = 0; i < call->count; i++) {
        if (kube_import_read(x, call->operand[i], err) < 0)
            return -1;
    }
    return kube_import_finish(
        x, call->in->objects ? call->in->objects : &kube_options_default, err);
}

/* The trace and the cluster into `in`, as far as the sources hold them. */
static int inputs_make(struct inputs *in, struct kube_import *x,
                       struct import_account *account, struct gs_err *err)
{
    struct topo *t;

    in->work = trace_workload_create(in->arena, in->names, &in->dims);
    if (kube_import_trace(x, in->work, &in->facts.epoch, err) < 0)
        return -1;
    if (!kube_import_has_nodes(x))
        return 0;
    in->facts.topology = "topology.yaml";
    t = topo_create(in->arena, in->names, &in->dims);
    if (kube_import_topology(x, t, err) < 0)
        return -1;
    in->topo = t;
    sources_fit(in->work, t, account);
    return 0;
}

/* A name of a scheduler as a part of a file's name. */
static const char *file_part(const char *name, char *buf, size_t size)
{
    size_t i = 0;

    for (; name[i] && i + 1 < size; i++)
        buf[i] = strchr("/\\ \t\r\n", name[i]) ? '-' : name[i];
    buf[i] = '\0';
    return buf;
}

/* All schedulers of the cluster in profile.yaml, if there are several. */
static int schedulers_write(const struct cmd_call *call, struct kube_import *x,
                            struct import_account *a, struct gs_err *err)
{
    const struct import_options *o = call->options;
    struct import_content c = { call->in, NULL, NULL };
    struct gsched_profile *p;

    if (source_schedulers(call->in, x, a, &p, err) < 0)
        return -1;
    c.profile = p;
    return p ? import_file_write(o->dir, "profile.yaml", import_profile_put, &c,
                                 err)
             : 0;
}

/* profile.yaml of the scheduler that the source configures; of several
 * profile-NAME.yaml each, with a number behind what is there already.
 */
static int profiles_write(const struct cmd_call *call, struct kube_import *x,
                          struct gs_err *err)
{
    const struct import_options *o = call->options;
    const uint32_t count = kube_import_profiles(x);

    for (uint32_t i = 0; i < count; i++) {
        const char *name = kube_import_profile_name(x, i);
        char part[80], path[120], number[16] = "";
        struct import_content c = { call->in, NULL, NULL };
        uint32_t same = 1;

        for (uint32_t k = 0; k < i; k++)
            same += strcmp(kube_import_profile_name(x, k), name) == 0;
        if (same > 1)
            (void)snprintf(number, sizeof(number), "-%u", same);
        c.profile = kube_import_profile(
            x, i, gs_arena_printf(call->in->arena, "%s%s", name, number),
            call->in->arena, err);
        (void)snprintf(
            path, sizeof(path), "profile%s%s%s.yaml", count > 1 ? "-" : "",
            count > 1 ? file_part(name, part, sizeof(part)) : "", number);
        if (!c.profile
            || import_file_write(o->dir, path, import_profile_put, &c, err) < 0)
            return -1;
    }
    return 0;
}

static int files_write(const struct cmd_call *call, struct kube_import *x,
                       struct import_account *a, struct gs_err *err)
{
    const struct import_options *o = call->options;
    const struct import_content c = { call->in, a, NULL };

    if (trace_check_yaml(call->in->work, err) < 0
        || import_dir_make(o->dir, err) < 0)
        return -1;
    if ((call->in->topo
         && import_file_write(o->dir, "topology.yaml", import_topology_put, &c,
                              err)
                < 0)
        || ((call->in->work->job_count || kube_import_has_queues(x))
            && import_file_write(o->dir, "trace.yaml", import_trace_put, &c,
                                 err)
                   < 0))
        return -1;
    if (profiles_write(call, x, err) < 0
        || schedulers_write(call, x, a, err) < 0)
        return -1;
    if (o->is_anonymous) /* the account has names */
        return 0;
    return import_file_write(o->dir, "account.txt", import_account_put, &c,
                             err);
}

static void anonymize(const struct cmd_call *call)
{
    if (!call->in->topo && !call->is_quiet)
        fputs("gsim: note: names that jobs ask of nodes are replaced: give the "
              "nodes, too, to have the same names there\n",
              stderr);
    inputs_anonymize(call->in, true);
}

static int kubernetes_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct import_options *o = call->options;
    struct import_account *a;
    struct kube_import *x;
    int rc;

    if (!o->dir)
        return cmd_usage(call->cmd, "'--out-dir' is needed");
    a = import_account_create();
    x = kube_import_create(call->in->names, &call->in->dims, a);
    rc = objects_read(call, x, err);
    if (rc == 0)
        rc = kube_import_check(x, call->operand[0], err);
    if (rc < 0)
        (void)misplaced_import_tell(call->operand[0], SOURCE_KUBERNETES, 0,
                                    err);
    if (rc == 0)
        rc = inputs_make(call->in, x, a, err);
    if (rc == 0 && !call->in->work->job_count)
        import_account_tell(a, IMPORT_LEFT, NULL, NULL,
                            "%s: the sources hold no workloads, no pods",
                            kube_import_has_queues(x) ? "jobs of trace.yaml"
                                                      : "trace.yaml");
    if (rc == 0 && !call->in->topo)
        import_account_tell(a, IMPORT_LEFT, NULL, NULL,
                            "topology.yaml: the sources hold no nodes");
    if (rc == 0 && o->is_anonymous)
        anonymize(call);
    if (rc == 0)
        rc = files_write(call, x, a, err);
    if (!call->is_quiet && rc == 0)
        import_account_show(a);
    kube_import_destroy(x);
    import_account_destroy(a);
    return rc;
}

static const struct cmd cmd_import_kubernetes = {
    .name = "import kubernetes",
    .args = "SOURCE... -o DIR [OPTION]...",
    .summary = "nodes, workloads, schedulers as topology, trace, profiles",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = SOURCES_MAX,
    .needs = "a source is needed",
    .help =
        "A source is a file of objects in YAML or JSON, a folder or tar archive "
        "of such\nfiles, or '-', packed or not.  DIR takes topology.yaml, "
        "trace.yaml, profile.yaml for a\nscheduler's configuration "
        "or for several (and profile-NAME.yaml of each), and\naccount.txt, which "
        "tells what "
        "became of each kind of object, what was assumed and what has no "
        "effect.\n\n"
        "Examples:\n"
        "  kubectl get nodes,pods,jobs -A -o json | gsim import kubernetes - "
        "-o cluster\n"
        "  gsim replay cluster/trace.yaml --policy hybrid\n",
    .run = kubernetes_run,
};

static const struct cmd *const verbs[] = { &cmd_import_kubernetes,
                                           &cmd_import_slurm, NULL };

const struct cmd cmd_import = {
    .name = "import",
    .args = "SYSTEM ...",
    .summary = "make native files of those of another system",
    .help = "Each has its own --help.\n\n"
            "Example:\n"
            "  gsim import kubernetes dump.json -o cluster\n"
            "  gsim import slurm slurm.conf sacct.txt -o cluster\n",
    .verb = verbs,
};
