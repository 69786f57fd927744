/* policies/modules/lookahead.c - prefers the node where the task wastes the
 * least GPU capacity for future tasks; see lookahead.md.
 *
 *   W(node) = GPU thousandths left idle in all when `fills` times over tasks of
 *             the mix fill up the node as it is, one by one
 *   score   = W(before) - W(after) - what its GPUs are worth to others
 *             - something for opening an untouched node
 *             - something for what the mean task can no longer use, if asked
 *
 * The same tasks fill every node, so the difference of two states is not
 * random.  All numbers are integers.
 */
#include "policies/modules/lookahead_fill.h"
#include "policies/policy.h"

#define PRICE 10    /* hundredth of the price of a GPU, for pressure 1 */
#define OPENING 200 /* price in thousandths, for tasks without a share */
#define SCARCEST 20 /* largest factor of a kind that fits on few nodes */

struct lookahead {
    const struct gsp_host *host;
    void *ctx;
    int64_t weight;
    uint32_t fills, price, fragments;
    uint32_t kinds, classes;
    struct mix_kind *kind;
    uint8_t *suits;               /* [class][kind] */
    int64_t *gpus;                /* [class] thousandths of GPUs on all of its
                                 nodes */
    int64_t *pressure;            /* [class] pressure of the mix on its GPUs, in
                                 thousandths */
    uint32_t limits, dim[LIMITS]; /* [limit from OTHERS on] dimension */
    struct filler filler;
    struct known_table table;
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "fills", GSP_WHOLE, "32", 1, 1024,
      "times that a node is filled: more look further, and cost more", NULL },
    { "price", GSP_WHOLE, "100", 0, 10000,
      "price of a GPU by what the mix asks of GPUs of its class, in percent: "
      "more keeps what many name, and may waste more in the end",
      NULL },
    { "fragments", GSP_WHOLE, "0", 0, 1000,
      "percent of a point that a GPU costs which the mean task of the mix cannot "
      "use after it, and could before: fewer while nodes fill up",
      NULL },
};

static int lookahead_open(const struct gsp_host *host, void *ctx,
                          const union gsp_value *value, void **self)
{
    struct lookahead *l = host->keep(ctx, sizeof(*l));

    l->host = host;
    l->ctx = ctx;
    l->weight = value[0].whole;
    l->fills = (uint32_t)value[1].whole;
    l->price = (uint32_t)value[2].whole;
    l->fragments = (uint32_t)value[3].whole;
    *self = l;
    return 0;
}

static bool suits(const struct lookahead *l, uint32_t klass, uint32_t kind)
{
    return l->suits[(size_t)klass * l->kinds + kind];
}

/* --- the mix -------------------------------------------------------------- */

/* The limits of a node, and what each kind asks for of them. */
static void limits_find(struct lookahead *l)
{
    const uint32_t dims = l->host->dims(l->ctx);

    l->limits = OTHERS;
    for (uint32_t d = 0; d < dims; d++) {
        bool is_asked = false;

        for (uint32_t i = 0; i < l->kinds && d != GSP_GPU; i++)
            is_asked |= l->host->amount(l->kind[i].task, d) > 0;
        if (is_asked)
            l->dim[l->limits++] = d;
    }
    for (uint32_t i = 0; i < l->kinds; i++) {
        struct mix_kind *k = &l->kind[i];

        k->amount[GPUS] = k->gpus;
        k->amount[PART] = k->share;
        for (uint32_t d = OTHERS; d < l->limits; d++)
            k->amount[d] = l->host->amount(k->task, l->dim[d]);
    }
}

/* GPUs, in thousandths, on the nodes that suit the kind. */
static int64_t open_to(const struct lookahead *l, uint32_t kind)
{
    int64_t sum = 0;

    for (uint32_t c = 0; c < l->classes; c++)
        sum += suits(l, c, kind) ? l->gpus[c] : 0;
    return sum;
}

/* The load of the mix on each GPU of a class when the mix asks for the whole
 * cluster and every kind spreads evenly over the GPUs that suit it.
 */
