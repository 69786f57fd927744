/* topology/task_mix.c - the fragmentation of a node under a task mix.
 *
 * Which kinds fit a node, apart from GPUs, depends on its class and on which
 * requested amounts its free amounts cover.  Each such combination is a *row*,
 * for which the weights are summed once, over sizes of shares and over numbers
 * of whole GPUs.  F is then a loop over the devices of the node:
 *
 *   F = all x weight - sum over kinds that fit of weight x (all - too small)
 */
#include "topology/task_mix.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "topology/cluster.h"
#include "topology/mig.h"
#include "topology/mix_suits.h"
#include "topology/topology.h"

#define ROWS_MAX (1u << 18)
#define ROW_BYTES_MAX (1u << 26) /* memory of all rows */

/* The amounts of one dimension that kinds ask for, ascending, each once. */
struct steps {
    uint32_t dim;
    uint32_t count;
    int64_t *amount;
};

/* Nodes with equal keys hold the same kinds, apart from GPUs. */
struct key {
    uint32_t klass;
    uint32_t below[TOPO_DIMS_MAX]; /* [step list] number of amounts that are
                                      free */
};

struct row {
    struct key key;
    int64_t *share; /* [sizes + 1] weight of the i smallest shares */
    int64_t *whole; /* [most + 1] weight of tasks of 1 to i GPUs */
    int64_t cut[TOPO_MIG_PROFILES]; /* weight of instances */
    int64_t cuts;                   /* sum of cut[] */
    int64_t model[TOPO_MODELS_MAX]; /* weight of tasks of one of the models
                                       of the class; those of whole[], too */
};

struct topo_mix {
    const struct topo *topo;
    struct topo_mix_kind *kind;
    uint32_t count;
    int64_t weight;
    uint32_t sizes;                     /* different shares */
    uint32_t most;                      /* GPUs of one task */
    uint16_t below[TOPO_SHARE_ONE + 1]; /* [thousandths] number of sizes up
                                           to this */
    struct steps steps[TOPO_DIMS_MAX];
    uint32_t step_count;
    struct topo_mix_suits suits;
    struct row *row;
    uint32_t row_count, row_slots, rows_max;
};

/* --- making --------------------------------------------------------------- */

static int compare_amounts(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

    return (a > b) - (a < b);
}

/* Sort ascending, remove duplicates. */
static void steps_tidy(struct steps *s)
{
    uint32_t kept = 0;

    if (s->count)
        qsort(s->amount, s->count, sizeof(*s->amount), compare_amounts);
    for (uint32_t i = 0; i < s->count; i++) {
        if (kept == 0 || s->amount[i] != s->amount[kept - 1])
            s->amount[kept++] = s->amount[i];
    }
    s->count = kept;
}

static void steps_open(struct topo_mix *m)
{
    for (uint32_t d = 0; d < m->topo->dims->count; d++) {
        struct steps *s = &m->steps[m->step_count];

        *s = (struct steps){ .dim = d };
        for (uint32_t i = 0; i < m->count && d != TOPO_GPU; i++) {
            const int64_t amount = m->kind[i].request.amount[d];

            if (amount <= 0)
                continue;
            if (!s->amount)
                s->amount = gs_array_new(m->count, sizeof(*s->amount));
            s->amount[s->count++] = amount;
        }
        steps_tidy(s);
        m->step_count += s->count > 0;
    }
}

static void sizes_open(struct topo_mix *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const struct topo_request *r = &m->kind[i].request;

        if (r->share)
            m->below[r->share] = 1;
        m->most = r->gpus > m->most ? r->gpus : m->most;
    }
    for (uint32_t share = 1; share <= TOPO_SHARE_ONE; share++)
        m->below[share] = (uint16_t)(m->below[share] + m->below[share - 1]);
    m->sizes = m->below[TOPO_SHARE_ONE];
}

