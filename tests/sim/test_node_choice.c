/* tests/sim/test_node_choice.c - module node-choice: where gangs are placed.
 *
 * Nodes are written as their free CPUs of 8; "x" has none, "6/16" has 6 of 16,
 * "@5" is the weight (0).  "|" ends a domain of the innermost tier, "||" one of
 * the tier above.  Tasks take 5 CPUs, one on a node, where the row says no
 * other.
 */
#include <stdlib.h>

#include "tests/lib/choice_world.h"
#include "tests/lib/suite.h"

#define MOST_JOBS 4

static const struct {
    const char *name, *choice, *nodes;
    long tasks, cpus; /* 0: 5 CPUs, one task on a node */
    const char *on[MOST_JOBS];
} rows[] = {
    { "the smallest run that is enough",
      "by: runs",
      "8 8 8 x 8 8 x 8 8",
      2,
      0,
      { "n5 n6", "n8 n9", "n1 n2" } },
    { "of equal runs the first", "by: runs", "8 8 x 8 8", 2, 0, { "n1 n2" } },
    { "none is enough: the largest first",
      "by: runs",
      "8 x 8 8 x 8",
      4,
      0,
      { "n1 n3 n4 n6" } },
    { "the largest, then the smallest that is enough",
      "by: runs",
      "8 8 x 8 8 8 x 8",
      4,
      0,
      { "n4 n5 n6 n8" } },
    { "not enough at all", "by: runs", "8 x 8", 3, 0, { "" } },
    { "one node that is enough, in the run that is smallest",
      "by: runs",
      "8 8 x 8",
      1,
      0,
      { "n4", "n1" } },
    { "tasks fill nodes from the begin of the run",
      "by: runs",
      "8 8 8",
      5,
      2,
      { "n1 n2" } },
    { "by free CPUs a run is smaller",
      "by: runs, size: free",
      "8 8 x 5 8 x 8 8",
      2,
      0,
      { "n4 n5" } },
    { "by tasks it is not", "by: runs", "8 8 x 5 8 x 8 8", 2, 0, { "n1 n2" } },
    { "by free CPUs the fullest node of the run",
      "by: runs, size: free",
      "8 6 5 8",
      1,
      4,
      { "n3" } },
    { "low weights first, though the run is too small",
      "by: runs",
      "8@9 8@9 8@9 8@1 x 8@1",
      3,
      0,
      { "n1 n4 n6" } },
    { "runs end where weights change",
      "by: runs",
      "8@2 8@2 8@1 8@1 8@1",
      2,
      0,
      { "n3 n4", "n1 n5" } },
    { "a label of another name",
      "by: runs, weight: at",
      "8 8@1",
      1,
      0,
      { "n1" } },
    { "the least loaded",
      "by: least-loaded",
      "4 6/16 4 7 x",
      1,
      1,
      { "n4", "n4", "n4", "n1" } },
    { "... of a low weight",
      "by: least-loaded",
      "5@1 8@2 6@1",
      1,
      4,
      { "n3", "n1", "n2" } },
    { "... and many", "by: least-loaded", "6 8 5 7", 3, 0, { "n1 n2 n4" } },
    { "one CPU at the end",
      "serial_last: yes",
      "8 8 x 8 8 x",
      1,
      1,
      { "n5", "n5" } },
    { "two CPUs are not", "serial_last: yes", "8 8 x 8 x", 1, 2, { "n4" } },
    { "a leaf that is enough, with the fewest nodes",
      "by: tree",
      "8 8 8 | 8 8 x | 8 8 8",
      2,
      0,
      { "n4 n5", "n1 n2" } },
    { "no leaf is enough: the largest first",
      "by: tree",
      "8 x x | 8 8 8 | 8 8 x",
      4,
      0,
      { "n1 n4 n5 n6" } },
    { "leaves near to the first",
      "by: tree",
      "8 8 | 8 x || 8 x | 8 8 || 8 8 | 8 8",
      3,
      0,
      { "n1 n2 n3" } },
    { "below the smallest parent that is enough",
      "by: tree",
      "8 8 | 8 8 || 8 x | 8 8",
      3,
      0,
      { "n5 n7 n8" } },
    { "no gang leaves a tree",
      "by: tree, within: tier0",
      "8 8 | x x || 8 x | x 8",
      3,
      0,
      { "" } },
    { "... but may be in one of its own",
      "by: tree, within: tier0",
      "8 8 | 8 x || 8 8 | x 8",
      3,
      0,
      { "n5 n6 n8" } },
    { "low weights, then the leaves they are in",
      "by: tree",
      "8@2 8@2 8@2 | 8@2 8@1 8@2",
      2,
      0,
      { "n4 n5" } },
    { "one base block",
      "by: blocks",
      "8 8 8 x | 8 8 x x",
      2,
      0,
      { "n5 n6", "n1 n2" } },
    { "never two where one is large enough",
      "by: blocks",
      "8 8 x x | 8 8 8 x",
      4,
      0,
      { "" } },
    { "of equal blocks the last",
      "by: blocks",
      "8 8 | 8 8 | 8 8",
      1,
      0,
      { "n5", "n6" } },
    { "a block of two",
      "by: blocks",
      "8 8 | 8 x || 8 8 | 8 8 || 8 x | 8 8",
      3,
      0,
      { "n9 n11 n12" } },
    { "as few base blocks as hold it",
      "by: blocks",
      "8 x | 8 8 | 8 x | 8 8",
      4,
      0,
      { "n3 n4 n7 n8", "" } },
    { "larger than all tiers: the cluster",
      "by: blocks",
      "8 8 | 8 8",
      4,
      0,
      { "n1 n2 n3 n4" } },
};

