/* tests/sim/test_idle.c - every kind of setting of a trace is found, and is
 * without effect under a profile that does not read it; so are modules that no
 * action asks, weights that decide nothing and classes that evict nothing.
 */
#include "policies/policy.h"
#include "policies/profile/idle.h"
#include "policies/profile/registry.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define TOPOLOGY                                     \
    "tiers: [{name: rack}, {name: node}]\n"          \
    "node_types: {t: {gpus: 4, cpu: 32}}\n"          \
    "nodes: [{name: 'a[1-2]', type: t, rack: r1},\n" \
    "        {name: 'b[1-2]', type: t, rack: r2}]\n"

#define JOB "submit: 0, duration: 1h, gpus: 1, replicas: 2"
#define TWO(of, stated) /* jobs of two queues, of which one states it */ \
    of "queues: [{name: a}, {name: b, " stated "}]\n"                    \
       "jobs:\n- {" JOB ", queue: a}\n- {" JOB ", queue: b}\n"
#define QUEUES(stated) TWO("", stated)
#define JOBS(of, stated) of "jobs:\n- {" JOB "}\n- {" JOB ", " stated "}\n"
#define RECLAIMS \
    "actions: [allocate, reclaim]\nunit: gang\nmodules: [gang, queue]\n"
#define EVICTS \
    "actions: [allocate, preempt]\nunit: gang\nmodules: [gang, priority]\n"
#define WITH(module) \
    "actions: [allocate]\nunit: gang\nmodules: [gang, " module "]\n"

