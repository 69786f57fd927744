/* tests/sim/test_queues.c - whose room is made for which queue, in worlds small
 * enough to work out by hand.
 */
#include "tests/lib/cases.h"

#define NODE(gpus)                              \
    "cluster: c\ntiers: [{name: node}]\n"       \
    "node_types: {t: {cpu: 8, gpus: " gpus "}}" \
    "\nnodes: [{name: n1, type: t}]\n"
#define TWO_NODES                         \
    "cluster: c\ntiers: [{name: node}]\n" \
    "node_types: {t: {gpus: 8}}\nnodes: [{name: 'n[1-2]', type: t}]\n"
#define NESTED                                                                \
    "queues: [{name: r/a/x}, {name: r/a/y}, {name: r/a}, {name: r}]\njobs:\n" \
    "  - {name: x-1, queue: r/a/x, gpus: 1, submit: 0, duration: 100s}\n"     \
    "  - {name: x-2, queue: r/a/x, gpus: 1, submit: 1s, duration: 100s}\n"    \
    "  - {name: x-3, queue: r/a/x, gpus: 1, submit: 2s, duration: 100s}\n"    \
    "  - {name: x-4, queue: r/a/x, gpus: 1, submit: 3s, duration: 100s}\n"    \
    "  - {name: y-1, queue: r/a/y, gpus: 1, submit: 10s, duration: 50s}\n"    \
    "  - {name: y-2, queue: r/a/y, gpus: 1, submit: 10s, duration: 50s}\n"
/* Queue x holds all, 4 GPUs of which y deserves. */
#define BORROWED                                                          \
    "queues:\n"                                                           \
    "  - {name: x, deserved: {gpu: 4}}\n"                                 \
    "  - {name: y, deserved: {gpu: 4}}\n"                                 \
    "jobs:\n"                                                             \
    "  - {name: a, queue: x, gpus: 1, replicas: 8, submit: 0, duration: " \
    "10h}\n"                                                              \
    "  - {name: b, queue: y, gpus: 4, submit: 10m, duration: 1h}\n"

#define ADMIT(modules)                                 \
    "actions: [enqueue, allocate, preempt, reclaim]\n" \
    "modules: [" modules "]\n"
#define RECLAIM(modules) "actions: [allocate, reclaim]\nmodules: " modules "\n"

