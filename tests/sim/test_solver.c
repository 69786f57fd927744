/* tests/sim/test_solver.c - room by trials: action consolidate, and preemption
 * and reclaiming with `search: trials`.
 */
#include "tests/lib/cases.h"

/* Two nodes of 4 GPUs; three of them. */
static const char two[] = "node_types: {g: {gpus: 4}}\n"
                          "nodes: [{name: 'n[1-2]', type: g}]\n";
static const char three[] = "node_types: {g: {gpus: 4}}\n"
                            "nodes: [{name: 'n[1-3]', type: g}]\n";

/* A job of that many GPUs that runs on a node from time 0 on. */
#define RUNS(name, gpus, node, more)                          \
    "- {name: " name ", submit: 0, duration: 1h, gpus: " gpus \
    ", running_on: [" node "]" more "}\n"
/* The job `new` comes after 15 minutes. */
#define COMES(gpus, more) \
    "- {name: new, submit: 15m, duration: 10m, gpus: " gpus more "}\n"
#define SAVES ", checkpoint: 10m"
#define OF(queue) ", queue: " queue

#define MOVES(more)                                               \
    "actions: [allocate, consolidate]\nmodules:\n- gang\n- fit\n" \
    "- binpack\n- moves: {" more "}\n"

#define MINUTE (60 * S)
#define STARTS(at, where)                                    \
    {                                                        \
        "new", (at)*MINUTE, REPORT_DONE, ANY_CAUSE, where, 0 \
    }
#define STAYS(name, where)                        \
    {                                             \
        name, 0, REPORT_DONE, ANY_CAUSE, where, 0 \
    }
#define MOVED(name, where)                        \
    {                                             \
        name, 0, REPORT_DONE, ANY_CAUSE, where, 1 \
    }

/* Two jobs of 2 GPUs on two nodes of 4: after 15 minutes one of them loses 5
 * minutes of 2 GPUs, 10 GPU minutes.  The new job asks for 4 GPUs: it may cost
 * 4 times the price.
 */