/* `read` is a policy that reads it, `unread` one that does not. */
static const struct {
    const char *setting, *trace, *read, *unread;
} settings[] = {
    { "queue.limit", QUEUES("limit: {gpu: 4}"), "volcano", "binpack" },
    { "queue.user_limit", QUEUES("user_limit: {gpu: 4}"), "volcano", "drf" },
    { "queue.guarantee", QUEUES("guarantee: {gpu: 4}"), "volcano", "easy" },
    { "queue.deserved", QUEUES("deserved: {gpu: 4}"), "kai", "volcano" },
    { "queue.weight", QUEUES("weight: 2"), "drf", "hybrid" },
    { "queue.priority", QUEUES("priority: 2"), "volcano", "drf" },
    { "queue.state", QUEUES("state: closed"), "volcano", "drf" },
    { "queue.reclaimable", QUEUES("reclaimable: false"), RECLAIMS, "volcano" },
    { "queue.borrow", QUEUES("borrow: {gpu: 1}"), "kueue", "volcano" },
    { "queue.lend", QUEUES("guarantee: {gpu: 2}, lend: {gpu: 1}"), "kueue",
      "volcano" },
    { "queue.over_quota", QUEUES("over_quota: {gpu: 2}"), "kai", "volcano" },
    { "queue.flavors",
      TWO("flavors: [{name: f}]\n",
          "flavors: [{name: f, guarantee: {gpu: 1}}]"),
      "kueue", "volcano" },
    { "queue.user_limits",
      QUEUES("user_limits: [{users: [u], limit: {gpu: 1}}]"), NULL, "volcano" },
    { "queue.max_jobs", QUEUES("max_jobs: 1"), "yunikorn", "kueue" },
    { "queue.preempt_min_runtime", QUEUES("preempt_min_runtime: 1h"), "kai",
      "yunikorn" },
    { "queue.reclaim_min_runtime", QUEUES("reclaim_min_runtime: 1h"), "kai",
      "yunikorn" },
    { "queue.order", QUEUES("order: fair"), "yunikorn", "kueue" },
    { "queue.order_priority", QUEUES("order_priority: true"), "yunikorn",
      "kai" },
    { "queue.priority_offset", QUEUES("priority_offset: 5"), "yunikorn",
      "kai" },
    { "queue.priority_fence", QUEUES("priority_fence: true"), "yunikorn",
      "kai" },
    { "queue.preemption", QUEUES("preemption: fence"), "yunikorn", "kai" },
    { "queue.preemption_delay", QUEUES("preemption_delay: 5s"), "yunikorn",
      "kai" },
    { "queue.limit_delay", QUEUES("limit_delay: 5s"), NULL, "kai" },
    { "queue.evicts_own", QUEUES("evicts_own: lower"), "kueue", "yunikorn" },
    { "queue.evicts_others", QUEUES("evicts_others: any"), "kueue",
      "yunikorn" },
    { "queue.evicts_borrowing", QUEUES("evicts_borrowing: true"), "kueue",
      "yunikorn" },
    { "queue.evicts_most", QUEUES("evicts_most: 3"), "kueue", "yunikorn" },
    { "queue.next_flavor_borrowing", QUEUES("next_flavor_borrowing: true"),
      "kueue", "yunikorn" },
    { "queue.next_flavor_evicting", QUEUES("next_flavor_evicting: false"),
      "kueue", "yunikorn" },
    { "queue.flavor_prefers", QUEUES("flavor_prefers: evicting"), "kueue",
      "yunikorn" },
    { "queue.head_blocks", QUEUES("head_blocks: true"), "kueue", "yunikorn" },
    { "job.priority", JOBS("", "priority: 7"), "hybrid", "binpack" },
    { "job.preemption",
      JOBS("priority_classes: {x: {value: 1, preemption: never}}\n",
           "priority: x"),
      "hybrid", "volcano" },
    { "job.preemptible", JOBS("", "preemptible: false"), "hybrid", "binpack" },
    { "job.topology", JOBS("", "topology: {within: rack}"), "hybrid",
      "volcano" },
    { "job.topology without a tier, or with slices",
      JOBS("", "topology: {within: rack, slices: {size: 1, within: node}}"),
      WITH("'node-choice': {by: domains}"), WITH("'node-choice'") },
    { "job.flavors",
      JOBS("flavors: [{name: f}]\n", "admitted: true, flavors: [f]"), "kueue",
      "yunikorn" },
    { "job.affinity", JOBS("", "affinity: [{jobs: {a: b}, within: node}]"),
      "volcano", "hybrid" },
    { "job.anti_affinity",
      JOBS("", "anti_affinity: [{jobs: {a: b}, within: node}]"), "volcano",
      "hybrid" },
    { "job.spread", JOBS("", "spread: {over: rack}"), "volcano", "hybrid" },
    { "job.prefer", JOBS("", "prefer: [{nodes: {a: b}}]"), "volcano",
      "hybrid" },
    { "job.weight of affinity",
      JOBS("", "affinity: [{jobs: {a: b}, within: node, weight: 3}]"),
      "volcano", "hybrid" },
    { "job.weight of anti_affinity",
      JOBS("", "anti_affinity: [{jobs: {a: b}, within: node, weight: 3}]"),
      "volcano", "hybrid" },
    { "job.preferred spread", JOBS("", "spread: {over: rack, mode: preferred}"),
      "volcano", "hybrid" },
    { "job.max_wait", JOBS("", "max_wait: 1h"), "max-wait,gang", "hybrid" },
    { "job.gang_timeout", JOBS("", "gang_timeout: 1m"), "gang", "best-fit" },
    { "job.nice", JOBS("", "nice: 10"), "multifactor,gang", "hybrid" },
    { "job.min_resources", JOBS("", "min_resources: {gpu: 1}"),
      "overcommit,gang", "hybrid" },
    { "job.task_affinity",
      "jobs:\n- {submit: 0, duration: 1h, task_affinity: {together: [[x]]},\n"
      "   tasks: [{name: x, gpus: 1}]}\n",
      "task-affinity,gang", "hybrid" },
    { "job.estimate", JOBS("", "estimate: 2h"), "easy", "binpack" },
    { "budget.jobs",
      JOBS("budgets: [{name: x, jobs: {a: b}, min_available: 1}]\n",
           "labels: {a: b}"),
      "kube-default", "volcano" },
    { "account.shares",
      JOBS("accounts: [{name: x, shares: 2}]\n", "account: x"),
      "fairshare,gang", "drf" },
    { "QOS level.priority", JOBS("qos: {x: {priority: 2}}\n", "qos: x"),
      WITH("multifactor: {qos: 1}"), "drf" },
    { "partition.tier", JOBS("partitions: {x: {tier: 2}}\n", "partition: x"),
      "multifactor,gang", "drf" },
    { "account.limits",
      JOBS("accounts: [{name: x, limits: {group: {gpu: 1}}}]\n", "account: x"),
      "limits,gang", "volcano" },
    { "QOS level.limits",
      JOBS("qos: {x: {limits: {group: {gpu: 1}}}}\n", "qos: x"), "limits,gang",
      "volcano" },
    { "QOS level.usage_factor", JOBS("qos: {x: {usage_factor: 2}}\n", "qos: x"),
      "fairshare,gang", "drf" },
    { "QOS level.grace", JOBS("qos: {x: {grace: 2m}}\n", "qos: x"), EVICTS,
      "volcano" },
    { "partition.grace", JOBS("partitions: {x: {grace: 2m}}\n", "partition: x"),
      EVICTS, "volcano" },
    { "pool.size", JOBS("pools: {x: 1}\n", "pools: x"), "limits,gang",
      "volcano" },
};

