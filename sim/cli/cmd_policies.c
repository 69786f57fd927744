/* sim/cli/cmd_policies.c - gsim policies: presets, modules, profiles. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "policies/profile/registry.h"
#include "sim/cli/cmd.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"

static void module_show(const struct gsp_module *m)
{
    printf(strlen(m->name) > 16 ? "  %s\n                   %s\n"
                                : "  %-16s %s\n",
           m->name, m->summary);
    for (uint32_t i = 0; i < m->param_count; i++)
        printf("  %-16s   %s: %s\n  %-16s     %s\n", "", m->param[i].name,
               m->param[i].fallback, "", m->param[i].summary);
}

static void list_show(void)
{
    const struct share_preset *p;
    const struct gsp_module *m;

    puts("Presets (gsim policies NAME prints one in full):");
    for (size_t i = 0; (p = gsched_preset_at(i)); i++)
        printf("  %-16s %s\n", p->name, p->summary);
    puts("\nModules (join them: --policy gang,binpack), with their "
         "parameters' defaults:");
    for (size_t i = 0; (m = gsched_module_at(i)); i++)
        module_show(m);
}

/* Print the profile that `name` stands for, or describe the module of a shared
 * object.
 */
static int name_show(struct inputs *in, const char *name, struct gs_err *err)
{
    const struct gsched_profile *p = inputs_policy(in, name, err);

    if (!p)
        return -1;
    if (p->use[0].path && strcmp(p->source, p->use[0].path) == 0)
        module_show(p->use[0].module);
    else
        fputs(gsched_profile_text(p, in->arena), stdout);
    return 0;
}

static int policies_run(const struct cmd_call *call, struct gs_err *err)
{
    if (call->count)
        return name_show(call->in, call->operand[0], err);
    list_show();
    return CMD_OK;
}

const struct cmd cmd_policies = {
    .name = "policies",
    .takes_preset = true,
    .args = "[NAME]",
    .summary = "list presets and modules, or print a profile or a ./module.so",
    .help = "Examples:\n"
            "  gsim policies\n"
            "  gsim policies kube-default > mine.yaml\n"
            "  gsim policies gang,binpack\n"
            "  gsim policies ./mine.so\n",
    .most = 1,
    .run = policies_run,
};
