#include "tests/lib/load_cluster.h"

#include "topology/mig.h"

void load_cluster_init(struct load_cluster *w, const char *text)
{
    load_topo_text(&w->l, "t.yaml", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->l.t);
    w->t = w->l.t;
    w->c = topo_cluster_create(w->t);
    CU_ASSERT_TRUE(cluster_is_right(w->c));
}

void load_cluster_fini(struct load_cluster *w)
{
    CU_ASSERT_TRUE(cluster_is_right(w->c));
    topo_cluster_destroy(w->c);
    load_topo_fini(&w->l);
}

struct topo_request ask_for(uint32_t gpus, uint32_t share, int64_t cpu)
{
    struct topo_request r = { .gpus = gpus, .share = share };

    r.amount[TOPO_GPU] = gpus * TOPO_SHARE_ONE + share;
    r.amount[TOPO_CPU] = cpu;
    return r;
}

struct topo_request ask_instance(const char *profile)
{
    struct topo_request r = { .mig = topo_mig_kind_find(profile) };

    CU_ASSERT_NOT_EQUAL_FATAL(r.mig, 0);
    r.amount[TOPO_GPU] = topo_mig_kind_milli(r.mig);
    return r;
}

uint32_t load_cluster_fit(const struct load_cluster *w, uint32_t node,
                          const struct topo_request *r)
{
    const uint32_t group = topo_cluster_group_of(w->c, node);
    const uint32_t n = topo_group_fit(w->c, group, r);

    CU_ASSERT_EQUAL(topo_group_has_room(w->c, group, r), n > 0);
    return n;
}

bool same_totals(const struct topo_totals *a, const struct topo_totals *b)
{
    return a->gpu_milli == b->gpu_milli
           && a->gpu_free_milli == b->gpu_free_milli
           && a->gpu_nodes == b->gpu_nodes && a->empty_nodes == b->empty_nodes
           && a->partial_nodes == b->partial_nodes
           && a->partial_free_milli == b->partial_free_milli
           && a->closed_nodes == b->closed_nodes
           && a->out_milli == b->out_milli;
}

void snapshot_take(const struct load_cluster *w, struct snapshot *s)
{
    for (uint32_t n = 0; n < w->t->node_count; n++)
        s->group[n] = topo_cluster_group_of(w->c, n);
    for (uint32_t d = 0; d < w->t->domain_count; d++)
        s->domain_free[d] = topo_domain_free(w->c, d, TOPO_GPU);
    s->totals = *topo_cluster_totals(w->c);
}

bool snapshot_is(const struct load_cluster *w, const struct snapshot *s)
{
    for (uint32_t n = 0; n < w->t->node_count; n++) {
        if (s->group[n] != topo_cluster_group_of(w->c, n))
            return false;
    }
    for (uint32_t d = 0; d < w->t->domain_count; d++) {
        if (s->domain_free[d] != topo_domain_free(w->c, d, TOPO_GPU))
            return false;
    }
    return same_totals(&s->totals, topo_cluster_totals(w->c));
}
