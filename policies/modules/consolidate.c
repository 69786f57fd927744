/* policies/modules/consolidate.c - a job stands within one domain of a tier.
 *
 * With fifo order and no scoring this is the "yarn" placement of the Tiresias
 * simulator (Gu et al., NSDI'19): the first rack, in order, where the whole
 * gang fits, and there the first nodes that fit.
 */
#include "policies/policy.h"

struct consolidate {
    const char *tier;
};

static const struct gsp_param params[] = {
    { "tier", GSP_TEXT, "rack", 0, 0, "the tier that must hold all of a job",
      NULL },
};

static int consolidate_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct consolidate *c = host->keep(ctx, sizeof(*c));

    c->tier = value[0].text;
    *self = c;
    return 0;
}

static const char *consolidate_within(void *self)
{
    const struct consolidate *c = self;

    return c->tier;
}

extern const struct gsp_module gsp_module_consolidate;
const struct gsp_module gsp_module_consolidate = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "consolidate",
    .summary = "a job stays within one domain of a tier, the first that fits",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = consolidate_open,
    .within = consolidate_within,
};
