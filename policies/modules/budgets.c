/* policies/modules/budgets.c - disruption budgets (PodDisruptionBudget).
 *
 * With `mode: minimise` an eviction may exceed a budget if nothing else makes
 * room, as in the default preemption of kube-scheduler: of the victims on a
 * node the most important spend the budget, those that exceed it are evicted
 * last and reprieved first, and the node where fewest of them go is chosen.
 * With `mode: forbid` nothing is evicted beyond a budget, as with plugin pdb of
 * Volcano.
 */
#include "policies/policy.h"

enum { MINIMISE, FORBID };
static const char *const modes[] = { "minimise", "forbid", NULL };

static const struct gsp_param params[] = {
    { "mode", GSP_CHOICE, "minimise", 0, 0,
      "minimise: exceeded where nothing else makes room; forbid: never",
      modes },
};

static bool budgets_victims(void *self, enum gsp_why why,
                            const struct gsp_job *j,
                            const struct gsp_victims *v, uint8_t *spared)
{
    const struct gsp_self *b = self;

    (void)why; /* the same for both kinds */
    (void)j;   /* and for every preemptor */
    if (b->value->whole != FORBID)
        return false;
    b->host->break_budgets(b->ctx, v, false, spared);
    return true;
}

static void budgets_breaks(void *self, const struct gsp_job *j,
                           const struct gsp_victims *v, uint8_t *broken)
{
    const struct gsp_self *b = self;

    (void)j;
    if (b->value->whole == MINIMISE)
        b->host->break_budgets(b->ctx, v, true, broken);
}

extern const struct gsp_module gsp_module_budgets;
const struct gsp_module gsp_module_budgets = {
    GSP_ABI,
    .name = "budgets",
    .summary = "evictions within disruption budgets, or beyond them last",
    GSP_PARAMS(params),
    .promises = GSP_VICTIMS_ARE_SPARED,
    .reads = GSP_READS_BUDGETS,
    .victims = budgets_victims,
    .gang_victims = budgets_victims,
    .breaks = budgets_breaks,
};
