/* tests/policies/test_vectors_nodes.c - vectors of Volcano and of
 * scheduler-plugins about nodes and domains, each group by one module alone:
 * scores over all nodes, tiers, scarce resources.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "tests/lib/fake_nodes.h"
#include "tests/lib/vectors.h"
#include "tests/lib/vectors_listed.h"

#define TEXT 256
#define DOMAINS 16u /* of a tree */
#define GIGA INT64_C(1000000000)

static void check(const struct vector *v, const char *what, double got,
                  const struct gs_ynode *want)
{
    /* upstream's tests allow 0.1 of 100 */
    if (fabs(got - fake_number(want)) > 0.05) {
        printf("%s: %s: %g instead of %s\n", v->id, what, got, want->text);
        CU_FAIL("a vector");
    }
}

static const struct gs_ynode *scores_of(const struct vector *v)
{
    return gs_ynode_find(v->expected, "scores")->child;
}

/* --- modules -------------------------------------------------------------- */

struct opened {
    struct fake f;
    const struct gsp_module *m;
    union gsp_value value[GSCHED_PARAMS_MAX];
    void *self;
};

/* The module on nodes `view`, with tiers above them as `tree` has them. */
static void opened_start(struct opened *o, const struct fake_use *u,
                         const struct gsp_states *view,
                         const struct fake_tree *tree)
{
    struct gs_err err = { 0 };

    fake_start(&o->f);
    o->f.tree = *tree;
    o->f.tree.node = view;
    CU_ASSERT_EQUAL_FATAL(fake_values(u, o->f.arena, o->value, &o->m, &err), 0);
    o->self = fake_module(&o->f, o->m, o->value);
}

static const struct fake_tree no_tiers = { .levels = 2 };

/* Points that relate all nodes. */
static void related(struct opened *o, const struct gsp_job *j,
                    const struct gsp_states *view, double *points)
{
    uint32_t node[FAKE_NODES];
    int64_t score[FAKE_NODES] = { 0 };

    for (uint32_t i = 0; i < view->count; i++)
        node[i] = i;
    if (o->m->regards(o->self, j, 0) != GSP_NO_REGARD)
        o->m->prefer(o->self, j, 0, &(struct gsp_nodes){ view->count, node },
                     score);
    for (uint32_t i = 0; i < view->count; i++)
        points[i] = (double)score[i] / (double)GSP_POINT;
}

/* --- amounts in prose ----------------------------------------------------- */

/* Resources other than cpu and memory, by their place among the last fake ones.
 */
struct names {
    const char *at[3];
};

static uint32_t dim_named(struct names *n, const char *text, size_t len)
{
    uint32_t i = 0;

    for (; i < 3 && n->at[i]; i++) {
        if (strncmp(n->at[i], text, len) == 0)
            break;
    }
    CU_ASSERT_FATAL(i < 3);
    if (!n->at[i])
        n->at[i] = text;
    return FAKE_DIMS - 3 + i;
}

/* Add "4c4G foo8": cores, gigabytes, resources by name (without a number: 1);
 * words "pod" and "none" are nothing, "cpu" is a core, "only" ends it.
 */
static void prose_add(const char *s, const char *end, struct names *names,
                      int64_t *amount)
{
    while (s < end && strncmp(s, "only", 4) != 0) {
        const char *word = s;
        char *after;

        if (isdigit((unsigned char)*s)) {
            const double n = strtod(s, &after);

            CU_ASSERT_FATAL(*after == 'c' || *after == 'G');
            if (*after == 'c')
                amount[GSP_CPU] += (int64_t)(n * 1000);
            else
                amount[GSP_MEMORY] += (int64_t)n * GIGA;
            s = after + 1;
        } else if (!isalpha((unsigned char)*s)) {
            s++;
        } else {
            /* a name such as a10 may end in digits of its own */
            while (s < end && isalpha((unsigned char)*s))
                s++;
            if (s - word == 3 && strncmp(word, "cpu", 3) == 0)
                amount[GSP_CPU] += 1000;
            else if ((s - word != 3 || strncmp(word, "pod", 3) != 0)
                     && (s - word != 4 || strncmp(word, "none", 4) != 0)) {
                int64_t *of =
                    &amount[dim_named(names, word, (size_t)(s - word))];

                *of += isdigit((unsigned char)*s) ? 1000 * strtol(s, &after, 10)
                                                  : 1000;
                while (s < end && isdigit((unsigned char)*s))
                    s++;
            }
        }
    }
}

