/* tests/sim/test_vectors_kube.c - what the tests of kube-scheduler and of its
 * plugins expect of preemption and gangs
 * (tests/data/vectors/volcano-kube.yaml), replayed.
 *
 * A vector of these groups is run or listed with the reason why not
 * (vectors_listed_kube.h); else it is a failure, and so is a word in it that
 * is not understood here.
 */
#include "tests/lib/kube_words.h"
#include "tests/sim/vectors_listed_kube.h"

#define NODE 500u /* thousandths of a CPU: "vlarge" */

static const char by_pods[] =
    "actions: [allocate, preempt]\n"
    "unit: pod\n"
    "modules: [priority, constraints, fit, budgets]\n";

/* --- which node, which victims -------------------------------------------- */

static bool run(const struct vector *v, struct pods *s, const char *profile)
{
    const bool runs = pods_run(s, profile);

    if (!runs)
        vector_fails(v, "does not run with", profile);
    return runs;
}

/* Are those that had to go, on the node or (NULL) anywhere, those expected? */
static void check_victims(const struct vector *v, const struct pods *s,
                          const char *node, const struct gs_ynode *expected)
{
    uint32_t gone = 0, right = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        if (node && strcmp(s->pod[i].node, node) != 0)
            continue;
        gone += s->pod[i].is_gone;
        for (const struct gs_ynode *e = expected ? expected->child : NULL; e;
             e = e->next)
            right += s->pod[i].is_gone && strcmp(e->text, s->pod[i].name) == 0;
    }
    if (gone != (expected ? expected->len : 0) || gone != right)
        vector_fails(v, "other victims", node ? node : "anywhere");
}

static void check_broken(const struct vector *v, const struct pods *s)
{
    const struct gs_ynode *e = gs_ynode_find(v->expected, "pdb_violations");

    if (e && s->broken != strtoul(e->text, NULL, 10))
        vector_fails(v, "another number of violations than", e->text);
}

/* Every node is full of the victims that the vector names, which all have to
 * go: which one is it?
 */
static void node_run(const struct vector *v)
{
    struct pods s = { .node_count = 0 };

    own_read(v, &s, vector_in(v, "preemptor_priority")->text);
    s.own.size = NODE;
    for (const struct gs_ynode *n = vector_in(v, "victims_by_node")->child; n;
         n = n->next) {
        node_add(&s, n->key->text, NODE);
        for (const struct gs_ynode *p = n->child; p; p = p->next)
            pod_read(v, &s, p, n->key->text)->size = NODE / n->len;
    }
    if (run(v, &s, by_pods)
        && strcmp(s.chosen, gs_ynode_find(v->expected, "node")->text) != 0)
        vector_fails(v, "another node", s.chosen);
}

/* "both": every pod goes. */
static void check_all(const struct vector *v, const struct pods *s,
                      const char *expected)
{
    uint32_t gone = 0;

    for (uint32_t i = 0; i < s->count; i++)
        gone += s->pod[i].is_gone;
    if (strcmp(expected, "both") != 0 || s->count != 2 || gone != 2)
        vector_fails(v, "not the victims", expected);
}

/* Each node by itself: which victims would it have? */
static void each_node_run(const struct vector *v, struct pods *s)
{
    const struct gs_ynode *expected = gs_ynode_find(v->expected, "victims");

    for (uint32_t i = 0; i < s->node_count; i++) {
        const char *node = s->node[i].name;

        snprintf(s->own.node, sizeof(s->own.node), "%s", node);
        if (!run(v, s, by_pods))
            return;
        check_broken(v, s);
        if (expected->kind == GS_YSCALAR) {
            check_all(v, s, expected->text);
            continue;
        }
        check_victims(v, s, node, gs_ynode_find(expected, node));
        if (gs_ynode_find(expected, node))
            CU_ASSERT_STRING_EQUAL(s->chosen, node);
    }
}

/* There is no victim, and it is not placed. */
static void nobody_run(const struct vector *v, struct pods *s)
{
    if (!run(v, s, by_pods))
        return;
    check_victims(v, s, NULL, NULL);
    CU_ASSERT_STRING_EQUAL(s->chosen, "");
}

static void victim_add(const struct vector *v, struct pods *s,
                       const char *priority, const char *node)
{
    const struct gs_ynode text = { .kind = GS_YSCALAR, .text = priority };

    node_add(s, node, NODE);
    pod_read(v, s, &text, node)->size = NODE;
}

/* "mid on every node" */
static void everywhere_run(const struct vector *v, struct pods *s,
                           const char *victims)
{
    char word[PODS_NAME];
    const struct gs_ynode *none = gs_ynode_find(v->expected, "victims");

    CU_ASSERT_FATAL(none && none->kind == GS_YSEQ && none->len == 0);
    if (strcmp(word_next(victims, word, sizeof(word)), " on every node") != 0)
        vector_fails(v, "unknown words", victims);
    s->own.size = NODE;
    victim_add(v, s, word, "node1");
    victim_add(v, s, word, "node2");
    nobody_run(v, s);
}

