/* tests/sim/test_vectors_levels.c - which hosts Kueue gives the pods of a podset
 * (tests/data/vectors/kueue-tas.yaml), replayed under module node-choice.
 */
#include <stdlib.h>

#include "base/text.h"
#include "tests/lib/choice_world.h"
#include "tests/lib/vectors.h"

#define OWN "tests/data/vectors/kueue-tas.yaml"

static struct choice_world c;

static long number_of(const struct vector *v, const char *key, long none)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, key);

    return n && n->kind == GS_YSCALAR ? strtol(n->text, NULL, 10) : none;
}

static const char *text_of(const struct vector *v, const char *key)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, key);

    return n && n->kind == GS_YSCALAR ? n->text : "hostname";
}

/* "b1/r1/x3": its domains are called "b1" and "b1-r1".  Returns the name. */
static const char *path_read(const char *path, struct choice_node *n)
{
    size_t level = 0;

    for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
        char *to = n->domain[level++];

        (void)snprintf(to, 32, "%.*s", (int)(at - path), path);
        for (char *x = to; *x; x++)
            *x = *x == '/' ? '-' : *x;
    }
    c.tiers = level;
    return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static void nodes_read(const struct gs_ynode *free_pods)
{
    for (const struct gs_ynode *n = free_pods->child; n; n = n->next) {
        struct choice_node *node = &c.node[c.nodes++];

        CU_ASSERT_FATAL(c.nodes <= CHOICE_NODES);
        (void)snprintf(node->name, sizeof(node->name), "%s",
                       path_read(n->key->text, node));
        node->free = strtol(n->text, NULL, 10);
        node->cpus = node->free ? node->free : 1;
    }
}

/* The tier of a level of Kueue's tests: of two the outer one is the block. */
static const char *tier_of(const char *level)
{
    return strcmp(level, "hostname") == 0 ? "node"
           : strcmp(level, "block") == 0  ? "tier0"
           : c.tiers > 1                  ? "tier1"
                                          : "tier0";
}

/* The assignment that is expected, and no other. */
static void assignment_check(const struct vector *v)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "assignment");

    for (size_t i = 0; i < c.nodes; i++) {
        const struct gs_ynode *n = want ? gs_ynode_find(want, c.node[i].name)
                                        : NULL;
        const long pods = n ? strtol(n->text, NULL, 10) : 0;

        if (choice_tasks(&c, 0, c.node[i].name) != (uint32_t)pods)
            vector_fails(v, "other pods are on", c.node[i].name);
    }
}

static void levels_run(const struct vector *v)
{
    const char *mode = text_of(v, "mode");
    const long size = number_of(v, "slice_size", 1);
    char terms[200] = "";

    memset(&c, 0, sizeof(c));
    c.choice = "by: domains";
    nodes_read(vector_in(v, "free_pods"));
    if (strcmp(mode, "unconstrained") == 0)
        gs_text_add(terms, sizeof(terms), "mode: unconstrained");
    else
        gs_text_add(terms, sizeof(terms), "within: %s, mode: %s",
                    tier_of(text_of(v, "level")), mode);
    if (size > 1)
        gs_text_add(terms, sizeof(terms), ", slices: {size: %ld, within: %s}",
                    size, tier_of(text_of(v, "slice_level")));
    c.job[c.jobs++] = (struct choice_job){ .tasks = number_of(v, "count", 1),
                                           .cpus = 1,
                                           .topology = terms };
    if (choice_run(&c))
        assignment_check(v);
    else
        vector_fails(v, "it cannot be run", terms);
    choice_fini(&c);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "kueue-tas", levels_run },
    };

    return vectors_main(
        &(struct vector_suite){ "sim/vectors of Kueue's placement by topology",
                                OWN, groups, N_ELEMENTS(groups), NULL, 0 });
}
