/* tests/sim/test_vectors_choice.c - which nodes Slurm chooses
 * (tests/data/vectors/slurm.yaml), replayed under module node-choice.
 */
#include <stdlib.h>

#include "base/text.h"
#include "import/slurm/hostlist.h"
#include "tests/lib/choice_world.h"
#include "tests/lib/vectors.h"

#define OWN "tests/data/vectors/slurm.yaml"

static struct choice_world c;

static void begin(const char *choice, size_t tiers)
{
    memset(&c, 0, sizeof(c));
    c.choice = choice;
    c.tiers = tiers;
}

static long number_of(const struct gs_ynode *map, const char *key, long none)
{
    const struct gs_ynode *n = gs_ynode_find(map, key);

    return n && n->kind == GS_YSCALAR ? strtol(n->text, NULL, 10) : none;
}

static const char *text_of(const struct gs_ynode *map, const char *key)
{
    const struct gs_ynode *n = gs_ynode_find(map, key);

    return n && n->kind == GS_YSCALAR ? n->text : "";
}

static struct choice_node *node_add(const char *name, long cpus, long free)
{
    struct choice_node *n = &c.node[c.nodes++];

    CU_ASSERT_FATAL(c.nodes <= CHOICE_NODES);
    (void)snprintf(n->name, sizeof(n->name), "%s", name);
    n->cpus = cpus;
    n->free = free;
    return n;
}

/* --- lists of nodes ------------------------------------------------------- */

struct names {
    char name[CHOICE_NODES][32];
    size_t count;
};

static int name_take(void *ctx, const char *name, size_t len)
{
    struct names *l = ctx;

    CU_ASSERT_FATAL(l->count < CHOICE_NODES);
    (void)snprintf(l->name[l->count++], sizeof(l->name[0]), "%.*s", (int)len,
                   name);
    return 0;
}

static void list_read(const char *list, struct names *l)
{
    const char *why = NULL;

    l->count = 0;
    CU_ASSERT_EQUAL_FATAL(
        slurm_hostlist_read(list, strlen(list), name_take, l, &why), 0);
}

/* The job fills all the nodes of the list, or has no others. */
static void begins_check(const struct vector *v, size_t job,
                         const struct names *list, const char *what)
{
    char on[4000], *rest = NULL;
    size_t in = 0, all = 0;

    (void)choice_nodes(&c, job, on, sizeof(on));
    for (char *at = strtok_r(on, " ", &rest); at;
         at = strtok_r(NULL, " ", &rest)) {
        for (size_t i = 0; i < list->count; i++)
            in += strcmp(list->name[i], at) == 0;
        all++;
    }
    if (all == 0 || (in < all && in < list->count))
        vector_fails(v, "it does not begin with", what);
}

/* --- runs, the least loaded ----------------------------------------------- */

static void set_add(const struct gs_ynode *set)
{
    const long cpus = number_of(set, "cpus", 0) / number_of(set, "count", 1);
    static struct names l;
    char gap[32];

    list_read(text_of(set, "nodes"), &l);
    for (size_t i = 0; i < l.count; i++)
        node_add(l.name[i], cpus, cpus)->weight = number_of(set, "weight", 0);
    (void)snprintf(gap, sizeof(gap), "gap%zu", c.nodes);
    (void)node_add(gap, 1, 0);
}

static void runs_run(const struct vector *v)
{
    const char *want = text_of(v->expected, "first_set");
    const long nodes = number_of(v->in, "need_nodes", 1);
    static struct names first;

    begin("by: runs, size: free", 0);
    for (const struct gs_ynode *n = vector_in(v, "consecutive_sets")->child; n;
         n = n->next)
        set_add(n);
    c.job[c.jobs++] = (struct choice_job){
        .tasks = nodes,
        .cpus = number_of(v->in, "need_cpus", nodes) / nodes,
        .is_spread = nodes > 1,
    };
    list_read(want, &first);
    if (choice_run(&c))
        begins_check(v, 0, &first, want);
    else
        vector_fails(v, "it cannot be run", "");
    choice_fini(&c);
}

