/* policies/modules/gpu-sharing.c - shares of GPUs on used devices, or apart.
 *
 * Volcano's deviceshare, for a task that asks for a part of a device:
 *   pack    on the fullest device that has room; score = 100 x the part of it
 *           that is used then
 *   spread  on the device with the most left; score = 100 if one is idle
 *   last    on the last device that has room; no score
 *   used    on the fullest device that has room; score = 100 if one is used
 *           (KAI Scheduler's plugins gpusharingorder and gpupack)
 */
#include "policies/policy.h"

enum { WEIGHT, MODE };
enum { PACK, SPREAD, LAST, USED };

#define DEVICE 1000     /* thousandths */
#define MILLIONTHS 1000 /* of a thousandth */

static const char *const modes[] = { "pack", "spread", "last", "used", NULL };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "mode", GSP_CHOICE, "pack", 0, 0,
      "the fullest device, idle ones, the last that fits, or any used one",
      modes },
};

/* Thousandths left on the fullest used device that has room for the share; an
 * idle one when there is none.
 */
static uint32_t fullest(const struct gsp_self *s, const struct gsp_view *v,
                        uint32_t i, uint32_t share)
{
    const uint16_t *left;
    const uint32_t n = s->host->parts(v, i, &left);

    for (uint32_t k = 0; k < n; k++) {
        if (left[k] >= share)
            return left[k];
    }
    return DEVICE;
}

static void sharing_score(void *self, const struct gsp_view *v,
                          const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *s = self;
    const uint32_t share = s->host->share(t);
    const int64_t mode = s->value[MODE].whole;
    const int64_t exact = s->host->share_exact(t);

    for (uint32_t i = 0; i < v->states && share && mode != LAST; i++) {
        int64_t part; /* millionths of 100 points */

        if (mode == SPREAD)
            part = v->gpus_free[i] ? DEVICE * MILLIONTHS : 0;
        else if (mode == USED)
            part = fullest(s, v, i, share) < DEVICE ? DEVICE * MILLIONTHS : 0;
        else
            part = (DEVICE - (int64_t)fullest(s, v, i, share)) * MILLIONTHS
                   + exact;
        score[i] += s->value[WEIGHT].whole * 100 * part
                    * (GSP_POINT / (DEVICE * MILLIONTHS));
    }
}

static uint32_t sharing_device(void *self, const struct gsp_view *v,
                               const struct gsp_task *t, const uint16_t *left,
                               uint32_t count)
{
    const struct gsp_self *s = self;
    const uint32_t share = s->host->share(t);
    const int64_t mode = s->value[MODE].whole;
    uint32_t best = GSP_NONE;

    (void)v;
    if (mode == PACK || mode == USED)
        return GSP_NONE; /* as the host does */
    for (uint32_t i = 0; i < count; i++) {
        if (left[i] >= share
            && (best == GSP_NONE || mode == LAST || left[i] > left[best]))
            best = i;
    }
    return best;
}

extern const struct gsp_module gsp_module_gpu_sharing;
const struct gsp_module gsp_module_gpu_sharing = {
    GSP_ABI,
    .name = "gpu-sharing",
    .summary = "shares of GPUs on used devices, or on idle ones (Volcano)",
    GSP_PARAMS(params),
    .score = sharing_score,
    .device = sharing_device,
};
