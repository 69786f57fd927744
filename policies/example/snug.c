/* snug.c - an example module: prefers the node that has the fewest GPUs left
 * after placing.
 *
 * score = weight x 100 / (1 + GPUs left free after placing): a node that the
 * task fills up gives 100, one with three GPUs left gives 25.
 */
#include "policy.h"

enum { WEIGHT };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

static void snug_score(void *self, const struct gsp_view *v,
                       const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *s = self;
    const uint32_t asked = s->host->gpus(t);

    for (uint32_t i = 0; i < v->states; i++) {
        if (v->gpus_free[i] >= asked)
            score[i] += s->value[WEIGHT].whole * 100 * GSP_POINT
                        / (1 + (int64_t)(v->gpus_free[i] - asked));
    }
}

const struct gsp_module gsp_module = {
    GSP_ABI,
    .name = "snug",
    .summary = "nodes on which the task leaves the fewest GPUs free",
    GSP_PARAMS(params),
    .promises = GSP_SCORE_RISES, /* each placed task leaves fewer GPUs */
    .score = snug_score,
};
