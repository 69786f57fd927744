/* sim/speed/speed_model.c - the all-reduce and the table, see speed.h.
 *
 * Uses integers only, since speeds determine the ends of jobs.
 */
#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/strtab.h"
#include "sim/speed/speed.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define FACTOR_MAX 1000000000u /* millionths: 1,000 times */

/* The product of bytes and picoseconds needs more than 64 bits. */
__extension__ typedef unsigned __int128 wide;

#define TERA ((wide)1000000 * 1000000)
#define STEP_MAX (TERA * TERA)

/* --- all-reduce ----------------------------------------------------------- */

/* The tier that connects the children of domains at `level`, which is not the
 * cluster.
 */
static const struct topo_tier *tier_at(const struct topo *t, uint32_t level)
{
    return level > t->tier_count ? &t->node_tier : &t->tier[level - 1];
}

/* Time of one step of the ring on the slowest tier from `level` to that of the
 * node, in picoseconds; without `gradient` in an arbitrary unit.
 */
static wide step_of(const struct topo *t, uint32_t level, int64_t gradient,
                    uint64_t ranks)
{
    wide most = 1;

    for (uint32_t l = level ? level : 1; l <= t->tier_count + 1; l++) {
        const struct topo_tier *tier = tier_at(t, l);
        const uint64_t bandwidth = (uint64_t)tier->bandwidth;
        wide step;

        if (bandwidth == 0)
            continue;
        step = gradient
                   ? (wide)(uint64_t)tier->latency * 1000000
                         + (wide)(uint64_t)gradient * TERA / bandwidth / ranks
                   : STEP_MAX / bandwidth;
        most = step > most ? step : most;
    }
    return most < STEP_MAX ? most : STEP_MAX;
}

static uint64_t ranks_of(const struct trace_workload *w,
                         const struct trace_job *j)
{
    uint64_t ranks = 0;

    for (uint32_t i = 0; i < j->group_count; i++) {
        const struct trace_group *g = trace_group_at(w, j->first_group + i);
        const uint32_t gpus = w->shape[g->shape].gpus;

        ranks += (uint64_t)g->replicas * (gpus ? gpus : 1);
    }
    return ranks;
}

uint32_t sim_speed_reduce(const struct topo *t, const struct trace_workload *w,
                          uint32_t job, uint32_t level)
{
    const struct trace_job *j = &w->job[job];
    const uint32_t c = j->aside->communication;
    const uint64_t ranks = c ? ranks_of(w, j) : 1;
    const int on = j->aside->measured_on
                       ? topo_level_find(t, j->aside->measured_on)
                       : -1;
    wide here, there, all, rate;

    assert(job < w->job_count && level <= t->tier_count + 1);
    if (ranks < 2)
        return SIM_FULL_SPEED;
    here = step_of(t, level, j->aside->gradient, ranks);
    there = step_of(t, on < 0 ? t->tier_count + 1 : (uint32_t)on,
                    j->aside->gradient, ranks);
    all = (1000 - c) * there + c * here;
    rate = (there * 1000 * SIM_FULL_SPEED + all / 2) / all;
    return rate < 1 ? 1 : rate > FACTOR_MAX ? FACTOR_MAX : (uint32_t)rate;
}

/* The level of the smallest subtree that holds the whole cluster: below it,
 * levels have several domains.
 */
static uint32_t root_level(const struct topo *t)
{
    uint32_t domains[TOPO_TIERS_MAX + 2] = { 0 };
    uint32_t level = 0;

    for (uint32_t d = 0; d < t->domain_count; d++)
        domains[t->domain[d].level]++;
    domains[t->tier_count + 1] = t->node_count;
    while (level <= t->tier_count && domains[level + 1] == 1)
        level++;
    return level;
}

int sim_speed_check(const struct sim_speed *m, const struct topo *t,
                    const struct trace_workload *w, const char *source,
                    struct gs_err *err)
{
    const struct gs_mark at = { .source = source };
    const uint32_t root = root_level(t);
    bool any = false;

    assert(t && w);
    for (uint32_t i = 0; i < w->job_count && !any; i++)
        any = w->job[i].aside->communication > 0;
    if (!m->is_all_reduce || !any)
        return 0;
    if (root == 0)
        return gs_fail(err, GS_INPUT, at,
                       "all-reduce needs a tier that joins all %s, with its "
                       "bandwidth",
                       t->tier_count ? "outermost domains" : "nodes");
    for (uint32_t l = root; l <= t->tier_count + 1; l++) {
        const struct topo_tier *tier = tier_at(t, l);

        if (tier->bandwidth == 0)
            return gs_fail(err, GS_INPUT, at,
                           "all-reduce needs the 'bandwidth' of tier '%s', "
                           "which is not stated",
                           gs_strtab_str(t->names, tier->name));
    }
    return 0;
}

/* --- the table ------------------------------------------------------------ */

/* True when `text` matches the pattern.  The last star matches as little as
 * possible.
 */
static bool is_like(const char *text, const char *pattern)
{
    const char *star = NULL, *from = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static bool has_label(const struct trace_workload *w, const struct trace_job *j,
                      uint32_t label)
{
    for (uint32_t i = 0; i < j->aside->label_count; i++) {
        if (w->label[j->aside->first_label + i] == label)
            return true;
    }
    return false;
}

const struct sim_speed_row *sim_speed_find(const struct sim_speed *m,
                                           const struct trace_workload *w,
                                           uint32_t job, uint32_t model,
                                           int64_t gpu_milli, uint32_t level)
{
    const struct trace_job *j = &w->job[job];
    const struct sim_speed_row *best = NULL;

    assert(job < w->job_count && gpu_milli >= 0);
    for (uint32_t i = 0; i < m->row_count; i++) {
        const struct sim_speed_row *r = &m->row[i];

        if ((best && r->keys <= best->keys)
            || (r->level != UINT32_MAX && r->level != level)
            || (r->gpus && (int64_t)r->gpus * TOPO_SHARE_ONE != gpu_milli)
            || (r->model && r->model != model)
            || (r->label && !has_label(w, j, r->label))
            || (r->name && !is_like(gs_strtab_str(w->names, j->name), r->name)))
            continue;
        best = r;
    }
    return best;
}

uint32_t sim_speed_most(const struct sim_speed *m, const struct topo *t,
                        const struct trace_workload *w)
{
    uint32_t most = SIM_FULL_SPEED;
    bool reduces = m->is_all_reduce;

    assert(t && w);
    for (uint32_t i = 0; i < m->row_count; i++) {
        const uint32_t speed = m->row[i].milli * 1000;

        most = speed > most ? speed : most;
        reduces = reduces && m->row[i].keys; /* a row of all jobs */
    }
    for (uint32_t i = 0; i < w->job_count && reduces; i++) {
        const uint32_t speed = sim_speed_reduce(t, w, i, t->tier_count + 1);

        most = speed > most ? speed : most;
    }
    return most;
}
