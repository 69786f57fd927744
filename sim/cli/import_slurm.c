/* sim/cli/import_slurm.c - gsim import slurm: the files of a Slurm cluster as
 * native ones.
 */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "import/account.h"
#include "import/slurm/slurm_import.h"
#include "policies/profile/profile.h"
#include "sim/cli/cmd.h"
#include "sim/cli/import_files.h"
#include "sim/study/anonymize.h"
#include "sim/study/inputs.h"
#include "sim/study/misplaced.h"
#include "topology/topology.h"
#include "traces/formats/writer.h"
#include "traces/workload/workload.h"

#define SOURCES_MAX 1024

struct import_slurm_options {
    const char *dir, *timezone, *columns;
    bool is_anonymous;
};

#define AT(field) offsetof(struct import_slurm_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_ANONYMIZE, AT(is_anonymous) },
    { .id = OPT_COLUMNS, AT(columns) },
    { .id = OPT_OUT_DIR, AT(dir) },
    { .id = OPT_TIMEZONE, AT(timezone) },
};

static int sources_read(const struct cmd_call *call, struct slurm_import *x,
                        struct gs_err *err)
{
    const struct import_slurm_options *o = call->options;
    const struct slurm_options options = { o->timezone, o->columns };
    struct slurm_file *file;
    int rc;

    if (slurm_import_options(x, &options, err) < 0)
        return -1;
    file = gs_array_new(call->count, sizeof(*file));
    for (size_t i = 0; i < call->count; i++)
        file[i].path = call->operand[i];
    rc = slurm_import_read(x, file, (uint32_t)call->count, err);
    gs_array_free(file);
    return rc < 0 ? -1 : slurm_import_finish(x, err);
}

/* The trace and the cluster into `in`, as far as the sources hold them. */
static int inputs_make(struct inputs *in, struct slurm_import *x,
                       struct import_account *a, struct gs_err *err)
{
    struct topo *t;

    in->work = trace_workload_create(in->arena, in->names, &in->dims);
    if (slurm_import_trace(x, in->work, &in->facts.epoch, err) < 0)
        return -1;
    if (!in->work->job_count)
        import_account_tell(a, IMPORT_LEFT, NULL, NULL,
                            "trace.yaml: the sources hold no jobs (an export "
                            "of sacct)");
    if (!slurm_import_has_nodes(x)) {
        import_account_tell(a, IMPORT_LEFT, NULL, NULL,
                            "topology.yaml: the sources hold no nodes "
                            "(slurm.conf, scontrol show node)");
        return 0;
    }
    in->facts.topology = "topology.yaml";
    t = topo_create(in->arena, in->names, &in->dims);
    if (slurm_import_topology(x, t, err) < 0)
        return -1;
    in->topo = t;
    return 0;
}

static int files_write(const struct cmd_call *call, struct slurm_import *x,
                       const struct import_account *a, struct gs_err *err)
{
    const struct import_slurm_options *o = call->options;
    struct import_content c = { call->in, a, NULL };

    if (slurm_import_has_conf(x)) {
        c.profile = slurm_import_profile(x, "slurm", call->in->arena, err);
        if (!c.profile)
            return -1;
    }
    if (trace_check_yaml(call->in->work, err) < 0
        || import_dir_make(o->dir, err) < 0
        || (call->in->topo
            && import_file_write(o->dir, "topology.yaml", import_topology_put,
                                 &c, err)
                   < 0)
        || (call->in->work->job_count
            && import_file_write(o->dir, "trace.yaml", import_trace_put, &c,
                                 err)
                   < 0)
        || (c.profile
            && import_file_write(o->dir, "profile.yaml", import_profile_put, &c,
                                 err)
                   < 0))
        return -1;
    return o->is_anonymous /* the account has names */
               ? 0
               : import_file_write(o->dir, "account.txt", import_account_put,
                                   &c, err);
}

static int slurm_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct import_slurm_options *o = call->options;
    struct import_account *a;
    struct slurm_import *x;
    int rc;

    if (!o->dir)
        return cmd_usage(call->cmd, "'--out-dir' is needed");
    a = import_account_create();
    x = slurm_import_create(call->in->names, &call->in->dims, a);
    rc = sources_read(call, x, err);
    if (rc < 0)
        (void)misplaced_import_tell(call->operand[0], SOURCE_SLURM, 0, err);
    if (rc == 0)
        rc = inputs_make(call->in, x, a, err);
    if (rc == 0 && !call->in->topo && !call->in->work->job_count
        && !slurm_import_has_conf(x))
        rc = gs_fail(err, GS_INPUT,
                     (struct gs_mark){ .source = call->operand[0] },
                     "holds no nodes, no jobs and no parameters of a "
                     "scheduler: it goes with a slurm.conf, or an export of "
                     "sacct");
    if (rc == 0 && o->is_anonymous)
        inputs_anonymize(call->in, true);
    if (rc == 0)
        rc = files_write(call, x, a, err);
    if (!call->is_quiet && rc == 0)
        import_account_show(a);
    slurm_import_destroy(x);
    import_account_destroy(a);
    return rc;
}

const struct cmd cmd_import_slurm = {
    .name = "import slurm",
    .args = "SOURCE... -o DIR [OPTION]...",
    .summary = "slurm.conf, accounting as topology, trace, profile",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .size = sizeof(struct import_slurm_options),
    .least = 1,
    .most = SOURCES_MAX,
    .needs = "a source is needed",
    .help =
        "A source is a slurm.conf (with gres.conf, topology.conf or topology.yaml "
        "beside\nit), an export of sacct -P, sacctmgr show assoc -P, sacctmgr "
        "show qos -P, scontrol\nshow node or reservation, an answer with --json, a "
        "folder of such files, or\n'-', packed or not. DIR takes topology.yaml, trace.yaml, "
        "profile.yaml and account.txt, which tells what\nwas read, assumed and "
        "left out, and which settings have no effect.\n\n"
        "Examples:\n"
        "  sacct -aP -S 2026-10-01 -E 2026-11-01 -o ALL | gsim import slurm "
        "slurm.conf - \\\n      -o cluster --timezone Europe/Berlin\n"
        "  gsim replay cluster/trace.yaml --policy cluster/profile.yaml\n",
    .run = slurm_run,
};
