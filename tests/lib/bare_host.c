/* tests/lib/bare_host.c - see bare_host.h. */
#include "tests/lib/bare_host.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "policies/profile/profile.h"
#include "tests/lib/suite.h"

uint32_t bare_host_id(struct bare_host *h, const char *text)
{
    return gs_strtab_put(h->names, text, strlen(text));
}

void bare_host_init(struct bare_host *h, uint32_t nodes, uint32_t gpus)
{
    struct topo_class k = { .gpus = gpus };
    struct gs_err err = { 0 };

    *h = (struct bare_host){ .arena = gs_arena_create(1 << 14),
                             .names = gs_strtab_create() };
    topo_dims_init(&h->dims, h->names);
    h->topo = topo_create(h->arena, h->names, &h->dims);
    k.type = bare_host_id(h, "t");
    k.capacity[TOPO_GPU] = (int64_t)gpus * TOPO_SHARE_ONE;
    k.capacity[TOPO_CPU] = (int64_t)gpus * 8000;
    k.capacity[TOPO_PODS] = 110;
    for (uint32_t n = 0; n < nodes; n++) {
        char name[16];

        snprintf(name, sizeof(name), "n%u", (unsigned)n);
        CU_ASSERT_EQUAL(topo_add_node(h->topo, bare_host_id(h, name),
                                      topo_add_class(h->topo, &k), NULL, &err),
                        0);
    }
    CU_ASSERT_EQUAL_FATAL(topo_finish(h->topo, &err), 0);
    h->work = trace_workload_create(h->arena, h->names, &h->dims);
}

void bare_host_start(struct bare_host *h, const char *policy)
{
    struct gs_err err = { 0 };
    struct gsched_profile *p = gsched_profile_named(policy, h->arena, &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    h->cluster = topo_cluster_create(h->topo);
    h->sched = gsched_create(h->cluster, h->work, p, 1, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(h->sched);
}

void bare_host_fini(struct bare_host *h)
{
    gsched_destroy(h->sched);
    topo_cluster_destroy(h->cluster);
    trace_workload_destroy(h->work);
    gs_strtab_destroy(h->names);
    gs_arena_destroy(h->arena);
}
