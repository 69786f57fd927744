/* sim/replay/start_cost.c - the time between a placement and the run.
 *
 * The tasks of a decision are bound, one after another at the scheduler's rate;
 * their node pulls the image, unless it is there; they start, for a time that
 * is drawn.  When the last task of the gang is ready they meet, which takes
 * time for each.  Tasks that join a run later cost it nothing.
 *
 * An image stays on its node.  Times are drawn by the job, its attempt and the
 * node, so that they are the same under every policy.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "sim/replay/replay_private.h"
#include "sim/scenario/scenario.h"

#define MS 1000                       /* us */
#define OWN_IMAGE (UINT64_C(1) << 32) /* and the job's number */

/* An image on a node. */
struct pulled {
    uint64_t image;
    uint32_t node;
    int64_t at; /* when it is there */
};

struct sim_start_costs {
    const struct sim_starts *of;
    struct pulled *pulled;
    uint32_t count, cap;
    struct gs_hash index;
    int64_t bound; /* when the last task placed so far is bound */
};

void sim_start_costs_open(struct sim *s)
{
    const struct sim_scenario *w = s->options->scenario;

    if (!w || (!w->starts.count && !w->starts.per_task && !w->starts.bind))
        return;
    s->start_costs = gs_array_new(1, sizeof(*s->start_costs));
    s->start_costs->of = &w->starts;
}

void sim_start_costs_free(struct sim *s)
{
    if (!s->start_costs)
        return;
    gs_array_free(s->start_costs->pulled);
    gs_hash_free(&s->start_costs->index);
    gs_array_free(s->start_costs);
}

/* The job's image: its label's string, or of its own. */
static uint64_t image_of(const struct sim *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const char *key = s->start_costs->of->image;
    const size_t len = key ? strlen(key) : 0;

    if (!key)
        return 0;
    for (uint32_t i = 0; i < j->aside->label_count; i++) {
        const uint32_t label = trace_job_labels(s->work, j)[i];
        const char *text = gs_strtab_str(s->work->names, label);

        if (strncmp(text, key, len) == 0 && text[len] == '=')
            return label;
    }
    return OWN_IMAGE | job;
}

struct sought {
    const struct sim_start_costs *costs;
    uint64_t image;
    uint32_t node;
};

static bool is_same(const void *of, uint32_t at)
{
    const struct sought *k = of;
    const struct pulled *p = &k->costs->pulled[at];

    return p->node == k->node && p->image == k->image;
}

/* When the image is on the node, asked for at `from`. */
static int64_t pulled_at(struct sim *s, uint32_t job, uint32_t node,
                         int64_t from, int64_t pull)
{
    struct sim_start_costs *c = s->start_costs;
    const struct sought k = { c, image_of(s, job), node };
    const uint64_t hash = gs_hash_mix(gs_hash_mix(0, k.image), node);
    const uint32_t at = gs_hash_find(&c->index, hash, is_same, &k);

    if (at != GS_HASH_NONE)
        return c->pulled[at].at > from ? c->pulled[at].at : from;
    c->pulled = gs_array_grow(c->pulled, &c->cap, c->count + 1,
                              sizeof(*c->pulled));
    c->pulled[c->count] = (struct pulled){ k.image, node,
                                           sim_later(from, pull) };
    gs_hash_put(&c->index, hash, c->count);
    return c->pulled[c->count++].at;
}

/* A draw of the start time: lognormal, with the mean of the file.  In whole
 * milliseconds, so that the last bits of a logarithm do not matter.
 */
static int64_t start_time(const struct sim *s, uint32_t job, uint32_t node,
                          const struct sim_start *of)
{
    const double pi = acos(-1.0), spread = of->spread;
    uint64_t seed = s->options->seed;
    struct gs_rng rng;
    double u, z, time;

    if (spread == 0 || of->time == 0)
        return of->time;
    seed = gs_hash_mix(
        gs_hash_mix(gs_hash_mix(seed, job), sim_life(s, job)->evictions), node);
    gs_rng_init(&rng, seed, "start");
    u = 1 - gs_rng_double(&rng);
    z = sqrt(-2 * log(u)) * cos(2 * pi * gs_rng_double(&rng));
    time = (double)of->time / MS * exp(spread * z - spread * spread / 2);
    return time < (double)(SIM_LAST / MS) ? llround(time) * MS : SIM_LAST;
}

static const struct sim_start *start_of(const struct sim *s, uint32_t node)
{
    const struct sim_starts *all = s->start_costs->of;
    const uint32_t type = s->topo->klass[s->topo->node_class[node]].type;

    for (uint32_t i = 0; i < all->count; i++) {
        if (!all->node[i].type || all->node[i].type == type)
            return &all->node[i];
    }
    return NULL;
}

void sim_start_cost(struct sim *s, const struct gsched_decision *d)
{
    struct sim_start_costs *c = s->start_costs;
    const uint32_t node = d->grant.node;
    const struct sim_start *of;
    int64_t ready = s->now;

    if (!c)
        return;
    if (c->of->bind) {
        c->bound = c->bound > s->now ? c->bound : s->now;
        c->bound = sim_later(c->bound, c->of->bind * d->grant.tasks);
        ready = c->bound;
    }
    of = start_of(s, node);
    if (of) {
        ready = pulled_at(s, d->job, node, ready, of->pull);
        ready = sim_later(ready, start_time(s, d->job, node, of));
    }
    if (ready > sim_life(s, d->job)->ready_at)
        sim_life(s, d->job)->ready_at = ready;
}

int64_t sim_start_meet(const struct sim *s, uint32_t job)
{
    return s->start_costs
               ? s->start_costs->of->per_task * s->work->job[job].gang
               : 0;
}
