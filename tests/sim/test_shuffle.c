/* tests/sim/test_shuffle.c - nodes that take tasks at some hours only, and
 * tasks that leave their nodes: modules time-windows, rebalance and
 * limit-victims, action shuffle.
 */
#include "tests/lib/cases.h"

#define H (INT64_C(3600))
#define AT(name, second, node, evictions)                         \
    {                                                             \
        name, (second)*S, REPORT_DONE, ANY_CAUSE, node, evictions \
    }
#define WAITS(name)                                     \
    {                                                   \
        name, NEVER, REPORT_PENDING, ANY_CAUSE, NULL, 0 \
    }

/* --- windows -------------------------------------------------------------- */

static const char zones[] =
    "node_types: {t: {cpu: 4}}\n"
    "nodes: [{name: day, type: t}, {name: night, type: t, taints: "
    "[\"zone=z:NoSchedule\"]}]\n";

#define MAY ", tolerations: [zone]"
#define BUSY "- {name: busy, submit: 0, duration: 90h, cpu: 4}\n"
#define ONE(submit, duration, more)                                      \
    "jobs:\n" BUSY "- {name: a, submit: " submit ", duration: " duration \
    ", cpu: 4" more "}\n"
#define WINDOWS(actions, more)                                                \
    "actions: [" actions "]\nmodules: [fifo, gang, fit, time-windows: {" more \
    "}]\n"
#define NIGHT "zones: \"z 20:00-06:00\""

static const struct case_world windows[] = {
    { "a zone is preferred by those that may use it",
      zones,
      "jobs: [{name: a, submit: 0, duration: 1h, cpu: 1" MAY "}]\n",
      WINDOWS("allocate", NIGHT),
      { AT("a", 0, "night*1", 0) } },
    { "others wait for another node",
      zones,
      ONE("1h", "1h", ""),
      WINDOWS("allocate", NIGHT),
      { AT("a", 90 * H, "day*1", 0) } },
    { "a zone takes nothing outside its window",
      zones,
      ONE("7h", "1h", MAY),
      WINDOWS("allocate", NIGHT),
      { AT("a", 20 * H, "night*1", 0) } },
    { "what runs there stays without action shuffle",
      zones,
      ONE("5h", "3h", MAY),
      WINDOWS("allocate", NIGHT),
      { AT("a", 5 * H, "night*1", 0) } },
    { "and is evicted by it when the window is over",
      zones,
      ONE("5h", "3h", MAY),
      WINDOWS("allocate, shuffle", NIGHT),
      { AT("a", 5 * H, "night*1 night*1", 1) } },
    { "unless it is not preemptible",
      zones,
      ONE("5h", "3h", MAY ", preemptible: false"),
      WINDOWS("allocate, shuffle", NIGHT),
      { AT("a", 5 * H, "night*1", 0) } },
    { "one task of a job goes in each period",
      zones,
      ONE("5h", "2h", ", gang: 1, replicas: 1" MAY),
      WINDOWS("allocate, shuffle", NIGHT ", period: 10m"),
      { AT("a", 5 * H, NULL, 1) } },
    { "a job with tasks above its gang loses these first",
      zones,
      "jobs:\n" BUSY
      "- {name: a, submit: 5h, duration: 80m, cpu: 1, gang: 2, replicas: "
      "4" MAY "}\n",
      WINDOWS("allocate, shuffle", NIGHT ", period: 10m"),
      { AT("a", 5 * H, NULL, 0) } },
    { "times are of the zone's clock",
      zones,
      ONE("0s", "1h", MAY),
      WINDOWS("allocate", NIGHT ", timezone: \"+08:00\""),
      { AT("a", 12 * H, "night*1", 0) } },
    { "west of UTC, too",
      zones,
      ONE("0s", "1h", MAY),
      WINDOWS("allocate", "zones: \"z 21:00-22:00\", timezone: \"-03:30\""),
      { AT("a", 1800, "night*1", 0) } },
    { "and of the trace's date",
      zones,
      "epoch: 2026-01-01T07:00:00Z\n" ONE("0s", "1h", MAY),
      WINDOWS("allocate", NIGHT),
      { AT("a", 13 * H, "night*1", 0) } },
    { "a window may be the whole day",
      zones,
      ONE("9h", "30h", MAY),
      WINDOWS("allocate, shuffle", "zones: \"y 01:00-02:00, z 00:00-24:00\""),
      { AT("a", 9 * H, "night*1", 0) } },
    { "a zone without a window is never open",
      zones,
      ONE("1h", "1h", MAY),
      WINDOWS("allocate", "zones: \"y 00:00-24:00\""),
      { AT("a", 90 * H, "day*1", 0) } },
    { "other taints are no zones",
      zones,
      "jobs:\n" BUSY
      "- {name: a, submit: 7h, duration: 1h, cpu: 4, tolerations: [zone]}\n",
      WINDOWS("allocate", "taint: other"),
      { AT("a", 7 * H, "night*1", 0) } },
};

