/* sim/cli/cmd_topology.c - gsim topology show. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/cli/cmd.h"
#include "sim/study/inputs.h"
#include "topology/show.h"

static enum cmd_status topology_run(const struct cmd *c, int argc, char **argv)
{
    struct gs_err err = { 0 };
    struct inputs in;
    const char *operand[2];
    size_t count;
    int done, rc;
    enum cmd_status status = cmd_parse(c, argc, argv, NULL, operand, 2, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    if (count != 2 || strcmp(operand[0], "show") != 0)
        return cmd_usage(c, "a file is needed: gsim topology show FILE");
    inputs_init(&in);
    rc = inputs_read_topology(&in, operand[1], &err);
    if (rc == 0)
        topo_show(in.topo, stdout);
    inputs_fini(&in);
    return rc < 0 ? cmd_fail(&err) : CMD_OK;
}

const struct cmd cmd_topology = {
    .name = "topology",
    .args = "show FILE",
    .summary = "show a cluster: its tiers, nodes and what they hold",
    .help = "Example:\n"
            "  gsim topology show topology/samples/two-racks.yaml\n",
    .run = topology_run,
};
