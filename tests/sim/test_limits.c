/* tests/sim/test_limits.c - limits of QOS and accounts (module limits), and of
 * users and groups in queues (queue-limits), worked out by hand.
 */
#include "tests/lib/cases.h"

static const char cluster[] = "node_types: {g: {gpus: 8, cpu: 64, memory: "
                              "256GiB}}\n"
                              "nodes: [{name: 'n[1-4]', type: g}]\n";

#define FIFO "actions: [allocate]\nmodules: [fifo, gang, fit, limits]\n"
/* After 100 s of one GPU 75 s are left at 60 s and 120 s: 30 + 40, 35. */
#define DECAYS                                         \
    "actions: [allocate]\nmodules: [fifo, gang, fit, " \
    "{limits: {half_life: 60s, period: 60s}}]\n"
#define EASY                              \
    "actions: [allocate, backfill]\n"     \
    "modules: [fifo, gang, fit, limits, " \
    "{backfill: {mode: easy}}]\n"
#define JOB(name, submit, gpus, more)                                        \
    "- {name: " name ", submit: " submit ", duration: 100, gpus: " gpus more \
    "}\n"
#define Q(qos) ", qos: " qos
#define U(user) ", user: " user
#define A(account) ", account: " account

#define STARTS(name, start)                              \
    {                                                    \
        name, (start)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }
#define KEPT(name, start)                                   \
    {                                                       \
        name, (start)*S, REPORT_DONE, REPORT_QUOTA, NULL, 0 \
    }

static const struct case_world qos[] = {
    { "the jobs of a QOS together",
      cluster,
      "qos: {low: {limits: {group: {gpu: 8}}}, high: {}}\njobs:\n" JOB(
          "a", "0", "8", Q("low")) JOB("b", "1", "8", Q("low"))
          JOB("c", "2", "8", Q("high")) JOB("d", "3", "8", ""),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), STARTS("d", 3) } },
    { "so where all jobs have reservations",
      cluster,
      "qos: {low: {limits: {group: {gpu: 8}}}}\njobs:\n" JOB(
          "a", "0", "8", Q("low")) JOB("b", "1", "8", Q("low")),
      "actions: [allocate, backfill]\nmodules: [fifo, gang, fit, limits, "
      "{backfill: {mode: conservative}}]\n",
      { STARTS("a", 0), KEPT("b", 100) } },
    { "each user of a QOS",
      cluster,
      "qos: {low: {limits: {user: {gpu: 8}}}}\njobs:\n" JOB(
          "a", "0", "8", Q("low") U("x")) JOB("b", "1", "8", Q("low") U("x"))
          JOB("c", "2", "8", Q("low") U("y")),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2) } },
    { "each account of a QOS",
      cluster,
      "qos: {low: {limits: {account: {gpu: 8}}}}\njobs:\n" JOB(
          "a", "0", "8", Q("low") A("x")) JOB("b", "1", "8", Q("low") A("x"))
          JOB("c", "2", "8", Q("low") A("y")),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2) } },
    { "one job: it never starts",
      cluster,
      "qos: {low: {limits: {job: {gpu: 4}}}}\njobs:\n" JOB(
          "a", "0", "8", Q("low")) JOB("b", "1", "4", Q("low")),
      FIFO,
      { { "a", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 },
        STARTS("b", 1) } },
    { "the number of jobs, of all and of a user",
      cluster,
      "qos: {low: {limits: {jobs: {group: 2, user: 1}}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low") U("x")) JOB("b", "1", "1", Q("low") U("x"))
          JOB("c", "2", "1", Q("low") U("y"))
              JOB("d", "3", "1", Q("low") U("z")),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), KEPT("d", 102) } },
    { "the wall time that a job asks for",
      cluster,
      "qos: {low: {limits: {wall: 200}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low") ", estimate: 300")
          JOB("b", "1", "1", Q("low") ", estimate: 200"),
      FIFO,
      { { "a", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 },
        STARTS("b", 1) } },
    { "a job of many tasks counts with all of them",
      cluster,
      "qos: {low: {limits: {group: {cpu: 32, memory: 64GiB}}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low") ", cpu: 16, replicas: 2")
          JOB("b", "1", "1", Q("low") ", cpu: 1")
              JOB("c", "2", "1", Q("low") ", memory: 64GiB"),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2) } },
    { "a job that a limit keeps does not hold others back under EASY",
      cluster,
      "qos: {low: {limits: {group: {gpu: 8}}}}\njobs:\n" JOB("a", "0", "8",
                                                             Q("low"))
          JOB("b", "1", "8", Q("low")) JOB("c", "2", "8", ", replicas: 3"),
      EASY,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2) } },
};

