/* import/slurm/slurm_profile.c - the profile that comes nearest to slurm.conf,
 * see settings.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/duration.h"
#include "import/slurm/settings.h"
#include "import/slurm/slurm_passes.h"
#include "import/slurm/slurm_preemption.h"
#include "import/slurm/slurm_priority.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

static bool is_set(const struct slurm *s, const char *key)
{
    const char *v = slurm_option_value(s, key, "0");

    return *v && strcmp(v, "0") != 0;
}

/* --- priority ---------------------------------------------------------------- */

/* A job that is queued again is as old as its eviction, if jobs age. */
static bool ages(const struct slurm *s)
{
    return strcasecmp(
               slurm_option_value(s, "PriorityType", "priority/multifactor"),
               "priority/multifactor")
               == 0
           && is_set(s, "PriorityWeightAge");
}

/* --- nodes ------------------------------------------------------------------------ */

static const char *score_text(struct slurm *s)
{
    const struct slurm_place *at = slurm_option_place(s,
                                                      "SelectTypeParameters");

    if (slurm_option_has(s, "SelectTypeParameters", "CR_LLN")) {
        slurm_tell(s, IMPORT_BECAME, at, "CR_LLN: module least-allocated");
        return "  - least-allocated: {resources: {cpu: 1}}\n";
    }
    slurm_tell(s, IMPORT_BECAME, slurm_option_place(s, "SelectType"),
               "choice of nodes (consecutive best fit): module most-allocated, "
               "by CPUs");
    return "  - most-allocated: {resources: {cpu: 1}}\n";
}

static void weights_tell(struct slurm *s)
{
    for (uint32_t i = 1; i < s->hardwares; i++) {
        if (s->hardware[i].weight != s->hardware[0].weight) {
            slurm_tell(s, IMPORT_IGNORED, &s->hardware[i].at,
                       "Weight of nodes");
            return;
        }
    }
}

/* --- order ------------------------------------------------------------------------ */

/* Numbers order jobs, and priority classes only decide evictions. */
static const char *order_text(struct slurm *s, struct gs_arena *arena,
                              bool has_preemption)
{
    return slurm_has_numbers(s) ? gs_arena_printf(
               arena, "%s%s", slurm_priority_text(s, arena),
               has_preemption ? "  - priority: {only: [preempt]}\n" : "")
                                : "  - priority\n";
}

/* --- all of it ----------------------------------------------------------------------- */

const char *slurm_profile_text(struct slurm *s, struct gs_arena *arena)
{
    const char *type = slurm_option_value(s, "SchedulerType", "sched/backfill");
    const bool has_backfill = slurm_has_backfill(s);
    const bool has_preemption = slurm_preempts(s);
    const bool has_age = ages(s);
    const char *text;

    assert(s && arena);
    slurm_tell(s, IMPORT_BECAME, slurm_option_place(s, "SchedulerType"),
               "%.40s: %s", type,
               has_backfill ? "modules passes, backfill (mode windowed)"
                            : "module passes");
    if (strcasecmp(type, "sched/builtin") != 0
        && strcasecmp(type, "sched/backfill") != 0)
        slurm_tell(s, IMPORT_LEFT, slurm_option_place(s, "SchedulerType"),
                   "scheduler '%.40s', taken as sched/backfill", type);
    weights_tell(s);
    slurm_settings_tell(s);
    text = gs_arena_printf(
        arena,
        "actions: [allocate%s%s]\nunit: gang\nrequeue: %s\n"
        "modules:\n%s  - gang\n  - fit\n  - constraints\n%s%s%s",
        has_preemption ? ", preempt" : "", has_backfill ? ", backfill" : "",
        has_age ? "last" : "submitted", order_text(s, arena, has_preemption),
        score_text(s), has_preemption ? slurm_preemption_text(s, arena) : "",
        slurm_passes_text(s, arena));
    if (slurm_option_has(s, "AccountingStorageEnforce", "limits")
        || slurm_option_has(s, "AccountingStorageEnforce", "safe")) {
        slurm_tell(s, IMPORT_BECAME,
                   slurm_option_place(s, "AccountingStorageEnforce"),
                   "AccountingStorageEnforce=%.60s: module limits",
                   slurm_option_value(s, "AccountingStorageEnforce", ""));
        text = gs_arena_printf(arena, "%s  - limits\n", text);
    } else {
        text = gs_arena_printf(arena, "%s  - limits: {accounts: no}\n", text);
    }
    if (slurm_option_find(s, "TopologyPlugin")
        && (strcasecmp(slurm_option_value(s, "TopologyPlugin", ""),
                       "topology/tree")
                == 0
            || strcasecmp(slurm_option_value(s, "TopologyPlugin", ""),
                          "topology/block")
                   == 0)) {
        slurm_tell(s, IMPORT_BECAME, slurm_option_place(s, "TopologyPlugin"),
                   "%s: module topology",
                   slurm_option_value(s, "TopologyPlugin", ""));
        text = gs_arena_printf(arena, "%s  - topology\n", text);
    }
    return text;
}