static void test_windows(void)
{
    cases_run(windows, N_ELEMENTS(windows));
}

/* --- preemption ----------------------------------------------------------- */

#define HIGH(more)                                     \
    "priority_classes: {high: {value: 9}}\njobs:\n"    \
    "- {name: low, submit: 0, duration: 2h, cpu: 4}\n" \
    "- {name: b, submit: 1, duration: 1h, cpu: 4, priority: high" more "}\n"

static const struct case_world victims[] = {
    { "preemptible jobs do not preempt",
      zones,
      HIGH(""),
      "actions: [allocate, preempt]\nmodules: [priority, gang, fit, "
      "time-windows]\n",
      { AT("b", 2 * H, "day*1", 0) } },
    { "others do",
      zones,
      HIGH(", preemptible: false"),
      "actions: [allocate, preempt]\nmodules: [priority, gang, fit, "
      "time-windows]\n",
      { AT("b", 1, "day*1", 0) } },
    { "unless they may use zones",
      zones,
      HIGH(", preemptible: false" MAY),
      "actions: [allocate, preempt]\nmodules: [priority, gang, fit, "
      "time-windows]\n",
      { AT("b", 2 * H, "day*1", 0) } },
};

static void test_victims(void)
{
    cases_run(victims, N_ELEMENTS(victims));
}

/* --- text ----------------------------------------------------------------- */

static void test_text(void)
{
    static const struct {
        const char *setting, *why;
    } table[] = {
        { "zones: \"z 20:00\"", "'zones' lists NAME HH:MM-HH:MM" },
        { "zones: \"z 20:00-24:01\"", "'zones' lists NAME HH:MM-HH:MM" },
        { "zones: \"z 20:00-21:60\"", "'zones' lists NAME HH:MM-HH:MM" },
        { "zones: \"z 20:00-21:00x\"", "'zones' lists NAME HH:MM-HH:MM" },
        { "zones: \"20:00-21:00\"", "'zones' lists NAME HH:MM-HH:MM" },
        { "zones: \"z\"", "'zones' lists NAME HH:MM-HH:MM" },
        { "timezone: \"8\"", "'timezone' is such as +08:00" },
        { "timezone: \"+08:00x\"", "'timezone' is such as +08:00" },
        { "timezone: \"+8:00\"", "'timezone' is such as +08:00" },
    };

    for (size_t i = 0; i < N_ELEMENTS(table); i++) {
        const struct trace_options o = { 0 };
        struct world w;
        char policy[200];

        (void)snprintf(policy, sizeof(policy), WINDOWS("allocate", "%s"),
                       table[i].setting);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, zones, ONE("0s", "1h", ""), &o),
                              0);
        CU_ASSERT_EQUAL(world_run(&w, policy, NULL, NULL), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(w.err.problem[0].text, table[i].why));
        if (!strstr(w.err.problem[0].text, table[i].why))
            printf("  %s: %s\n", table[i].setting, w.err.problem[0].text);
        world_fini(&w);
    }
}

/* --- full nodes ----------------------------------------------------------- */

#define TWO_NODES(more)                                               \
    "node_types: {t: {cpu: 10, memory: 10GiB}, u: {cpu: 10, memory: " \
    "10GiB" more "}}\nnodes: [{name: n1, type: u}, {name: n2, type: t}]\n"
/* c keeps n1 for a while: both jobs are placed on n2 */
#define FULL(more)                                                    \
    "priority_classes: {high: {value: 1}}\njobs:\n"                   \
    "- {name: c, submit: 0, duration: 10s, cpu: 10}\n"                \
    "- {name: a, submit: 1s, duration: 1h, cpu: 5, priority: high}\n" \
    "- {name: b, submit: 2s, duration: 1h, cpu: 4" more "}\n"
#define REBALANCE(more)                                                   \
    "actions: [allocate, shuffle]\nmodules: [fifo, gang, fit, "           \
    "least-allocated: {resources: {cpu: 1}}, rebalance: {request: 1" more \
    "}]\n"

static const struct case_world full[] = {
    { "the least important task leaves a full node",
      TWO_NODES(""),
      FULL(""),
      REBALANCE(", low: {cpu: 30}, high: {cpu: 60}"),
      { AT("a", 1, NULL, 0), AT("b", 2, "n2*1 n1*1", 1) } },
    { "a task that must not be evicted does not",
      TWO_NODES(""),
      FULL(", preemptible: false"),
      REBALANCE(", low: {cpu: 30}, high: {cpu: 60}"),
      { AT("a", 1, NULL, 1), AT("b", 2, NULL, 0) } },
    { "no node is full enough",
      TWO_NODES(""),
      FULL(""),
      REBALANCE(", low: {cpu: 30}, high: {cpu: 95}"),
      { AT("a", 1, NULL, 0), AT("b", 2, NULL, 0) } },
    { "no node has room for more",
      TWO_NODES(", load: {cpu: 40%}"),
      FULL(""),
      REBALANCE(", low: {cpu: 30}, high: {cpu: 60}"),
      { AT("a", 1, NULL, 0), AT("b", 2, NULL, 0) } },
};