static const struct case_world accounts[] = {
    { "an account and all below it",
      cluster,
      "accounts:\n- {name: top, limits: {group: {gpu: 8}}}\n"
      "- {name: x, parent: top}\n- {name: y, parent: top}\n- {name: z}\n"
      "jobs:\n" JOB("a", "0", "8", A("x")) JOB("b", "1", "8", A("y"))
          JOB("c", "2", "8", A("z")),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2) } },
    { "every level of the tree",
      cluster,
      "accounts:\n- {name: top, limits: {group: {gpu: 16}}}\n"
      "- {name: x, parent: top, limits: {group: {gpu: 8}}}\n"
      "- {name: y, parent: top}\n"
      "jobs:\n" JOB("a", "0", "8", A("x")) JOB("b", "1", "8", A("x"))
          JOB("c", "2", "8", A("y")) JOB("d", "3", "8", A("y")),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), KEPT("d", 102) } },
    { "a user of an account",
      cluster,
      "accounts:\n- {name: x, users: {ada: {limits: {group: {gpu: 8}}}}}\n"
      "- {name: y}\n"
      "jobs:\n" JOB("a", "0", "8", A("x") U("ada")) JOB(
          "b", "1", "8", A("x") U("ada")) JOB("c", "2", "8", A("x") U("eve"))
          JOB("d", "3", "8", A("y") U("ada")),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), STARTS("d", 3) } },
    { "each user of an account; the nearest of two such limits holds",
      cluster,
      "accounts:\n- {name: top, limits: {jobs: {user: 1}}}\n"
      "- {name: x, parent: top, limits: {jobs: {user: 2}}}\n"
      "jobs:\n" JOB("a", "0", "1", A("x") U("ada")) JOB(
          "b", "1", "1", A("x") U("ada")) JOB("c", "2", "1", A("x") U("ada"))
          JOB("d", "3", "1", A("x") U("eve")),
      FIFO,
      { STARTS("a", 0), STARTS("b", 1), KEPT("c", 100), STARTS("d", 3) } },
    { "a limit of the QOS takes the place of the account's",
      cluster,
      "accounts: [{name: x, limits: {group: {gpu: 8}}}]\n"
      "qos: {wide: {limits: {group: {gpu: 16}}}, plain: {}}\n"
      "jobs:\n" JOB("a", "0", "8", A("x") Q("wide"))
          JOB("b", "1", "8", A("x") Q("wide"))
              JOB("c", "2", "8", A("x") Q("plain")),
      FIFO,
      { STARTS("a", 0), STARTS("b", 1), KEPT("c", 101) } },
    { "the QOS of a partition comes before that of the job",
      cluster,
      "qos: {wide: {limits: {group: {gpu: 16}}}, narrow: {limits: {group: "
      "{gpu: 8}}}}\n"
      "partitions: {p: {qos: wide}, q: {}}\n"
      "jobs:\n" JOB("a", "0", "8", Q("narrow") ", partition: p")
          JOB("b", "1", "8", Q("narrow") ", partition: p")
              JOB("c", "2", "8", Q("narrow") ", partition: q"),
      FIFO,
      { STARTS("a", 0), STARTS("b", 1), KEPT("c", 101) } },
};

#define POOLS_ONLY \
    "actions: [allocate]\nmodules: [fifo, gang, {limits: {accounts: no}}]\n"