static void load(struct world *w, const char *trace)
{
    world_init(w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(w, TOPOLOGY, trace, &(struct trace_options){ 0 }), 0);
}

static uint64_t reads_of(struct world *w, const char *policy)
{
    const struct gsched_profile *p = world_profile(w, policy);
    uint64_t reads = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(
        gsched_profile_reads(p, &w->dims, w->names, w->arena, &reads, &w->err),
        0);
    return reads;
}

static void test_settings(void)
{
    for (size_t i = 0; i < N_ELEMENTS(settings); i++) {
        struct gsched_setting s[GSCHED_SETTINGS_MAX];
        struct world w;
        bool is_found = false;
        uint32_t n;

        load(&w, settings[i].trace);
        n = gsched_settings(w.work, s);
        for (uint32_t k = 0; k < n; k++) {
            char name[100];

            snprintf(name, sizeof(name), "%s.%s", s[k].of, s[k].name);
            if (strcmp(name, settings[i].setting) != 0)
                continue;
            is_found = true;
            CU_ASSERT_EQUAL(s[k].count, 1);
            CU_ASSERT(s[k].line > 0);
            if ((settings[i].read
                 && !(reads_of(&w, settings[i].read) & s[k].input))
                || (reads_of(&w, settings[i].unread) & s[k].input)) {
                printf("\n%s: readers are wrong\n", settings[i].setting);
                CU_FAIL("a policy reads it, another does not");
            }
        }
        if (!is_found)
            printf("\n%s is not found\n", settings[i].setting);
        CU_ASSERT(is_found);
        world_fini(&w);
    }
    CU_ASSERT_EQUAL(N_ELEMENTS(settings), gsched_settings_known());
}

/* --- profiles ------------------------------------------------------------- */

#define PLAIN JOBS("", "queue: default")
#define ACTIONS "actions: [allocate]\nunit: gang\nmodules:\n- gang\n"

static void idle_text(struct world *w, const char *policy, char *to,
                      size_t size)
{
    const struct gsched_profile *p = world_profile(w, policy);
    struct gsched_setting s[GSCHED_SETTINGS_MAX];
    struct gsched_idle idle[GSCHED_MODULES_MAX];
    const uint32_t settings_count = gsched_settings(w->work, s);
    uint64_t stated = 0;
    uint32_t n;

    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    for (uint32_t i = 0; i < settings_count; i++)
        stated |= s[i].input;
    n = gsched_profile_idle(p, w->work, stated, w->arena, idle);
    *to = '\0';
    for (uint32_t i = 0; i < n; i++)
        snprintf(to + strlen(to), size - strlen(to), "%s%s%s%s", i ? ", " : "",
                 idle[i].use->module->name, idle[i].param ? "." : "",
                 idle[i].param ? idle[i].param : "");
}

