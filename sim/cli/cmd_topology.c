/* sim/cli/cmd_topology.c - gsim topology show. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/cli/cmd.h"
#include "sim/study/inputs.h"
#include "topology/show.h"

static int topology_run(const struct cmd_call *call, struct gs_err *err)
{
    if (strcmp(call->operand[0], "show") != 0)
        return cmd_usage(call->cmd, "%s", call->cmd->needs);
    if (inputs_read_topology(call->in, call->operand[1], err) < 0)
        return -1;
    if (!call->is_quiet)
        inputs_tell_sources(call->in);
    topo_show(call->in->topo, stdout);
    return CMD_OK;
}

const struct cmd cmd_topology = {
    .name = "topology",
    .words = "show",
    .args = "show FILE",
    .summary = "show a cluster: its tiers, nodes and resources",
    .help = "Example:\n"
            "  gsim topology show topology/samples/two-racks.yaml\n",
    .least = 2,
    .most = 2,
    .needs = "a file is needed: gsim topology show FILE",
    .run = topology_run,
};
