/* topology/resources.c - dimensions, requests, see resources.h. */
#include "topology/resources.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/strtab.h"

void topo_dims_init(struct topo_dims *d, struct gs_strtab *names)
{
    static const char *const fixed[TOPO_DIMS_FIXED] = {
        [TOPO_CPU] = "cpu",   [TOPO_MEMORY] = "memory", [TOPO_RDMA] = "rdma",
        [TOPO_PODS] = "pods", [TOPO_GPU] = "gpu",
    };

    d->count = TOPO_DIMS_FIXED;
    for (uint32_t i = 0; i < TOPO_DIMS_FIXED; i++)
        d->name[i] = gs_strtab_put(names, fixed[i], strlen(fixed[i]));
}

int topo_dims_find(const struct topo_dims *d, uint32_t name)
{
    assert(d->count <= TOPO_DIMS_MAX);
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->name[i] == name)
            return (int)i;
    }
    return -1;
}

int topo_dims_put(struct topo_dims *d, uint32_t name)
{
    const int i = topo_dims_find(d, name);

    assert(d->count >= TOPO_DIMS_FIXED);
    if (i >= 0)
        return i;
    if (d->count == TOPO_DIMS_MAX)
        return -1;
    d->name[d->count] = name;
    return (int)d->count++;
}

const char *const topo_op_names[TOPO_OPS] = {
    [TOPO_IN] = "In",         [TOPO_NOT_IN] = "NotIn",
    [TOPO_EXISTS] = "Exists", [TOPO_ABSENT] = "DoesNotExist",
    [TOPO_GT] = "Gt",         [TOPO_LT] = "Lt",
};

bool topo_label_number(const char *s, int64_t *number)
{
    const bool negative = *s == '-';
    uint64_t limit = INT64_MAX, n = 0;

    assert(s && number);
    if (negative)
        limit++;
    if (*s == '-' || *s == '+')
        s++;
    if (!*s)
        return false;
    for (; *s; s++) {
        const uint64_t digit = (uint64_t)(unsigned char)*s - '0';

        if (digit > 9 || n > (limit - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *number = negative ? (int64_t)(0 - n) : (int64_t)n;
    return true;
}

const char *const topo_effect_names[TOPO_EFFECTS] = {
    [TOPO_NO_SCHEDULE] = "NoSchedule",
    [TOPO_NO_EXECUTE] = "NoExecute",
    [TOPO_PREFER_NO_SCHEDULE] = "PreferNoSchedule",
};

static bool same_conditions(const struct topo_condition *a,
                            const struct topo_condition *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct topo_condition *x = &a[i], *y = &b[i];

        if (x->key != y->key || x->op != y->op || x->number != y->number
            || x->value_count != y->value_count
            || !gs_array_same(x->value, y->value, x->value_count,
                              sizeof(*x->value)))
            return false;
    }
    return true;
}

static bool same_preferences(const struct topo_request *a,
                             const struct topo_request *b)
{
    for (uint32_t i = 0; i < a->preference_count; i++) {
        const struct topo_preference *x = &a->preference[i];
        const struct topo_preference *y = &b->preference[i];

        if (x->weight != y->weight || x->condition_count != y->condition_count
            || !same_conditions(x->condition, y->condition, x->condition_count))
            return false;
    }
    return true;
}

int topo_taint_parse(struct gs_strtab *names, const char *s,
                     struct topo_taint *out)
{
    const char *colon = strrchr(s, ':');
    const size_t len = colon ? (size_t)(colon - s) : strlen(s);
    const char *equals = memchr(s, '=', len);
    const size_t key = equals ? (size_t)(equals - s) : len;

    assert(names && out);
    if (key == 0)
        return -1;
    out->effect = colon ? TOPO_NO_SCHEDULE : TOPO_ANY_EFFECT;
    while (colon && out->effect < TOPO_EFFECTS
           && strcmp(colon + 1, topo_effect_names[out->effect]) != 0)
        out->effect++;
    if (colon && out->effect == TOPO_EFFECTS)
        return -1;
    out->key = gs_strtab_put(names, s, key);
    out->value = equals ? gs_strtab_put(names, equals + 1, len - key - 1) : 0;
    return 0;
}

bool topo_request_equal(const struct topo_request *a,
                        const struct topo_request *b)
{
    assert(a && b);
    return a->gpus == b->gpus && a->share == b->share && a->mig == b->mig
           && a->share_memory == b->share_memory
           && a->device_memory == b->device_memory
           && a->model_count == b->model_count
           && a->selector_count == b->selector_count
           && a->toleration_count == b->toleration_count
           && a->lent_tolerations == b->lent_tolerations
           && a->preference_count == b->preference_count
           && gs_array_same(a->amount, b->amount, TOPO_DIMS_MAX,
                            sizeof(*a->amount))
           && gs_array_same(a->model, b->model, a->model_count,
                            sizeof(*a->model))
           && gs_array_same(a->toleration, b->toleration, a->toleration_count,
                            sizeof(*a->toleration))
           && same_conditions(a->selector, b->selector, a->selector_count)
           && same_preferences(a, b);
}

static uint64_t conditions_hash(const struct topo_condition *at, uint32_t count,
                                uint64_t h)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct topo_condition *c = &at[i];

        h = gs_hash_mix(gs_hash_mix(gs_hash_mix(h, c->key), c->op),
                        (uint64_t)c->number);
        for (uint32_t k = 0; k < c->value_count; k++)
            h = gs_hash_mix(h, c->value[k]);
    }
    return h;
}

uint64_t topo_request_hash(const struct topo_request *r)
{
    uint64_t h = gs_hash_mix(r->gpus, r->share | (uint64_t)r->mig << 32);

    assert(r);
    h = gs_hash_mix(h, (uint64_t)r->share_memory);
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
        h = gs_hash_mix(h, (uint64_t)r->amount[d]);
    for (uint32_t i = 0; i < r->model_count; i++)
        h = gs_hash_mix(h, r->model[i]);
    h = conditions_hash(r->selector, r->selector_count, h);
    for (uint32_t i = 0; i < r->preference_count; i++)
        h = conditions_hash(r->preference[i].condition,
                            r->preference[i].condition_count,
                            gs_hash_mix(h, r->preference[i].weight));
    for (uint32_t i = 0; i < r->toleration_count; i++)
        h = gs_hash_mix(gs_hash_mix(h, r->toleration[i].key),
                        r->toleration[i].value);
    return gs_hash_mix(h, r->lent_tolerations);
}
