/* tests/sim/test_admission.c - quota before nodes: scenarios with their numbers
 * worked out by hand, replayed under preset kueue.
 */
#include "base/text.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define NODES                                                              \
    "cluster: c\nnode_types:\n  n: {gpus: 8, cpu: 64}\nnodes:\n"           \
    "  - {name: od, type: n, labels: {capacity: reserved}}\n"              \
    "  - {name: spot, type: n, labels: {capacity: spot}, taints: [\"spot=" \
    "true:NoSchedule\"]}\n"

struct case_of {
    const char *name, *set, *trace;
    const char *runs;    /* "job=first start-end ..." in seconds */
    const char *evicted; /* "job:reason ..." */
    const char *nodes;   /* "job=node+node ...", all that it ever had */
};

/* team/b lends 4 of its 8 GPUs, team/a has none: x (4) runs at once on what is
 * lent, y (1) waits until x ends at 100 although 4 GPUs are free.
 */
#define LENDS                                                    \
    "queues:\n  - {name: team}\n  - {name: team/a, weight: 1}\n" \
    "  - {name: team/b, guarantee: {gpu: 8}, lend: {gpu: 4}}\n"

/* Three levels with 8 GPUs: x1 (6) has 2 of org/x/1, 2 of org/x and borrows 2
 * of org/y.  At 10 z (4) wants all of org/y back: x1 goes, runs anew when z
 * ends at 60, and ends at 110.
 */
#define LEVELS                                                     \
    "queues:\n  - {name: org}\n  - {name: org/x, guarantee: "      \
    "{gpu: 2}}\n  - {name: org/x/1, guarantee: {gpu: 2}}\n"        \
    "  - {name: org/x/2}\n  - {name: org/y, guarantee: {gpu: 4}, " \
    "evicts_others: any}\n"

/* On-demand has 4 GPUs and is tried first: a takes them; b (2) and c (7) go to
 * spot, whose 8 are too few for both, so c waits until b ends at 101.
 */
#define KINDS                                                           \
    "flavors:\n  - {name: on-demand, nodes: {capacity: reserved}}\n"    \
    "  - {name: spot, nodes: {capacity: spot}, tolerations: "           \
    "[\"spot=true:NoSchedule\"]}\nqueues:\n  - name: q\n    flavors: "  \
    "[{name: on-demand, guarantee: {gpu: 4}}, {name: spot, guarantee: " \
    "{gpu: 8}}]\n"

/* big never fits; low reclaims the CPUs that lent holds.  low stays first in
 * its queue until it has them, though big is more important and is looked at
 * again, so that lent does not come back before it.
 */
#define STAYS_FIRST                                                      \
    "queues:\n  - {name: o}\n  - {name: o/l}\n  - {name: o/l/b, "        \
    "guarantee: {cpu: 0}}\n  - {name: o/r, guarantee: {cpu: 1}}\n"       \
    "  - {name: o/r/c, guarantee: {cpu: 2}, evicts_others: any}\n"       \
    "jobs:\n"                                                            \
    "  - {name: lent, queue: o/l/b, submit: 0, duration: 100, cpu: 2}\n" \
    "  - {name: big, queue: o/r/c, submit: 10, duration: 100, cpu: 4, "  \
    "priority: 1}\n"                                                     \
    "  - {name: low, queue: o/r/c, submit: 10, duration: 100, cpu: 3}\n"

/* low evicts lent, and rival takes the CPUs.  big comes later and asks for the
 * same as low, which is first when rival has ended.
 */
#define STAYS_BEFORE_EQUALS                                             \
    "queues:\n  - {name: o}\n  - {name: o/b, guarantee: {cpu: 0}}\n"    \
    "  - {name: o/c, guarantee: {cpu: 1}, evicts_others: lower, "       \
    "evicts_borrowing: true}\n"                                         \
    "  - {name: o/d, guarantee: {cpu: 2}}\n"                            \
    "jobs:\n"                                                           \
    "  - {name: lent, queue: o/b, submit: 0, duration: 100, cpu: 2, "   \
    "priority: -1}\n"                                                   \
    "  - {name: low, queue: o/c, submit: 10, duration: 100, cpu: 2}\n"  \
    "  - {name: rival, queue: o/d, submit: 10, duration: 100, cpu: 3, " \
    "priority: 5}\n"                                                    \
    "  - {name: big, queue: o/c, submit: 50, duration: 100, cpu: 2, "   \
    "priority: 3}\n"

/* h (4 CPUs, 2 GPUs) borrows a GPU and needs the CPUs of l, which goes, but not
 * where borrowing is worse than evicting.
 */
