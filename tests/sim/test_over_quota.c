/* tests/sim/test_over_quota.c - module over-quota in worlds small enough to
 * work out by hand.
 */
#include "tests/lib/cases.h"

#define NODES(names, gpus)                       \
    "cluster: c\ntiers: [{name: node}]\n"        \
    "node_types: {t: {cpu: 64, gpus: " gpus "}}" \
    "\nnodes: [{name: \"" names "\", type: t}]\n"
#define NODE(gpus) NODES("n1", gpus)
#define JOB(name, queue, submit)                                      \
    "  - {name: " name ", queue: " queue ", gpus: 1, submit: " submit \
    ", duration: 100s}\n"
#define PLACE "actions: [allocate]\nmodules: [gang, over-quota]\n"
#define RECLAIM "actions: [allocate, reclaim]\nmodules: [gang, over-quota]\n"

/* Two pools of nodes, one of which has a label; jobs of the one with 4 GPUs. */
#define POOLS(four, eight)                                          \
    "cluster: c\ntiers: [{name: node}]\nnode_types:\n"              \
    "  f: {cpu: 64, gpus: 4" four "}\n  e: {cpu: 64, gpus: 8" eight \
    "}\nnodes: [{name: n1, type: f}, {name: n2, type: e}]\n"
#define RED ", labels: {pool: red}"
#define POOL_JOB(name, queue, submit, on)                             \
    "  - {name: " name ", queue: " queue ", gpus: 1, submit: " submit \
    ", duration: 100s, nodes: " on "}\n"
#define POOL_JOBS(on)                                                 \
    "queues:\n  - {name: a}\n  - {name: b}\njobs:\n" POOL_JOB(        \
        "a-1", "a", "0", on) POOL_JOB("a-2", "a", "1s", on)           \
        POOL_JOB("a-3", "a", "2s", on) POOL_JOB("a-4", "a", "3s", on) \
            POOL_JOB("b-1", "b", "10s", on) POOL_JOB("b-2", "b", "10s", on)

/* Two departments of 4 of 8 GPUs each; d1 has two teams of 2.  Team z runs on
 * all 8.
 */
#define DEPARTMENTS                                            \
    "queues:\n  - {name: d1, deserved: {gpu: 4}}\n"            \
    "  - {name: d2, deserved: {gpu: 4}}\n"                     \
    "  - {name: d1/x, deserved: {gpu: 2}}\n"                   \
    "  - {name: d1/y, deserved: {gpu: 2}}\n"                   \
    "  - {name: d2/z, deserved: {gpu: 4}}\n"                   \
    "jobs:\n" JOB("z-1", "d2/z", "0") JOB("z-2", "d2/z", "1s") \
        JOB("z-3", "d2/z", "2s") JOB("z-4", "d2/z", "3s")      \
            JOB("z-5", "d2/z", "4s") JOB("z-6", "d2/z", "5s")  \
                JOB("z-7", "d2/z", "6s") JOB("z-8", "d2/z", "7s")

/* 2 GPUs, and instances of MIG of one and of three slices: 2 + 3 + 3 = 8. */
#define CUT                                                                \
    "cluster: c\ntiers: [{name: node}]\n"                                  \
    "node_types: {t: {cpu: 64, gpus: 2, resources: {one: 3, three: 1}}}\n" \
    "nodes: [{name: n1, type: t}]\n"
#define CUT_JOB(name, queue, submit, what)                     \
    "  - {name: " name ", queue: " queue ", resources: {" what \
    "}, submit: " submit ", duration: 100s}\n"
#define CUT_JOBS                                                         \
    "queues:\n  - {name: a, deserved: {gpu: 4}}\n"                       \
    "  - {name: b, deserved: {gpu: 4}}\njobs:\n" CUT_JOB(                \
        "a-1", "a", "0", "three: 1") CUT_JOB("a-2", "a", "1s", "one: 1") \
        CUT_JOB("a-3", "a", "2s", "one: 1")                              \
            CUT_JOB("a-4", "a", "3s", "one: 1")                          \
                CUT_JOB("b-1", "b", "10s", "one: 1")
#define CUT_RECLAIM(more)            \
    "actions: [allocate, reclaim]\n" \
    "modules: [gang, {over-quota: {" more "}}]\n"