/* A node of the wrong kind does not become right when it is emptied. */
static void unresolvable_run(const struct vector *v, struct pods *s)
{
    CU_ASSERT_STRING_EQUAL(gs_ynode_find(v->expected, "candidate")->text,
                           "false");
    victim_add(v, s, "low", "node1");
    node_add(s, "node2", NODE / 2);
    own_read(v, s, "high vlarge node2");
    nobody_run(v, s);
}

/* "low medium x2 same PDB", "two medium": that many pods on the node, whose
 * names the vector does not say.
 */
static unsigned several(const char *text)
{
    const char *times = strstr(text, " x");

    if (strncmp(text, "two ", 4) == 0)
        return 2;
    return times && isdigit((unsigned char)times[2])
               ? (unsigned)strtoul(times + 2, NULL, 10)
               : 1;
}

static void pods_several(const struct vector *v, struct pods *s,
                         const char *text, const char *node, unsigned n)
{
    char rest[PODS_TEXT], *times;

    snprintf(rest, sizeof(rest), "pod %s",
             strncmp(text, "two ", 4) == 0 ? text + 4 : text);
    times = strstr(rest, " x");
    if (times)
        memset(times + 1, ' ', strcspn(times + 1, " "));
    for (unsigned i = 0; i < n; i++) {
        const struct gs_ynode one = { .kind = GS_YSCALAR, .text = rest };
        struct pod *p = pod_read(v, s, &one, node);

        snprintf(p->name, sizeof(p->name), "v%u", s->count);
    }
}

/* "disruptionsAllowed 1 covering both", "allowed 1, one victim already listed
 * in disruptedPods": a pod whose disruption is counted already no longer spends
 * the budget.
 */
static void budget_read(const struct vector *v, struct pods *s,
                        const char *text)
{
    const char *digit = text + strcspn(text, "0123456789");
    const uint32_t spent = strstr(text, "one victim already listed") != NULL;

    if (!*digit)
        vector_fails(v, "unknown words", text);
    s->allowed[s->budgets++] = (unsigned)strtoul(digit, NULL, 10);
    for (uint32_t i = spent; i < s->count; i++)
        s->pod[i].budget = s->budgets;
}

/* "node1 (1 violation)", "node3": each is full of one victim, which may not go,
 * or may; the node without a violation is chosen.
 */
static void candidates_run(const struct vector *v, struct pods *s)
{
    char best[PODS_NAME] = "";

    s->own.size = NODE;
    s->own.priority = 1000;
    s->own_count = 1;
    snprintf(s->own.name, sizeof(s->own.name), "own");
    s->budgets = 1;
    for (const struct gs_ynode *c =
             gs_ynode_find(v->expected, "candidates")->child;
         c; c = c->next) {
        char name[PODS_NAME];
        const bool breaks = strstr(c->text, "violation") != NULL;

        (void)word_next(c->text, name, sizeof(name));
        victim_add(v, s, "low", name);
        s->pod[s->count - 1].budget = breaks;
        if (!breaks)
            snprintf(best, sizeof(best), "%s", name);
    }
    if (run(v, s, by_pods))
        CU_ASSERT_STRING_EQUAL(s->chosen, best);
}

static unsigned number_in(const struct vector *v, const char *key,
                          unsigned fallback)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, key);

    return n ? (unsigned)strtoul(n->text, NULL, 10) : fallback;
}

static bool is_listed(const struct gs_ynode *list, const char *name)
{
    for (const struct gs_ynode *n = list->child; n; n = n->next) {
        if (strcmp(n->text, name) == 0)
            return true;
    }
    return false;
}

/* Which nodes does the dry run look at?  Each node once has the least important
 * victim: if it is a candidate, it is chosen.  A node that the scan passes
 * before it has found the last candidate cannot be helped.
 */
static void sample_run(const struct vector *v)
{
    const struct gs_ynode *wanted = gs_ynode_find(v->expected, "candidates");
    const unsigned nodes = number_in(v, "nodes", 1);
    const unsigned offset = number_in(v, "offset", 0);
    char profile[400];

    snprintf(profile, sizeof(profile),
             "%scandidates: {percentage: %u, minimum: %u, start: %u}\n",
             by_pods, number_in(v, "minCandidateNodesPercentage", 10),
             number_in(v, "minCandidateNodesAbsolute", 100), offset);
    for (unsigned least = 0; least < nodes; least++) {
        struct pods s = { .own = { .name = "own", .size = NODE },
                          .own_count = 1 };
        char name[PODS_NAME];
        unsigned found = 0;

        s.own.priority = 1000;
        for (unsigned i = 0; i < nodes; i++) {
            snprintf(name, sizeof(name), "node%u", i + 1);
            victim_add(v, &s, "low", name);
            s.pod[i].priority = 100 - (i == least);
        }
        for (unsigned i = 0; i < nodes && found < wanted->len; i++) {
            const unsigned at = (offset + i) % nodes;

            if (is_listed(wanted, s.node[at].name))
                found++;
            else
                s.pod[at].priority = 2000;
        }
        CU_ASSERT_EQUAL(found, wanted->len);
        if (!run(v, &s, profile))
            return;
        if (is_listed(wanted, s.node[least].name)
                ? strcmp(s.chosen, s.node[least].name) != 0
                : !is_listed(wanted, s.chosen))
            vector_fails(v, "another candidate", s.chosen);
    }
}