static void pressure_find(struct lookahead *l)
{
    wide all = 0, list = 0;

    l->pressure = l->host->keep(l->ctx, l->classes * sizeof(*l->pressure));
    for (uint32_t c = 0; c < l->classes; c++)
        all += (uint64_t)l->gpus[c];
    for (uint32_t i = 0; i < l->kinds; i++)
        list += (uint64_t)milli_of(l->kind[i].gpus, l->kind[i].share)
                * (wide)(uint64_t)l->kind[i].weight;
    for (uint32_t i = 0; i < l->kinds; i++) {
        struct mix_kind *k = &l->kind[i];
        const wide open = (uint64_t)open_to(l, i), least = all / SCARCEST;
        int64_t part;

        k->scarcity = 100;
        if (open == 0 || list == 0)
            continue;
        k->scarcity = (int64_t)(100 * all / (open > least ? open : least));
        part = (int64_t)((wide)(uint64_t)milli_of(k->gpus, k->share)
                         * (uint64_t)k->weight * (all * 1000 / list) * 1000
                         / open);
        for (uint32_t c = 0; c < l->classes; c++)
            l->pressure[c] += suits(l, c, i) ? part : 0;
    }
    for (uint32_t c = 0; c < l->classes; c++)
        l->pressure[c] /= 1000;
}

/* Read the mix at first use: the host knows it by then. */
static void mix_read(struct lookahead *l)
{
    const uint32_t n = l->host->mix_kinds(l->ctx);

    l->kinds = n < UINT16_MAX ? n : UINT16_MAX;
    l->classes = l->host->classes(l->ctx);
    l->kind = l->host->keep(l->ctx, (l->kinds + 1) * sizeof(*l->kind));
    for (uint32_t i = 0; i < l->kinds; i++) {
        struct mix_kind *k = &l->kind[i];

        k->task = l->host->mix_kind(l->ctx, i, &k->weight);
        k->gpus = l->host->gpus(k->task);
        k->share = l->host->share(k->task);
    }
    l->suits = l->host->keep(l->ctx, (size_t)l->classes * l->kinds + 1);
    l->gpus = l->host->keep(l->ctx, l->classes * sizeof(*l->gpus));
    for (uint32_t c = 0; c < l->classes; c++) {
        l->gpus[c] = l->host->class_gpus(l->ctx, c);
        for (uint32_t i = 0; i < l->kinds; i++)
            l->suits[(size_t)c * l->kinds + i] = l->host->mix_suits(l->ctx, i,
                                                                    c);
    }
    limits_find(l);
    pressure_find(l);
    filler_make(&l->filler, l->kind, l->kinds, l->limits, l->suits, l->classes,
                l->host, l->ctx);
    known_grow(&l->table, 1u << 14, l->host, l->ctx);
}

/* --- waste ---------------------------------------------------------------- */

static int64_t waste(struct lookahead *l, const struct filled_node *n)
{
    const uint64_t key = key_of(n, l->limits);
    struct known *known;

    if (n->free[GPUS] + n->count == 0)
        return 0;
    if (l->table.count * 4 >= l->table.slots * 3)
        known_grow(&l->table, 2 * l->table.slots, l->host, l->ctx);
    known = known_of(&l->table, key);
    if (!known->key) {
        *known = (struct known){ key, fills_left(&l->filler, n, l->fills) };
        l->table.count++;
    }
    return known->waste;
}

/* --- scores --------------------------------------------------------------- */

static void node_read(const struct lookahead *l, const struct gsp_view *v,
                      uint32_t i, struct filled_node *n)
{
    const uint16_t *left;

    n->klass = v->klass[i];
    n->free[GPUS] = v->gpus_free[i];
    n->count = l->host->parts(v, i, &left);
    if (n->count)
        memcpy(n->left, left, n->count * sizeof(*left));
    n->free[PART] = part_of(n);
    for (uint32_t d = OTHERS; d < l->limits; d++)
        n->free[d] = l->host->free(v, l->dim[d])[i];
}

/* The value of the GPUs of the task to other tasks there, and for a task
 * without a share the price of opening an untouched node.
 */