#define EVICTS_AND_BORROWS(prefers)                                       \
    "queues:\n  - {name: t}\n  - {name: t/a, guarantee: {cpu: 4, gpu: "   \
    "1}, evicts_own: lower, flavor_prefers: " prefers "}\n"               \
    "  - {name: t/b, guarantee: {gpu: 2}}\n"                              \
    "jobs:\n"                                                             \
    "  - {name: l, queue: t/a, submit: 0, duration: 100, cpu: 4}\n"       \
    "  - {name: h, queue: t/a, submit: 10, duration: 100, cpu: 4, gpus: " \
    "2, priority: 1}\n"

/* x would reclaim the 4 CPUs of t/a from d, and borrow GPUs as y does: of two
 * that borrow y is the more important.  x waits until y ends at 110.
 */
#define BOTH_BORROW                                                                           \
    "queues:\n  - {name: t}\n  - {name: t/a, guarantee: {cpu: 4, gpu: "                       \
    "0}, evicts_others: any, evicts_borrowing: true}\n  - {name: t/b, guarantee: {gpu: 0}}\n" \
    "  - {name: t/c, guarantee: {gpu: 2}}\n"                                                  \
    "  - {name: t/d, guarantee: {cpu: 0}}\n"                                                  \
    "jobs:\n"                                                                                 \
    "  - {name: d, queue: t/d, submit: 0, duration: 300, cpu: 4}\n"                           \
    "  - {name: x, queue: t/a, submit: 10, duration: 100, cpu: 4, gpus: "                     \
    "2, priority: 1}\n"                                                                       \
    "  - {name: y, queue: t/b, submit: 10, duration: 100, gpus: 2, "                          \
    "priority: 2}\n"

#define EVICTS                                                                \
    "flavors:\n  - {name: on-demand, nodes: {capacity: reserved}}\n"          \
    "  - {name: spot, nodes: {capacity: spot}, tolerations: "                 \
    "[\"spot=true:NoSchedule\"]}\nqueues:\n  - {name: q, evicts_own: lower, " \
    "next_flavor_borrowing: "
#define FLAVORS                                                         \
    ", flavors: [{name: on-demand, guarantee: {gpu: 4}}, {name: spot, " \
    "guarantee: {gpu: 8}}]}\n"
#define HIGH                                                                 \
    "jobs:\n"                                                                \
    "  - {name: l, queue: q, submit: 0, duration: 100, gpus: 4}\n"           \
    "  - {name: h, queue: q, submit: 10, duration: 100, gpus: 4, priority: " \
    "1}\n"
#define BORROWS(priority)                                                               \
    "queues:\n  - {name: c, guarantee: {gpu: 4}}\n  - {name: c/a, "                     \
    "evicts_others: any, evicts_borrowing: true, evicts_most: 0}\n"                     \
    "  - {name: c/b}\njobs:\n"                                                          \
    "  - {name: y, queue: c/b, submit: 0, duration: 100, gpus: 4, priority: " #priority \
    "}\n"                                                                               \
    "  - {name: x, queue: c/a, submit: 10, duration: 10, gpus: 4, priority: "           \
    "5}\n"
#define SHARED(name, queue)                \
    "  - {name: " name ", queue: c/" queue \
    ", submit: 0, duration: 100, gpus: 1}\n"
#define SHARES                                                                    \
    "queues:\n  - {name: c, guarantee: {gpu: 7}}\n  - {name: c/a, weight: "       \
    "1}\n  - {name: c/b, weight: 2}\n  - {name: c/d, weight: 4}\njobs:\n" SHARED( \
        "a1", "a") SHARED("a2", "a") SHARED("a3", "a") SHARED("b1", "b")          \
        SHARED("b2", "b") SHARED("b3", "b") SHARED("d1", "d")                     \
            SHARED("d2", "d") SHARED("d3", "d") SHARED("d4", "d")

#define LENT "flavors: ["
#define EIGHT(name, submit)                                               \
    "  - {name: " name ", queue: q, submit: " #submit ", duration: 100, " \
    "gpus: 8}\n"

#define THREE                                                      \
    "jobs:\n"                                                      \
    "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 3}\n" \
    "  - {name: b, queue: q, submit: 1, duration: 100, gpus: 2}\n" \
    "  - {name: c, queue: q, submit: 2, duration: 100, gpus: 1}\n"

/* Of x and y, which both borrow 4, one fits when a has ended. */
#define BOTH_WAIT                                                   \
    "queues:\n  - {name: r, guarantee: {gpu: 4}}\n"                 \
    "  - {name: r/p, guarantee: {gpu: 0}}\n"                        \
    "  - {name: r/q, guarantee: {gpu: 0}}\njobs:\n"                 \
    "  - {name: a, queue: r/p, submit: 0, duration: 10, gpus: 4}\n" \
    "  - {name: x, queue: r/p, submit: 1, duration: 10, gpus: 4}\n" \
    "  - {name: y, queue: r/q, submit: 2, duration: 10, gpus: 4, "  \
    "priority: 1}\n"

/* c of r/p borrows 36 of 40 CPUs, a share of 0.9, and none of the 4 GPUs that x
 * asks for is borrowed.
 */