/* --- the size of nodes ---------------------------------------------------- */

/* "resources={cpu: 1048576, memory: 1}" of "cpu 1<<20, memory 1". */
static void weights_text(const char *s, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "resources={");
    const char *between = "";

    while (*s) {
        const size_t len = strcspn(s, " ,");
        char *end = NULL;
        long weight = s[len] == ' ' ? strtol(s + len, &end, 10) : 1;

        if (end && strncmp(end, "<<", 2) == 0)
            weight <<= strtol(end + 2, &end, 10);
        n += (size_t)snprintf(out + n, size - n, "%s%.*s: %ld", between,
                              (int)len, s, weight);
        between = ", ";
        s = end ? end : s + len;
        s += strspn(s, ", ");
    }
    CU_ASSERT_FATAL(n + 2 < size);
    (void)strcat(out, "}");
}

static void size_run(const struct vector *v)
{
    struct fake_use u = { "node-size", { NULL } };
    char resources[TEXT], mode[TEXT] = "mode=";
    struct gsp_states view = { 0 };
    const struct gsp_job j = { .tasks = 1 };
    double points[FAKE_NODES];
    struct opened o;
    uint32_t i = 0;

    for (const struct gs_ynode *n = vector_in(v, "nodes")->child; n;
         n = n->next) {
        view.capacity[GSP_CPU][view.count] = (int64_t)fake_number(n->child);
        view.capacity[GSP_MEMORY][view.count++] = (int64_t)fake_number(
            n->child->next);
    }
    weights_text(vector_in(v, "weights")->text, resources, sizeof(resources));
    strncat(mode, vector_in(v, "mode")->text, sizeof(mode) - 6);
    for (char *c = mode; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    u.set[0] = resources;
    u.set[1] = mode;
    opened_start(&o, &u, &view, &no_tiers);
    related(&o, &j, &view, points);
    for (const struct gs_ynode *n = scores_of(v); n; n = n->next)
        check(v, n->text, points[i++], n);
    CU_ASSERT_EQUAL(i, view.count);
    fake_end(&o.f);
}

/* --- tiers ---------------------------------------------------------------- */

/* Domains by name, and a node for each domain of the innermost tier. */
struct tree {
    struct fake_tree fake;
    uint32_t tiers, nodes;
    struct domain {
        char name[16];
        uint32_t level, first, last; /* its nodes */
    } domain[DOMAINS];
    uint32_t domains;
};

/* The tree of upstream's tests with so many tiers. */
static const char *const usual[] = {
    "s3(t1),s4(t1),s5(t1),s6(t1)",
    "s1(t2){s3(t1),s4(t1)},s2(t2){s5(t1),s6(t1)}",
    "s0(t3){s1(t2){s3(t1),s4(t1)},s2(t2){s5(t1),s6(t1)}}",
};

static const char *tree_text(const char *said)
{
    static const char *const numbers[] = { "one", "two", "three" };

    for (size_t i = 0; !strchr(said, '{') && i < 3; i++) {
        if (strncmp(said, numbers[i], strlen(numbers[i])) == 0)
            return usual[i];
    }
    return said;
}

/* A name before "(tK)" is a domain of tier K, within those named last. */
static void tree_read(struct tree *t, const char *said)
{
    const char *text = tree_text(said);
    uint32_t count[FAKE_LEVELS] = { 0 };

    memset(t, 0, sizeof(*t));
    for (const char *s = text; (s = strstr(s, "(t"));) {
        const uint32_t tier = (uint32_t)strtoul(s + 2, NULL, 10);

        t->tiers = tier > t->tiers ? tier : t->tiers;
        s += 2;
    }
    CU_ASSERT_FATAL(t->tiers > 0 && t->tiers + 2 <= FAKE_LEVELS);
    t->fake.levels = t->tiers + 2;
    for (const char *s = text; (s = strstr(s, "(t")); s += 2) {
        struct domain *d = &t->domain[t->domains++];
        const char *begin = s;

        while (begin > text && isalnum((unsigned char)begin[-1]))
            begin--;
        CU_ASSERT_FATAL(t->domains <= DOMAINS && s - begin < 16);
        memcpy(d->name, begin, (size_t)(s - begin));
        d->level = t->tiers + 1 - (uint32_t)strtoul(s + 2, NULL, 10);
        d->first = t->nodes;
        count[d->level]++;
        if (d->level < t->tiers)
            continue;
        for (uint32_t l = 1; l <= t->tiers; l++)
            t->fake.domain_of[l][t->nodes] = count[l] - 1;
        t->nodes++;
        for (uint32_t i = 0; i < t->domains; i++) {
            struct domain *of = &t->domain[i];

            if (t->fake.domain_of[of->level][of->first]
                == t->fake.domain_of[of->level][t->nodes - 1])
                of->last = t->nodes - 1;
        }
    }
}

static const struct domain *domain_find(const struct tree *t, const char *name,
                                        size_t len)
{
    for (uint32_t i = 0; i < t->domains; i++) {
        if (strlen(t->domain[i].name) == len
            && strncmp(t->domain[i].name, name, len) == 0)
            return &t->domain[i];
    }
    return NULL;
}

/* The domain that holds the job's tasks; NULL: it has none. */
static const struct domain *allocated(const struct vector *v,
                                      const struct tree *t)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, "job_allocated");
    const char *tree = vector_in(v, "tree")->text;
    const char *in = strstr(tree, "allocated in ");
    const char *text = n    ? n->text
                       : in ? in + strlen("allocated in ")
                            : t->domain[t->domains - 1].name; /* any leaf */

    return domain_find(t, text, strcspn(text, " ,"));
}

