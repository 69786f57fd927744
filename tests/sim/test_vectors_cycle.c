/* tests/sim/test_vectors_cycle.c - what yunikorn-core placed in worlds of
 * queues with guarantees, limits, priorities and users, pod by pod until
 * nothing had room (tests/data/vectors/yunikorn-cycles.yaml), placed in one
 * cycle.
 */
#include <stdlib.h>

#include "tests/lib/vector_world.h"
#include "tests/lib/vectors.h"

/* Tasks of the job that stand on the node. */
static uint32_t placed_on(const struct vector_world *v, const char *job,
                          const char *node)
{
    uint32_t tasks = 0;

    for (uint32_t i = 0; i < v->decisions; i++) {
        const struct gsched_decision *d = &v->decision[i];
        const char *name = gs_strtab_str(v->w.names,
                                         v->w.work->job[d->job].name);

        if (d->kind == GSCHED_PLACE && strcmp(name, job) == 0
            && (!node || strcmp(vector_node(v, d->grant.node), node) == 0))
            tasks += d->grant.tasks;
    }
    return tasks;
}

static void cycle_run(const struct vector *v)
{
    const struct gs_ynode *placed = gs_ynode_find(v->expected, "placed");
    struct vector_world w;

    if (vector_world_init(&w, v->in) < 0) {
        vector_fails(v, "not read:", w.w.err.problem[0].text);
    } else {
        vector_world_cycle(&w, 1);
        for (const struct gs_ynode *j = vector_in(v, "jobs")->child; j;
             j = j->next) {
            const char *name = gs_ynode_find(j, "name")->text;
            const struct gs_ynode *want = gs_ynode_find(placed, name);
            uint32_t tasks = 0;

            for (const struct gs_ynode *n = want ? want->child : NULL; n;
                 n = n->next) {
                const uint32_t count = (uint32_t)strtoul(n->text, NULL, 10);

                tasks += count;
                if (placed_on(&w, name, n->key->text) != count)
                    vector_fails(v, "another number of tasks on a node of",
                                 name);
            }
            if (placed_on(&w, name, NULL) != tasks)
                vector_fails(v, "another number of tasks of", name);
        }
    }
    vector_world_fini(&w);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "yk-cycle", cycle_run },
    };

    return vectors_main(&(struct vector_suite){
        "sim/vectors_cycle", "tests/data/vectors/yunikorn-cycles.yaml", groups,
        N_ELEMENTS(groups), NULL, 0 });
}
