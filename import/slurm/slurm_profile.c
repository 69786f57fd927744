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

/* --- priority ------------------------------------------------------------- */

/* A job that is queued again is as old as its eviction, if jobs age. */
static bool ages(const struct slurm *s)
{
    return strcasecmp(
               slurm_option_value(s, "PriorityType", "priority/multifactor"),
               "priority/multifactor")
               == 0
           && is_set(s, "PriorityWeightAge");
}

/* --- nodes ---------------------------------------------------------------- */

static bool has_topology(const struct slurm *s, const char *kind)
{
    return strcasecmp(slurm_option_value(s, "TopologyPlugin", ""), kind) == 0;
}

/* Slurm asks in this order; a block topology goes before the others. */
static const char *nodes_text(struct slurm *s, struct gs_arena *arena)
{
    const struct slurm_option *params = slurm_option_find(
        s, "SelectTypeParameters");
    const bool is_serial = slurm_option_has(s, "SchedulerParameters",
                                            "pack_serial_at_end");
    const struct slurm_place *at = slurm_option_place(s, "TopologyPlugin");
    const char *by = "runs";

    if (has_topology(s, "topology/block")) {
        by = "blocks";
    } else if (slurm_option_has(s, "SelectTypeParameters", "CR_LLN")) {
        by = "least-loaded";
        at = &params->at;
    } else if (has_topology(s, "topology/tree")
               && !slurm_option_has(s, "TopologyParam", "TopoOptional")) {
        by = "tree";
    } else {
        at = slurm_option_place(s, "SelectType");
    }
    slurm_tell(s, IMPORT_BECAME, at,
               "choice of nodes: module node-choice, by: %s", by);
    return gs_arena_printf(
        arena, "  - node-choice: {by: %s%s}\n%s", by,
        is_serial ? ", serial_last: yes" : "",
        strcmp(by, "tree") == 0 ? "  - topology: {smallest: no}\n" : "");
}

/* --- order ---------------------------------------------------------------- */

/* Numbers order jobs, and priority classes only decide evictions. */
static const char *order_text(struct slurm *s, struct gs_arena *arena,
                              bool has_preemption)
{
    return slurm_has_numbers(s) ? gs_arena_printf(
               arena, "%s%s", slurm_priority_text(s, arena),
               has_preemption ? "  - priority: {only: [preempt]}\n" : "")
                                : "  - priority\n";
}

/* --- limits --------------------------------------------------------------- */

/* What limits on usage depend on, and nothing here does. */
static void used_limits_tell(struct slurm *s)
{
    if (!s->has_used_limits)
        return;
    slurm_tell(s, IMPORT_ASSUMED,
               slurm_option_place(s, "AccountingStorageEnforce"),
               "usage below GrpTRESMins and GrpWall is 0 at the begin");
    if (slurm_option_has(s, "AccountingStorageEnforce", "safe"))
        slurm_tell(s, IMPORT_IGNORED,
                   slurm_option_place(s, "AccountingStorageEnforce"),
                   "AccountingStorageEnforce=safe: jobs start that may exceed "
                   "GrpTRESMins");
}

/* --- all of it ------------------------------------------------------------ */

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
    slurm_settings_tell(s);
    text = gs_arena_printf(
        arena,
        "actions: [allocate%s%s]\nunit: gang\nrequeue: %s\n"
        "modules:\n%s  - gang\n  - fit\n  - constraints\n%s%s%s",
        has_preemption ? ", preempt" : "", has_backfill ? ", backfill" : "",
        has_age ? "last" : "submitted", order_text(s, arena, has_preemption),
        nodes_text(s, arena),
        has_preemption ? slurm_preemption_text(s, arena) : "",
        slurm_passes_text(s, arena));
    if (slurm_enforces_limits(s)) {
        slurm_tell(s, IMPORT_BECAME,
                   slurm_option_place(s, "AccountingStorageEnforce"),
                   "AccountingStorageEnforce=%.60s: module limits",
                   slurm_option_value(s, "AccountingStorageEnforce", ""));
        used_limits_tell(s);
        text = gs_arena_printf(arena, "%s  - limits%s\n", text,
                               s->has_used_limits ? slurm_decay_text(s, arena)
                                                  : "");
    } else {
        text = gs_arena_printf(arena, "%s  - limits: {accounts: no}\n", text);
    }
    return text;
}
