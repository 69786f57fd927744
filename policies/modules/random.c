/* policies/modules/random.c - picks one of the best nodes at random, by the
 * seed of the run.
 *
 * Without a scoring module all nodes that fit are equally good, so the choice
 * is uniform among them; with one, it breaks ties as kube-scheduler does.
 */
#include "policies/policy.h"

enum { DEVICES };

static const struct gsp_param params[] = {
    { "devices", GSP_YESNO, "yes", 0, 0,
      "shares on any device that fits; no: on the fullest", NULL },
};

static uint64_t random_pick(void *self, uint64_t count)
{
    const struct gsp_self *r = self;

    return r->host->random(r->ctx, count);
}

static uint32_t random_device(void *self, const struct gsp_view *v,
                              const struct gsp_task *t, const uint16_t *left,
                              uint32_t count)
{
    const struct gsp_self *r = self;
    const uint32_t share = r->host->share(t);
    uint32_t fits = 0, k;

    (void)v; /* all nodes that fit are equal */
    for (uint32_t i = 0; i < count; i++)
        fits += left[i] >= share;
    if (fits == 0 || !r->value[DEVICES].whole)
        return GSP_NONE;
    k = (uint32_t)r->host->random(r->ctx, fits);
    for (uint32_t i = 0;; i++) {
        if (left[i] >= share && k-- == 0)
            return i;
    }
}

extern const struct gsp_module gsp_module_random;
const struct gsp_module gsp_module_random = {
    GSP_ABI,
    .name = "random",
    GSP_PARAMS(params),
    .summary = "a node at random among the best",
    .pick = random_pick,
    .device = random_device,
};