/* The tier of the smallest domain around a node and the job's tasks. */
static uint32_t tier_around(const struct tree *t, uint32_t node,
                            const struct domain *job)
{
    uint32_t level = job->level;

    while (level > 0
           && t->fake.domain_of[level][node]
                  != t->fake.domain_of[level][job->first])
        level--;
    return t->tiers + 1 - level;
}

/* True when the words name the node: "s3-n1", "same tier1", "LCA tier2" (of the
 * node and the job's tasks), "other" (outside all tiers) or "all".
 */
static bool is_node(const struct tree *t, const char *words, uint32_t node,
                    const struct domain *job)
{
    const struct domain *named = domain_find(t, words, strcspn(words, "-"));
    const char *tier = strstr(words, "tier");

    if (named)
        return node >= named->first && node <= named->last;
    if (strcmp(words, "all") == 0)
        return true;
    CU_ASSERT_FATAL(job && (tier || strcmp(words, "other") == 0));
    return tier_around(t, node, job)
           == (tier ? (uint32_t)strtoul(tier + 4, NULL, 10) : t->tiers + 1);
}

static void tier_weight(const struct vector *v, char *out, size_t size)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, "weight");

    (void)snprintf(out, size, "weight=%s", n ? n->text : "1");
}

static void tier_nodes_run(const struct vector *v)
{
    struct fake_use u = { "tier-affinity", { NULL } };
    struct gsp_job j = { .id = 1, .within = 1 };
    char weight[TEXT];
    struct gsp_states view = { 0 };
    const struct domain *job;
    double points[FAKE_NODES];
    struct opened o;
    struct tree t;

    tree_read(&t, vector_in(v, "tree")->text);
    job = allocated(v, &t);
    view.count = t.nodes;
    tier_weight(v, weight, sizeof(weight));
    u.set[0] = weight;
    opened_start(&o, &u, &view, &t.fake);
    j.tasks = 3;
    if (job) /* in all of its domain */
        o.m->on_place(o.self, &j, 0, job->first, 1);
    if (job && job->last > job->first)
        o.m->on_place(o.self, &j, 0, job->last, 1);
    related(&o, &j, &view, points);
    for (const struct gs_ynode *n = scores_of(v); n; n = n->next) {
        uint32_t some = 0;

        for (uint32_t i = 0; i < t.nodes; i++) {
            if (is_node(&t, n->key->text, i, job)) {
                check(v, n->key->text, points[i], n);
                some++;
            }
        }
        CU_ASSERT(some > 0);
    }
    fake_end(&o.f);
}