/* "6/16@2", "x" */
static void node_read(struct choice_world *c, const char *text, size_t block,
                      size_t above)
{
    struct choice_node *n = &c->node[c->nodes++];
    char *end;

    (void)snprintf(n->name, sizeof(n->name), "n%zu", c->nodes);
    (void)snprintf(n->domain[0], sizeof(n->domain[0]), "a%zu", above);
    (void)snprintf(n->domain[1], sizeof(n->domain[1]), "b%zu", block);
    n->free = *text == 'x' ? 0 : strtol(text, &end, 10);
    n->cpus = *text != 'x' && *end == '/' ? strtol(end + 1, &end, 10) : 8;
    n->weight = strchr(text, '@') ? strtol(strchr(text, '@') + 1, NULL, 10) : 0;
}

static void nodes_read(struct choice_world *c, const char *text)
{
    size_t block = 0, above = 0;
    char copy[200], *rest = NULL;

    (void)snprintf(copy, sizeof(copy), "%s", text);
    for (char *at = strtok_r(copy, " ", &rest); at;
         at = strtok_r(NULL, " ", &rest)) {
        if (*at != '|') {
            node_read(c, at, block, above);
            continue;
        }
        block++;
        above += at[1] == '|';
    }
    c->tiers = strchr(text, '|') ? 2 : 0;
    if (c->tiers && above == 0) { /* one tier */
        c->tiers = 1;
        for (size_t i = 0; i < c->nodes; i++)
            memcpy(c->node[i].domain[0], c->node[i].domain[1],
                   sizeof(c->node[i].domain[0]));
    }
}

static void test_rows(void)
{
    for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
        static struct choice_world c;
        char on[400];

        memset(&c, 0, sizeof(c));
        c.choice = rows[i].choice;
        nodes_read(&c, rows[i].nodes);
        for (; c.jobs < MOST_JOBS && rows[i].on[c.jobs]; c.jobs++)
            c.job[c.jobs] = (struct choice_job){
                .tasks = rows[i].tasks,
                .cpus = rows[i].cpus ? rows[i].cpus : 5,
                .is_spread = rows[i].cpus == 0 && rows[i].tasks > 1,
            };
        CU_ASSERT_FATAL(choice_run(&c));
        for (size_t k = 0; k < c.jobs; k++) {
            if (strcmp(choice_nodes(&c, k, on, sizeof(on)), rows[i].on[k]) == 0)
                continue;
            printf("%s: job %zu is on '%s', not '%s'\n", rows[i].name, k, on,
                   rows[i].on[k]);
            CU_FAIL("other nodes");
        }
        choice_fini(&c);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "gangs are where rows say", test_rows },
    };

    return suite_run("sim/node choice", cases, N_ELEMENTS(cases));
}
