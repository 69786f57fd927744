/* policies/modules/fgd.c - fragmentation gradient descent (Weng et al., "Beware
 * of Fragmentation", ATC'23): prefers the node whose fragmentation grows least.
 *
 *   score = floor(100 x sigmoid((F before - F after) / 1000))
 *
 * with F in thousandths of a GPU under the task mix.  A share is tried on every
 * device; the best device counts, the first of equals.
 */
#include "policies/policy.h"

enum { WEIGHT };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

/* ln(k / (100 - k)) for k from 51: sigmoid(x) is k / 100 there. */
static const double logit[] = {
    0.040005334613699206, 0.080042707673536356, 0.12014431184206321,
    0.16034265007517948,  0.20067069546215124,  0.24116205681688804,
    0.28185115214098766,  0.32277339226305102,  0.36396537720141159,
    0.40546510810816438,  0.44731221804366483,  0.48954822531870579,
    0.53221681374730823,  0.5753641449035618,   0.61903920840622351,
    0.66329421741026418,  0.70818505792448583,  0.7537718023763802,
    0.80011930011211307,  0.84729786038720367,  0.89538404705484131,
    0.94446160884085151,  0.99462257514406205,  1.0459685551826878,
    1.0986122886681098,   1.1526795099383853,   1.2083112059245342,
    1.2656663733312759,   1.3249254147435985,   1.3862943611198906,
    1.4500101755059984,   1.5163474893680884,   1.5856272637403819,
    1.6582280766035324,   1.7346010553881064,   1.8152899666382492,
    1.900958761193047,    1.9924301646902061,   2.0907410969337694,
    2.1972245773362196,   2.3136349291806306,   2.4423470353692043,
    2.5866893440979428,   2.7515353130419489,   2.9444389791664403,
    3.1780538303479458,   3.4760986898352733,   3.8918202981106265,
    4.5951198501345898,
};
#define STEPS (sizeof(logit) / sizeof(logit[0]))

/* floor(100 x sigmoid(x)) by comparison, so it is the same on every machine. */
static int64_t points(double x)
{
    const double size = x < 0 ? -x : x;
    uint32_t low = 0, high = STEPS;

    while (low < high) {
        const uint32_t mid = (low + high) / 2;

        /* below 50 an integer is reached from above only */
        if (x < 0 ? logit[mid] < size : logit[mid] <= size)
            low = mid + 1;
        else
            high = mid;
    }
    return x < 0 ? 49 - (int64_t)low : 50 + (int64_t)low;
}

static int64_t points_with(const struct gsp_self *f, const struct gsp_view *v,
                           uint32_t i, const struct gsp_task *t, uint32_t left,
                           int64_t before)
{
    const int64_t after = f->host->fragment_with(f->ctx, v, i, t, left);

    return points((double)(before - after)
                  / (1000.0 * (double)f->host->mix_weight(f->ctx)));
}

/* The best score over the devices that have room for the share. */
static int64_t best_points(const struct gsp_self *f, const struct gsp_view *v,
                           uint32_t i, const struct gsp_task *t, int64_t before)
{
    const uint32_t share = f->host->share(t);
    const uint16_t *left;
    const uint32_t n = f->host->parts(v, i, &left);
    int64_t best = -1;

    if (v->gpus_free[i] > 0)
        best = points_with(f, v, i, t, 1000, before);
    for (uint32_t k = n; k-- > 0 && left[k] >= share;) {
        int64_t p;

        if (k + 1 < n && left[k] == left[k + 1])
            continue;
        p = points_with(f, v, i, t, left[k], before);
        best = p > best ? p : best;
    }
    return best;
}

static void fgd_score(void *self, const struct gsp_view *v,
                      const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *f = self;

    for (uint32_t i = 0; i < v->states; i++) {
        int64_t before;

        if (!v->room[i])
            continue;
        before = f->host->fragment(f->ctx, v, i);
        score[i] += f->value[WEIGHT].whole * GSP_POINT
                    * (f->host->share(t)
                           ? best_points(f, v, i, t, before)
                           : points_with(f, v, i, t, 1000, before));
    }
}

static uint32_t fgd_device(void *self, const struct gsp_view *v,
                           const struct gsp_task *t, const uint16_t *left,
                           uint32_t count)
{
    const struct gsp_self *f = self;
    const int64_t before = f->host->fragment(f->ctx, v, 0);
    uint32_t device = GSP_NONE;
    int64_t best = -1;

    for (uint32_t i = 0; i < count; i++) {
        int64_t p;

        if (left[i] < f->host->share(t))
            continue;
        p = points_with(f, v, 0, t, left[i], before);
        if (p > best) {
            best = p;
            device = i;
        }
    }
    return device;
}

extern const struct gsp_module gsp_module_fgd;
const struct gsp_module gsp_module_fgd = {
    GSP_ABI,
    .name = "fgd",
    .summary = "nodes whose fragmentation under the task mix grows least",
    GSP_PARAMS(params),
    .score = fgd_score,
    .device = fgd_device,
};