struct topo_mix *topo_mix_create(const struct topo *t,
                                 const struct topo_mix_kind *kind,
                                 uint32_t count)
{
    struct topo_mix *m = gs_array_new(1, sizeof(*m));

    assert(t && (kind || count == 0));
    m->topo = t;
    m->count = count;
    m->kind = gs_array_new(count + 1, sizeof(*m->kind));
    m->suits = topo_mix_suits(t, kind, count);
    for (uint32_t i = 0; i < count; i++) {
        m->kind[i] = kind[i];
        topo_models_ask(t, &m->kind[i].request);
        assert(kind[i].weight > 0 && kind[i].weight <= INT64_MAX - m->weight);
        m->weight += kind[i].weight;
    }
    steps_open(m);
    sizes_open(m);
    m->rows_max = (uint32_t)(ROW_BYTES_MAX
                             / ((m->sizes + m->most + 2) * sizeof(int64_t)));
    m->rows_max = m->rows_max < ROWS_MAX ? m->rows_max : ROWS_MAX;
    return m;
}

static void rows_forget(struct topo_mix *m)
{
    for (uint32_t i = 0; i < m->row_slots; i++) {
        gs_array_free(m->row[i].share);
        gs_array_free(m->row[i].whole);
        m->row[i] = (struct row){ 0 };
    }
    m->row_count = 0;
}

void topo_mix_destroy(struct topo_mix *m)
{
    if (!m)
        return;
    rows_forget(m);
    for (uint32_t i = 0; i < m->step_count; i++)
        gs_array_free(m->steps[i].amount);
    gs_array_free(m->row);
    gs_array_free(m->suits.bits);
    gs_array_free(m->kind);
    gs_array_free(m);
}

int64_t topo_mix_weight(const struct topo_mix *m)
{
    return m->weight;
}

uint32_t topo_mix_kinds(const struct topo_mix *m)
{
    return m->count;
}

const struct topo_mix_kind *topo_mix_kind_at(const struct topo_mix *m,
                                             uint32_t i)
{
    assert(i < m->count);
    return &m->kind[i];
}

/* --- rows ----------------------------------------------------------------- */