static void idle_run(const struct vector *v)
{
    const char *want = text_of(v->expected, "first_node");
    static struct names first;

    begin("by: least-loaded", 0);
    for (const struct gs_ynode *n = vector_in(v, "nodes")->child; n;
         n = n->next)
        node_add(n->key->text, number_of(n, "cpus", 0),
                 number_of(n, "free_cpus", 0))
            ->weight = number_of(n, "weight", 0);
    c.job[c.jobs++] = (struct choice_job){ .tasks = 1, .cpus = 1 };
    list_read(want, &first);
    if (choice_run(&c))
        begins_check(v, 0, &first, want);
    else
        vector_fails(v, "it cannot be run", "");
    choice_fini(&c);
}

/* --- trees ---------------------------------------------------------------- */

static void leaf_run(const struct vector *v)
{
    const char *want = text_of(v->expected, "first_leaf");
    static struct names first;

    begin("by: tree", 1);
    first.count = 0;
    for (const struct gs_ynode *n = vector_in(v, "leaves_free_nodes")->child; n;
         n = n->next) {
        for (long i = 0; i < strtol(n->text, NULL, 10); i++) {
            char name[32];

            (void)snprintf(name, sizeof(name), "%.9s-%ld", n->key->text, i);
            (void)snprintf(node_add(name, 1, 1)->domain[0], 32, "%s",
                           n->key->text);
            if (strcmp(n->key->text, want) == 0)
                (void)name_take(&first, name, strlen(name));
        }
    }
    c.job[c.jobs++] = (struct choice_job){
        .tasks = number_of(v->in, "need_nodes", 1), .cpus = 1, .is_spread = true
    };
    if (choice_run(&c))
        begins_check(v, 0, &first, want);
    else
        vector_fails(v, "it cannot be run", "");
    choice_fini(&c);
}

/* The value of an option such as "-N" or "--switches="; `none` without it. */
static long option_of(const char *job, const char *option, long none)
{
    const char *at = strstr(job, option);

    return at ? strtol(at + strlen(option), NULL, 10) : none;
}

static struct choice_job job_of(const char *options)
{
    const long nodes = option_of(options, "-N", 1);

    return (struct choice_job){ .tasks = nodes,
                                .cpus = strstr(options, "--exclusive") ? 4 : 1,
                                .is_spread = nodes > 1 };
}

/* Switches that state nodes: the leaves.  Returns their number. */
static long leaves_read(const struct gs_ynode *topology)
{
    static struct names below;
    long leaves = 0;

    for (const struct gs_ynode *n = topology->child; n; n = n->next) {
        list_read(n->text, &below);
        if (gs_ynode_find(topology, below.name[0]))
            continue; /* other switches */
        for (size_t i = 0; i < below.count; i++)
            (void)snprintf(node_add(below.name[i], 4, 4)->domain[0], 32, "%s",
                           n->key->text);
        leaves++;
    }
    return leaves;
}

/* Each job alone on the cluster. */
static void switches_run(const struct vector *v)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "starts")->child;

    for (const struct gs_ynode *n = vector_in(v, "jobs")->child; n;
         n = n->next, want = want->next) {
        const long most = option_of(n->text, "--switches=", 0);
        char on[4000];
        long leaves;

        begin("by: tree", 1);
        leaves = leaves_read(vector_in(v, "topology"));
        c.job[c.jobs] = job_of(n->text);
        c.job[c.jobs++].within = most == 1 ? "tier0" : NULL;
        if (most > 1 && most < leaves && c.job[0].tasks > most) {
            vector_not_run(v, "some switches of many");
            return;
        }
        if (!choice_run(&c))
            vector_fails(v, "it cannot be run", n->text);
        else if ((*choice_nodes(&c, 0, on, sizeof(on)) != '\0')
                 != (strcmp(want->text, "true") == 0))
            vector_fails(v, "it starts, or does not:", n->text);
        choice_fini(&c);
    }
}

/* --- blocks --------------------------------------------------------------- */

/* Its own topology, or that of the vector it names. */
static const struct gs_ynode *topology_of(const struct vector *v,
                                          struct gs_arena *arena)
{
    const struct gs_ynode *t = vector_in(v, "topology");
    const struct gs_ynode *all;

    if (t->kind != GS_YSCALAR || strncmp(t->text, "as ", 3) != 0)
        return t;
    all = vectors_read(OWN, "vectors", arena);
    for (const struct gs_ynode *n = all ? all->child : NULL; n; n = n->next) {
        if (strcmp(text_of(n, "id"), t->text + 3) == 0)
            return gs_ynode_find(gs_ynode_find(n, "inputs"), "topology");
    }
    vector_fails(v, "no topology", t->text);
    return NULL;
}