static void dry_run(const struct vector *v)
{
    const struct gs_ynode *kind = gs_ynode_find(v->in, "case");
    const struct gs_ynode *victims = gs_ynode_find(v->in, "victims");
    const struct gs_ynode *pdb = gs_ynode_find(v->in, "pdb");
    struct pods s = { .node_count = 0 };

    if (kind
        && strcmp(kind->text, "node status UnschedulableAndUnresolvable")
               == 0) {
        unresolvable_run(v, &s);
        return;
    }
    if (gs_ynode_find(v->expected, "candidates")) {
        if (kind && strstr(kind->text, "violates a PDB"))
            candidates_run(v, &s);
        else
            sample_run(v);
        return;
    }
    own_read(v, &s, vector_in(v, "preemptor")->text);
    if (victims) {
        everywhere_run(v, &s, victims->text);
        return;
    }
    for (const struct gs_ynode *n = v->in->child; n; n = n->next) {
        const char *node = n->key->text;

        if (strcmp(node, "preemptor") == 0 || strcmp(node, "pdb") == 0)
            continue;
        if (node[0] != 'n' || n->kind != GS_YSEQ)
            vector_fails(v, "an unknown input", node);
        node_add(&s, node, NODE);
        for (const struct gs_ynode *p = n->child; p; p = p->next) {
            if (p->kind == GS_YSCALAR && several(p->text) > 1)
                pods_several(v, &s, p->text, node, several(p->text));
            else
                pod_read(v, &s, p, node);
        }
    }
    if (pdb)
        budget_read(v, &s, pdb->text);
    each_node_run(v, &s);
}

/* --- groups --------------------------------------------------------------- */

static unsigned groups_hit(const struct pods *s)
{
    unsigned hit = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        bool is_first = s->pod[i].is_gone && s->pod[i].group[0];

        for (uint32_t k = 0; k < i; k++)
            is_first &= !s->pod[k].is_gone
                        || strcmp(s->pod[k].group, s->pod[i].group) != 0;
        hit += is_first;
    }
    return hit;
}

static void group_run(const struct vector *v)
{
    const struct gs_ynode *hit = gs_ynode_find(v->expected,
                                               "group_disruptions");
    const struct gs_ynode *groups = gs_ynode_find(v->in, "groups");
    const struct gs_ynode *nodes = vector_in(v, "node_caps");
    struct pods s = { .node_count = 0 };

    for (const struct gs_ynode *n = nodes->child; n; n = n->next)
        node_add(&s, n->key->text, (unsigned)strtoul(n->text, NULL, 10));
    for (const struct gs_ynode *p = vector_in(v, "running")->child; p;
         p = p->next)
        pod_read(v, &s, p, nodes->child->key->text)->size = 1;
    own_read(v, &s, vector_in(v, "preemptor")->text);
    s.own.size = 1;
    s.goes_whole = groups && strstr(groups->text, "disruption all");
    if (!run(v, &s, by_pods))
        return;
    check_victims(v, &s, NULL, gs_ynode_find(v->expected, "victims"));
    check_broken(v, &s);
    if (hit && groups_hit(&s) != strtoul(hit->text, NULL, 10))
        vector_fails(v, "another number of groups than", hit->text);
}

/* --- parts of the nodes --------------------------------------------------- */

static void part_run(const struct vector *v)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "count")->child;

    for (const struct gs_ynode *r = vector_in(v, "rows")->child; r;
         r = r->next) {
        const char *percentage = gs_ynode_find(r, "percentage")->text;
        struct gs_arena *arena = gs_arena_create(4096);
        const struct gsched_profile *p = gsched_profile_parse(
            "sample",
            gs_arena_printf(arena, "%ssample: {percentage: %s, minimum: 100}\n",
                            by_pods,
                            strcmp(percentage, "0") ? percentage : "adaptive"),
            arena, NULL);

        CU_ASSERT_FATAL(p && want);
        if (gsched_part_of(
                &p->sample,
                (uint32_t)strtoul(gs_ynode_find(r, "nodes")->text, NULL, 10))
            != strtoul(want->text, NULL, 10))
            vector_fails(v, "another number than", want->text);
        want = want->next;
        gs_arena_destroy(arena);
    }
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
    static const struct vector_group groups[] = {
        { "k8s-selectnode-", node_run }, { "k8s-dryrun-", dry_run },
        { "k8s-pgpreempt-", group_run }, { "k8s-backoff-", NULL },
        { "k8s-ganghint-", NULL },       { "kube-numfeasible-", part_run },
        { "sp-cosched-", NULL },         { "sp-capsched-", NULL },
    };

    return vectors_main(&(struct vector_suite){
        "sim/vectors of kube-scheduler", VECTORS, groups, N_ELEMENTS(groups),
        listed, N_ELEMENTS(listed) });
}