#define UNEVEN(more)                                                     \
    "queues:\n  - {name: r, guarantee: {gpu: 4, cpu: 40}}\n"             \
    "  - {name: r/p, guarantee: {gpu: 4, cpu: 0}, evicts_others: any}\n" \
    "  - {name: r/q, guarantee: {gpu: 0, cpu: 0}}\njobs:\n"              \
    "  - {name: c, queue: r/p, submit: 0, duration: 1000, cpu: 36}\n" more

/* y would have a share of 6/8. */
#define NOT_BOTH                                                          \
    UNEVEN("  - {name: h, queue: r/q, submit: 0, duration: 10, gpus: 8, " \
           "preemptible: no}\n"                                           \
           "  - {name: x, queue: r/p, submit: 1, duration: 10, "          \
           "gpus: 4}\n"                                                   \
           "  - {name: y, queue: r/q, submit: 2, duration: 10, "          \
           "gpus: 6, preemptible: no}\n")
/* v has a share of 6/8, and none when it has gone. */
#define OWN                                                                 \
    UNEVEN("  - {name: v, queue: r/q, submit: 0, duration: 100, gpus: 6}\n" \
           "  - {name: x, queue: r/p, submit: 10, duration: 10, gpus: 4}\n")

static const struct case_of cases[] = {
    { "of two that borrow alike the more important one is first", NULL,
      BOTH_WAIT, "a=0-10 x=20-30 y=10-20", "", "a=od x=od y=od" },
    { "or the one that waits longest", "quota.between=time", BOTH_WAIT,
      "a=0-10 x=10-20 y=20-30", "", "a=od x=od y=od" },
    { "by shares one that borrows nothing is first", "quota.shares=yes",
      NOT_BOTH, "c=0-1000 h=0-10 x=10-20 y=20-30", "", "c=od h=od x=od y=od" },
    { "or is not", "quota.shares=yes; quota.own_first=no", NOT_BOTH,
      "c=0-1000 h=0-10 x=20-30 y=10-20", "", "c=od h=od x=od y=od" },
    { "it evicts whatever its share", "quota.shares=yes", OWN,
      "c=0-1000 v=0-120 x=10-20", "v:reclaim", "c=od v=od x=od" },
    { "or does not", "quota.shares=yes; quota.own_evicts=no", OWN,
      "c=0-1000 v=0-100 x=100-110", "", "c=od v=od x=od" },
    { "a cohort that lends 4 of 8", NULL,
      LENDS "jobs:\n"
            "  - {name: x, queue: team/a, submit: 0, duration: 100, gpus: 4}\n"
            "  - {name: y, queue: team/a, submit: 10, duration: 10, gpus: 1}\n",
      "x=0-100 y=100-110", "", "x=od y=od" },
    { "what is lent is taken back in three levels", NULL,
      LEVELS
      "jobs:\n"
      "  - {name: x1, queue: org/x/1, submit: 0, duration: 50, gpus: 6}\n"
      "  - {name: z, queue: org/y, submit: 10, duration: 50, gpus: 4}\n",
      "x1=0-110 z=10-60", "x1:reclaim", "x1=od z=od" },
    { "but not from a job that is not preemptible", NULL,
      LEVELS "jobs:\n"
             "  - {name: x1, queue: org/x/1, submit: 0, duration: 50, gpus: 6, "
             "preemptible: false}\n"
             "  - {name: z, queue: org/y, submit: 10, duration: 50, gpus: 4}\n",
      "x1=0-50 z=50-100", "", "x1=od z=od" },
    { "what waits for its victims stays first in its queue", NULL, STAYS_FIRST,
      "lent=0-210 big=never-0 low=10-110", "lent:reclaim",
      "lent=od big= low=od" },
    { "also before a more important one that asks for the same", NULL,
      STAYS_BEFORE_EQUALS, "lent=0-410 low=110-210 rival=10-110 big=210-310",
      "lent:reclaim-borrowing", "lent=od low=od rival=od big=od" },
    { "a resource that borrows hides none that needs victims", NULL,
      EVICTS_AND_BORROWS("borrowing"), "l=0-210 h=10-110", "l:preempt",
      "l=od h=od" },
    { "but where it is the worst one: then it waits until both fit", NULL,
      EVICTS_AND_BORROWS("evicting"), "l=0-100 h=100-200", "", "l=od h=od" },
    { "of what is asked for the part that borrows most counts", NULL,
      BOTH_BORROW, "d=0-510 x=110-210 y=10-110", "d:reclaim-borrowing",
      "d=od x=od y=od" },
    { "spot when on-demand is used up", NULL,
      KINDS "jobs:\n"
            "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 4}\n"
            "  - {name: b, queue: q, submit: 1, duration: 100, gpus: 2}\n"
            "  - {name: c, queue: q, submit: 2, duration: 100, gpus: 7}\n",
      "a=0-100 b=1-101 c=101-201", "", "a=od b=spot c=spot" },
    { "a first job blocks those behind it", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}, head_blocks: true}\n" THREE,
      "a=0-100 b=100-200 c=100-200", "", "a=od b=od c=od" },
    { "or those behind it pass", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}}\n" THREE,
      "a=0-100 b=100-200 c=2-102", "", "a=od b=od c=od" },
    /* h (4) of a higher class finds on-demand in use by l (4): it goes to spot
     * ...
     */
    { "the next flavor before an eviction", NULL, EVICTS "false" FLAVORS HIGH,
      "l=0-100 h=10-110", "", "l=od h=spot" },
    /* ... or evicts l, which goes to spot and begins anew. */
    { "an eviction before the next flavor", NULL,
      EVICTS "false, next_flavor_evicting: false" FLAVORS HIGH,
      "l=0-110 h=10-110", "l:preempt", "l=od+spot h=od" },
    /* The quota of 12 GPUs of free fits x (8) and y (4), not z (8), which gets
     * spare and with it the toleration of node spot: y waits for node od.
     */
    { "a flavor lends its tolerations to its own tasks only", NULL,
      LENT "{name: free}, {name: spare, tolerations: "
           "[\"spot=true:NoSchedule\"]}]\nqueues:\n"
           "  - {name: q, flavors: [{name: free, guarantee: {gpu: 12}}, {name: "
           "spare, guarantee: {gpu: 8}}]}\njobs:\n" EIGHT("x", 0)
               EIGHT("z", 2) "  - {name: y, queue: q, submit: 1, duration: 10, "
                             "gpus: 4}\n",
      "x=0-100 y=100-110 z=2-102", "", "x=od y=od z=spot" },
    /* ... not to those of a flavor that has the taint: x gets the next one. */
    { "nor for the taints of another flavor", NULL,
      LENT "{name: spot, nodes: {capacity: spot}, taints: "
           "[\"spot=true:NoSchedule\"]}, {name: spare, tolerations: "
           "[\"spot=true:NoSchedule\"], nodes: {capacity: reserved}}]\n"
           "queues:\n  - {name: q, flavors: [{name: spot, guarantee: {gpu: "
           "8}}, {name: spare, guarantee: {gpu: 8}}]}\njobs:\n" EIGHT("x", 0),
      "x=0-100", "", "x=od" },
    /* lead has 1 of the 4 GPUs of on-demand, work 4 of spot, so k (4) waits. */
    { "each kind of tasks has a flavor of its own", NULL,
      KINDS "jobs:\n  - {name: j, queue: q, submit: 0, duration: 100, tasks: "
            "[{name: lead, gpus: 1, nodes: {capacity: reserved}}, {name: "
            "work, gpus: 4, nodes: {capacity: spot}}]}\n"
            "  - {name: k, queue: q, submit: 1, duration: 10, gpus: 4, nodes: "
            "{capacity: reserved}}\n",
      "j=0-100 k=100-110", "", "j=od+spot k=od" },
    /* on-demand has room for lead (1), not for work (4) as well: both get spot,
     * and k (4) on-demand.
     */
    { "kinds of tasks that stand together share a flavor", NULL,
      KINDS
      "jobs:\n  - {name: j, queue: q, submit: 0, duration: 100, tasks: "
      "[{name: lead, gpus: 1, topology: {within: cluster, mode: preferred, together: t}}, {name: "
      "work, gpus: 4, topology: {within: cluster, mode: preferred, together: t}}]}\n"
      "  - {name: k, queue: q, submit: 1, duration: 10, gpus: 4}\n",
      "j=0-100 k=1-11", "", "j=spot k=od" },
    { "and others do not", NULL,
      KINDS "jobs:\n  - {name: j, queue: q, submit: 0, duration: 100, tasks: "
            "[{name: lead, gpus: 1}, {name: work, gpus: 4}]}\n"
            "  - {name: k, queue: q, submit: 1, duration: 10, gpus: 5}\n",
      "j=0-100 k=100-110", "", "j=od+spot k=spot" },
    /* lead may be on either, work on spot only: so both are. */
    { "one that suits all of them", NULL,
      KINDS
      "jobs:\n  - {name: j, queue: q, submit: 0, duration: 100, tasks: "
      "[{name: lead, gpus: 1, topology: {within: cluster, mode: preferred, together: t}}, {name: "
      "work, gpus: 2, topology: {within: cluster, mode: preferred, together: t}, nodes: {capacity: spot}}]}\n"
      "  - {name: k, queue: q, submit: 1, duration: 10, gpus: 4}\n",
      "j=0-100 k=1-11", "", "j=spot k=od" },
    /* x must borrow what y borrows: y goes if its priority is at most 0. */
    { "a job that borrows evicts up to a priority", NULL, BORROWS(0),
      "y=0-120 x=10-20", "y:reclaim-borrowing", "y=od x=od" },
    { "and none of a higher one", NULL, BORROWS(1), "y=0-100 x=100-110", "",
      "y=od x=od" },
    /* 1 + 8 - i tasks, i = 4 is the first that fits 5 GPUs; b gets none. */
    { "only kinds with a least number shrink", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 5}}\njobs:\n"
      "  - {name: a, queue: q, submit: 0, duration: 100, tasks: [{name: lead, "
      "gpus: 1}, {name: work, gpus: 1, replicas: {min: 2, max: 8}}]}\n"
      "  - {name: b, queue: q, submit: 1, duration: 10, gpus: 1}\n",
      "a=0-100 b=100-110", "", "a=od b=od" },
    /* A round takes the first job of each queue.  Shares with that job, over
     * weights: 1/7 of a, 1/14 of b, 1/28 of d, so d1, b1, a1; in the second
     * round d2 (2/28), b2, a2; in the third d3 gets the last GPU.
     */
    { "queues by their shares", "quota.shares=yes", SHARES,
      "a1=0-100 a2=0-100 a3=100-200 b1=0-100 b2=0-100 b3=100-200 d1=0-100 "
      "d2=0-100 d3=0-100 d4=100-200",
      "", "a1=od a2=od a3=od b1=od b2=od b3=od d1=od d2=od d3=od d4=od" },
    /* a holds 2 of the 8 GPUs of spot, so b (7) waits for it; on-demand has c
     * (4).
     */
    { "a job is submitted with the quota of a flavor", NULL,
      KINDS "jobs:\n"
            "  - {name: b, queue: q, submit: 0, duration: 100, gpus: 7}\n"
            "  - {name: c, queue: q, submit: 0, duration: 100, gpus: 4}\n"
            "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 2, "
            "admitted: true, flavors: [spot]}\n",
      "b=100-200 c=0-100 a=0-100", "", "b=spot c=od a=spot" },
    /* a and b hold 6, which is over the quota of 4: c (1) waits for the end of
     * b, h (4) for that of a too, though it goes first.
     */
    { "what is submitted with quota has it, however much is left", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}}\njobs:\n"
      "  - {name: h, queue: q, submit: 0, duration: 10, gpus: 4, priority: 1}\n"
      "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 3, admitted: "
      "true}\n"
      "  - {name: b, queue: q, submit: 0, duration: 50, gpus: 3, admitted: "
      "true}\n"
      "  - {name: c, queue: q, submit: 0, duration: 10, gpus: 1}\n",
      "h=100-110 a=0-100 b=0-50 c=50-60", "", "h=od a=od b=od c=od" },
    /* h (8) of spot evicts a (4), which then gets on-demand, the first that
     * fits.
     */
    { "an evicted job holds nothing that it was submitted with", NULL,
      EVICTS
      "false" FLAVORS
      "jobs:\n  - {name: a, queue: q, submit: 0, duration: 100, gpus: 4, "
      "admitted: true, flavors: [spot]}\n"
      "  - {name: h, queue: q, submit: 10, duration: 20, gpus: 8, "
      "priority: 1}\n",
      "a=0-110 h=10-30", "a:preempt", "a=od+spot h=spot" },
    /* ... or waits, when it fits nowhere. */
    { "and waits for quota as others do", NULL,
      EVICTS
      "false" FLAVORS
      "jobs:\n  - {name: a, queue: q, submit: 0, duration: 100, gpus: 8, "
      "admitted: true, flavors: [spot]}\n"
      "  - {name: h, queue: q, submit: 10, duration: 20, gpus: 8, "
      "priority: 1}\n",
      "a=0-130 h=10-30", "a:preempt", "a=spot h=spot" },
    /* 4 of 6 tasks run until 100, then 2: the quota of 2 is free, b (2) starts,
     * and c (1) when b has ended; d asks for 3 tasks, not for 8.
     */
    { "quota comes back as tasks end", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}}\njobs:\n"
      "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 1, replicas: 4, "
      "completions: 6}\n"
      "  - {name: b, queue: q, submit: 1, duration: 10, gpus: 2}\n"
      "  - {name: c, queue: q, submit: 2, duration: 90, gpus: 1}\n"
      "  - {name: d, queue: q, submit: 3, duration: 10, gpus: 1, replicas: 8, "
      "completions: 3}\n",
      "a=0-200 b=100-110 c=110-200 d=200-210", "", "a=od b=od c=od d=od" },
    /* h takes a's place at 150, when 2 of its 6 tasks are left: a asks for
     * these only, which l (2) leaves it, so both run from 160 on.
     */
    { "an evicted job asks for the tasks that are left", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}, evicts_own: lower}\njobs:\n"
      "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 1, replicas: 4, "
      "completions: 6}\n"
      "  - {name: h, queue: q, submit: 150, duration: 10, gpus: 4, priority: 1}\n"
      "  - {name: l, queue: q, submit: 151, duration: 10, gpus: 2}\n",
      "a=0-260 h=150-160 l=160-170", "a:preempt", "a=od h=od l=od" },
    /* 6 tasks of at least 2 get 4 GPUs, and no more when some are free again.
     */
    { "as many tasks as fit", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}}\njobs:\n"
      "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 1, replicas: "
      "{min: 2, max: 6}}\n"
      "  - {name: b, queue: q, submit: 1, duration: 10, gpus: 1}\n",
      "a=0-100 b=100-110", "", "a=od b=od" },
};