static const struct case_world pools[] = {
    { "a job waits for tokens, others go before it",
      cluster,
      "pools: {m: 3}\njobs:\n" JOB("a", "0", "1", ", pools: {m: 2}")
          JOB("b", "1", "1", ", pools: {m: 2}") JOB("c", "2", "1", ", pools: m")
              JOB("d", "3", "1", ""),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), STARTS("d", 3) } },
    { "of several pools, by all; more than there are never come",
      cluster,
      "pools: {m: 1, n: {size: 1, reason: Licenses}}\njobs:\n" JOB(
          "a", "0", "1", ", pools: m") JOB("b", "1", "1", ", pools: n")
          JOB("c", "2", "1", ", pools: {n: 1, m: 1}")
              JOB("d", "3", "1", ", pools: {n: 2}"),
      FIFO,
      { STARTS("a", 0),
        STARTS("b", 1),
        KEPT("c", 101),
        { "d", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 } } },
    { "a gang takes its tokens once, and an end gives them back",
      cluster,
      "pools: {m: 1}\njobs:\n" JOB("a", "0", "8", ", replicas: 3, pools: m")
          JOB("b", "1", "1", ", pools: m"),
      EASY,
      { STARTS("a", 0), KEPT("b", 100) } },
    { "pools hold where limits of QOS do not",
      cluster,
      "pools: {m: 1}\nqos: {low: {limits: {group: {gpu: 1}}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low") ", pools: m") JOB("b", "1", "1", Q("low"))
          JOB("c", "2", "1", Q("low") ", pools: m"),
      POOLS_ONLY,
      { STARTS("a", 0), STARTS("b", 1), KEPT("c", 100) } },
};

/* Jobs run for 100 s, 1.67 minutes. */
static const struct case_world minutes[] = {
    { "what was used stops a QOS for good",
      cluster,
      "qos: {low: {limits: {minutes: {group: {gpu: 2}}}}, high: {}}\njobs:\n" JOB(
          "a", "0", "1", Q("low")) JOB("b", "1", "1", Q("low"))
          JOB("c", "201", "1", Q("low")) JOB("d", "201", "1", Q("high")),
      FIFO,
      { STARTS("a", 0),
        STARTS("b", 1),
        { "c", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 },
        STARTS("d", 201) } },
    { "what was used is forgotten by half in a minute",
      cluster,
      "qos: {low: {limits: {minutes: {group: {gpu: 1}}}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low")) JOB("b", "101", "1", Q("low")),
      DECAYS,
      { STARTS("a", 0), KEPT("b", 120) } },
    { "but for a QOS that keeps it",
      cluster,
      "qos: {low: {decays: false, limits: {minutes: {group: {gpu: 1}}}}}\n"
      "jobs:\n" JOB("a", "0", "1", Q("low")) JOB("b", "101", "1", Q("low")),
      DECAYS,
      { STARTS("a", 0),
        { "b", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 } } },
    { "the usage factor of a QOS counts",
      cluster,
      "qos: {low: {usage_factor: 0.5, limits: {minutes: {group: {gpu: 2}}}}}\n"
      "jobs:\n" JOB("a", "0", "1", Q("low")) JOB("b", "201", "1", Q("low"))
          JOB("c", "302", "1", Q("low")),
      FIFO,
      { STARTS("a", 0), STARTS("b", 201), STARTS("c", 302) } },
    { "the time of all jobs",
      cluster,
      "accounts: [{name: x, limits: {group_wall: 150}}]\njobs:\n" JOB(
          "a", "0", "1", A("x")) JOB("b", "0", "8", A("x"))
          JOB("c", "80", "1", A("x")),
      FIFO,
      { STARTS("a", 0),
        STARTS("b", 0),
        { "c", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 } } },
    { "one job by its estimate",
      cluster,
      "qos: {low: {limits: {minutes: {job: {gpu: 2}}}}}\njobs:\n" JOB(
          "a", "0", "2", Q("low")) JOB("b", "0", "1", Q("low")),
      FIFO,
      { { "a", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 },
        STARTS("b", 0) } },
    { "what running jobs have left: 100 s x 2, of 150 s",
      cluster,
      "qos: {low: {limits: {running_minutes: {group: {gpu: 2.5}}}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low")) JOB("b", "0", "1", Q("low"))
          JOB("c", "1", "1", ""),
      FIFO,
      { STARTS("a", 0), KEPT("b", 50), STARTS("c", 1) } },
    { "of each user; a shorter job goes before",
      cluster,
      "qos: {low: {limits: {running_minutes: {user: {gpu: 2.5}}}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low") U("x")) JOB("b", "0", "1", Q("low") U("x"))
          JOB("c", "0", "1", Q("low") U("y"))
              JOB("d", "1", "1", Q("low") U("x") ", estimate: 51"),
      FIFO,
      { STARTS("a", 0), KEPT("b", 51), STARTS("c", 0), STARTS("d", 1) } },
    { "passes are due when the time has fallen",
      cluster,
      "qos: {low: {limits: {running_minutes: {group: {gpu: 2.5}}}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low")) JOB("b", "0", "1", Q("low")),
      "actions: [allocate, backfill]\nunit: gang\n"
      "modules: [fifo, gang, {passes: {interval: 60s}}, limits, "
      "{backfill: {mode: windowed, interval: 10s}}]\n",
      { STARTS("a", 0), KEPT("b", 50) } },
};

