/* policies/modules/random.c - any of the best nodes, by the run's seed.
 *
 * Without a scoring module all nodes that fit are equally good, so the choice
 * is uniform among them; with one, it breaks ties as kube-scheduler does.
 */
#include "policies/policy.h"

struct random {
    const struct gsp_host *host;
    void *ctx;
    bool devices;
};

static const struct gsp_param params[] = {
    { "devices", GSP_YESNO, "yes", 0, 0,
      "shares on any device that fits; no: on the fullest", NULL },
};

static int random_open(const struct gsp_host *host, void *ctx,
                       const union gsp_value *value, void **self)
{
    struct random *r = host->keep(ctx, sizeof(*r));

    r->host = host;
    r->ctx = ctx;
    r->devices = value[0].whole != 0;
    *self = r;
    return 0;
}

static uint64_t random_pick(void *self, uint64_t count)
{
    const struct random *r = self;

    return r->host->random(r->ctx, count);
}

static uint32_t random_device(void *self, const struct gsp_view *v,
                              const struct gsp_task *t, const uint16_t *left,
                              uint32_t count)
{
    const struct random *r = self;
    const uint32_t share = r->host->share(t);
    uint32_t fits = 0, k;

    (void)v; /* all that fit are alike */
    for (uint32_t i = 0; i < count; i++)
        fits += left[i] >= share;
    if (fits == 0 || !r->devices)
        return GSP_NONE;
    k = (uint32_t)r->host->random(r->ctx, fits);
    for (uint32_t i = 0;; i++) {
        if (left[i] >= share && k-- == 0)
            return i;
    }
}

extern const struct gsp_module gsp_module_random;
const struct gsp_module gsp_module_random = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "random",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .summary = "a node at random among the best",
    .open = random_open,
    .pick = random_pick,
    .device = random_device,
};
