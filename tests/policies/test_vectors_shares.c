/* tests/policies/test_vectors_shares.c - deserved shares and order of queues in
 * vectors of Volcano, by module `queue` alone.
 */
#include "base/quantity.h"
#include "tests/lib/fake_host.h"
#include "tests/lib/vectors.h"

static const struct {
    const char *name;
    enum gsp_dim dim;
} dims[] = {
    { "cpu", GSP_CPU },
    { "mem", GSP_MEMORY },
    { "gpu", GSP_GPU },
};

/* A mapping's amounts, in thousandths. */
static void amounts(const struct gs_ynode *map, int64_t *out)
{
    for (size_t i = 0; map && i < N_ELEMENTS(dims); i++) {
        const struct gs_ynode *n = gs_ynode_find(map, dims[i].name);

        if (n)
            CU_ASSERT_EQUAL_FATAL(
                gs_quantity_parse_milli(n->text, n->len, &out[dims[i].dim]), 0);
    }
}

static const struct gsp_module *queue_module(void)
{
    return gsched_module_find("queue");
}

/* --- deserved shares ------------------------------------------------------ */

/* True when a job of the queue may take `amount` of one resource. */
static bool may_take(void *self, uint32_t queue, uint32_t dim, int64_t amount)
{
    const struct gsp_job j = { .queue = queue };
    int64_t asked[FAKE_DIMS] = { 0 };

    asked[dim] = amount;
    return amount == 0 || queue_module()->allocatable(self, &j, asked);
}

/* Each queue may take its deserved share, and no more. */
static void deserved_check(const struct vector *v, struct fake *f, void *self)
{
    const struct gs_ynode *q = vector_in(v, "queues")->child;

    for (uint32_t i = 0; i < f->queues; i++, q = q->next) {
        int64_t want[FAKE_DIMS] = { 0 };

        amounts(
            gs_ynode_find(gs_ynode_find(v->expected, "deserved"), q->key->text),
            want);
        for (size_t k = 0; k < N_ELEMENTS(dims); k++) {
            const uint32_t d = dims[k].dim;

            if (f->total[d] == 0)
                continue;
            if (!may_take(self, i, d, want[d])
                || may_take(self, i, d, want[d] + 1)) {
                printf("%s: '%s' does not deserve %lld of %s\n", v->id,
                       q->key->text, (long long)want[d], dims[k].name);
                CU_FAIL("a vector");
            }
        }
    }
}

static void deserved_run(const struct vector *v)
{
    const union gsp_value value[GSCHED_PARAMS_MAX] = {
        { .whole = 0 }
    }; /* proportion */
    struct fake f;

    fake_start(&f);
    amounts(vector_in(v, "total"), f.total);
    for (const struct gs_ynode *n = vector_in(v, "queues")->child; n;
         n = n->next) {
        struct fake_queue *q = &f.queue[fake_add(&f, GSP_NONE, 1)];

        CU_ASSERT_EQUAL_FATAL(
            gs_quantity_parse_double(gs_ynode_find(n, "w")->text,
                                     gs_ynode_find(n, "w")->len, &q->weight),
            0);
        amounts(gs_ynode_find(n, "req"), q->asked);
        amounts(gs_ynode_find(n, "guar"), q->guarantee);
        amounts(gs_ynode_find(n, "cap"), q->limit);
    }
    deserved_check(v, &f, fake_module(&f, queue_module(), value));
    fake_end(&f);
}

/* --- shares --------------------------------------------------------------- */

/* "2c4Gi": cores, and memory in bytes; else nothing. */
static void pair_read(const char *text, int64_t *out)
{
    int cores = 0, gib = 0;

    if (sscanf(text, "%dc%dGi", &cores, &gib) == 2) {
        out[GSP_CPU] = cores * 1000;
        out[GSP_MEMORY] = gib * (INT64_C(1) << 30);
    }
}

static double share_at(const struct vector *v, uint32_t i)
{
    const struct gs_ynode *n = gs_ynode_find(v->expected, "share")->child;
    double share = 0;

    while (i-- > 0)
        n = n->next;
    CU_ASSERT_EQUAL_FATAL(gs_quantity_parse_double(n->text, n->len, &share), 0);
    return share;
}

static bool deserves(const struct fake *f, uint32_t q)
{
    return f->queue[q].deserved[GSP_CPU] > 0;
}

/* The lower share is first; of equal shares that of a queue with a deserved
 * share.
 */
static void share_check(const struct vector *v, const struct fake *f,
                        void *self)
{
    for (uint32_t a = 0; a < f->queues; a++) {
        for (uint32_t b = 0; b < f->queues; b++) {
            const double x = share_at(v, a), y = share_at(v, b);
            const int order = queue_module()->queue_order(self, a, b);
            const int want = x < y ? -1
                             : x > y
                                 ? 1
                                 : (int)deserves(f, b) - (int)deserves(f, a);

            if (order != want) {
                printf("%s: queues %u and %u: %d\n", v->id, a, b, order);
                CU_FAIL("a vector");
            }
        }
    }
}

static void share_run(const struct vector *v)
{
    const union gsp_value value[GSCHED_PARAMS_MAX] = {
        { .whole = 1 }
    }; /* capacity */
    struct fake f;

    fake_start(&f);
    for (size_t i = 0; i < N_ELEMENTS(dims); i++)
        f.total[dims[i].dim] = INT64_C(1) << 40;
    for (const struct gs_ynode *n = vector_in(v, "rows")->child; n;
         n = n->next) {
        struct fake_queue *q = &f.queue[fake_add(&f, GSP_NONE, 1)];

        pair_read(gs_ynode_find(n, "deserved")->text, q->deserved);
        pair_read(gs_ynode_find(n, "allocated")->text, q->used);
    }
    share_check(v, &f, fake_module(&f, queue_module(), value));
    fake_end(&f);
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
    static const struct vector_group groups[] = {
        { "proportion-waterfill", deserved_run },
        { "vc-capacity-share", share_run },
    };

    return vectors_main(&(struct vector_suite){ "policies/vectors_shares",
                                                VECTORS, groups,
                                                N_ELEMENTS(groups), NULL, 0 });
}