/* One GPU, jobs of 100 s; averages of half-life and interval 100 s, so a job
 * adds 0.5 at once.  At 100 a has (0.5 + 1) / 2 = 0.75, so b1 goes; at 200 a
 * has 0.375 and b 0.75, so a2; at 300 a has (0.875 + 1) / 2 = 0.9375 and b
 * 0.375, so b2.  With 3 shares a has 0.3125 then, so a3.
 */
#define USAGE(shares)                                                       \
    "accounts: [{name: a, shares: " #shares "}, {name: b}]\nqueues:\n"      \
    "  - {name: q, guarantee: {gpu: 1}}\njobs:\n"                           \
    "  - {name: a1, account: a, queue: q, submit: 0, duration: 100, gpus: " \
    "1}\n"                                                                  \
    "  - {name: a2, account: a, queue: q, submit: 0, duration: 100, gpus: " \
    "1}\n"                                                                  \
    "  - {name: a3, account: a, queue: q, submit: 0, duration: 100, gpus: " \
    "1}\n"                                                                  \
    "  - {name: b1, account: b, queue: q, submit: 0, duration: 100, gpus: " \
    "1}\n"                                                                  \
    "  - {name: b2, account: b, queue: q, submit: 0, duration: 100, gpus: " \
    "1}\n"
