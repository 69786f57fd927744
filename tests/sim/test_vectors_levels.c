/* tests/sim/test_vectors_levels.c - which hosts Kueue gives the pods of a
 * podset (tests/data/vectors/kueue-tas.yaml), replayed under module
 * node-choice.
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

/* The tier of a level of Kueue's tests: the block is the outermost, the rack
 * the innermost one.
 */
static const char *tier_of(const char *level)
{
    static const char *const tiers[] = { "tier0", "tier1", "tier2" };

    CU_ASSERT_FATAL(c.tiers <= N_ELEMENTS(tiers));
    return strcmp(level, "hostname") == 0 || c.tiers == 0 ? "node"
           : strcmp(level, "block") == 0                  ? tiers[0]
           : strcmp(level, "subblock") == 0               ? tiers[1]
                                                          : tiers[c.tiers - 1];
}

/* The assignment that is expected, and no other. */
static void assignment_check(const struct vector *v)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "assignment");
    const struct gs_ynode *lead = gs_ynode_find(v->expected, "leader");

    for (size_t i = 0; i < c.nodes; i++) {
        const char *name = c.node[i].name;
        const struct gs_ynode *n = want ? gs_ynode_find(want, name) : NULL;
        const long pods = n ? strtol(n->text, NULL, 10) : 0;

        if (choice_tasks(&c, 0, name, false) != (uint32_t)pods)
            vector_fails(v, "other pods are on", name);
        if (lead
            && choice_tasks(&c, 0, name, true)
                   != (strcmp(lead->text, name) == 0))
            vector_fails(v, "the leader is elsewhere than on", lead->text);
    }
}

/* Slices, in layers or in one. */
static void slices_put(const struct vector *v, char *to, size_t size)
{
    const struct gs_ynode *layers = gs_ynode_find(v->in, "layers");
    const long one = number_of(v, "slice_size", 1);

    if (one > 1)
        gs_text_add(to, size, "%sslices: {size: %ld, within: %s}",
                    *to ? ", " : "", one, tier_of(text_of(v, "slice_level")));
    if (!layers)
        return;
    gs_text_add(to, size, "%sslices: [", *to ? ", " : "");
    for (const struct gs_ynode *l = layers->child; l; l = l->next)
        gs_text_add(to, size, "%s{size: %s, within: %s}",
                    l == layers->child ? "" : ", ", l->child->next->text,
                    tier_of(l->child->text));
    gs_text_add(to, size, "]");
}

static void levels_run(const struct vector *v)
{
    const char *mode = text_of(v, "mode");
    char terms[300] = "mode: unconstrained";

    memset(&c, 0, sizeof(c));
    c.choice = number_of(v, "balanced", 0) ? "by: domains, balanced: yes"
                                           : "by: domains";
    nodes_read(vector_in(v, "free_pods"));
    if (strcmp(mode, "none") == 0)
        *terms = '\0';
    else if (strcmp(mode, "unconstrained") != 0)
        (void)snprintf(terms, sizeof(terms), "within: %s, mode: %s",
                       tier_of(text_of(v, "level")), mode);
    slices_put(v, terms, sizeof(terms));
    c.job[c.jobs++] = (struct choice_job){ .tasks = number_of(v, "count", 1),
                                           .cpus = number_of(v, "pod", 1),
                                           .leader = number_of(v, "leader", 0),
                                           .topology = *terms ? terms : NULL };
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
