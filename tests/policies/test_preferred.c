/* tests/policies/test_preferred.c - scores that relate nodes, by
 * kube-scheduler's formulas: what is asked of the host is written down, the
 * points are by hand.
 */
#include "policies/policy.h"
#include "policies/profile/registry.h"
#include "tests/lib/suite.h"

#define NODES 6u

/* One task's job, and tasks of others that run; two levels besides the cluster,
 * a rack of two nodes each.
 */
struct gsp_job {
    uint32_t id;
    uint32_t label;
    uint32_t rules, soft_rules;
    struct gsp_rule rule;
    struct gsp_soft_rule soft[2];
    uint32_t points[NODES], taints[NODES];
};

static unsigned char room[1 << 16];
static size_t used;

static void *keep(void *ctx, size_t size)
{
    void *at = &room[used];

    (void)ctx;
    used += (size + 15) / 16 * 16;
    CU_ASSERT_FATAL(used <= sizeof(room));
    return at;
}

static uint32_t levels(void *ctx)
{
    (void)ctx;
    return 3;
}

static uint32_t domains(void *ctx, uint32_t level)
{
    (void)ctx;
    return level == 0 ? 1 : level == 1 ? NODES / 2 : NODES;
}

static uint32_t domain_of(void *ctx, uint32_t node, uint32_t level)
{
    (void)ctx;
    return level == 0 ? 0 : level == 1 ? node / 2 : node;
}

static uint32_t job_id(const struct gsp_job *j)
{
    return j->id;
}

static uint32_t task_labels(const struct gsp_job *j, uint32_t group)
{
    (void)group;
    return j->label != GSP_NONE;
}

static uint32_t task_label(const struct gsp_job *j, uint32_t group, uint32_t i)
{
    (void)group, (void)i;
    return j->label;
}

static uint32_t job_rules(const struct gsp_job *j, uint32_t group)
{
    (void)group;
    return j->rules;
}

static struct gsp_rule job_rule(const struct gsp_job *j, uint32_t group,
                                uint32_t i)
{
    (void)group, (void)i;
    return j->rule;
}

static uint32_t job_soft_rules(const struct gsp_job *j, uint32_t group)
{
    (void)group;
    return j->soft_rules;
}

static struct gsp_soft_rule job_soft_rule(const struct gsp_job *j,
                                          uint32_t group, uint32_t i)
{
    (void)group;
    return j->soft[i];
}

static uint32_t job_prefers(const struct gsp_job *j, uint32_t group)
{
    uint32_t n = 0;

    (void)group;
    for (uint32_t i = 0; i < NODES; i++)
        n += j->points[i];
    return n;
}

static uint32_t job_points(const struct gsp_job *j, uint32_t group,
                           uint32_t node)
{
    (void)group;
    return j->points[node];
}

static uint32_t soft_taints(void *ctx)
{
    (void)ctx;
    return 1;
}

static uint32_t job_soft_taints(const struct gsp_job *j, uint32_t group,
                                uint32_t node)
{
    (void)group;
    return j->taints[node];
}

static const struct gsp_host host = {
    .size = sizeof(struct gsp_host),
    .keep = keep,
    .levels = levels,
    .domains = domains,
    .domain_of = domain_of,
    .job_id = job_id,
    .task_labels = task_labels,
    .task_label = task_label,
    .job_rules = job_rules,
    .job_rule = job_rule,
    .job_soft_rules = job_soft_rules,
    .job_soft_rule = job_soft_rule,
    .job_prefers = job_prefers,
    .job_points = job_points,
    .soft_taints = soft_taints,
    .job_soft_taints = job_soft_taints,
};

struct tasks {
    const struct gsp_job *of;
    uint32_t node, count;
};

/* What a module gives for the task, with weight 1, beside tasks that run; nodes
 * [0, count).
 */
static void points_are(const char *name, const union gsp_value *value,
                       const struct gsp_job *j, const struct tasks *runs,
                       uint32_t run_count, uint32_t count, const int64_t *want)
{
    static const uint32_t node[NODES] = { 0, 1, 2, 3, 4, 5 };
    const struct gsp_module *m = gsched_module_find(name);
    struct gsp_self plain = { &host, NULL, value };
    int64_t score[NODES] = { 0 };
    void *self = &plain;

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    memset(room, 0, sizeof(room));
    used = 0;
    if (m->open)
        CU_ASSERT_FATAL(m->open(&host, NULL, value, &self) == 0);
    for (uint32_t i = 0; i < run_count; i++)
        m->on_place(self, runs[i].of, 0, runs[i].node, runs[i].count);
    if (m->regards(self, j, 0) != GSP_NO_REGARD)
        m->prefer(self, j, 0, &(struct gsp_nodes){ count, node }, score);
    for (uint32_t i = 0; i < count; i++) {
        if (score[i] != want[i] * GSP_POINT)
            printf("%s: node %u: %lld, not %lld\n", name, i,
                   (long long)(score[i] / GSP_POINT), (long long)want[i]);
        CU_ASSERT_EQUAL(score[i], want[i] * GSP_POINT);
    }
    for (uint32_t i = 0; i < run_count; i++)
        m->on_release(self, runs[i].of, 0, runs[i].node, runs[i].count);
}