static const struct case_world worlds[] = {
    /* of 7 GPUs 1, 2 and 4: each next one goes where (held + 1) / share is
     * least
     */
    { "weights 1:2:4 divide what nobody deserves",
      NODE("7"),
      "queues:\n  - {name: a, weight: 1}\n  - {name: b, weight: 2}\n"
      "  - {name: c, weight: 4}\njobs:\n" JOB("a-1", "a", "0")
          JOB("a-2", "a", "0") JOB("a-3", "a", "0") JOB("b-1", "b", "0")
              JOB("b-2", "b", "0") JOB("b-3", "b", "0") JOB("c-1", "c", "0")
                  JOB("c-2", "c", "0") JOB("c-3", "c", "0") JOB("c-4", "c", "0")
                      JOB("c-5", "c", "0"),
      PLACE,
      { { "a-1", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b-2", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b-3", 100 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "c-4", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    /* a holds 3 + 3 of the 4 that it deserves: the last one goes */
    { "instances count as the GPUs of their slices",
      CUT,
      CUT_JOBS,
      CUT_RECLAIM("as_gpus: {one: 1, three: 3}"),
      { { "a-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "b-1", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "as one each they are within what it deserves",
      CUT,
      CUT_JOBS,
      CUT_RECLAIM("as_gpus: {one: 1, three: 1}"),
      { { "a-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b-1", 101 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "unless they are said to count they are nobody's",
      CUT,
      CUT_JOBS,
      CUT_RECLAIM(""),
      { { "a-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b-1", 101 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "and so they do where a queue has a limit",
      CUT,
      "queues: [{name: a, limit: {gpu: 5}}]\njobs:\n" CUT_JOB(
          "a-1", "a", "0", "three: 1") CUT_JOB("a-2", "a", "1s", "one: 2")
          CUT_JOB("a-3", "a", "2s", "one: 1"),
      CUT_RECLAIM("as_gpus: {one: 1, three: 3}"),
      { { "a-2", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-3", 100 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    /* d1 asks for 5: its share is the 4 that it deserves, all of x while y asks
     * for nothing; d2 keeps 4, and the next ones of z are before x-5 at 100 s
     */
    { "a department reclaims what it deserves from another one",
      NODE("8"),
      DEPARTMENTS JOB("x-1", "d1/x", "10s") JOB("x-2", "d1/x", "10s")
          JOB("x-3", "d1/x", "10s") JOB("x-4", "d1/x", "10s")
              JOB("x-5", "d1/x", "10s"),
      RECLAIM,
      { { "x-4", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "x-5", 110 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "z-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "z-5", 4 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 } } },
    /* then y asks for its 2: they come from x, which holds 4 and deserves 2; d2
     * has 4 and keeps them
     */
    { "a team reclaims from its sibling, not from the other department",
      NODE("8"),
      DEPARTMENTS JOB("x-1", "d1/x", "10s") JOB("x-2", "d1/x", "11s")
          JOB("x-3", "d1/x", "12s") JOB("x-4", "d1/x", "13s")
              JOB("y-1", "d1/y", "20s") JOB("y-2", "d1/y", "20s"),
      RECLAIM,
      { { "x-2", 11 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "x-3", 12 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "y-2", 20 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "z-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    /* w asks for 4, more than the 3 of d3, and waits; d1 holds 5 and d2 holds 4
     * of their 3.  The 1 of x comes from y, although those of z started later:
     * from d2, which is less saturated, d1 may not take any more
     */
    { "a team below its share takes nothing for a department above its own",
      NODES("n[1-9]", "1"),
      "queues:\n  - {name: d1}\n  - {name: d2}\n  - {name: d3}\n"
      "  - {name: d1/x}\n  - {name: d1/y}\n  - {name: d2/z}\n"
      "  - {name: d3/w}\n"
      "jobs:\n"
      "  - {name: w-1, queue: d3/w, gpus: 1, replicas: 4, submit: 10s,\n"
      "     duration: 9s}\n" JOB("y-1", "d1/y", "0") JOB("y-2", "d1/y", "1s")
          JOB("y-3", "d1/y", "2s") JOB("y-4", "d1/y", "3s")
              JOB("y-5", "d1/y", "4s") JOB("z-1", "d2/z", "5s")
                  JOB("z-2", "d2/z", "6s") JOB("z-3", "d2/z", "7s")
                      JOB("z-4", "d2/z", "8s") JOB("x-1", "d1/x", "20s"),
      RECLAIM,
      { { "x-1", 20 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "y-5", 4 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "z-4", 8 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "a job that is not preemptible stays within what its queue deserves",
      NODE("4"),
      "queues:\n  - {name: a, deserved: {gpu: 1}}\njobs:\n"
      "  - {name: a-1, queue: a, gpus: 1, submit: 0, duration: 100s,\n"
      "     preemptible: no}\n"
      "  - {name: a-2, queue: a, gpus: 1, submit: 1s, duration: 100s,\n"
      "     preemptible: no}\n" JOB("a-3", "a", "2s"),
      PLACE,
      { { "a-1", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-2", 100 * S, REPORT_DONE, REPORT_QUOTA, NULL, 0 },
        { "a-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "a queue of higher priority gets all that is left over",
      NODE("4"),
      "queues:\n  - {name: a, deserved: {gpu: 1}}\n"
      "  - {name: b, deserved: {gpu: 1}, priority: 1}\njobs:\n" JOB(
          "a-1", "a", "0") JOB("a-2", "a", "0") JOB("b-1", "b", "0")
          JOB("b-2", "b", "0") JOB("b-3", "b", "0"),
      PLACE,
      { { "a-1", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-2", 100 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b-3", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "a queue with queues below it runs no jobs of its own",
      NODE("4"),
      "queues:\n  - {name: a}\n  - {name: a/x}\njobs:\n" JOB("a-1", "a", "0")
          JOB("x-1", "a/x", "1s"),
      PLACE,
      { { "x-1", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    /* of 12 GPUs a may have the 4 that it asks for; of the 4 of its pool 2 */
    { "queues share all nodes unless the profile says of which",
      POOLS(RED, ""),
      POOL_JOBS("{pool: red}"),
      RECLAIM,
      { { "a-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b-2", 101 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "... those with a label",
      POOLS(RED, ""),
      POOL_JOBS("{pool: red}"),
      RECLAIM "shares_of: pool=red\n",
      { { "a-2", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "a-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "b-2", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "... those without it",
      POOLS("", RED),
      POOL_JOBS("[{key: pool, op: DoesNotExist}]"),
      RECLAIM "shares_of: \"!pool\"\n",
      { { "a-2", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "b-2", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
};

static void test_worlds(void)
{
    cases_run(worlds, N_ELEMENTS(worlds));
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "shares over the quotas", test_worlds },
    };

    return suite_run("over-quota", cases, N_ELEMENTS(cases));
}