static int64_t cost(const struct lookahead *l, const struct gsp_view *v,
                    uint32_t i, const struct gsp_task *t)
{
    const uint32_t gpus = l->host->gpus(t), share = l->host->share(t);
    const int64_t fills = l->fills;
    const int64_t all = l->host->capacity(v, GSP_GPU)[i];
    int64_t sum = fills * PRICE * l->price * l->pressure[v->klass[i]]
                  * milli_of(gpus, share) / 1000000;
    bool is_untouched = share == 0 && l->host->free(v, GSP_GPU)[i] == all;

    for (uint32_t d = OTHERS; d < l->limits; d++)
        is_untouched &= l->host->free(v, l->dim[d])[i]
                        == l->host->capacity(v, l->dim[d])[i];
    if (is_untouched && milli_of(gpus, 0) < all)
        sum += fills * OPENING;
    return sum;
}

/* Waste saved by placing the task, its share on a device with `left`. */
static int64_t gain(struct lookahead *l, const struct filled_node *before,
                    const struct gsp_task *t, uint32_t left)
{
    const uint32_t share = l->host->share(t);
    struct filled_node after = *before;

    for (uint32_t d = OTHERS; d < l->limits; d++)
        after.free[d] -= l->host->amount(t, l->dim[d]);
    after.free[GPUS] -= l->host->gpus(t);
    if (share)
        share_put(&after, left, share);
    after.free[PART] = part_of(&after);
    return waste(l, before) - waste(l, &after);
}

/* The price of what the mean task can no longer use, of state `i`. */
static int64_t fragments_cost(const struct lookahead *l,
                              const struct gsp_view *v, uint32_t i,
                              const struct gsp_task *t, uint32_t left)
{
    const int64_t price = (int64_t)l->fragments * l->fills;

    if (price == 0)
        return 0;
    return (l->host->fragment_with(l->ctx, v, i, t, left)
            - l->host->fragment(l->ctx, v, i))
           * price / (100 * l->host->mix_weight(l->ctx));
}

/* The largest gain over the devices of state `i` that have room; *best: what
 * the best device has left.
 */
static int64_t gain_most(struct lookahead *l, const struct gsp_view *v,
                         uint32_t i, const struct gsp_task *t, uint32_t *best)
{
    const uint32_t share = l->host->share(t);
    struct filled_node n;
    int64_t most = INT64_MIN;

    node_read(l, v, i, &n);
    *best = 1000;
    if (share == 0)
        return gain(l, &n, t, 1000) - fragments_cost(l, v, i, t, 1000);
    for (uint32_t k = 0; k <= n.count; k++) {
        const uint32_t left = k < n.count ? n.left[k] : 1000;
        int64_t g;

        if (left < share || (k > 0 && k < n.count && left == n.left[k - 1])
            || (k == n.count && n.free[GPUS] == 0))
            continue;
        g = gain(l, &n, t, left) - fragments_cost(l, v, i, t, left);
        if (g > most) {
            most = g;
            *best = left;
        }
    }
    return most;
}

static void lookahead_score(void *self, const struct gsp_view *v,
                            const struct gsp_task *t, int64_t *score)
{
    struct lookahead *l = self;

    if (!l->table.slots)
        mix_read(l);
    for (uint32_t i = 0; i < v->states; i++) {
        uint32_t left;

        if (!v->room[i])
            continue;
        score[i] += l->weight * GSP_POINT / 1000
                    * (gain_most(l, v, i, t, &left) - cost(l, v, i, t))
                    / (int64_t)l->fills;
    }
}

static uint32_t lookahead_device(void *self, const struct gsp_view *v,
                                 const struct gsp_task *t, const uint16_t *left,
                                 uint32_t count)
{
    struct lookahead *l = self;
    uint32_t best;

    if (!l->table.slots)
        mix_read(l);
    (void)gain_most(l, v, 0, t, &best);
    for (uint32_t i = 0; i < count; i++) {
        if (left[i] == best)
            return i;
    }
    return GSP_NONE;
}

extern const struct gsp_module gsp_module_lookahead;
const struct gsp_module gsp_module_lookahead = {
    GSP_ABI,
    .name = "lookahead",
    .summary = "nodes on which least is wasted of what is yet to come",
    GSP_PARAMS(params),
    .promises = GSP_WHOLE_MIX,
    .open = lookahead_open,
    .score = lookahead_score,
    .device = lookahead_device,
};