/* "BlockName b1: node[1-4]", "BlockSizes: 4,8".  Levels that hold more than all
 * blocks are the cluster.
 */
static void blocks_read(const struct gs_ynode *topology)
{
    const struct gs_ynode *sizes = gs_ynode_find(topology, "BlockSizes");
    long size[TOPO_TIERS_MAX], base = 0, blocks = 0;
    static struct names l;
    char list[200] = "";
    size_t levels = 0;

    for (const struct gs_ynode *n = sizes->child; n; n = n->next)
        gs_text_add(list, sizeof(list), "%s%s", *list ? "," : "", n->text);
    list_read(sizes->child ? list : sizes->text, &l);
    for (size_t i = 0; i < l.count; i++)
        size[levels++] = strtol(l.name[i], NULL, 10);
    base = size[0];
    for (const struct gs_ynode *n = topology->child; n; n = n->next)
        blocks += strncmp(n->key->text, "BlockName", 9) == 0;
    while (levels > 1 && size[levels - 1] >= blocks * base)
        levels--;
    c.tiers = levels;
    blocks = 0;
    for (const struct gs_ynode *n = topology->child; n; n = n->next) {
        if (strncmp(n->key->text, "BlockName", 9) != 0)
            continue;
        list_read(n->text, &l);
        for (size_t i = 0; i < l.count; i++) {
            struct choice_node *node = node_add(l.name[i], 4, 4);

            for (size_t k = 0; k < levels; k++)
                (void)snprintf(node->domain[levels - 1 - k], 32, "b%ld-%ld",
                               size[k], blocks / (size[k] / base));
        }
        blocks++;
    }
}

static void blocks_run(const struct vector *v)
{
    struct gs_arena *arena = gs_arena_create(1 << 16);
    const struct gs_ynode *running = gs_ynode_find(v->expected, "running");
    static char slices[CHOICE_JOBS][64];
    struct choice_job job;
    long segment;

    begin("by: blocks", 0);
    blocks_read(topology_of(v, arena));
    for (const struct gs_ynode *n = vector_in(v, "jobs_in_order")->child; n;
         n = n->next) {
        CU_ASSERT_FATAL(c.jobs < CHOICE_JOBS);
        job = job_of(n->text);
        segment = option_of(n->text, "--segment=", 0);
        if (segment && segment < job.tasks && job.tasks % segment != 0)
            job.cpus = 99; /* it is refused when it is submitted */
        else if (segment && segment < job.tasks) {
            (void)snprintf(slices[c.jobs], sizeof(slices[0]),
                           "slices: {size: %ld, within: tier%zu}", segment,
                           c.tiers - 1);
            job.topology = slices[c.jobs];
        }
        c.job[c.jobs++] = job;
    }
    if (!choice_run(&c))
        vector_fails(v, "it cannot be run", "");
    for (size_t i = 0; i < c.jobs; i++) {
        bool runs = false;
        char on[4000];

        for (const struct gs_ynode *n = running ? running->child : NULL; n;
             n = n->next)
            runs |= strtol(n->text, NULL, 10) == (long)i + 1;
        if ((*choice_nodes(&c, i, on, sizeof(on)) != '\0') != runs)
            vector_fails(v, "a job runs, or does not:", on);
    }
    choice_fini(&c);
    gs_arena_destroy(arena);
}

/* What a vector is about is told by its inputs. */
static void choice_run_any(const struct vector *v)
{
    static const struct {
        const char *key;
        void (*run)(const struct vector *v);
    } kinds[] = {
        { "consecutive_sets", runs_run },  { "nodes", idle_run },
        { "leaves_free_nodes", leaf_run }, { "jobs_in_order", blocks_run },
        { "jobs", switches_run },
    };

    for (size_t i = 0; i < N_ELEMENTS(kinds); i++) {
        if (gs_ynode_find(v->in, kinds[i].key)) {
            kinds[i].run(v);
            return;
        }
    }
    vector_not_run(v, "another kind of inputs");
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "slurm-node-choice", choice_run_any },
        { "slurm-topology", choice_run_any },
    };

    return vectors_main(
        &(struct vector_suite){ "sim/vectors of Slurm's choice of nodes", OWN,
                                groups, N_ELEMENTS(groups), NULL, 0 });
}
