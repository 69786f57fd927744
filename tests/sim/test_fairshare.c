/* tests/sim/test_fairshare.c - jobs by accounts, partitions, QOS and age, in
 * worlds small enough to work out by hand.
 */
#include "tests/lib/cases.h"

#define NODE                              \
    "cluster: c\ntiers: [{name: node}]\n" \
    "node_types: {t: {gpus: 1, cpu: 8}}\nnodes: [{name: n1, type: t}]\n"
#define TWO_NODES                         \
    "cluster: c\ntiers: [{name: node}]\n" \
    "node_types: {t: {gpus: 1, cpu: 8}}\nnodes: [{name: 'n[1-2]', type: t}]\n"

/* The node is taken until 100 s, and each job runs for 100 s after that. */
#define FIRST \
    "jobs:\n" \
    "  - {name: first, gpus: 1, user: f, submit: 0, duration: 100s}\n"
#define JOB(name, submit, more)                               \
    "  - {name: " name ", gpus: 1, submit: " submit ", " more \
    "duration: 100s}\n"

#define RUNS(job, start)                                \
    {                                                   \
        job, (start)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

#define BLOCK(modules) \
    "actions: [allocate]\nhead: block\nmodules: [" modules "]\n"

static const struct case_world worlds[] = {
    { "a partition with a higher tier goes first, then the number",
      NODE,
      "partitions: {high: {tier: 2}, low: {tier: 1, factor: 10}}\n" FIRST JOB(
          "a", "1s", "partition: low, nice: -1000, ")
          JOB("b", "2s", "partition: low, ")
              JOB("c", "3s", "partition: high, "),
      BLOCK("multifactor: {partition: 10}, gang"),
      { RUNS("c", 100), RUNS("a", 200), RUNS("b", 300) } },
    { "the priority of a QOS is of the highest, nice is subtracted",
      NODE,
      "qos: {q: {priority: 10}, r: {priority: 5}}\n" FIRST JOB(
          "a", "1s", "qos: q, nice: 60, ") JOB("b", "2s", "qos: r, ")
          JOB("c", "3s", "qos: r, nice: -20, "),
      BLOCK("multifactor: {qos: 100}, gang"),
      { RUNS("c", 100), RUNS("b", 200), RUNS("a", 300) } },
    { "large jobs, or small ones",
      TWO_NODES,
      "jobs:\n  - {name: first, gpus: 1, replicas: 2, submit: 0, duration: "
      "100s}\n" JOB("a", "1s", "") JOB("b", "2s", "replicas: 2, "),
      BLOCK("multifactor: {job_size: 1000}, gang"),
      { RUNS("b", 100), RUNS("a", 200) } },
    { "small jobs first",
      TWO_NODES,
      "jobs:\n  - {name: first, gpus: 1, replicas: 2, submit: 0, duration: "
      "100s}\n" JOB("a", "1s", "replicas: 2, ") JOB("b", "2s", ""),
      BLOCK("multifactor: {job_size: 1000, favor: small}, gang"),
      { RUNS("b", 100), RUNS("a", 200) } },
    { "numbers stand until the period ends",
      NODE,
      FIRST JOB("a", "1s", "nice: -100, ") JOB("b", "2s", ""),
      BLOCK("multifactor: {age: 1000, max_age: 200s, period: 1000s}, gang"),
      { RUNS("a", 100), RUNS("b", 200) } },
    { "a job ages until max_age, and another overtakes it",
      NODE,
      "qos: {q: {priority: 1}}\n" FIRST JOB("a", "10s", "")
          JOB("b", "50s", "qos: q, "),
      BLOCK("multifactor: {age: 1000, max_age: 60s, qos: 500, period: 10s}, "
            "gang"),
      { RUNS("b", 100), RUNS("a", 200) } },
    /* at 120 s the small job has the higher number: nothing else happens */
    { "the order changes and a job starts, without an event",
      TWO_NODES,
      "qos: {q: {priority: 1}}\njobs:\n"
      "  - {name: first, gpus: 1, submit: 0, duration: 1000s}\n"
      "  - {name: b, gpus: 1, replicas: 2, submit: 0, duration: 100s}\n"
      "  - {name: a, gpus: 1, submit: 60s, duration: 2000s, qos: q}\n",
      BLOCK("multifactor: {age: 100, max_age: 100s, qos: 50, period: 10s}, "
            "gang"),
      { RUNS("a", 120), RUNS("b", 2120) } },
    { "so with a reservation of the head",
      TWO_NODES,
      "qos: {q: {priority: 1}}\njobs:\n"
      "  - {name: first, gpus: 1, submit: 0, duration: 1000s}\n"
      "  - {name: b, gpus: 1, replicas: 2, submit: 0, duration: 100s}\n"
      "  - {name: a, gpus: 1, submit: 60s, duration: 2000s, qos: q}\n",
      "actions: [allocate, backfill]\nmodules: [multifactor: {age: 100, "
      "max_age: 100s, qos: 50, period: 10s}, gang, backfill: {mode: easy}]\n",
      { RUNS("a", 120), RUNS("b", 2120) } },
    { "and of all",
      TWO_NODES,
      "qos: {q: {priority: 1}}\njobs:\n"
      "  - {name: first, gpus: 1, submit: 0, duration: 1000s}\n"
      "  - {name: b, gpus: 1, replicas: 2, submit: 0, duration: 100s}\n"
      "  - {name: a, gpus: 1, submit: 60s, duration: 2000s, qos: q}\n",
      "actions: [allocate, backfill]\nmodules: [multifactor: {age: 100, "
      "max_age: 100s, qos: 50, period: 10s}, gang, backfill: {mode: "
      "conservative, plan: replan}]\n",
      { RUNS("a", 120), RUNS("b", 2120) } },
    { "a user that used less goes first",
      NODE,
      FIRST JOB("a", "1s", "user: f, ") JOB("b", "2s", "user: g, "),
      BLOCK("fairshare: {period: 1s}, gang"),
      { RUNS("b", 100), RUNS("a", 200) } },
    { "by shares: f may use ten times as much",
      NODE,
      "accounts: [{name: root, users: {f: 10, g: {shares: 1, usage: 20}}}]\n" FIRST
          JOB("a", "1s", "user: g, ") JOB("b", "2s", "user: f, "),
      BLOCK("fairshare: {period: 1s, half_life: 0s}, gang"),
      { RUNS("b", 100), RUNS("a", 200) } },
    { "usage is forgotten with the half-life: both used 100 GPU seconds",
      NODE,
      "jobs:\n" JOB("one", "0s", "user: f, ") JOB("two", "100s", "user: g, ")
          JOB("a", "101s", "user: g, ") JOB("b", "102s", "user: f, "),
      BLOCK("fairshare: {period: 1s, half_life: 60s}, gang"),
      { RUNS("b", 200), RUNS("a", 300) } },
    { "without a half-life it is not: the first of the two goes first",
      NODE,
      "jobs:\n" JOB("one", "0s", "user: f, ") JOB("two", "100s", "user: g, ")
          JOB("a", "101s", "user: g, ") JOB("b", "102s", "user: f, "),
      BLOCK("fairshare: {period: 1s, half_life: 0s}, gang"),
      { RUNS("a", 200), RUNS("b", 300) } },
    { "a reset forgets it",
      NODE,
      FIRST JOB("a", "1s", "user: f, ") JOB("b", "2s", "user: g, "),
      BLOCK("fairshare: {period: 1s, reset: 50s, half_life: 0s}, gang"),
      { RUNS("b", 100), RUNS("a", 200) } },
    { "an account above its share keeps its users back",
      NODE,
      "accounts: [{name: x, users: {f: 1, h: 1}}, {name: y, users: {g: 1}}]\n"
      "jobs:\n  - {name: first, gpus: 1, account: x, user: f, submit: 0, "
      "duration: 100s}\n" JOB("a", "1s", "account: x, user: h, ")
          JOB("b", "2s", "account: y, user: g, "),
      BLOCK("fairshare: {period: 1s}, gang"),
      { RUNS("b", 100), RUNS("a", 200) } },
    { "fair share is a factor of the number",
      NODE,
      FIRST JOB("a", "1s", "user: f, ") JOB("b", "2s", "user: g, ")
          JOB("c", "3s", "user: f, nice: -1000, "),
      BLOCK("multifactor: {fairshare: 100, period: 1s}, "
            "fairshare: {order: no, mode: classic, period: 1s}, gang"),
      { RUNS("c", 100), RUNS("b", 200), RUNS("a", 300) } },
    /* usage is computed at 150 s, when f's job is over and h's runs */
    { "a job that ended within a period counts",
      NODE,
      FIRST JOB("h", "1s", "user: h, ") JOB("a", "2s", "user: f, ")
          JOB("b", "3s", "user: g, "),
      BLOCK("fairshare: {period: 150s}, gang"),
      { RUNS("h", 100), RUNS("b", 200), RUNS("a", 300) } },
    { "or it does not, as without limits in Slurm",
      NODE,
      FIRST JOB("h", "1s", "user: h, ") JOB("a", "2s", "user: f, ")
          JOB("b", "3s", "user: g, "),
      BLOCK("fairshare: {period: 150s, ended: no}, gang"),
      { RUNS("h", 100), RUNS("a", 200), RUNS("b", 300) } },
    { "the usage factor of a QOS",
      NODE,
      "qos: {free: {usage_factor: 0}}\njobs:\n"
      "  - {name: first, gpus: 1, user: f, qos: free, submit: 0, duration: "
      "100s}\n" JOB("a", "1s", "user: g, ") JOB("b", "2s", "user: f, ")
          JOB("c", "3s", "user: g, "),
      BLOCK("fairshare: {period: 1s, half_life: 0s}, gang"),
      { RUNS("a", 100), RUNS("b", 200), RUNS("c", 300) } },
};

static void test_worlds(void)
{
    cases_run(worlds, sizeof(worlds) / sizeof(worlds[0]));
}

static const struct suite_case cases[] = {
    { "jobs run in the order of shares and numbers", test_worlds },
};

int main(void)
{
    return suite_run("sim: fair share and priorities", cases,
                     N_ELEMENTS(cases));
}