static void test_full(void)
{
    cases_run(full, N_ELEMENTS(full));
}

/* --- queues above their limit --------------------------------------------- */

/* Jobs of 4 CPUs that run already: a since -3h, b since -2h30m in one queue, c
 * in its sibling; both are below the queue top.
 */
#define TWELVE "node_types: {t: {cpu: 12}}\nnodes: [{name: n, type: t}]\n"
#define RUN(name, queue, since, more)                                   \
    "- {name: " name ", submit: 0, duration: 9h, cpu: 4, queue: " queue \
    ", running_since: " since ", running_on: [n]" more "}\n"
#define STANDING(top, x, y, more)                                     \
    "queues: [{name: top" top "}, {name: top/x" x "}, {name: top/y" y \
    "}]\njobs:\n" RUN("a", "top/x", "-3h", "")                        \
        RUN("b", "top/x", "-150m", more) RUN("c", "top/y", "-1h", "")
#define LOSES                                                       \
    "actions: [allocate, shuffle]\nunit: pod\nrequeue: submitted\n" \
    "modules: [queue-limits, fit, limit-victims]\n"
#define STAYS(name)                               \
    {                                             \
        name, 0, REPORT_DONE, ANY_CAUSE, "n*1", 0 \
    }

static const struct case_world limits[] = {
    { "the latest job goes after the delay, and waits while its queue is full",
      TWELVE,
      STANDING("", ", limit: {cpu: 4}, limit_delay: 1h", "", ""),
      LOSES,
      { STAYS("a"), AT("b", 0, "n*1 n*1", 1), STAYS("c") } },
    { "the preset does the same",
      TWELVE,
      STANDING("", ", limit: {cpu: 4}, limit_delay: 1h", "", ""),
      "yunikorn",
      { STAYS("a"), AT("b", 0, "n*1 n*1", 1), STAYS("c") } },
    { "a queue that states no delay keeps what it holds",
      TWELVE,
      STANDING("", ", limit: {cpu: 4}", "", ""),
      LOSES,
      { STAYS("a"), STAYS("b"), STAYS("c") } },
    { "unless the module has one for all",
      TWELVE,
      STANDING("", ", limit: {cpu: 4}", "", ""),
      "actions: [allocate, shuffle]\nunit: pod\nrequeue: submitted\n"
      "modules: [queue-limits, fit, limit-victims: {delay: 2h}]\n",
      { STAYS("a"), AT("b", 0, "n*1 n*1", 1), STAYS("c") } },
    { "nothing goes that is more than the excess",
      TWELVE,
      STANDING("", ", limit: {cpu: 6}, limit_delay: 1h", "", ""),
      LOSES,
      { STAYS("a"), STAYS("b"), STAYS("c") } },
    { "nor what is not preemptible",
      TWELVE,
      STANDING("", ", limit: {cpu: 4}, limit_delay: 1h", "",
               ", preemptible: false"),
      LOSES,
      { AT("a", 0, "n*1 n*1", 1), STAYS("b"), STAYS("c") } },
    { "the queues below lose by what they hold above their guarantees",
      /* 6 of 12: x holds 8 - 4 above its own, y 4: 3 each, too little for 4 */
      TWELVE,
      STANDING(", limit: {cpu: 6}, limit_delay: 1h", ", guarantee: {cpu: 4}",
               "", ""),
      LOSES,
      { STAYS("a"), STAYS("b"), STAYS("c") } },
    { "one at its guarantee loses nothing",
      /* 4 of 12 are too many: all of these are of x */
      TWELVE,
      STANDING(", limit: {cpu: 8}, limit_delay: 1h", ", guarantee: {cpu: 2}",
               ", guarantee: {cpu: 4}", ""),
      LOSES,
      { STAYS("a"), AT("b", 0, "n*1 n*1", 1), STAYS("c") } },
};

static void test_limits(void)
{
    cases_run(limits, N_ELEMENTS(limits));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "windows of the day", test_windows },
        { "zones and preemption", test_victims },
        { "windows that are none", test_text },
        { "tasks leave full nodes", test_full },
        { "queues above their limit lose tasks", test_limits },
    };

    return suite_run("sim/shuffle", suite, N_ELEMENTS(suite));
}