/* Amounts of the leaves, with memory in gigabytes. */
static void leaves_read(const struct vector *v, const struct tree *t,
                        struct gsp_states *view)
{
    for (uint32_t i = 0; i < t->domains; i++) {
        const struct domain *d = &t->domain[i];
        int64_t has[FAKE_DIMS] = { 0 };

        if (d->level < t->tiers)
            continue;
        fake_amounts_add(gs_ynode_find(vector_in(v, "leaf_capacity"), d->name),
                         has);
        has[GSP_MEMORY] *= GIGA;
        for (uint32_t k = 0; k < FAKE_DIMS; k++)
            view->capacity[k][d->first] = view->free[k][d->first] = has[k];
    }
    view->count = t->nodes;
}

/* What "2 pods x 4c4G foo8 (...)" are together. */
static void pods_read(const struct vector *v, struct gsp_job *j)
{
    const char *text = vector_in(v, "subjob")->text;
    const char *each = strstr(text, " x ");
    struct names names = { { "extra", "foo", "bar" } };

    CU_ASSERT_FATAL(each != NULL);
    j->gang = j->tasks = (uint32_t)strtoul(text, NULL, 10);
    prose_add(each + 3, each + 3 + strcspn(each + 3, "("), &names, j->minimum);
    for (uint32_t d = 0; d < FAKE_DIMS; d++)
        j->minimum[d] *= j->gang;
}

static void tier_domains_run(const struct vector *v)
{
    struct fake_use u = { "tier-affinity", { NULL } };
    struct gsp_job j = { .id = 1, .within = 1 };
    char weight[TEXT], resources[TEXT];
    struct gsp_states view = { 0 };
    struct opened o;
    struct tree t;

    tree_read(&t, vector_in(v, "tree")->text);
    leaves_read(v, &t, &view);
    pods_read(v, &j);
    tier_weight(v, weight, sizeof(weight));
    fake_resources(gs_ynode_find(v->in, "resources"), resources,
                   sizeof(resources));
    u.set[0] = weight;
    u.set[1] = resources;
    opened_start(&o, &u, &view, &t.fake);
    for (const struct gs_ynode *n = scores_of(v); n; n = n->next) {
        const struct domain *d = domain_find(&t, n->key->text, n->key->len);
        int64_t score = 0;

        CU_ASSERT_PTR_NOT_NULL_FATAL(d);
        o.m->prefer_domain(o.self, &j, d->level,
                           &(struct gsp_nodes){ 1, &d->first }, &score);
        check(v, d->name, (double)score / (double)GSP_POINT, n);
    }
    fake_end(&o.f);
}

/* --- scarce resources ----------------------------------------------------- */

/* The words between commas up to a semicolon are nodes, "n2 t4"; the pod is
 * behind it.
 */
