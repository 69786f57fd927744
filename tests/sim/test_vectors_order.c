/* tests/sim/test_vectors_order.c - the order of jobs in vectors of Slurm: they
 * wait for the only node, which a job holds until all are there.
 */
#include <stdlib.h>

#include "base/quantity.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"

#define TOPOLOGY "node_types: {t: {gpus: 1}}\nnodes: [{name: n1, type: t}]\n"
#define PROFILE                                                 \
    "actions: [allocate]\nhead: block\nmodules: [multifactor: " \
    "{period: 1s}, gang]\n"
#define RESERVED "1000000" /* a tier above those of partitions */
#define JOBS 32

static const char *text_of(const struct gs_ynode *job, const char *key)
{
    const struct gs_ynode *n = gs_ynode_find(job, key);

    return n ? n->text : "";
}

static int by_id(const void *a, const void *b)
{
    const int x = atoi(text_of(*(const struct gs_ynode *const *)a, "id"));
    const int y = atoi(text_of(*(const struct gs_ynode *const *)b, "id"));

    return (x > y) - (x < y);
}

/* Its priority is what is subtracted from it, negated; a reservation stands
 * above all tiers.
 */
static void job_put(char *to, size_t size, const struct gs_ynode *job)
{
    const bool is_reserved = strcmp(text_of(job, "reservation"), "true") == 0;

    (void)snprintf(to + strlen(to), size - strlen(to),
                   "- {name: \"%s\", submit: %s, duration: 100s, gpus: 1, "
                   "nice: -%s, partition: \"%s\"}\n",
                   text_of(job, "id"), text_of(job, "submit"),
                   text_of(job, "prio"),
                   is_reserved ? RESERVED : text_of(job, "tier"));
}

static void trace_make(const struct vector *v, char *to, size_t size)
{
    const struct gs_ynode *job[JOBS];
    size_t n = 0;

    for (const struct gs_ynode *j = vector_in(v, "jobs")->child; j;
         j = j->next) {
        CU_ASSERT_FATAL(n < JOBS);
        job[n++] = j;
    }
    qsort(job, n, sizeof(*job), by_id);
    (void)snprintf(to, size,
                   "partitions: {\"" RESERVED "\": {tier: " RESERVED "}");
    for (int tier = 0; tier < 10; tier++)
        (void)snprintf(to + strlen(to), size - strlen(to),
                       ", \"%d\": {tier: %d}", tier, tier);
    (void)snprintf(to + strlen(to), size - strlen(to),
                   "}\njobs:\n- {name: first, submit: 0, duration: 1000s, "
                   "gpus: 1}\n");
    for (size_t i = 0; i < n; i++)
        job_put(to, size, job[i]);
}

static void order_run(const struct vector *v)
{
    char trace[8192];
    int64_t before = -1;
    struct world w;

    if (strcmp(text_of(v->in, "preempt"), "off") != 0) {
        vector_not_run(v, "the order depends on who may preempt whom");
        return;
    }
    trace_make(v, trace, sizeof(trace));
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, TOPOLOGY, trace, &(struct trace_options){ 0 }), 0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, PROFILE, NULL, NULL), 0);
    for (const struct gs_ynode *n = gs_ynode_find(v->expected, "order")->child;
         n; n = n->next) {
        const int64_t start = world_job(&w, n->text)->start;

        if (start <= before)
            vector_fails(v, "starts too early: job", n->text);
        before = start;
    }
    world_fini(&w);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "slurm-preempt-", NULL },
        { "slurm-order", order_run },
    };

    return vectors_main(&(struct vector_suite){
        "sim/vectors_order", "tests/data/vectors/slurm.yaml", groups,
        N_ELEMENTS(groups), NULL, 0 });
}
