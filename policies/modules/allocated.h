/* policies/modules/allocated.h - code shared by least-allocated and
 * most-allocated: kube-scheduler's NodeResourcesFit.
 *
 * In integers, over the resources with a weight:
 *   score = sum of w_r x points_r / sum of w_r
 * Resources that the node lacks are left out, and so are resources other than
 * cpu and memory that the task does not ask for.
 *
 * With `defaults` a task that asks for no cpu counts as 100m, for no memory as
 * 200Mi.  Of running tasks a node has only the sum, so each counts for at least
 * as much, if the topology counts tasks.
 */
#ifndef GSP_ALLOCATED_H
#define GSP_ALLOCATED_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "policies/policy.h"

#define ALLOCATED_DIMS 64u
#define ALLOCATED_CPU 100                     /* millicores */
#define ALLOCATED_MEMORY (INT64_C(200) << 20) /* bytes */
#define ALLOCATED_LARGE (INT64_MAX / 128)     /* capacity */

/* Points, 0 to 100, for a resource with a capacity above 0. */
typedef int64_t (*allocated_points_fn)(int64_t capacity, int64_t used);

/* A resource that counts for the task. */
struct allocated_resource {
    const int64_t *capacity, *free; /* columns */
    int64_t asked, weight;
    int64_t least; /* least amount of a task; 0 without `defaults` */
};

/* The parameters of both modules. */
enum { WEIGHT, RESOURCES, DEFAULTS };

static const struct gsp_param allocated_params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "resources", GSP_WEIGHTS, "{gpu: 1, cpu: 1, memory: 1}", 0, 0,
      "weight of each resource, whole numbers", NULL },
    { "defaults", GSP_YESNO, "no", 0, 1,
      "tasks that say nothing count as 100m cpu, 200Mi memory", NULL },
};

static inline int64_t allocated_least(const struct gsp_self *a, uint32_t d)
{
    assert(d < ALLOCATED_DIMS);
    if (!a->value[DEFAULTS].whole || d > GSP_MEMORY)
        return 0;
    return d == GSP_CPU ? ALLOCATED_CPU : ALLOCATED_MEMORY;
}

static inline uint32_t allocated_resources(const struct gsp_self *a,
                                           const struct gsp_view *v,
                                           const struct gsp_task *t,
                                           struct allocated_resource *out)
{
    const uint32_t dims = a->host->dims(a->ctx);
    uint32_t n = 0;

    for (uint32_t d = 0; d < dims && n < ALLOCATED_DIMS; d++) {
        const int64_t asked = a->host->amount(t, d);
        const int64_t least = allocated_least(a, d);

        if (a->value[RESOURCES].weights[d] > 0
            && (d <= GSP_MEMORY || asked > 0))
            out[n++] = (struct allocated_resource){
                a->host->capacity(v, d),
                a->host->free(v, d),
                asked ? asked : least,
                (int64_t)a->value[RESOURCES].weights[d],
                least,
            };
    }
    return n;
}

/* Points of state `i`, which runs `tasks` tasks, without the weight. */
static inline int64_t allocated_state(const struct allocated_resource *r,
                                      uint32_t n, uint32_t i, int64_t tasks,
                                      allocated_points_fn points)
{
    int64_t sum = 0, weights = 0;

    for (uint32_t k = 0; k < n; k++) {
        const int64_t capacity = r[k].capacity[i];
        const int64_t held = capacity - r[k].free[i];
        const int64_t least = tasks * r[k].least;
        const int64_t used = (held > least ? held : least) + r[k].asked;
        /* The product with 100 must not overflow; the lowest bits of such large
         * amounts do not matter.
         */
        const int64_t scale = capacity > ALLOCATED_LARGE ? 128 : 1;

        if (capacity <= 0)
            continue;
        weights += r[k].weight;
        sum += r[k].weight * points(capacity / scale, used / scale);
    }
    return weights > 0 ? sum / weights : 0;
}

static inline void allocated_score(const struct gsp_self *a,
                                   const struct gsp_view *v,
                                   const struct gsp_task *t,
                                   allocated_points_fn points, int64_t *score)
{
    const uint32_t states = v->states;
    const int64_t *pods = a->host->capacity(v, GSP_PODS);
    const int64_t *pods_free = a->host->free(v, GSP_PODS);
    struct allocated_resource r[ALLOCATED_DIMS];
    const uint32_t n = allocated_resources(a, v, t, r);

    assert(points && score);
    for (uint32_t i = 0; i < states; i++) {
        const int64_t tasks = a->value[DEFAULTS].whole ? pods[i] - pods_free[i]
                                                       : 0;

        score[i] += allocated_state(r, n, i, tasks, points)
                    * a->value[WEIGHT].whole * GSP_POINT;
    }
}

#endif /* GSP_ALLOCATED_H */