static void scarce_score_run(const struct vector *v)
{
    struct fake_use u = { "scarce", { NULL } };
    char weight[TEXT], resources[TEXT] = "resources={";
    struct gsp_states view = { 0 };
    struct gsp_task task = { { 0 } };
    const char *s = vector_in(v, "nodes")->text;
    const char *end = s + strcspn(s, ";");
    double points[FAKE_NODES];
    struct names names = { { NULL } };
    uint32_t i = 0;

    for (const struct gs_ynode *n = vector_in(v, "scarce")->child; n;
         n = n->next) {
        const uint32_t d = dim_named(&names, n->key->text, n->key->len);
        const size_t len = strlen(resources);

        (void)snprintf(resources + len, sizeof(resources) - len, "%s%s: %s",
                       n == vector_in(v, "scarce")->child ? "" : ", ",
                       fake_dim_names[d], n->text);
    }
    (void)strcat(resources, "}");
    tier_weight(v, weight, sizeof(weight));
    u.set[0] = weight;
    u.set[1] = resources;
    while (s < end) {
        const char *comma = s + strcspn(s, ",;");
        int64_t has[FAKE_DIMS] = { [GSP_CPU] = 32000, [GSP_MEMORY] = GIGA };

        s += strspn(s, " ");
        s += strcspn(s, " "); /* behind its name */
        prose_add(s, comma, &names, has);
        for (uint32_t d = 0; d < FAKE_DIMS; d++)
            view.capacity[d][view.count] = view.free[d][view.count] = has[d];
        view.count++;
        s = comma + (*comma == ',');
    }
    prose_add(end, end + strlen(end), &names, task.amount);
    fake_scores(&u, &view, &task, points);
    for (const struct gs_ynode *n = scores_of(v); n; n = n->next)
        check(v, n->key->text, points[i++], n);
    CU_ASSERT_EQUAL(i, view.count);
}

/* "gpu -> 4c 4G each" beside what is idle: whether each pod may use the node.
 */
static void scarce_filter_run(const struct vector *v)
{
    struct fake_use u = { "scarce", { NULL } };
    const char *rule = vector_in(v, "rule")->text;
    const char *each = strstr(rule, "->");
    const char *idle = vector_in(v, "node_idle")->text;
    const struct gs_ynode *want = gs_ynode_find(v->expected, "ok")->child;
    struct names names = { { NULL } };
    int64_t part[FAKE_DIMS] = { 0 }, has[FAKE_DIMS] = { 0 };
    char cpu[TEXT], memory[TEXT];
    struct gsp_states nodes = { .count = 1 };
    struct opened o;
    uint32_t d;

    CU_ASSERT_FATAL(each != NULL);
    d = dim_named(&names, rule, strcspn(rule, " "));
    prose_add(each, strstr(each, " each"), &names, part);
    prose_add(idle, idle + strlen(idle), &names, has);
    for (uint32_t k = 0; k < FAKE_DIMS; k++)
        nodes.capacity[k][0] = nodes.free[k][0] = has[k];
    (void)snprintf(cpu, sizeof(cpu), "keep_cpu={%s: %lld}", fake_dim_names[d],
                   (long long)part[GSP_CPU] / 1000);
    (void)snprintf(memory, sizeof(memory), "keep_memory={%s: %lld}",
                   fake_dim_names[d], (long long)(part[GSP_MEMORY] / GIGA));
    u.set[0] = cpu;
    u.set[1] = memory;
    opened_start(&o, &u, &nodes, &no_tiers);
    for (const struct gs_ynode *p = vector_in(v, "pods")->child; p;
         p = p->next, want = want->next) {
        const struct gsp_view view = { .states = 1, .of = &nodes };
        struct gsp_task task = { { 0 } };
        uint8_t refusal = GSP_ACCEPTED;

        prose_add(p->text, p->text + p->len, &names, task.amount);
        o.m->filter(o.self, &view, &task, &refusal);
        if ((refusal == GSP_ACCEPTED) != (strcmp(want->text, "true") == 0))
            vector_fails(v, "wrong for", p->text);
    }
    fake_end(&o.f);
}

/* --- shared devices ------------------------------------------------------- */

static bool says(const char *text, const char *word)
{
    return strstr(text, word) != NULL;
}

/* Points for a share on a node with one device, of which `left` thousandths are
 * left.
 */
static double share_score(const char *policy, uint32_t left, int64_t exact)
{
    const struct fake_use u = {
        "gpu-sharing", { says(policy, "binpack") ? "mode=pack" : "mode=spread" }
    };
    struct gsp_states view = { .count = 1 };
    const struct gsp_task task = {
        .share = exact < 1000 ? 1 : (uint32_t)((exact + 999) / 1000),
        .share_exact = exact,
    };
    double points[FAKE_NODES];

    view.gpus_free[0] = left == 1000;
    view.part[0] = left == 1000 ? 0 : (uint16_t)left;
    fake_scores(&u, &view, &task, points);
    return points[0];
}