#define BY_USAGE                                                   \
    "actions: [admit, allocate]\nunit: pod\nmodules:\n  - quota\n" \
    "  - account-usage: {half_life: 100s, interval: 100s}\n  - priority\n"

static const struct case_of by_usage[] = {
    { "accounts that used little go first", NULL, USAGE(1),
      "a1=0-100 a2=200-300 a3=400-500 b1=100-200 b2=300-400", "",
      "a1=od a2=od a3=od b1=od b2=od" },
    { "an account with three shares uses three times as much", NULL, USAGE(3),
      "a1=0-100 a2=200-300 a3=300-400 b1=100-200 b2=400-500", "",
      "a1=od a2=od a3=od b1=od b2=od" },
    /* x of a and y of b run; z evicts one of them: that of a, which holds more,
     * as b1 (3 GPUs of a) is there, though y is younger.
     */
    { "of two victims that of the account that used more goes", NULL,
      "accounts: [{name: a}, {name: b}]\nqueues:\n"
      "  - {name: q, guarantee: {gpu: 5}, evicts_own: lower}\njobs:\n"
      "  - {name: v, account: a, queue: q, submit: 0, duration: 100, gpus: "
      "3, priority: 1}\n"
      "  - {name: x, account: a, queue: q, submit: 0, duration: 100, gpus: 1}\n"
      "  - {name: y, account: b, queue: q, submit: 1, duration: 100, gpus: 1}\n"
      "  - {name: z, account: b, queue: q, submit: 10, duration: 10, gpus: 1, "
      "priority: 1}\n",
      "v=0-100 x=0-120 y=1-101 z=10-20", "x:preempt", "v=od x=od y=od z=od" },
};

