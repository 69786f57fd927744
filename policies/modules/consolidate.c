/* policies/modules/consolidate.c - places each job within one domain of a tier.
 *
 * With fifo order and no scoring this is the "yarn" placement of the Tiresias
 * simulator (Gu et al., NSDI'19): the first rack, in order, where the whole
 * gang fits, and there the first nodes that fit.
 */
#include "policies/policy.h"

struct consolidate {
    uint32_t level;
};

static const struct gsp_param params[] = {
    { "tier", GSP_TEXT, "rack", 0, 0, "the tier that must hold all of a job",
      NULL },
};

static int consolidate_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct consolidate *c = host->keep(ctx, sizeof(*c));

    c->level = host->level_find(ctx, value[0].text);
    if (c->level == GSP_NONE || c->level + 1 >= host->levels(ctx))
        return host->fail(ctx, "no tier above the nodes is called",
                          value[0].text);
    *self = c;
    return 0;
}

static bool consolidate_subtree(void *self, const struct gsp_job *j,
                                struct gsp_subtree *out)
{
    const struct consolidate *c = self;

    (void)j; /* the same for all jobs */
    *out = (struct gsp_subtree){ c->level, c->level, GSP_FIRST };
    return true;
}

extern const struct gsp_module gsp_module_consolidate;
const struct gsp_module gsp_module_consolidate = {
    GSP_ABI,
    .name = "consolidate",
    .summary = "a job stays within one domain of a tier, the first that fits",
    GSP_PARAMS(params),
    .open = consolidate_open,
    .subtree = consolidate_subtree,
};