static void test_profiles(void)
{
    static const struct {
        const char *trace, *policy, *want;
    } cases[] = {
        { PLAIN, ACTIONS "- overcommit\n", "overcommit" },
        { PLAIN, "overcommit,gang", "" }, /* with enqueue */
        { PLAIN, ACTIONS "- backfill: {mode: easy}\n- moves\n- budgets\n",
          "backfill, moves, budgets" },
        { PLAIN, "easy", "" },
        { PLAIN, ACTIONS "- guarantee-victims\n- exempt\n- queue\n",
          "guarantee-victims, exempt" },
        { PLAIN, ACTIONS "- preemption: {search: order}\n", "preemption" },
        { PLAIN, ACTIONS "- preemption: {delay: 1m}\n", "" },
        { PLAIN, ACTIONS "- fit\n- max-wait: {only: [job_order]}\n", "" },
        { PLAIN, ACTIONS "- binpack: {weight: 5}\n", "binpack.weight" },
        { PLAIN, ACTIONS "- binpack: {weight: 0}\n", "" },
        { PLAIN, ACTIONS "- binpack: {weight: 5}\n- least-allocated\n", "" },
        { PLAIN, ACTIONS "- least-allocated\n- node-affinity: {weight: 5}\n",
          "node-affinity.weight" },
        { JOBS("", "prefer: [{nodes: {a: b}}]"),
          ACTIONS "- least-allocated\n- node-affinity: {weight: 5}\n", "" },
        { JOBS("", "affinity: [{jobs: {a: b}, within: node}]"),
          ACTIONS "- least-allocated\n- pod-affinity: {weight: 5}\n", "" },
        { PLAIN,
          ACTIONS "- node-choice\n- least-allocated\n- binpack: {weight: 5}\n",
          "binpack.weight" },
        { PLAIN,
          ACTIONS "- node-choice: {by: stated-domains}\n- least-allocated\n"
                  "- binpack: {weight: 5}\n",
          "" },
        { JOBS("", "gang: 1"),
          ACTIONS "- node-choice\n- least-allocated\n- binpack: {weight: 5}\n",
          "" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct world w;
        char got[300];

        load(&w, cases[i].trace);
        idle_text(&w, cases[i].policy, got, sizeof(got));
        if (strcmp(got, cases[i].want) != 0)
            printf("\n%s got '%s', want '%s'\n", cases[i].policy, got,
                   cases[i].want);
        CU_ASSERT_STRING_EQUAL(got, cases[i].want);
        world_fini(&w);
    }
}

static void test_presets_are_whole(void)
{
    struct world w;

    load(&w, PLAIN);
    for (size_t i = 0; gsched_preset_at(i); i++) {
        char got[300];

        idle_text(&w, gsched_preset_at(i)->name, got, sizeof(got));
        CU_ASSERT_STRING_EQUAL(got, "");
    }
    world_fini(&w);
}

/* --- classes -------------------------------------------------------------- */

#define CLASSES                                            \
    "priority_classes: {lo: {value: 1}, hi: {value: 5},\n" \
    "  no: {value: 6, preemption: never}}\njobs:\n"
#define HI "- {" JOB ", queue: a, priority: hi}\n"

static void test_classes(void)
{
    static const struct {
        const char *trace, *policy;
        uint32_t count;
    } cases[] = {
        { CLASSES "- {" JOB ", queue: a, priority: lo}\n" HI, "volcano", 1 },
        { CLASSES "- {" JOB ", queue: a, priority: lo}\n" HI, "hybrid", 0 },
        { CLASSES "- {" JOB ", queue: a, priority: lo}\n" HI, "binpack", 0 },
        { CLASSES HI HI, "volcano", 0 },
        { CLASSES "- {" JOB ", queue: a, priority: no}\n" HI, "volcano", 0 },
        { CLASSES "- {" JOB ", priority: lo, preemptible: false}\n" HI,
          "hybrid", 1 },
        { CLASSES "- {" JOB ", queue: b, priority: lo}\n" HI, "hybrid", 0 },
        { CLASSES "- {" JOB ", queue: b, priority: lo}\n" HI,
          "actions: [allocate, preempt]\nunit: gang\n"
          "modules: [priority, gang, drf]\n",
          1 },
        { CLASSES "- {" JOB ", queue: b, priority: lo}\n" HI,
          "actions: [allocate, preempt, reclaim]\nunit: gang\n"
          "modules: [priority, gang, queue]\n",
          0 },
        { CLASSES "- {" JOB ", queue: b, priority: lo}\n" HI, "kueue", 0 },
        { CLASSES "- {" JOB ", queue: b, priority: lo}\n" HI, "yunikorn", 0 },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gsched_setting s;
        struct world w;
        const char *why;

        load(&w, cases[i].trace);
        why = gsched_classes_idle(world_profile(&w, cases[i].policy), w.work,
                                  reads_of(&w, cases[i].policy), &s);
        if (s.count != cases[i].count)
            printf("\n%s %s: %u\n", cases[i].trace, cases[i].policy, s.count);
        CU_ASSERT_EQUAL(s.count, cases[i].count);
        CU_ASSERT_EQUAL(why != NULL, cases[i].count > 0);
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "every kind of setting is found, and its readers", test_settings },
        { "modules and weights that decide nothing are found", test_profiles },
        { "presets have none", test_presets_are_whole },
        { "classes that evict nothing are found", test_classes },
    };

    return suite_run("sim/idle", cases, N_ELEMENTS(cases));
}