/* a has 5 of the 8 GPUs of node od, so b (4) is admitted at 1 and finds no
 * room; c (3) runs.  b must run within 10 s: it is put back at 11 for 5 s, at
 * 26 for 10 s.
 */
#define NO_ROOM                                                     \
    "queues:\n  - {name: q, guarantee: {gpu: 20}}\njobs:\n"         \
    "  - {name: a, queue: q, submit: 0, duration: 1000, gpus: 5}\n" \
    "  - {name: b, queue: q, submit: 1, duration: 10, gpus: 4}\n"   \
    "  - {name: c, queue: q, submit: 2, duration: 10, gpus: 3}\n"
/* While c waits for b, which has no room, d evicts none: not b either. */
#define HELD                                                               \
    "queues:\n  - {name: q, guarantee: {gpu: 10}, evicts_own: lower}\n"    \
    "jobs:\n"                                                              \
    "  - {name: a, queue: q, submit: 0, duration: 1000, gpus: 5}\n"        \
    "  - {name: b, queue: q, submit: 1, duration: 10, gpus: 4}\n"          \
    "  - {name: c, queue: q, submit: 2, duration: 10, gpus: 1, "           \
    "tolerations: [\"spot=true:NoSchedule\"]}\n"                           \
    "  - {name: d, queue: q, submit: 3, duration: 10, gpus: 3, priority: " \
    "1}\n"
