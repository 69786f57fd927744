/* policies/modules/fit.c - filters nodes by resources, devices, model, labels,
 * taints.
 */
#include "policies/policy.h"

static void fit_filter(void *self, const struct gsp_view *v,
                       const struct gsp_task *t, uint8_t *refusal)
{
    (void)self; /* the view has the result */
    (void)t;    /* for this task */
    for (uint32_t i = 0; i < v->states; i++) {
        if (refusal[i] != GSP_ACCEPTED)
            continue;
        if (v->hardware[i] != GSP_ACCEPTED)
            refusal[i] = GSP_WRONG_NODE;
        else if (!v->room[i])
            refusal[i] = GSP_NO_ROOM;
    }
}

extern const struct gsp_module gsp_module_fit;
const struct gsp_module gsp_module_fit = {
    GSP_ABI,
    .name = "fit",
    .summary = "only nodes with room, the right GPU model, labels and taints",
    .promises = GSP_FILTER_STAYS,
    .filter = fit_filter,
};
