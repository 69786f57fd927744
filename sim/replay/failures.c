/* sim/replay/failures.c - random failures and repairs of units.
 *
 * Each unit has one pending event: its next failure is drawn at its repair, so
 * draws depend neither on the policy nor on the length of the run.
 */
#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/strtab.h"
#include "sim/replay/nodes.h"

/* At least a second, and whole seconds. */
static int64_t draw(struct gs_rng *rng, int64_t mean, double shape)
{
    const double u = gs_rng_double(rng), m = (double)mean / GS_SECOND;
    const double x = shape == 1 ? gsl_cdf_exponential_Pinv(u, m)
                                : gsl_cdf_weibull_Pinv(
                                    u, m / gsl_sf_gamma(1 + 1 / shape), shape);

    assert(mean > 0 && shape > 0);
    if (!(x < (double)(SIM_LAST / GS_SECOND)))
        return SIM_LAST;
    return x < 1 ? GS_SECOND : (int64_t)(x + 0.5) * GS_SECOND;
}

void sim_stream_fails(struct sim *s, uint32_t index)
{
    struct stream *r = &s->nodes->stream[index];
    const struct sim_failures *f = &s->nodes->scenario->failures[r->failures];
    const struct sim_target t = { r->first, r->count, r->device };

    assert(index < s->nodes->stream_count);
    sim_nodes_out(s, &t, SIM_FAIL, s->nodes->serial, 1);
    sim_node_event_push(
        s, sim_later(s->now, draw(&r->rng, f->repair, f->repair_shape)),
        NODE_REPAIRED, index, s->nodes->serial);
}

static void stream_next(struct sim *s, uint32_t index)
{
    struct stream *r = &s->nodes->stream[index];
    const struct sim_failures *f = &s->nodes->scenario->failures[r->failures];

    /* units are new at the first submission */
    const int64_t from = s->now > s->first ? s->now : s->first;

    sim_node_event_push(s, sim_later(from, draw(&r->rng, f->mtbf, f->shape)),
                        NODE_FAILS, index, 0);
}

void sim_stream_repaired(struct sim *s, uint32_t index, uint64_t serial)
{
    const struct stream *r = &s->nodes->stream[index];
    const struct sim_target t = { r->first, r->count, r->device };

    assert(index < s->nodes->stream_count);
    sim_nodes_out(s, &t, SIM_FAIL, serial, -1);
    stream_next(s, index);
}

/* Add the random stream of a unit.  It is seeded by the name of the unit, that
 * of the surrounding domain (`within`) and the index of the kind in the file,
 * so other units do not affect it.
 */
static void stream_add(struct sim *s, uint32_t failures, uint32_t name,
                       uint64_t within, const struct sim_target *t)
{
    struct sim_nodes *w = s->nodes;
    const uint64_t kind = (uint64_t)failures << 32 | t->device;
    const uint64_t seed = s->options->seed ^ within
                          ^ (kind + 1) * UINT64_C(0x9e3779b97f4a7c15);

    assert(t->count > 0 && t->first + t->count <= s->topo->node_count);
    w->stream = gs_array_grow(w->stream, &w->stream_cap, w->stream_count + 1,
                              sizeof(*w->stream));
    w->stream[w->stream_count] = (struct stream){ .first = t->first,
                                                  .count = t->count,
                                                  .device = t->device,
                                                  .failures = failures };
    gs_rng_init(&w->stream[w->stream_count].rng, seed,
                gs_strtab_str(s->topo->names, name));
    stream_next(s, w->stream_count++);
}

static void streams_of_node(struct sim *s, uint32_t failures, uint32_t node)
{
    const struct sim_failures *f = &s->nodes->scenario->failures[failures];
    const struct topo_class *k = &s->topo->klass[s->topo->node_class[node]];
    struct sim_target t = { node, 1, SIM_WHOLE };

    if (f->type && f->type != k->type)
        return;
    if (!f->is_gpu)
        stream_add(s, failures, s->topo->node_name[node], 0, &t);
    for (uint32_t i = 0; f->is_gpu && i < k->gpus; i++) {
        t.device = i;
        stream_add(s, failures, s->topo->node_name[node], 0, &t);
    }
}

/* A hash of the names of the surrounding domains, since domains elsewhere may
 * have the same name; 0 on the outermost level.
 */
static uint64_t around(const struct topo *t, uint32_t domain)
{
    uint64_t hash = 0;

    assert(domain < t->domain_count);
    for (uint32_t d = t->domain[domain].parent; t->domain[d].level > 0;
         d = t->domain[d].parent) {
        struct gs_rng r;

        gs_rng_init(&r, hash, gs_strtab_str(t->names, t->domain[d].name));
        hash = (uint64_t)gs_rng_u32(&r) << 32;
        hash |= gs_rng_u32(&r);
    }
    return hash;
}

void sim_streams_open(struct sim *s)
{
    const struct topo *t = s->topo;

    for (uint32_t i = 0; i < s->nodes->scenario->failures_count; i++) {
        const uint32_t level = s->nodes->scenario->failures[i].level;

        for (uint32_t n = 0; level > t->tier_count && n < t->node_count; n++)
            streams_of_node(s, i, n);
        for (uint32_t d = 0; d < t->domain_count; d++) {
            const struct sim_target at = { t->domain[d].first_node,
                                           t->domain[d].node_count, SIM_WHOLE };

            if (level <= t->tier_count && t->domain[d].level == level)
                stream_add(s, i, t->domain[d].name, around(t, d), &at);
        }
    }
}