/* Number of amounts that are at most `free`. */
static uint32_t steps_below(const struct steps *s, int64_t free)
{
    uint32_t low = 0, high = s->count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;

        if (s->amount[mid] <= free)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static struct key key_of(const struct topo_mix *m, uint32_t klass,
                         const int64_t *free)
{
    struct key key = { .klass = klass };

    for (uint32_t i = 0; i < m->step_count; i++)
        key.below[i] = steps_below(&m->steps[i], free[m->steps[i].dim]);
    return key;
}

static bool same_key(const struct topo_mix *m, const struct key *a,
                     const struct key *b)
{
    return a->klass == b->klass
           && memcmp(a->below, b->below, m->step_count * sizeof(a->below[0]))
                  == 0;
}

static bool is_within(const struct topo_mix *m, const struct topo_request *r,
                      const int64_t *free)
{
    for (uint32_t i = 0; i < m->step_count; i++) {
        if (r->amount[m->steps[i].dim] > free[m->steps[i].dim])
            return false;
    }
    return true;
}

/* Add a kind that asks for an instance, which the class can be cut into. */
static void row_cut(const struct topo_mix *m, struct row *row, uint32_t kind)
{
    const struct topo_mig_model *model = m->topo->klass[row->key.klass].mig;
    const uint32_t mig = m->kind[kind].request.mig;

    assert(model && topo_mig_profile(model, mig));
    row->cut[topo_mig_profile(model, mig) - model->profile] +=
        m->kind[kind].weight;
    row->cuts += m->kind[kind].weight;
}

/* Add a kind that asks for whole GPUs. */
static void row_whole(const struct topo_mix *m, struct row *row, uint32_t kind)
{
    const struct topo_class *k = &m->topo->klass[row->key.klass];
    const struct topo_request *r = &m->kind[kind].request;

    row->whole[r->gpus] += m->kind[kind].weight;
    for (uint32_t i = 0; r->model_count == 1 && i < k->model_count; i++) {
        if (k->models[i].name == r->model[0])
            row->model[i] += m->kind[kind].weight;
    }
}

static void row_make(const struct topo_mix *m, struct row *row,
                     const struct key *key, const int64_t *free)
{
    const struct topo_mix_suits *suits = &m->suits;

    *row = (struct row){
        .key = *key,
        .share = gs_array_new(m->sizes + 1, sizeof(*row->share)),
        .whole = gs_array_new(m->most + 1, sizeof(*row->whole)),
    };
    for (uint32_t i = topo_mix_suits_next(suits, key->klass, 0); i < m->count;
         i = topo_mix_suits_next(suits, key->klass, i + 1)) {
        const struct topo_request *r = &m->kind[i].request;

        if (!is_within(m, r, free))
            continue;
        if (r->share)
            row->share[m->below[r->share]] += m->kind[i].weight;
        else if (r->gpus)
            row_whole(m, row, i);
        else if (r->mig)
            row_cut(m, row, i);
    }
    for (uint32_t i = 1; i <= m->sizes; i++)
        row->share[i] += row->share[i - 1];
    for (uint32_t i = 1; i <= m->most; i++)
        row->whole[i] += row->whole[i - 1];
}

static struct row *slot_of(const struct topo_mix *m, const struct key *key)
{
    uint64_t hash = key->klass * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i;

    assert(m->row_count < m->row_slots);
    for (uint32_t k = 0; k < m->step_count; k++)
        hash = (hash ^ key->below[k]) * UINT64_C(0x9e3779b97f4a7c15);
    i = (uint32_t)(hash >> 32) & (m->row_slots - 1);
    while (m->row[i].share && !same_key(m, &m->row[i].key, key))
        i = (i + 1) & (m->row_slots - 1);
    return &m->row[i];
}

static void rows_grow(struct topo_mix *m)
{
    struct row *old = m->row;
    const uint32_t n = m->row_slots;

    m->row_slots = n ? 2 * n : 256;
    m->row = gs_array_new(m->row_slots, sizeof(*m->row));
    for (uint32_t i = 0; i < n; i++) {
        if (old[i].share)
            *slot_of(m, &old[i].key) = old[i];
    }
    gs_array_free(old);
}

static const struct row *row_of(struct topo_mix *m, uint32_t klass,
                                const int64_t *free)
{
    const struct key key = key_of(m, klass, free);
    struct row *row;

    if (m->row_count == m->rows_max)
        rows_forget(m);
    if (2 * m->row_count >= m->row_slots)
        rows_grow(m);
    row = slot_of(m, &key);
    if (!row->share) {
        row_make(m, row, &key, free);
        m->row_count++;
    }
    return row;
}

/* --- fragments ------------------------------------------------------------ */

/* What tasks could use of devices that are cut: the compute slices of each
 * device's free memory slices, if the instance of the task has a placement.
 */
static int64_t cuts_used(const struct topo_mix *m, const struct row *row,
                         const struct topo_free *n)
{
    const struct topo_mig_model *model = m->topo->klass[n->klass].mig;
    int64_t used = 0;

    assert(model);
    for (uint32_t i = 0; i < n->cut_count; i++) {
        const uint8_t taken = (uint8_t)(n->cut[i] - TOPO_SHARE_ONE);
        const int64_t left = (int64_t)__builtin_popcount(~taken & 0x7f)
                             * TOPO_SHARE_ONE / TOPO_MIG_COMPUTE;

        for (uint32_t k = 0; k < TOPO_MIG_PROFILES; k++) {
            if (row->cut[k] && topo_mig_starts(&model->profile[k], taken))
                used += left * row->cut[k];
        }
    }
    return used;
}

/* The free GPUs of a node with several models that tasks of one model cannot
 * use, weighted.
 */
static int64_t other_models(const struct topo_mix *m, const struct row *row,
                            const struct topo_free *n)
{
    const struct topo_class *k = &m->topo->klass[n->klass];
    int64_t unused = 0;

    for (uint32_t i = 0; i < k->model_count; i++)
        unused += row->model[i]
                  * ((int64_t)n->gpus_free * TOPO_SHARE_ONE
                     - n->free[k->models[i].dim]);
    return unused;
}

/* F of a node whose amounts, apart from GPUs, are those of the row. */
static int64_t fragment(const struct topo_mix *m, const struct row *row,
                        const struct topo_free *n)
{
    const uint32_t gpus_free = n->gpus_free;
    const int64_t whole = (int64_t)gpus_free * TOPO_SHARE_ONE;
    int64_t all = whole, used, small = 0, seen = 0, rest = 0;

    for (uint32_t i = 0; i < n->part_count; i++)
        all += n->part[i];
    used = whole * row->whole[gpus_free < m->most ? gpus_free : m->most];
    for (uint32_t i = 0; i < n->part_count; i++) {
        const int64_t fit = row->share[m->below[n->part[i]]];

        used += (all - small) * (fit - seen);
        seen = fit;
        small += n->part[i];
    }
    if (gpus_free)
        used += whole * (row->share[m->sizes] - seen + row->cuts);
    /* on devices that are cut, or are full by number of tasks */
    if (n->cut_count || m->topo->klass[n->klass].gpu_tasks)
        rest = n->free[TOPO_GPU] - all;
    if (n->cut_count)
        used += cuts_used(m, row, n);
    if (m->topo->klass[n->klass].model_count > 1)
        used -= other_models(m, row, n);
    return (all + rest) * m->weight - used;
}

int64_t topo_mix_fragment(struct topo_mix *m, const struct topo_free *n)
{
    assert(m && n->klass < m->topo->class_count);
    if (n->gpus_free + n->part_count + n->cut_count == 0
        && !m->topo->klass[n->klass].gpu_tasks)
        return 0;
    return fragment(m, row_of(m, n->klass, n->free), n);
}

/* The parts of the node after `left` becomes `rest`; either may be 0: not a
 * part.
 */
static uint32_t parts_change(const struct topo_free *n, uint32_t left,
                             uint32_t rest, uint16_t *part)
{
    uint32_t count = 0, i = 0;
    bool taken = left == 0, put = rest == 0;

    assert(left <= TOPO_SHARE_ONE && rest <= TOPO_SHARE_ONE);
    for (; i < n->part_count || !put;) {
        const bool more = i < n->part_count;

        if (more && !taken && n->part[i] == left) {
            taken = true;
            i++;
        } else if (!put && (!more || n->part[i] >= rest)) {
            part[count++] = (uint16_t)rest;
            put = true;
        } else {
            part[count++] = n->part[i++];
        }
    }
    return count;
}

/* The cut devices after another instance is placed as the cluster would do.
 * Returns how many still have room.
 */
static uint32_t cuts_change(const struct topo_mix *m, const struct topo_free *n,
                            uint32_t mig, uint16_t *cut, bool *opens)
{
    const struct topo_mig_model *model = m->topo->klass[n->klass].mig;
    const struct topo_mig_profile *p = topo_mig_profile(model, mig);
    uint8_t taken[TOPO_DEVICES_MAX + 1];
    uint32_t at, count = 0;

    for (uint32_t i = 0; i < n->cut_count; i++)
        taken[i] = (uint8_t)(n->cut[i] - TOPO_SHARE_ONE);
    at = topo_mig_tightest(model, p, taken, n->cut_count);
    *opens = at == n->cut_count;
    if (*opens)
        taken[at] = 0;
    taken[at] |= topo_mig_slices(p, topo_mig_start(model, p, taken[at]));
    for (uint32_t i = 0; i < n->cut_count + *opens; i++) {
        if (topo_mig_choices(model, taken[i]))
            cut[count++] = (uint16_t)(TOPO_SHARE_ONE + taken[i]);
    }
    return count;
}

int64_t topo_mix_fragment_with(struct topo_mix *m, const struct topo_free *n,
                               const struct topo_request *r, uint32_t left)
{
    uint16_t part[TOPO_DEVICES_MAX + 1], cut[TOPO_DEVICES_MAX + 1];
    struct topo_free after; /* not a struct copy: free[] would be copied
                               twice */
    bool opens = false;

    assert(r->gpus <= n->gpus_free);
    assert(!r->share || (left >= r->share && left <= TOPO_SHARE_ONE));
    assert(!r->share || left < TOPO_SHARE_ONE || n->gpus_free > 0);
    after.klass = n->klass;
    after.gpus_free = n->gpus_free - r->gpus;
    after.part_count = n->part_count;
    after.part = n->part;
    after.cut_count = n->cut_count;
    after.cut = n->cut;
    for (uint32_t d = 0; d < m->topo->dims->count; d++)
        after.free[d] = n->free[d]
                        - (m->topo->model_dims >> d & 1 ? 0 : r->amount[d]);
    if (r->share) {
        after.gpus_free -= left == TOPO_SHARE_ONE;
        after.part_count = parts_change(n, left == TOPO_SHARE_ONE ? 0 : left,
                                        left - r->share, part);
        after.part = part;
    } else if (r->mig) {
        after.cut_count = cuts_change(m, n, r->mig, cut, &opens);
        after.cut = cut;
        after.gpus_free -= opens;
    }
    topo_models_take(&m->topo->klass[n->klass], r,
                     n->gpus_free - after.gpus_free, after.free);
    return fragment(m, row_of(m, n->klass, after.free), &after);
}