static const struct case_world sizes[] = {
    { "a task, and a job that is too small",
      cluster,
      "qos: {low: {limits: {task: {gpu: 4}, least: {gpu: 2}}}}\njobs:\n" JOB(
          "a", "0", "8", Q("low")) JOB("b", "0", "1", Q("low"))
          JOB("c", "0", "1", Q("low") ", replicas: 2")
              JOB("d", "0", "4", Q("low")),
      FIFO,
      { { "a", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 },
        { "b", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 },
        STARTS("c", 0),
        STARTS("d", 0) } },
    { "tasks are counted as pods",
      cluster,
      "qos: {low: {limits: {group: {pods: 3}, job: {pods: 2}}}}\njobs:\n" JOB(
          "a", "0", "1", Q("low") ", replicas: 2")
          JOB("b", "0", "1", Q("low") ", replicas: 2")
              JOB("c", "0", "1", Q("low"))
                  JOB("d", "0", "1", Q("low") ", replicas: 3"),
      FIFO,
      { STARTS("a", 0),
        KEPT("b", 100),
        STARTS("c", 0),
        { "d", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 } } },
    { "a QOS that comes before that of the partition",
      cluster,
      "qos: {wide: {limits: {group: {gpu: 16}}}, narrow: {over_partition: "
      "true, limits: {group: {gpu: 8}}}}\n"
      "partitions: {p: {qos: wide}}\n"
      "jobs:\n" JOB("a", "0", "8", Q("narrow") ", partition: p")
          JOB("b", "1", "8", Q("narrow") ", partition: p"),
      FIFO,
      { STARTS("a", 0), KEPT("b", 100) } },
};

static void test_minutes(void)
{
    cases_run(minutes, N_ELEMENTS(minutes));
}

static void test_sizes(void)
{
    cases_run(sizes, N_ELEMENTS(sizes));
}

/* --- users and groups in queues ------------------------------------------- */

#define QUEUES_OF(root, a)                   \
    "queues: [{name: r, user_limits: [" root \
    "]}, {name: r/a, user_limits: [" a "]}, {name: r/b}]\njobs:\n"
#define IN(queue) ", queue: " queue
#define G(group) ", group: " group
#define HOLDS "actions: [allocate]\nmodules: [fifo, gang, fit, queue-limits]\n"

