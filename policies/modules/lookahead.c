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
#include "policies/modules/lookahead_kinds.h"
#include "policies/modules/lookahead_node.h"
#include "policies/modules/lookahead_tape.h"
#include "policies/policy.h"

#define MISSES 100  /* tasks in a row that do not fit: the node is full */
#define PRICE 10    /* hundredth of the price of a GPU, for pressure 1 */
#define OPENING 200 /* price in thousandths, for tasks without a share */
#define SCARCEST 20 /* largest factor of a kind that fits on few nodes */

/* A node that is filled, with the kinds that fit. */
struct filling {
    struct filled_node node;
    uint32_t step[LIMITS]; /* the last one that is free */
};

struct lookahead {
    const struct gsp_host *host;
    void *ctx;
    int64_t weight;
    uint32_t fills, price, fragments;
    uint32_t kinds, classes;
    struct mix_kind *kind;
    uint8_t *suits;           /* [class][kind] */
    int64_t *gpus;            /* [class] thousandths of GPUs on all of its
                                 nodes */
    int64_t *pressure;        /* [class] pressure of the mix on its GPUs, in
                                 thousandths */
    uint32_t dims, dim[DIMS]; /* dimensions that kinds ask for */
    uint16_t tape[TAPE];      /* kinds of tasks */
    uint32_t words;           /* of a set of kinds */
    struct kind_steps steps[LIMITS];
    uint64_t *class_set; /* [class][word] kinds that it suits, but for those
                            that ask for nothing: they would fit for ever */
    uint64_t *gpu_set;   /* kinds with GPUs */
    uint64_t *first_set, *set; /* that fit the node before, during a fill */
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

/* --- the mix ----------------------------------------------------------------- */

static void dims_find(struct lookahead *l)
{
    const uint32_t dims = l->host->dims(l->ctx);

    for (uint32_t d = 0; d < dims; d++) {
        bool is_asked = false;

        for (uint32_t i = 0; i < l->kinds && d != GSP_GPU; i++)
            is_asked |= l->host->amount(l->kind[i].task, d) > 0;
        if (is_asked)
            l->dim[l->dims++] = d;
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

/* --- sets of kinds ----------------------------------------------------------- */

static int64_t asked(const struct mix_kind *k, uint32_t limit)
{
    return limit == GPUS   ? k->gpus
           : limit == PART ? k->share
                           : k->amount[limit];
}

static uint64_t *set_new(const struct lookahead *l, size_t sets)
{
    return l->host->keep(l->ctx, sets * l->words * sizeof(uint64_t));
}

static void steps_make(struct lookahead *l, uint32_t limit)
{
    int64_t *amount = l->host->keep(l->ctx, (l->kinds + 1) * sizeof(*amount));

    for (uint32_t i = 0; i < l->kinds; i++)
        amount[i] = asked(&l->kind[i], limit);
    kind_steps_make(&l->steps[limit], amount, l->kinds, l->host, l->ctx);
}

static void sets_make(struct lookahead *l)
{
    l->words = kind_words(l->kinds);
    l->set = set_new(l, 1);
    l->first_set = set_new(l, 1);
    l->gpu_set = set_new(l, 1);
    l->class_set = set_new(l, l->classes);
    for (uint32_t i = 0; i < l->kinds; i++) {
        struct mix_kind *k = &l->kind[i];
        bool asks = k->gpus + k->share > 0;

        if (asks)
            kind_set_add(l->gpu_set, i);
        for (uint32_t d = 0; d < l->dims; d++) {
            k->amount[d] = l->host->amount(k->task, l->dim[d]);
            asks |= k->amount[d] > 0;
        }
        for (uint32_t c = 0; c < l->classes; c++) {
            if (asks && suits(l, c, i))
                kind_set_add(l->class_set + (size_t)c * l->words, i);
        }
    }
    for (uint32_t d = 0; d < l->dims; d++)
        steps_make(l, d);
    steps_make(l, GPUS);
    steps_make(l, PART);
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
    dims_find(l);
    sets_make(l);
    pressure_find(l);
    tape_make(l->tape, l->kind, l->kinds);
    known_grow(&l->table, 1u << 14, l->host, l->ctx);
}

/* --- filling ----------------------------------------------------------------- */

/* Take the kinds out of the set that a limit of the node no longer leaves. */
static void limit_follow(const struct lookahead *l, struct filling *f,
                         uint32_t limit, uint64_t *set)
{
    kind_steps_follow(&l->steps[limit], l->words, free_of(&f->node, limit),
                      &f->step[limit], set);
}

static void limits_follow(const struct lookahead *l, struct filling *f,
                          uint64_t *set)
{
    for (uint32_t d = 0; d < l->dims; d++)
        limit_follow(l, f, d, set);
    limit_follow(l, f, GPUS, set);
    limit_follow(l, f, PART, set);
}

static void put(const struct lookahead *l, struct filled_node *n,
                const struct mix_kind *k)
{
    for (uint32_t d = 0; d < l->dims; d++)
        n->free[d] -= k->amount[d];
    n->gpus_free -= k->gpus;
    if (k->share)
        share_put(n, tightest(n, k->share), k->share);
}

/* False when no task with GPUs fits: the rest stays idle. */
static bool has_hope(const struct lookahead *l)
{
    uint64_t any = 0;

    for (uint32_t w = 0; w < l->words; w++)
        any |= l->set[w] & l->gpu_set[w];
    return any;
}

/* GPU thousandths left when the tape is read from place `from` on, at most
 * once: a task that asks for almost nothing would fit for ever.
 */
static int64_t fill(const struct lookahead *l, struct filling f, uint32_t from)
{
    int64_t left = left_on(&f.node);
    bool goes_on;
    int misses = 0;

    memcpy(l->set, l->first_set, l->words * sizeof(*l->set));
    goes_on = has_hope(l);
    for (uint32_t i = 0; i < TAPE && goes_on && misses <= MISSES; i++) {
        const uint32_t kind = l->tape[(from + i) % TAPE];
        const struct mix_kind *k = &l->kind[kind];

        if (!(l->set[kind / 64] >> kind % 64 & 1)) {
            misses++;
            continue;
        }
        misses = 0;
        put(l, &f.node, k);
        left -= milli_of(k->gpus, k->share);
        limits_follow(l, &f, l->set);
        goes_on = has_hope(l);
    }
    return left;
}

static struct filling filling_begin(const struct lookahead *l,
                                    const struct filled_node *n)
{
    struct filling f = { .node = *n };

    memcpy(l->first_set, l->class_set + (size_t)n->klass * l->words,
           l->words * sizeof(*l->first_set));
    for (uint32_t i = 0; i < LIMITS; i++)
        f.step[i] = l->steps[i].count ? l->steps[i].count - 1 : 0;
    limits_follow(l, &f, l->first_set);
    return f;
}

/* --- waste ------------------------------------------------------------------- */

static int64_t waste(struct lookahead *l, const struct filled_node *n)
{
    const uint64_t key = key_of(n, l->dims);
    struct known *known;
    struct filling filling;
    int64_t sum = 0;

    if (n->gpus_free + n->count == 0)
        return 0;
    if (l->table.count * 4 >= l->table.slots * 3)
        known_grow(&l->table, 2 * l->table.slots, l->host, l->ctx);
    known = known_of(&l->table, key);
    if (known->key)
        return known->waste;
    filling = filling_begin(l, n);
    for (uint32_t k = 0; k < l->fills; k++)
        sum += fill(l, filling, k * (TAPE / l->fills));
    *known = (struct known){ key, sum };
    l->table.count++;
    return sum;
}

/* --- scores ------------------------------------------------------------------ */

static void node_read(const struct lookahead *l, const struct gsp_view *v,
                      uint32_t i, struct filled_node *n)
{
    const uint16_t *left;

    n->klass = v->klass[i];
    n->gpus_free = v->gpus_free[i];
    n->count = l->host->parts(v, i, &left);
    if (n->count)
        memcpy(n->left, left, n->count * sizeof(*left));
    for (uint32_t d = 0; d < l->dims; d++)
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

    for (uint32_t d = 0; d < l->dims; d++)
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

    for (uint32_t d = 0; d < l->dims; d++)
        after.free[d] -= l->host->amount(t, l->dim[d]);
    after.gpus_free -= l->host->gpus(t);
    if (share)
        share_put(&after, left, share);
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

/* The largest gain over the devices of state `i` that have room; *best: what the
 * best device has left.
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
            || (k == n.count && n.gpus_free == 0))
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
