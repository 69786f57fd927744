/* sim/cli/cmd_validate.c - gsim validate: all mistakes of a file at once. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "policies/profile.h"
#include "sim/cli/cmd.h"
#include "sim/study/inputs.h"

#define FILES_MAX 1024

enum kind { TRACE_FILE, TOPOLOGY_FILE, PROFILE_FILE, MODULE_FILE };

static const char *const kind_names[] = { "trace", "topology", "profile",
                                          "module" };

/* Does a line of `text` begin with `key`? */
static bool has_line(const char *text, size_t size, const char *key)
{
    const size_t n = strlen(key);

    for (size_t i = 0; i + n <= size; i++) {
        if ((i == 0 || text[i - 1] == '\n') && memcmp(text + i, key, n) == 0)
            return true;
    }
    return false;
}

/* What a file is, told by its keys; traces are the rest. */
static enum kind kind_of(struct gs_input *in)
{
    size_t size = 0;
    const char *text = gs_input_peek(in, &size, NULL);

    if (!text)
        return TRACE_FILE;
    if (has_line(text, size, "node_types:") || has_line(text, size, "nodes:")
        || has_line(text, size, "tiers:") || has_line(text, size, "cluster:")
        || has_line(text, size, "sn,"))
        return TOPOLOGY_FILE;
    if (has_line(text, size, "actions:") || has_line(text, size, "modules:"))
        return PROFILE_FILE;
    return TRACE_FILE;
}

static enum cmd_status file_check(const char *path)
{
    const struct trace_options o = { 0 };
    struct gs_err err = { .limit = GS_ERR_MAX };
    struct gs_input *file = gs_input_open(path, &err);
    enum kind kind = TRACE_FILE;
    struct inputs in;
    int rc;

    if (!file)
        return cmd_fail(&err);
    kind = gsched_profile_names_plugin(path) ? MODULE_FILE : kind_of(file);
    gs_input_close(file);
    inputs_init(&in);
    if (kind == TOPOLOGY_FILE)
        rc = inputs_read_topology(&in, path, &err);
    else if (kind == PROFILE_FILE || kind == MODULE_FILE)
        rc = inputs_policy(&in, path, &err) ? 0 : -1;
    else
        rc = inputs_read_trace(&in, path, &o, &err);
    if (rc == 0 && kind == TRACE_FILE && in.facts.topology)
        rc = inputs_read_topology(&in, NULL, &err);
    inputs_fini(&in);
    if (rc < 0)
        return cmd_fail(&err);
    printf("%s: ok (%s)\n", path, kind_names[kind]);
    return CMD_OK;
}

static enum cmd_status validate_run(const struct cmd *c, int argc, char **argv)
{
    const char *path[FILES_MAX];
    enum cmd_status worst = CMD_OK;
    size_t count;
    int done;
    enum cmd_status status = cmd_parse(c, argc, argv, NULL, path, FILES_MAX,
                                       &count, &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0)
        return cmd_usage(c, "a file is needed");
    for (size_t i = 0; i < count; i++) {
        status = file_check(path[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

const struct cmd cmd_validate = {
    .name = "validate",
    .args = "FILE...",
    .summary =
        "check traces, topologies, profiles, modules: all mistakes at once",
    .help = "Example:\n"
            "  gsim validate trace.yaml cluster.yaml my-profile.yaml\n",
    .run = validate_run,
};
