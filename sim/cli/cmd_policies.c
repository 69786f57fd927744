/* sim/cli/cmd_policies.c - gsim policies: what there is, what it means. */
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "policies/policy.h"
#include "policies/profile.h"
#include "policies/registry.h"
#include "sim/cli/cmd.h"
#include "sim/cli/load.h"

static void module_show(const struct gsp_module *m)
{
    printf("  %-16s %s\n", m->name, m->summary);
    for (uint32_t i = 0; i < m->param_count; i++)
        printf("  %-16s   %s: %s\n  %-16s     %s\n", "", m->param[i].name,
               m->param[i].fallback, "", m->param[i].summary);
}

static void list_show(void)
{
    const struct gsched_preset *p;
    const struct gsp_module *m;

    puts("Presets (gsim policies NAME prints one in full):");
    for (size_t i = 0; (p = gsched_preset_at(i)); i++)
        printf("  %-16s %s\n", p->name, p->summary);
    puts("\nModules (join them: --policy gang,binpack), with their "
         "parameters' defaults:");
    for (size_t i = 0; (m = gsched_module_at(i)); i++)
        module_show(m);
}

static enum cmd_status policies_run(const struct cmd *c, int argc, char **argv)
{
    struct gs_err err = { 0 };
    struct gsched_profile *p;
    struct inputs in;
    const char *name[1];
    size_t count;
    int done;
    enum cmd_status status = cmd_parse(c, argc, argv, NULL, name, 1, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0) {
        list_show();
        return CMD_OK;
    }
    inputs_init(&in);
    p = inputs_policy(&in, name[0], &err);
    if (p)
        fputs(gsched_profile_text(p, in.arena), stdout);
    inputs_fini(&in);
    return p ? CMD_OK : cmd_fail(&err);
}

const struct cmd cmd_policies = {
    .name = "policies",
    .args = "[NAME]",
    .summary = "list presets and modules, or print the profile a name stands "
               "for",
    .help = "Examples:\n"
            "  gsim policies\n"
            "  gsim policies kube-default > mine.yaml\n"
            "  gsim policies gang,binpack\n",
    .run = policies_run,
};
