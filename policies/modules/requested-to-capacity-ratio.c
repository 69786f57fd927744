/* policies/modules/requested-to-capacity-ratio.c - kube-scheduler's scoring
 * strategy of that name: points by the utilisation of a node after placing.
 *
 * `shape` gives points, 0 to 10, at utilisations, 0 to 100, with linear
 * interpolation between them and constant values outside.  In integers, over
 * the resources with a weight:
 *   utilisation_r = 100 x (used + asked) / capacity, 100 when over
 *   points_r = shape(utilisation_r) x 10
 *   score = sum of w_r x points_r / sum of w_r, to the nearest
 * A resource without points counts in neither sum.  Resources that the node
 * lacks are left out, and so are resources other than cpu and memory that the
 * task does not ask for.
 */
#include "policies/policy.h"

#define DIMS_MAX 64u
#define POINTS_MAX 32u
#define SCALE 10 /* points of a shape are 0 to 10, scores 0 to 100 */

struct point {
    int64_t at, points;
};

struct ratio {
    const struct gsp_host *host;
    void *ctx;
    int64_t weight;
    const double *resources; /* by dimension; < 0: left out */
    uint32_t count;
    struct point shape[POINTS_MAX];
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "resources", GSP_WEIGHTS, "{gpu: 1, cpu: 1, memory: 1}", 0, 0,
      "weight of each resource, whole numbers", NULL },
    { "shape", GSP_TEXT, "\"0=0,100=10\"", 0, 0,
      "utilisation=points, 0 to 100 and 0 to 10, rising", NULL },
};

/* --- the shape ------------------------------------------------------------ */

/* Parse digits up to `most`.  Returns the end, NULL when there are none. */
static const char *number_read(const char *s, int64_t most, int64_t *out)
{
    const char *from = s;

    for (*out = 0; *s >= '0' && *s <= '9' && *out <= most; s++)
        *out = *out * 10 + (*s - '0');
    return s > from && *out <= most ? s : NULL;
}

static bool shape_read(const char *s, struct ratio *r)
{
    while (r->count < POINTS_MAX) {
        struct point *p = &r->shape[r->count];

        s = number_read(s, 100, &p->at);
        if (!s || *s != '=')
            return false;
        s = number_read(s + 1, 10, &p->points);
        if (!s || (r->count && p->at <= p[-1].at))
            return false;
        p->points *= SCALE;
        r->count++;
        if (*s != ',')
            return *s == '\0';
        s++;
    }
    return false;
}

static int64_t shape_points(const struct ratio *r, int64_t at)
{
    const struct point *p = r->shape;
    uint32_t i = 0;

    while (i < r->count && at > p[i].at)
        i++;
    if (i == 0)
        return p[0].points;
    if (i == r->count)
        return p[i - 1].points;
    return p[i - 1].points
           + (p[i].points - p[i - 1].points) * (at - p[i - 1].at)
                 / (p[i].at - p[i - 1].at);
}

static int ratio_open(const struct gsp_host *host, void *ctx,
                      const union gsp_value *value, void **self)
{
    struct ratio *r = host->keep(ctx, sizeof(*r));

    r->host = host;
    r->ctx = ctx;
    r->weight = value[0].whole;
    r->resources = value[1].weights;
    if (!shape_read(value[2].text, r))
        return host->fail(ctx,
                          "'shape' must be utilisations from 0 to 100, "
                          "rising, with points from 0 to 10, such as "
                          "\"0=0,100=10\"; got",
                          value[2].text);
    *self = r;
    return 0;
}

/* --- the score ------------------------------------------------------------ */

/* Above this amount 100 x amount overflows; its lowest bits do not matter. */
#define LARGE (INT64_MAX / 128)

static int64_t utilisation(int64_t capacity, int64_t used)
{
    const int64_t scale = capacity > LARGE ? 128 : 1;

    if (used > capacity)
        return 100;
    return used / scale * 100 / (capacity / scale);
}

/* A resource that counts for the task. */
struct counted {
    const int64_t *capacity, *free; /* columns */
    int64_t asked, weight;
};

static uint32_t resources_counted(const struct ratio *r,
                                  const struct gsp_view *v,
                                  const struct gsp_task *t, struct counted *out)
{
    const uint32_t dims = r->host->dims(r->ctx);
    uint32_t n = 0;

    for (uint32_t d = 0; d < dims && n < DIMS_MAX; d++) {
        const int64_t asked = r->host->amount(t, d);

        if (r->resources[d] > 0 && (d <= GSP_MEMORY || asked > 0))
            out[n++] = (struct counted){ r->host->capacity(v, d),
                                         r->host->free(v, d), asked,
                                         (int64_t)r->resources[d] };
    }
    return n;
}

static int64_t state_score(const struct ratio *r, const struct counted *c,
                           uint32_t n, uint32_t i)
{
    int64_t sum = 0, weights = 0;

    for (uint32_t k = 0; k < n; k++) {
        const int64_t capacity = c[k].capacity[i];
        const int64_t used = capacity - c[k].free[i] + c[k].asked;
        int64_t points;

        if (capacity <= 0)
            continue;
        points = shape_points(r, utilisation(capacity, used));
        if (points > 0) {
            sum += points * c[k].weight;
            weights += c[k].weight;
        }
    }
    return weights > 0 ? (2 * sum + weights) / (2 * weights) : 0;
}

static void ratio_score(void *self, const struct gsp_view *v,
                        const struct gsp_task *t, int64_t *score)
{
    const struct ratio *r = self;
    struct counted counted[DIMS_MAX];
    const uint32_t n = resources_counted(r, v, t, counted);

    for (uint32_t i = 0; i < v->states; i++)
        score[i] += state_score(r, counted, n, i) * r->weight * GSP_POINT;
}

extern const struct gsp_module gsp_module_requested_to_capacity_ratio;
const struct gsp_module gsp_module_requested_to_capacity_ratio = {
    GSP_ABI,
    .name = "requested-to-capacity-ratio",
    .summary = "points by how full a node becomes (kube-scheduler)",
    GSP_PARAMS(params),
    .open = ratio_open,
    .score = ratio_score,
};