/* "binpack full card": a policy, and the card with the task (of a millionth,
 * unless it fills the card).
 */
static void cards_run(const struct vector *v)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "score")->child;

    for (const struct gs_ynode *p = vector_in(v, "policy")->child; p;
         p = p->next, want = want->next) {
        const uint32_t left = says(p->text, "idle") ? 1000 : 500;

        check(v, p->text,
              share_score(p->text, left,
                          says(p->text, "full") ? (int64_t)left * 1000 : 1),
              want);
    }
}

static void card_run(const struct vector *v)
{
    const double all = fake_number(vector_in(v, "card_mem_MB"));
    const double used = ceil(fake_number(vector_in(v, "used")) / all * 1000);
    const double got = share_score(
        vector_in(v, "policy")->text, 1000 - (uint32_t)used,
        (int64_t)(fake_number(vector_in(v, "request")) / all * 1e6));
    const struct gs_ynode *want = gs_ynode_find(v->expected, "score_at_most");

    CU_ASSERT(got > 0);
    check(v, "at most", fmax(got, fake_number(want)), want);
}

static void sharing_run(const struct vector *v)
{
    if (gs_ynode_find(v->in, "card_mem_MB"))
        card_run(v);
    else
        cards_run(v);
}

/* --- load ----------------------------------------------------------------- */

/* A row states the load of one node, and the weights. */
static void load_row(const struct vector *v, const struct gs_ynode *row,
                     const struct gs_ynode *want)
{
    struct fake_use u = { "load", { NULL } };
    struct gsp_states view = { .count = 1 };
    const struct gsp_task task = { .share = 0 };
    char weight[TEXT], resources[TEXT];
    double points[FAKE_NODES];

    (void)snprintf(weight, sizeof(weight), "weight=%s",
                   gs_ynode_find(row, "weight")->text);
    (void)snprintf(
        resources, sizeof(resources), "resources={cpu: %s, memory: %s}",
        gs_ynode_find(row, "w_cpu")->text, gs_ynode_find(row, "w_mem")->text);
    u.set[0] = weight;
    u.set[1] = resources;
    view.capacity[GSP_CPU][0] = view.free[GSP_CPU][0] = 1000;
    view.capacity[GSP_MEMORY][0] = view.free[GSP_MEMORY][0] = 1000;
    view.load[0][0] =
        (int32_t)lround(fake_number(gs_ynode_find(row, "cpu")) * 1000) + 1;
    view.load[1][0] =
        (int32_t)lround(fake_number(gs_ynode_find(row, "mem")) * 1000) + 1;
    fake_scores(&u, &view, &task, points);
    check(v, "a row", points[0], want);
}

static void load_run(const struct vector *v)
{
    const struct gs_ynode *rows = gs_ynode_find(v->in, "rows");
    const struct gs_ynode *want = gs_ynode_find(v->expected, "score");

    if (!rows || !want) {
        vector_not_run(v, "tasks state requests, no limits");
        return;
    }
    want = want->child;
    for (const struct gs_ynode *r = rows->child; r; r = r->next) {
        load_row(v, r, want);
        want = want->next;
    }
}

/* --- all of them ---------------------------------------------------------- */

static void domains_or_steps_run(const struct vector *v)
{
    if (gs_ynode_find(v->in, "leaf_capacity"))
        tier_domains_run(v);
    else if (!gs_ynode_find(v->in, "gradients")) /* test_vectors_domains.c */
        vector_not_run(v, "it scores no domains");
}

static void scarce_run(const struct vector *v)
{
    if (gs_ynode_find(v->in, "scarce"))
        scarce_score_run(v);
    else
        scarce_filter_run(v);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "allocatable", size_run },
        { "topology-node-score", tier_nodes_run },
        { "topology-hypernode-score", domains_or_steps_run },
        { "vc-sra-", scarce_run },
        { "deviceshare", sharing_run },
        { "usage", load_run },
    };

    return vectors_main(&(struct vector_suite){
        "policies/vectors of nodes", VECTORS, groups, N_ELEMENTS(groups),
        listed, N_ELEMENTS(listed) });
}
