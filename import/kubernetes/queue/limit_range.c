/* import/kubernetes/queue/limit_range.c - kind LimitRange: what containers of a
 * namespace ask for that state nothing, and what they may ask for.
 */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_quota.h"
#include "import/source.h"

/* Amounts that are not stated yet. */
static void amounts_fill(struct kube *k, struct kube_amounts *to,
                         const struct gs_ynode *from)
{
    const struct kube_amounts a = kube_amounts_read(k, from);
    const uint32_t stated = to->count;

    for (uint32_t i = 0; i < a.count; i++) {
        bool is_stated = false;

        for (uint32_t s = 0; s < stated; s++)
            is_stated = is_stated || to->at[s].name == a.at[i].name;
        if (!is_stated)
            kube_amount_add(k, to, a.at[i].name, a.at[i].milli);
    }
}

static void bound_take(struct kube *k, struct kube_limit_range *r,
                       const struct gs_ynode *l, bool is_pod)
{
    const struct kube_bound b = {
        .is_pod = is_pod,
        .most = kube_amounts_read(k, kube_at(l, "max")),
        .least = kube_amounts_read(k, kube_at(l, "min")),
        .ratio = kube_amounts_read(k, kube_at(l, "maxLimitRequestRatio")),
    };
    struct kube_bound *all;

    if (b.most.count + b.least.count + b.ratio.count == 0)
        return;
    all = gs_arena_alloc(k->arena, r->bounds + 1, sizeof(*all));
    if (r->bounds)
        memcpy(all, r->bound, r->bounds * sizeof(*all));
    all[r->bounds++] = b;
    r->bound = all;
}

int kube_limits_read(struct kube *k, const struct import_object *o)
{
    const uint32_t stated = kube_name(k, o->root, "metadata.namespace");
    const uint32_t space = stated ? stated : kube_put(k, "default");
    struct kube_limits *all = k->limits;
    uint32_t at = kube_index_get(&all->by_space, space);

    for (const struct gs_ynode *l = kube_list(o->root, "spec.limits"); l;
         l = l->next) {
        const char *type = kube_text(l, "type");
        struct kube_limit_range *r;

        if (!type
            || (strcmp(type, "Container") != 0 && strcmp(type, "Pod") != 0))
            continue;
        if (!at) {
            kube_index_put(&all->by_space, space, all->count);
            all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                                    sizeof(*all->at));
            at = ++all->count;
        }
        r = &all->at[at - 1];
        bound_take(k, r, l, strcmp(type, "Pod") == 0);
        if (strcmp(type, "Pod") == 0)
            continue;
        amounts_fill(k, &r->fallback, kube_at(l, "defaultRequest"));
        amounts_fill(k, &r->fallback, kube_at(l, "default"));
        amounts_fill(k, &r->fallback, kube_at(l, "max"));
        amounts_fill(k, &r->fallback, kube_at(l, "min"));
        amounts_fill(k, &r->limit, kube_at(l, "default"));
        amounts_fill(k, &r->limit, kube_at(l, "max"));
    }
    return 0;
}

static const struct kube_limit_range *range_of(const struct kube *k,
                                               const struct kube_template *t)
{
    const uint32_t at = t->is_admitted
                            ? 0
                            : kube_index_get(&k->limits->by_space, t->space);

    return at ? &k->limits->at[at - 1] : NULL;
}

const struct kube_amounts *kube_limits_of(const struct kube *k,
                                          const struct kube_template *t)
{
    const struct kube_limit_range *r = range_of(k, t);

    return r ? &r->fallback : NULL;
}

/* The first of the amounts that is there; 0. */
static int64_t either(uint32_t name, const struct kube_amounts *a,
                      const struct kube_amounts *b)
{
    const int64_t milli = kube_amount_of(a, name);

    return milli ? milli : kube_amount_of(b, name);
}

static bool container_refused(const struct kube_limit_range *r,
                              const struct kube_bound *b,
                              const struct kube_container *c)
{
    const struct kube_amounts *of[] = { &b->most, &b->least, &b->ratio };

    for (size_t k = 0; k < sizeof(of) / sizeof(of[0]); k++) {
        for (uint32_t i = 0; i < of[k]->count; i++) {
            const uint32_t name = of[k]->at[i].name;
            const int64_t bound = of[k]->at[i].milli;
            const int64_t limit = either(name, &c->limit, &r->limit);
            const int64_t own = either(name, &c->request, &c->limit);
            const int64_t request = own ? own
                                        : kube_amount_of(&r->fallback, name);

            if ((of[k] == &b->most && (limit > bound || request > bound))
                || (of[k] == &b->least
                    && (request < bound || (limit && limit < bound)))
                || (of[k] == &b->ratio && request && limit
                    && (double)limit * 1000 > (double)bound * (double)request))
                return true;
        }
    }
    return false;
}

static bool pod_refused(const struct kube_bound *b,
                        const struct kube_amounts *asks)
{
    for (uint32_t i = 0; i < b->most.count; i++) {
        if (kube_amount_of(asks, b->most.at[i].name) > b->most.at[i].milli)
            return true;
    }
    for (uint32_t i = 0; i < b->least.count; i++) {
        if (kube_amount_of(asks, b->least.at[i].name) < b->least.at[i].milli)
            return true;
    }
    return false;
}

/* Does a container ask for more than its limit? */
static bool is_above_limit(const struct kube_template *t)
{
    bool is = false;

    for (uint32_t c = 0; c < t->containers && !is; c++) {
        const struct kube_container *x = &t->container[c];

        for (uint32_t i = 0; i < x->limit.count && !is; i++)
            is = kube_amount_of(&x->request, x->limit.at[i].name)
                 > x->limit.at[i].milli;
    }
    return is;
}

bool kube_limits_refuse(struct kube *k, const struct kube_template *t)
{
    const struct kube_limit_range *r = range_of(k, t);
    struct kube_amounts asks;

    if (!t->is_admitted && is_above_limit(t))
        return true;
    if (!r || r->bounds == 0)
        return false;
    asks = kube_template_request(k, t, &r->fallback);
    for (uint32_t i = 0; i < r->bounds; i++) {
        if (r->bound[i].is_pod && pod_refused(&r->bound[i], &asks))
            return true;
        for (uint32_t c = 0; !r->bound[i].is_pod && c < t->containers; c++) {
            if (container_refused(r, &r->bound[i], &t->container[c]))
                return true;
        }
    }
    return false;
}
