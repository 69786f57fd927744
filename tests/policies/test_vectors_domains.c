/* tests/policies/test_vectors_domains.c - vectors of Volcano about the domains
 * in which room is made for a gang: which of them, in which order.
 */
#include "policies/placement/placement.h"
#include "tests/lib/load_topo.h"
#include "tests/lib/vectors.h"

#define LINE 512
#define DOMAINS 64u

static uint32_t length(const struct gs_ynode *list)
{
    uint32_t n = 0;

    for (const struct gs_ynode *c = list->child; c; c = c->next)
        n++;
    return n;
}

static const struct gs_ynode *element(const struct gs_ynode *list, uint32_t i)
{
    const struct gs_ynode *c = list->child;

    while (i-- > 0)
        c = c->next;
    return c;
}

/* A tier for each gradient, the last outermost; a node for each domain of the
 * longest, and the others divided among them.
 */
static void cluster_read(struct load_topo *l, const struct gs_ynode *gradients)
{
    const uint32_t tiers = length(gradients);
    uint32_t nodes = 0;
    char text[4 * LINE];
    size_t n = 0;

    for (uint32_t t = 0; t < tiers; t++) {
        const uint32_t here = length(element(gradients, t));

        nodes = here > nodes ? here : nodes;
    }
    n += (size_t)snprintf(text + n, sizeof(text) - n, "tiers:\n");
    for (uint32_t t = tiers; t-- > 0;)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "- {name: t%u}\n", t);
    n += (size_t)snprintf(text + n, sizeof(text) - n,
                          "node_types: {g: {gpus: 8}}\nnodes:\n");
    for (uint32_t i = 0; i < nodes; i++) {
        n += (size_t)snprintf(text + n, sizeof(text) - n,
                              "- {name: n%u, type: g", i);
        for (uint32_t t = 0; t < tiers; t++) {
            const struct gs_ynode *g = element(gradients, t);

            n += (size_t)snprintf(text + n, sizeof(text) - n, ", t%u: %s", t,
                                  element(g, i * length(g) / nodes)->text);
        }
        n += (size_t)snprintf(text + n, sizeof(text) - n, "}\n");
        CU_ASSERT_FATAL(n < sizeof(text));
    }
    load_topo_text(l, "gradients", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l->t);
}

/* At most `max` of the domains of the gradients, in the order of `result`. */
static void gradients_run(const struct vector *v)
{
    const struct gs_ynode *gradients = gs_ynode_find(v->in, "gradients");
    const int64_t asked[TOPO_DIMS_MAX] = { 0 };
    char got[LINE] = "", want[LINE] = "";
    uint32_t domain[DOMAINS], count, max;
    struct load_topo l;

    if (!gradients)
        return; /* scores: test_vectors_nodes.c */
    max = (uint32_t)strtoul(vector_in(v, "max")->text, NULL, 10);
    CU_ASSERT_FATAL(max > 0 && max <= DOMAINS);
    cluster_read(&l, gradients);
    count = gsched_domains_wide(l.t, 1, asked, max, domain);
    for (uint32_t i = 0; i < count; i++) {
        strncat(got, " ", LINE - strlen(got) - 1);
        strncat(got, load_topo_str(l.t, l.t->domain[domain[i]].name),
                LINE - strlen(got) - 1);
    }
    for (const struct gs_ynode *row =
             gs_ynode_find(v->expected, "result")->child;
         row; row = row->next) {
        for (const struct gs_ynode *d = row->child; d; d = d->next) {
            strncat(want, " ", LINE - strlen(want) - 1);
            strncat(want, d->text, LINE - strlen(want) - 1);
        }
    }
    load_topo_same(got, want);
    load_topo_fini(&l);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "topology-hypernode-score", gradients_run },
    };

    return vectors_main(&(struct vector_suite){ "policies/vectors of domains",
                                                VECTORS, groups,
                                                N_ELEMENTS(groups), NULL, 0 });
}