static const struct case_world users[] = {
    { "a user in a queue",
      cluster,
      QUEUES_OF("", "{users: [x], limit: {gpu: 8}}") JOB(
          "a", "0", "8", IN("r/a") U("x")) JOB("b", "1", "1", IN("r/a") U("x"))
          JOB("c", "2", "8", IN("r/a") U("y"))
              JOB("d", "3", "8", IN("r/b") U("x")),
      HOLDS,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), STARTS("d", 3) } },
    { "each user, by the one limit of the queue",
      cluster,
      "queues: [{name: q, user_limit: {gpu: 8}}]\njobs:\n" JOB("a", "0", "8",
                                                               IN("q") U("x"))
          JOB("b", "1", "1", IN("q") U("x")) JOB("c", "2", "8", IN("q") U("y")),
      "actions: [allocate]\nmodules: [fifo, gang, fit, queue]\n",
      { STARTS("a", 0), STARTS("b", 100), STARTS("c", 2) } },
    { "and in all queues below one",
      cluster,
      QUEUES_OF("{users: [x], limit: {gpu: 8}}", "") JOB(
          "a", "0", "4", IN("r/a") U("x")) JOB("b", "1", "4", IN("r/b") U("x"))
          JOB("c", "2", "1", IN("r/a") U("x"))
              JOB("d", "3", "8", IN("r/a") U("y")),
      HOLDS,
      { STARTS("a", 0), STARTS("b", 1), KEPT("c", 100), STARTS("d", 3) } },
    { "each of the others, and those without a name together",
      cluster,
      QUEUES_OF("", "{users: [x], limit: {gpu: 8}}, "
                    "{users: ['*'], limit: {gpu: 2}}")
          JOB("a", "0", "8", IN("r/a") U("x"))
              JOB("b", "1", "4", IN("r/a") U("y")) JOB("c", "2", "2", IN("r/a"))
                  JOB("d", "3", "2", IN("r/a")),
      HOLDS,
      { STARTS("a", 0),
        { "b", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 },
        STARTS("c", 2),
        KEPT("d", 102) } },
    { "jobs of a user that run",
      cluster,
      QUEUES_OF("", "{users: [x], max_jobs: 2}") JOB(
          "a", "0", "1", IN("r/a") U("x")) JOB("b", "1", "1", IN("r/a") U("x"))
          JOB("c", "2", "1", IN("r/a") U("x"))
              JOB("d", "3", "1", IN("r/a") U("y")),
      HOLDS,
      { STARTS("a", 0), STARTS("b", 1), KEPT("c", 100), STARTS("d", 3) } },
    { "users of a group together",
      cluster,
      QUEUES_OF("", "{groups: [g], limit: {gpu: 8}}")
          JOB("a", "0", "8", IN("r/a") U("x") G("g"))
              JOB("b", "1", "1", IN("r/a") U("y") G("g"))
                  JOB("c", "2", "1", IN("r/b") U("y") G("g"))
                      JOB("d", "3", "1", IN("r/a") U("z") G("h")),
      HOLDS,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), STARTS("d", 3) } },
    { "all other groups together, where no queue below names one",
      cluster,
      /* h counts as one of the others, in r/a and r: 4 of 4; g by its name */
      QUEUES_OF("{groups: [h, '*'], limit: {gpu: 4}}",
                "{groups: [g, '*'], limit: {gpu: 8}}")
          JOB("a", "0", "4", IN("r/a") U("x") G("h"))
              JOB("b", "1", "4", IN("r/b") U("x") G("h"))
                  JOB("c", "2", "1", IN("r/a") U("y") G("i"))
                      JOB("d", "3", "8", IN("r/a") U("z") G("g")),
      HOLDS,
      { STARTS("a", 0), STARTS("b", 1), KEPT("c", 100), STARTS("d", 3) } },
    { "both the user and the group",
      cluster,
      QUEUES_OF("", "{users: [x], limit: {gpu: 4}}, "
                    "{groups: [g], limit: {gpu: 6}}")
          JOB("a", "0", "4", IN("r/a") U("x") G("g"))
              JOB("b", "1", "1", IN("r/a") U("x") G("g"))
                  JOB("c", "2", "2", IN("r/a") U("y") G("g"))
                      JOB("d", "3", "1", IN("r/a") U("y") G("g")),
      HOLDS,
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), KEPT("d", 100) } },
    { "with limits of QOS beside them",
      cluster,
      "qos: {low: {limits: {user: {gpu: 4}}}}\n" QUEUES_OF(
          "", "{users: [x], limit: {gpu: 6}}")
          JOB("a", "0", "4", IN("r/a") U("x") Q("low"))
              JOB("b", "1", "1", IN("r/a") U("x") Q("low"))
                  JOB("c", "2", "2", IN("r/a") U("x"))
                      JOB("d", "3", "1", IN("r/a") U("x")),
      "actions: [allocate]\n"
      "modules: [fifo, gang, fit, limits, queue-limits]\n",
      { STARTS("a", 0), KEPT("b", 100), STARTS("c", 2), KEPT("d", 100) } },
};

static void test_users(void)
{
    cases_run(users, N_ELEMENTS(users));
}

static void test_pools(void)
{
    cases_run(pools, N_ELEMENTS(pools));
}

static void test_qos(void)
{
    cases_run(qos, N_ELEMENTS(qos));
}

static void test_accounts(void)
{
    cases_run(accounts, N_ELEMENTS(accounts));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "limits of QOS", test_qos },
        { "limits of accounts, and which holds", test_accounts },
        { "tokens of pools", test_pools },
        { "users and groups in queues", test_users },
        { "limits in minutes", test_minutes },
        { "sizes of jobs and tasks", test_sizes },
    };

    return suite_run("sim/limits", suite, N_ELEMENTS(suite));
}