static void test_nodes(void)
{
    const struct gsp_job some = { .label = GSP_NONE,
                                  .points = { 2, 11, 4, 0 } };
    const struct gsp_job none = { .label = GSP_NONE };
    const union gsp_value kube[] = { { .whole = 1 }, { .whole = 1 } };
    const union gsp_value volcano[] = { { .whole = 2 }, { .whole = 0 } };

    points_are("node-affinity", kube, &some, NULL, 0, 4,
               (int64_t[]){ 18, 100, 36, 0 });
    points_are("node-affinity", volcano, &some, NULL, 0, 4,
               (int64_t[]){ 4, 22, 8, 0 });
    points_are("node-affinity", kube, &none, NULL, 0, 2, (int64_t[]){ 0, 0 });
}

static void test_taints(void)
{
    const struct gsp_job some = { .label = GSP_NONE, .taints = { 0, 1, 3 } };
    const struct gsp_job none = { .label = GSP_NONE };
    const union gsp_value one = { .whole = 1 };

    points_are("taint-toleration", &one, &some, NULL, 0, 3,
               (int64_t[]){ 100, 67, 0 });
    points_are("taint-toleration", &one, &none, NULL, 0, 2,
               (int64_t[]){ 0, 0 }); /* all are alike */
}

static void test_affinity(void)
{
    const union gsp_value value[] = { { .whole = 1 }, { .whole = 1 } };
    const struct gsp_job web = { .id = 1, .label = 7 };
    const struct gsp_job likes = {
        .id = 2,
        .label = GSP_NONE,
        .soft_rules = 2,
        .soft = { { GSP_NEAR, 7, 1, 0, 8 }, { GSP_APART, 7, 2, 0, 5 } },
    };
    const struct gsp_job needs = {
        .id = 3, .label = GSP_NONE, .rules = 1, .rule = { GSP_NEAR, 7, 1, 0 }
    };
    const struct tasks runs[] = { { &web, 0, 1 }, { &web, 2, 2 } };
    const struct tasks others[] = { { &likes, 0, 1 }, { &needs, 3, 3 } };

    /* 3, 8, 6, 16, 0, 0 */
    points_are("pod-affinity", value, &likes, runs, 2, 6,
               (int64_t[]){ 18, 50, 37, 100, 0, 0 });
    /* 3, 8, 3, 3, 0, 0: what runs names its label */
    points_are("pod-affinity", value, &web, others, 2, 6,
               (int64_t[]){ 37, 100, 37, 37, 0, 0 });
    points_are("pod-affinity", value, &needs, runs, 2, 2, (int64_t[]){ 0, 0 });
}

static void test_spread(void)
{
    const union gsp_value one = { .whole = 1 };
    const struct gsp_job own = { .id = 4,
                                 .label = GSP_NONE,
                                 .soft_rules = 1,
                                 .soft = {
                                     { GSP_SPREAD, GSP_NONE, 2, 1, 1 } } };
    const struct gsp_job racks = { .id = 5,
                                   .label = GSP_NONE,
                                   .soft_rules = 2,
                                   .soft = {
                                       { GSP_SPREAD, GSP_NONE, 1, 3, 1 },
                                       { GSP_SPREAD, GSP_NONE, 2, 1, 1 } } };
    const struct gsp_job web = { .id = 6, .label = 7 };
    const struct gsp_job by_label = { .id = 8,
                                      .label = GSP_NONE,
                                      .soft_rules = 1,
                                      .soft = { { GSP_SPREAD, 7, 2, 1, 1 } } };
    const struct tasks labelled[] = {
        { &web, 0, 2 }, { &web, 1, 1 }, { &by_label, 2, 9 }, { &web, 3, 3 }
    };
    const struct tasks runs[] = { { &own, 0, 2 },
                                  { &own, 1, 1 },
                                  { &own, 3, 3 } };
    const struct tasks beside[] = { { &own, 0, 2 },
                                    { &racks, 0, 2 },
                                    { &racks, 3, 1 } };

    /* 2, 1, 0, 3 x ln 6 = 4, 2, 0, 5 */
    points_are("topology-spread", &one, &own, runs, 3, 4,
               (int64_t[]){ 20, 60, 100, 0 });
    /* the same of tasks with a label, which it does not have itself */
    points_are("topology-spread", &one, &by_label, labelled, 4, 4,
               (int64_t[]){ 20, 60, 100, 0 });
    /* by rack 2 and 1 x ln 4, each + 2; by node 2, 0, 0, 1 x ln 6:
       8.36, 4.77, 3.39, 5.18 = 8, 5, 3, 5 */
    points_are("topology-spread", &one, &racks, beside, 3, 4,
               (int64_t[]){ 37, 75, 100, 75 });
    points_are("topology-spread", &one, &own, NULL, 0, 3,
               (int64_t[]){ 0, 0, 0 }); /* all alike */
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "nodes that are preferred", test_nodes },
        { "taints to be avoided", test_taints },
        { "beside and away from other jobs", test_affinity },
        { "evenly, if possible", test_spread },
    };

    return suite_run("policies/preferred", suite, N_ELEMENTS(suite));
}