/* c, which borrows, is held; d of a queue with quota of its own comes later. */
#define FIRST                                                         \
    "queues:\n  - {name: r/p, guarantee: {gpu: 0}}\n"                 \
    "  - {name: r/q, guarantee: {gpu: 12}}\njobs:\n"                  \
    "  - {name: a, queue: r/q, submit: 0, duration: 1000, gpus: 5}\n" \
    "  - {name: b, queue: r/q, submit: 1, duration: 10, gpus: 4}\n"   \
    "  - {name: c, queue: r/p, submit: 2, duration: 5, gpus: 3}\n"    \
    "  - {name: d, queue: r/q, submit: 3, duration: 10, gpus: 3}\n"
/* c gets spot, as a has all of on-demand, and is held, as b does not run.  At 5
 * a ends and b runs: c keeps spot, though on-demand is free again.
 */
#define KEEPS                                                           \
    "flavors:\n  - {name: on-demand, nodes: {capacity: reserved}}\n"    \
    "  - {name: spot, nodes: {capacity: spot}, tolerations: "           \
    "[\"spot=true:NoSchedule\"]}\nqueues:\n  - name: q\n    flavors: "  \
    "[{name: on-demand, guarantee: {gpu: 4}}, {name: spot, guarantee: " \
    "{gpu: 8}}]\n  - {name: p, flavors: [{name: on-demand, guarantee: " \
    "{gpu: 8}}]}\njobs:\n"                                              \
    "  - {name: a, queue: q, submit: 0, duration: 5, gpus: 4}\n"        \
    "  - {name: b, queue: p, submit: 1, duration: 50, gpus: 8}\n"       \
    "  - {name: c, queue: q, submit: 2, duration: 10, gpus: 2}\n"
/* a runs on od with all quota of q, until b of a higher class takes its node at
 * 10.
 */
#define LOSES                                                                \
    "queues:\n  - {name: p, guarantee: {gpu: 8}}\n  - {name: q, guarantee: " \
    "{gpu: 8}}\njobs:\n"                                                     \
    "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 8}\n"           \
    "  - {name: b, queue: p, submit: 10, duration: 100, gpus: 8, priority: " \
    "1}\n"                                                                   \
    "  - {name: c, queue: q, submit: 10, duration: 10, gpus: 8, "            \
    "tolerations: [\"spot=true:NoSchedule\"]}\n"

/* Of the 3 GPUs beside a one task of b (2) has room.  `more`: duration and
 * tasks.
 */
#define HALF(more)                                                  \
    "queues:\n  - {name: q, guarantee: {gpu: 20}}\njobs:\n"         \
    "  - {name: a, queue: q, submit: 0, duration: 1000, gpus: 5}\n" \
    "  - {name: b, queue: q, submit: 1, gpus: 2, replicas: 2, " more "}\n"

static const struct case_of ready[] = {
    { "tasks that run for themselves are ready when all of them run",
      "quota.attempts=1", HALF("completions: 4, duration: 100"),
      "a=0-1000 b=1-11", "b:timeout", "a=od b=od" },
    /* at 6 one has ended, and its quota is that of the other: it is enough */
    { "or have ended", "quota.attempts=1", HALF("completions: 2, duration: 5"),
      "a=0-1000 b=1-11", "", "a=od b=od" },
    /* Since c began and ended b is tried again, but at 46 nothing did since 26.
     */
    { "a job without room is put back while others begin or end", NULL, NO_ROOM,
      "a=0-1000 b=1000-1010 c=2-12", "", "a=od b=od c=od" },
    { "it fails at the first time", "quota.attempts=1", NO_ROOM,
      "a=0-1000 b=never-11 c=2-12", "", "a=od b= c=od" },
    { "or at the second", "quota.attempts=2", NO_ROOM,
      "a=0-1000 b=never-26 c=2-12", "", "a=od b= c=od" },
    /* at 11, 16 + 10, 36 + 10, 66 + 10 (20 s, the most), 96 + 10 */
    { "pauses double until the most", "quota.attempts=5", NO_ROOM,
      "a=0-1000 b=never-106 c=2-12", "", "a=od b= c=od" },
    { "one by one: c is admitted when b is put back", "quota.one_by_one=yes",
      NO_ROOM, "a=0-1000 b=1000-1010 c=11-21", "", "a=od b=od c=od" },
    { "or evicts others", "quota.one_by_one=yes", HELD,
      "a=0-1000 b=1000-1010 c=11-21 d=11-21", "c:preempt",
      "a=od b=od c=od+spot d=od" },
    { "what was held is first, whatever came", "quota.one_by_one=yes", FIRST,
      "a=0-1000 b=1000-1010 c=11-16 d=16-26", "", "a=od b=od c=od d=od" },
    { "in the flavor that it had", "quota.one_by_one=yes", KEEPS,
      "a=0-5 b=5-55 c=5-15", "", "a=od b=od c=spot" },
    { "a job that lost its node keeps its quota", NULL, LOSES,
      "a=0-210 b=10-110 c=210-220", "a:preempt", "a=od b=od c=od" },
    /* a is put back at 30, so c gets its quota, and a again at 40 */
    { "or gives it back after some time", "quota.recovery=20s", LOSES,
      "a=0-210 b=10-110 c=30-40", "a:preempt", "a=od b=od c=spot" },
};

