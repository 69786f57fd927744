/* sim/cli/cmd_validate.c - gsim validate: all mistakes of a file at once. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/cli/cmd.h"
#include "sim/cli/file_kind.h"
#include "sim/study/inputs.h"

#define FILES_MAX 1024

struct options {
    const char *topology;
    bool quiet;
};

static const struct cmd_take take[] = {
    { .id = OPT_TOPOLOGY, offsetof(struct options, topology) },
    { .id = OPT_QUIET, offsetof(struct options, quiet) },
};

static enum cmd_status file_check(const char *path, const struct options *o)
{
    struct gs_err err = { .limit = GS_ERR_MAX };
    const struct file_kind *kind = file_kind_of(path, &err);
    const char *topology = o->topology;
    struct inputs in;
    int rc;

    if (!kind)
        return cmd_fail(&err);
    inputs_init(&in);
    rc = topology ? inputs_read_topology(&in, topology, &err) : 0;
    if (rc == 0)
        rc = kind->check(&in, path, &err);
    inputs_fini(&in);
    if (rc < 0)
        return cmd_fail(&err);
    if (o->quiet)
        return CMD_OK;
    if (kind->unchecked && !topology)
        printf("%s: ok (%s; %s: see --topology)\n", path, kind->name,
               kind->unchecked);
    else
        printf("%s: ok (%s)\n", path, kind->name);
    return CMD_OK;
}

static enum cmd_status validate_run(const struct cmd *c, int argc, char **argv)
{
    struct options o = { 0 };
    const char *path[FILES_MAX];
    enum cmd_status worst = CMD_OK;
    size_t count;
    int done;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, path, FILES_MAX,
                                       &count, &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0)
        return cmd_usage(c, "a file is needed");
    for (size_t i = 0; i < count; i++) {
        if (strcmp(path[i], "-") == 0) /* files are opened twice */
            return cmd_usage(c, "standard input is not checked: give a file");
    }
    for (size_t i = 0; i < count; i++) {
        status = file_check(path[i], &o);
        worst = status > worst ? status : worst;
    }
    return worst;
}

const struct cmd cmd_validate = {
    .name = "validate",
    .args = "FILE... [--topology FILE]",
    .summary = "check any file that gsim reads: all its mistakes at once",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .help = "Traces, topologies, profiles, modules, worlds, speed models, "
            "trace models,\nsweeps, rules and suites of gates, baselines and "
            "mixes, told by what they hold;\nup to 20 mistakes of each file.\n"
            "\n"
            "Examples:\n"
            "  gsim validate trace.yaml cluster.yaml my-profile.yaml\n"
            "  gsim validate outages.yaml --topology cluster.yaml\n",
    .run = validate_run,
};
