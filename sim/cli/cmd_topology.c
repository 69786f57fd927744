/* sim/cli/cmd_topology.c - gsim topology show. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/cli/cmd.h"
#include "sim/cli/source_flags.h"
#include "sim/study/inputs.h"
#include "topology/show.h"

static const struct cmd_take take[] = { CMD_SOURCE_TAKES(0) };

static const struct cmd_source_flags defaults = CMD_SOURCE_NONE;

static int topology_run(const struct cmd_call *call, struct gs_err *err)
{
    if (strcmp(call->operand[0], "show") != 0)
        return cmd_usage(call->cmd, "%s", call->cmd->needs);
    if (cmd_source_take(call->options, call->in, err) < 0
        || inputs_read_topology(call->in, call->operand[1], err) < 0)
        return -1;
    if (!call->is_quiet)
        inputs_tell_sources(call->in);
    topo_show(call->in->topo, stdout);
    return CMD_OK;
}

const struct cmd cmd_topology = {
    .name = "topology",
    .words = "show",
    .args = "show FILE [OPTION]...",
    .summary = "show a cluster: its tiers, nodes and resources",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .help = "Example:\n"
            "  gsim topology show topology/samples/two-racks.yaml\n",
    .least = 2,
    .most = 2,
    .needs = "a file is needed: gsim topology show FILE",
    .run = topology_run,
};