static void equal(const char *name, const char *got, const char *want)
{
    if (strcmp(got, want) != 0) {
        printf("  %s: '%s', not '%s'\n", name, got, want);
        CU_FAIL("a scenario");
    }
}

static const char *job_name(const struct world *w, uint32_t job)
{
    return gs_strtab_str(w->names, w->work->job[job].name);
}

/* The node, if the job ever had tasks there. */
static void nodes_add(char *to, size_t size, const struct world *w,
                      uint32_t job, uint32_t node)
{
    for (uint32_t i = 0; i < w->log->placement_count; i++) {
        if (w->log->placement[i].job != job
            || w->log->placement[i].node != node)
            continue;
        gs_text_add(to, size, "%s%s", to[strlen(to) - 1] == '=' ? "" : "+",
                    gs_strtab_str(w->names, w->topo->node_name[node]));
        return;
    }
}

static void case_check(const struct case_of *c, const struct world *w)
{
    static const char *const reasons[REPORT_EVICTION_KINDS] = {
        [REPORT_TIMEOUT] = "timeout",
        [REPORT_PREEMPT] = "preempt",
        [REPORT_RECLAIM] = "reclaim",
        [REPORT_RECLAIM_BORROWING] = "reclaim-borrowing",
        [REPORT_RECLAIM_SHARE] = "reclaim-share",
    };
    char runs[400] = "", evicted[400] = "", nodes[400] = "";

    for (uint32_t j = 0; j < w->work->job_count; j++) {
        gs_text_add(runs, sizeof(runs), "%s%s=", j ? " " : "", job_name(w, j));
        if (w->job[j].start < 0)
            gs_text_add(runs, sizeof(runs), "never-");
        else
            gs_text_add(runs, sizeof(runs), "%lld-",
                        (long long)w->job[j].start / 1000000);
        gs_text_add(runs, sizeof(runs), "%lld",
                    (long long)w->job[j].end / 1000000);
        gs_text_add(nodes, sizeof(nodes), "%s%s=", j ? " " : "",
                    job_name(w, j));
        for (uint32_t n = 0; n < w->topo->node_count; n++)
            nodes_add(nodes, sizeof(nodes), w, j, n);
    }
    for (uint32_t i = 0; i < w->log->eviction_count; i++) {
        const struct report_eviction *e = &w->log->eviction[i].what;

        gs_text_add(evicted, sizeof(evicted), "%s%s:%s", *evicted ? " " : "",
                    job_name(w, e->job),
                    reasons[e->kind] ? reasons[e->kind] : "?");
    }
    equal(c->name, runs, c->runs);
    equal(c->name, evicted, c->evicted);
    equal(c->name, nodes, c->nodes);
}

static void case_run(const struct case_of *c, const char *policy)
{
    struct world w;

    world_init(&w);
    if (world_load(&w, NODES, c->trace, &(struct trace_options){ 0 }) == 0
        && world_run(&w, policy, c->set, NULL) == 0)
        case_check(c, &w);
    else
        equal(c->name, w.err.problem[0].text, "");
    world_fini(&w);
}

static void test_scenarios(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        case_run(&cases[i], "kueue");
}

#define READY                                                              \
    "actions: [admit, allocate, preempt]\nunit: pod\nrequeue: submitted\n" \
    "modules:\n  - quota: {ready: 10s, pause: 5s, pause_most: 20s}\n"      \
    "  - priority\n  - constraints\n"

static void test_ready(void)
{
    for (size_t i = 0; i < sizeof(ready) / sizeof(ready[0]); i++)
        case_run(&ready[i], READY);
}

static void test_by_usage(void)
{
    for (size_t i = 0; i < sizeof(by_usage) / sizeof(by_usage[0]); i++)
        case_run(&by_usage[i], BY_USAGE);
}

static void test_refused(void)
{
    static const char *const profiles[] = {
        "actions: [allocate, admit]\nunit: pod\nmodules: [fit]\n",
        "actions: [admit, enqueue, allocate]\nunit: pod\nmodules: [fit]\n",
    };

    for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        struct world w;

        world_init(&w);
        CU_ASSERT_PTR_NULL(world_profile(&w, profiles[i]));
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "quota is held before nodes", test_scenarios },
        { "quota by what accounts used", test_by_usage },
        { "jobs that do not run in time", test_ready },
        { "the place of admit in a profile", test_refused },
    };

    return suite_run("sim/admission", suite, sizeof(suite) / sizeof(suite[0]));
}