static const struct case_world worlds[] = {
    { "a queue takes back from its sibling though the queue above is full",
      NODE("4"),
      "queues: [{name: a}, {name: a/x}, {name: a/y}, {name: b}]\njobs:\n"
      "  - {name: x-1, queue: a/x, gpus: 1, submit: 0, duration: 100s}\n"
      "  - {name: x-2, queue: a/x, gpus: 1, submit: 1s, duration: 100s}\n"
      "  - {name: x-3, queue: a/x, gpus: 1, submit: 2s, duration: 100s}\n"
      "  - {name: x-4, queue: a/x, gpus: 1, submit: 3s, duration: 100s}\n"
      "  - {name: y-1, queue: a/y, gpus: 1, submit: 10s, duration: 50s}\n"
      "  - {name: y-2, queue: a/y, gpus: 1, submit: 10s, duration: 50s}\n",
      RECLAIM("[gang, queue]"),
      { { "x-2", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "x-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "x-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "y-2", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "what is said to be deserved is lent, and taken back up to that",
      NODE("4"),
      "queues:\n  - {name: a, deserved: {gpu: 2}}\n"
      "  - {name: b, deserved: {gpu: 2}}\njobs:\n"
      "  - {name: a-1, queue: a, gpus: 1, submit: 0, duration: 100s}\n"
      "  - {name: a-2, queue: a, gpus: 1, submit: 1s, duration: 100s}\n"
      "  - {name: a-3, queue: a, gpus: 1, submit: 2s, duration: 100s}\n"
      "  - {name: a-4, queue: a, gpus: 1, submit: 3s, duration: 100s}\n"
      "  - {name: b-1, queue: b, gpus: 1, submit: 10s, duration: 50s}\n"
      "  - {name: b-2, queue: b, gpus: 1, submit: 10s, duration: 50s}\n"
      "  - {name: b-3, queue: b, gpus: 1, submit: 10s, duration: 50s}\n",
      RECLAIM("[gang, queue: {mode: capacity}]"),
      { { "a-2", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "b-2", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b-3", 60 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "the queue that is furthest above its share gives, not the least priority",
      NODE("8"),
      "queues: [{name: a}, {name: b}, {name: c}]\njobs:\n"
      "  - {name: a-1, queue: a, gpus: 1, replicas: 3, submit: 0, duration: 100s, priority: 5}\n"
      "  - {name: a-2, queue: a, gpus: 1, submit: 1s, duration: 100s, priority: 5}\n"
      "  - {name: a-3, queue: a, gpus: 1, submit: 2s, duration: 100s, priority: 5}\n"
      "  - {name: b-1, queue: b, gpus: 1, replicas: 2, submit: 0, duration: 100s}\n"
      "  - {name: b-2, queue: b, gpus: 1, submit: 3s, duration: 100s}\n"
      "  - {name: c-1, queue: c, gpus: 1, replicas: 2, submit: 10s, duration: 50s}\n"
      "  - {name: c-2, queue: c, gpus: 1, replicas: 2, submit: 10s, duration: 50s}\n",
      RECLAIM("[priority, gang, queue]"),
      { { "a-2", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "a-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "b-2", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "c-1", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "the elastic part of a job does not keep a higher one out",
      TWO_NODES,
      "priority_classes: {high: {value: 10}}\n"
      "queues: [{name: q, limit: {gpu: 8}}]\njobs:\n"
      "  - {name: e, queue: q, gpus: 1, replicas: {min: 1, max: 8},\n"
      "     submit: 0, duration: 10h}\n"
      "  - {name: h, queue: q, gpus: 4, priority: high, submit: 10m,\n"
      "     duration: 1h}\n",
      ADMIT("priority, gang, drf, fit, queue: {mode: capacity}, binpack"),
      { { "h", 600 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "nor that of a job with several groups",
      TWO_NODES,
      "priority_classes: {high: {value: 10}}\n"
      "queues: [{name: q, limit: {gpu: 8}}]\njobs:\n"
      "  - {name: e, queue: q, submit: 0, duration: 10h, tasks: [\n"
      "     {name: m, gpus: 1},\n"
      "     {name: w, gpus: 1, replicas: {min: 1, max: 7}}]}\n"
      "  - {name: h, queue: q, gpus: 4, priority: high, submit: 10m,\n"
      "     duration: 1h}\n",
      ADMIT("priority, gang, drf, fit, queue: {mode: capacity}, binpack"),
      { { "h", 600 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "the gangs of a queue do",
      TWO_NODES,
      "priority_classes: {high: {value: 10}}\n"
      "queues: [{name: q, limit: {gpu: 8}}]\njobs:\n"
      "  - {name: e, queue: q, gpus: 1, replicas: {min: 5, max: 8},\n"
      "     submit: 0, duration: 10h}\n"
      "  - {name: h, queue: q, gpus: 4, priority: high, submit: 10m,\n"
      "     duration: 1h}\n",
      ADMIT("priority, gang, drf, fit, queue: {mode: capacity}, binpack"),
      { { "h", 36000 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "in a tree of three levels each takes back what it deserves: of 12 GPUs x "
      "borrows 8 beside its 4, 4 of them from its sibling and 4 from b",
      NODE("12"),
      "queues:\n"
      "  - {name: o, deserved: {gpu: 12}}\n"
      "  - {name: o/a, deserved: {gpu: 8}}\n"
      "  - {name: o/a/x, deserved: {gpu: 4}}\n"
      "  - {name: o/a/y, deserved: {gpu: 4}}\n"
      "  - {name: o/b, deserved: {gpu: 4}}\njobs:\n"
      "  - {name: x-1, queue: o/a/x, gpus: 4, submit: 0, duration: 100s}\n"
      "  - {name: x-2, queue: o/a/x, gpus: 4, submit: 1s, duration: 100s}\n"
      "  - {name: x-3, queue: o/a/x, gpus: 4, submit: 2s, duration: 100s}\n"
      "  - {name: y-1, queue: o/a/y, gpus: 4, submit: 10s, duration: 50s}\n"
      "  - {name: b-1, queue: o/b, gpus: 4, submit: 20s, duration: 50s}\n",
      ADMIT("gang, queue: {mode: capacity}, binpack"),
      { { "x-1", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "x-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "y-1", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b-1", 20 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "queues below a full one are admitted, and reclaim",
      NODE("4"),
      NESTED,
      ADMIT("gang, queue, binpack"),
      { { "x-2", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "x-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "x-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "y-2", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "unless ancestors are asked, as in Volcano",
      NODE("4"),
      NESTED,
      ADMIT("gang, queue: {enqueue_asks: ancestors}, binpack"),
      { { "x-3", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "x-4", 3 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "y-1", 100 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "y-2", 101 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "a queue reclaims in a full cluster what it deserves",
      NODE("8"),
      BORROWED,
      ADMIT("gang, queue: {mode: capacity, enqueue_asks: ancestors}, binpack"),
      { { "b", 600 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "unless the cluster is asked, as Volcano's root queue",
      NODE("8"),
      BORROWED,
      ADMIT("gang, queue: {mode: capacity, enqueue_asks: cluster}, binpack"),
      { { "b", 36000 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
};

static void test_worlds(void)
{
    cases_run(worlds, N_ELEMENTS(worlds));
}

/* A high job of queue b against lower ones of a and b; a's is the lowest. */
#define TWO_QUEUES                                                      \
    "queues: [{name: a}, {name: b}]\njobs:\n"                           \
    "  - {name: a-1, queue: a, gpus: 2, submit: 0, duration: 100s}\n"   \
    "  - {name: b-1, queue: b, gpus: 2, submit: 0, duration: 100s,\n"   \
    "     priority: 1}\n"                                               \
    "  - {name: high, queue: b, gpus: 2, submit: 10s, duration: 10s,\n" \
    "     priority: 5}\n"
#define CROSSES                                             \
    {                                                       \
        { "a-1", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 },      \
            { "b-1", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 },  \
        {                                                   \
            "high", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
        }                                                   \
    }
#define STAYS                                               \
    {                                                       \
        { "a-1", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 },      \
            { "b-1", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 },  \
        {                                                   \
            "high", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
        }                                                   \
    }

static const struct case_world preempting[] = {
    { "priority-preempt knows no queues", NODE("4"), TWO_QUEUES,
      "priority-preempt", CROSSES },
    { "nor does hybrid", NODE("4"), TWO_QUEUES, "hybrid", CROSSES },
    { "nor does kube-default", NODE("4"), TWO_QUEUES, "kube-default", CROSSES },
    { "with module queue it stays in its own", NODE("4"), TWO_QUEUES,
      "actions: [enqueue, allocate, preempt]\n"
      "modules: [priority, gang, fit, queue: {mode: capacity}, binpack]\n",
      STAYS },
    { "with module drf too", NODE("4"), TWO_QUEUES,
      "actions: [enqueue, allocate, preempt]\n"
      "modules: [[priority, gang], [drf, fit, binpack]]\n",
      STAYS },
};

/* docs/policies.md and `gsim policies` say which. */
static void test_preempting(void)
{
    cases_run(preempting, N_ELEMENTS(preempting));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "queues lend and take back", test_worlds },
        { "preemption keeps to its queue", test_preempting },
    };

    return suite_run("sim/queues", suite, N_ELEMENTS(suite));
}
