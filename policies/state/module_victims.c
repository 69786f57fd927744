/* policies/state/module_victims.c - what the modules say of victims, see
 * module_calls.h: within a tier those that no module protects; the first tier
 * that leaves some decides (Volcano's rule).
 */
#include "policies/state/module_calls.h"

#include <assert.h>
#include <string.h>

#include "policies/profile/extension_points.h"
#include "policies/state/jobs.h"
#include "policies/state/state.h"

static bool only_spares(const struct gsp_module *m)
{
    return m->promises & GSP_VICTIMS_ARE_SPARED;
}

/* The judge of victims for that kind of eviction; NULL: none. */
typedef bool (*victims_fn)(void *self, enum gsp_why why,
                           const struct gsp_job *j, const struct gsp_victims *v,
                           uint8_t *spared);

static victims_fn judge_of(const struct gsched_module *m, enum gsp_why why,
                           bool by_bundle)
{
    if (by_bundle)
        return m->module->gang_victims;
    return gsched_points_have(m->only, why) ? m->module->victims : NULL;
}

/* Ask the modules [from, end) about victims, either those that only protect or
 * the others, and add the victims that they protect to `safe`.  True when any
 * has an opinion.
 */
static bool protect(const struct gsched *s, uint32_t from, uint32_t end,
                    bool by_sparing, enum gsp_why why, bool by_bundle,
                    const struct gsp_job *j, const struct gsp_victims *v,
                    uint8_t *safe, uint8_t *scratch)
{
    bool any = false;

    assert(from < end && end <= s->modules->module_count);
    for (uint32_t i = from; i < end; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const victims_fn judge = judge_of(m, why, by_bundle);

        if (!judge || only_spares(m->module) != by_sparing)
            continue;
        memset(scratch, 0, v->count);
        if (!judge(m->self, why, j, v, scratch))
            continue;
        any = true;
        for (uint32_t k = 0; k < v->count; k++)
            safe[k] |= scratch[k] != 0;
    }
    return any;
}

uint32_t gsched_modules_protect(const struct gsched *s, enum gsp_why why,
                                bool by_bundle, uint32_t job, uint32_t group,
                                const struct gsp_victims *v, uint8_t *safe,
                                uint8_t *scratch)
{
    const struct gsp_job j = { .s = s, .id = job, .group = group };
    const uint32_t count = s->modules->module_count;
    const struct gsched_module *m = s->modules->module;

    assert(v->count > 0 && safe && scratch);
    for (uint32_t from = 0, end; from < count; from = end) {
        uint32_t left = 0;

        for (end = from; end < count && m[end].tier == m[from].tier;)
            end++;
        memset(safe, 0, v->count);
        if (!protect(s, from, end, false, why, by_bundle, &j, v, safe, scratch))
            continue;
        (void)protect(s, 0, count, true, why, by_bundle, &j, v, safe, scratch);
        for (uint32_t k = 0; k < v->count; k++)
            left += !safe[k];
        if (left)
            return left;
    }
    memset(safe, 1, v->count);
    return 0;
}

uint32_t gsched_modules_spare(const struct gsched *s, enum gsp_why why,
                              uint32_t job, const struct gsp_victims *v,
                              uint8_t *safe, uint8_t *scratch, bool *any)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    uint32_t left = 0;

    assert(v->count > 0 && safe && scratch && any);
    memset(safe, 0, v->count);
    *any = s->modules->module_count > 0
           && protect(s, 0, s->modules->module_count, true, why, false, &j, v,
                      safe, scratch);
    for (uint32_t i = 0; i < v->count; i++)
        left += !safe[i];
    return left;
}

int64_t gsched_modules_spare_time(const struct gsched *s, enum gsp_why why,
                                  uint32_t job, uint32_t victim)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    const struct gsp_job of = { .s = s, .id = victim, .group = NONE };
    int64_t longest = 0;

    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const int64_t time = m->module->spare_time_of
                                 ? m->module->spare_time_of(m->self, why, &j,
                                                            &of)
                             : m->module->spare_time
                                 ? m->module->spare_time(m->self)
                                 : 0;

        longest = time > longest ? time : longest;
    }
    return longest;
}

bool gsched_modules_victims_ok(const struct gsched *s, enum gsp_why why,
                               uint32_t job, const int64_t *asked,
                               const struct gsp_victims *v)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    assert(asked);
    for (uint32_t i = 0; i < s->modules->judges; i++) {
        const struct gsched_module *m = s->modules->judge[i];

        if (!m->module->victims_ok(m->self, why, &j, asked, v))
            return false;
    }
    return true;
}

int64_t gsched_modules_give(const struct gsched *s, uint32_t job,
                            const int64_t *asked, uint32_t queue, uint32_t dim)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    int64_t least = GSP_NEVER, most[TOPO_DIMS_MAX];

    assert(asked && dim < s->dims);
    for (uint32_t i = 0; i < s->modules->judges; i++) {
        const struct gsched_module *m = s->modules->judge[i];

        if (m->module->gives
            && m->module->gives(m->self, &j, asked, queue, most)
            && most[dim] < least)
            least = most[dim];
    }
    return least;
}

void gsched_modules_keep(const struct gsched *s, uint32_t job,
                         const int64_t *asked, const struct gsp_victims *v,
                         uint8_t *kept, uint8_t *scratch)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    assert(asked && v->count > 0);
    memset(kept, 0, v->count);
    for (uint32_t i = 0; i < s->modules->judges; i++) {
        const struct gsched_module *m = s->modules->judge[i];

        if (!m->module->keeps)
            continue;
        memset(scratch, 0, v->count);
        m->module->keeps(m->self, &j, asked, v, scratch);
        for (uint32_t k = 0; k < v->count; k++)
            kept[k] |= scratch[k] != 0;
    }
}

bool gsched_module_yields(const struct gsched *s, uint32_t judge, uint32_t job,
                          const int64_t *asked, const struct gsp_victims *v,
                          uint32_t dim, struct gsp_yield *out)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    const struct gsched_module *m = s->modules->judge[judge];

    assert(judge < s->modules->judges && asked && dim < s->dims);
    return m->module->yields
           && m->module->yields(m->self, &j, asked, v, dim, out);
}

uint32_t gsched_modules_break(const struct gsched *s, uint32_t job,
                              const struct gsp_victims *v, uint8_t *broken)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    uint32_t n = 0;

    assert(v->count > 0 && broken);
    memset(broken, 0, v->count);
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->breaks)
            m->module->breaks(m->self, &j, v, broken);
    }
    for (uint32_t i = 0; i < v->count; i++)
        n += broken[i] != 0;
    return n;
}