static const struct case_world what[] = {
    { "a job moves for another when that is worth its price",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          COMES("4", ""),
      MOVES("price: 3m"),
      { STARTS(15, "n2*1"), STAYS("a", "n1*1"), MOVED("b", "n2*1 n1*1") } },
    { "not when it is not",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          COMES("4", ""),
      MOVES("price: 2m"),
      { STARTS(60, NULL), STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
    { "the time to begin again counts",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          COMES("4", ""),
      MOVES("price: 3m, restart: 2m"),
      { STARTS(60, NULL), STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
    { "without checkpoints all work is lost",
      two,
      "jobs:\n" RUNS("a", "2", "n1", "") RUNS("b", "2", "n2", "")
          COMES("4", ""),
      MOVES("price: 7m"),
      { STARTS(60, NULL), STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
    { "a job that resumes loses nothing",
      two,
      "jobs:\n" RUNS("a", "2", "n1", "")
          RUNS("b", "2", "n2", ", restart: resume") COMES("4", ""),
      MOVES("price: 0s"),
      { STARTS(15, "n2*1"), STAYS("a", "n1*1"), MOVED("b", "n2*1 n1*1") } },
    { "of two the one that may move does",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES)
          RUNS("b", "2", "n2", SAVES ", preemptible: false") COMES("4", ""),
      MOVES("price: 3m"),
      { STARTS(15, "n1*1"), MOVED("a", "n1*1 n2*1"), STAYS("b", "n2*1") } },
    { "no job is lost",
      two,
      "jobs:\n" RUNS("a", "3", "n1", SAVES) RUNS("b", "3", "n2", SAVES)
          COMES("2", ""),
      MOVES("price: 1h"),
      { STARTS(60, NULL), STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
    { "for a gang on two nodes two jobs move",
      three,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "1", "n2", SAVES)
          RUNS("c", "1", "n3", SAVES) COMES("4", ", replicas: 2"),
      MOVES("price: 3m"),
      { STARTS(15, "n2*1 n3*1"), STAYS("a", "n1*1"), MOVED("b", "n2*1 n1*1"),
        MOVED("c", "n3*1 n1*1") } },
    { "without the action nothing moves",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          COMES("4", ""),
      "actions: [allocate]\nmodules: [gang, fit, binpack]\n",
      { STARTS(60, NULL), STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
    { "behind a head that blocks nothing moves for others",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES)
          RUNS("b", "2", "n2", SAVES) "- {name: head, submit: 10m, duration: 10m, gpus: 4, replicas: 2}\n" COMES(
              "4", ""),
      "actions: [allocate, consolidate, backfill]\nmodules:\n- gang\n- fit\n"
      "- binpack\n- moves: {price: 1h}\n- backfill: {mode: easy}\n",
      { { "head", 60 * MINUTE, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        STAYS("a", "n1*1"),
        STAYS("b", "n2*1") } },
};

/* Modules that spread like best the node that a job just left. */
#define SPREADS(more)                                             \
    "actions: [allocate, consolidate]\nmodules:\n- gang\n- fit\n" \
    "- least-allocated\n- moves: {" more "}\n"

static const struct case_world apart[] = {
    { "a job does not go back to the node that it leaves",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          COMES("4", ""),
      SPREADS("price: 3m"),
      { STARTS(15, "n2*1"), STAYS("a", "n1*1"), MOVED("b", "n2*1 n1*1") } },
    { "without `keep_off` it does, and nothing moves",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          COMES("4", ""),
      SPREADS("price: 3m, keep_off: no"),
      { STARTS(60, NULL), STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
    { "at no higher price",
      two,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          COMES("4", ""),
      SPREADS("price: 2m"),
      { STARTS(60, NULL), STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
    { "nor to nodes on which room was made before",
      three,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "1", "n2", SAVES)
          RUNS("c", "1", "n3", SAVES) COMES("4", ", replicas: 2"),
      SPREADS("price: 3m"),
      { STARTS(15, "n2*1 n3*1"), STAYS("a", "n1*1"), MOVED("b", "n2*1 n1*1"),
        MOVED("c", "n3*1 n1*1") } },
};

/* Three nodes of 4 GPUs are in use by half and less. */
#define EMPTIES(more)                                             \
    "actions: [allocate, consolidate]\nmodules:\n- gang\n- fit\n" \
    "- binpack\n- moves: {" more "}\n"
#define GROWS(name, queue)                                \
    "- {name: " name ", submit: 0, duration: 1h, gpus: 2" \
    ", replicas: {min: 1, max: 4}, queue: " queue "}\n"
#define LATER "- {name: new, submit: 15m, duration: 10m, cpu: 0}\n"

static const struct case_world nodes[] = {
    { "the node whose jobs lose least is emptied",
      three,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          RUNS("c", "1", "n3", SAVES) LATER,
      EMPTIES("nodes: 1, price: 2m"),
      { STAYS("a", "n1*1"), STAYS("b", "n2*1"), MOVED("c", NULL) } },
    { "not for more than the price of its GPUs",
      three,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          RUNS("c", "2", "n3",
               SAVES) "- {name: d, submit: 5m, duration: 1h, gpus: 1}\n",
      EMPTIES("nodes: 2, price: 2m, restart: 1h"),
      { STAYS("a", "n1*1"), STAYS("b", "n2*1"), STAYS("c", "n3*1") } },
    { "one in a period",
      three,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "1", "n2", SAVES)
          RUNS("c", "1", "n3", SAVES) LATER,
      EMPTIES("nodes: 2, price: 1h, period: 20m"),
      { STAYS("a", "n1*1"), MOVED("b", NULL), MOVED("c", NULL) } },
    { "not when enough are empty",
      three,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES) LATER,
      EMPTIES("nodes: 1, price: 1h"),
      { STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
    { "a job that is not preemptible keeps its node",
      three,
      "jobs:\n" RUNS("a", "2", "n1", SAVES) RUNS("b", "2", "n2", SAVES)
          RUNS("c", "1", "n3", SAVES ", preemptible: false") LATER,
      EMPTIES("nodes: 1, price: 1h"),
      { MOVED("a", NULL), STAYS("b", "n2*1"), STAYS("c", "n3*1") } },
    /* nothing protects the task of a job from the other's */
    { "cycles at one instant end though tasks evict each other in each",
      two,
      "queues: [{name: a}, {name: b}]\njobs:\n" GROWS("one", "a")
          GROWS("two", "b"),
      "unit: pod\nactions: [consolidate, allocate, reclaim]\nmodules:\n"
      "- gang: {victims: surplus}\n- fair-queues\n- fit\n"
      "- moves: {nodes: 2, period: 1m}\n",
      { STAYS("one", NULL), STAYS("two", NULL) } },
};

#define TRIALS(action)                                                \
    "actions: [allocate, " action "]\nmodules:\n- priority\n- gang\n" \
    "- fit\n- binpack\n- over-quota: {resources: {gpu: 1}}\n"         \
    "- preemption: {search: trials}\n"

static const struct case_world victims[] = {
    { "a victim that fits elsewhere moves",
      two,
      "jobs:\n" RUNS("a", "2", "n1", "") RUNS("b", "2", "n2", "")
          COMES("4", ", priority: 9"),
      TRIALS("preempt"),
      { STARTS(15, "n2*1"), STAYS("a", "n1*1"), MOVED("b", "n2*1 n1*1") } },
    { "one that does not is evicted",
      two,
      "queues: [{name: default, deserved: {gpu: 8}}]\njobs:\n" RUNS("a", "3",
                                                                    "n1", "")
          RUNS("b", "3", "n2", "") COMES("4", ", priority: 9"),
      TRIALS("preempt"),
      { STARTS(15, "n2*1"),
        STAYS("a", "n1*1"),
        { "b", 0, REPORT_DONE, ANY_CAUSE, "n2*1 n2*1", 1 } } },
    { "the tasks above a gang go first",
      two,
      "queues: [{name: default, deserved: {gpu: 8}}]\njobs:\n" RUNS(
          "a", "4", "n1",
          "") "- {name: b, submit: 0, duration: 1h, gpus: 2, replicas: {min: 1, "
              "max: 2}, running_on: [\"n2*2\"]}\n" COMES("2", ", priority: 9"),
      TRIALS("preempt"),
      { STARTS(15, "n2*1"), STAYS("a", "n1*1"), STAYS("b", "n2*2 n2*1") } },
    { "what is above the share of a queue is reclaimed",
      two,
      "queues: [{name: x, deserved: {gpu: 4}}, {name: y, deserved: {gpu: "
      "4}}]\njobs:\n" RUNS("a", "4", "n1", OF("x"))
          RUNS("b", "4", "n2", OF("x")) COMES("4", OF("y")),
      TRIALS("reclaim"),
      { STARTS(15, "n2*1"),
        STAYS("a", "n1*1"),
        { "b", 0, REPORT_DONE, ANY_CAUSE, "n2*1 n2*1", 1 } } },
    { "not below it",
      two,
      "queues: [{name: x, deserved: {gpu: 8}}, {name: y, weight: 0}]\njobs:\n" RUNS(
          "a", "4", "n1", OF("x")) RUNS("b", "4", "n2", OF("x"))
          COMES("4", OF("y")),
      TRIALS("reclaim"),
      { STARTS(60, NULL), STAYS("a", "n1*1"), STAYS("b", "n2*1") } },
};

static void test_moves(void)
{
    cases_run(what, N_ELEMENTS(what));
}

static void test_apart(void)
{
    cases_run(apart, N_ELEMENTS(apart));
}

static void test_nodes(void)
{
    cases_run(nodes, N_ELEMENTS(nodes));
}

static void test_victims(void)
{
    cases_run(victims, N_ELEMENTS(victims));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "moves are worth their price", test_moves },
        { "jobs leave nodes that modules like best", test_apart },
        { "nodes become empty", test_nodes },
        { "victims that fit elsewhere move", test_victims },
    };

    return suite_run("sim/solver", suite, N_ELEMENTS(suite));
}
