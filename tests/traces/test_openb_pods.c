/* tests/traces/test_openb_pods.c - Alibaba's pod lists. */
#include "tests/lib/load_trace.h"

#define H                                                                 \
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase," \
    "creation_time,deletion_time,scheduled_time\n"
#define BACK(rest) "jobs:\n  - {name: p, " rest "}\n"

static const struct load_trace_case good[] = {
    { H "p,4000,1024,1,1000,,LS,Running,10,100,40\n",
      BACK(
          "submit: 10, duration: 60, recorded: {start: 40, end: 100}, gpus: 1, cpu: 4, memory: 1GiB"),
      NULL },
    { H "p,500,0,1,460,T4|P100|T4,BE,Failed,10,100,\n",
      BACK("submit: 10, duration: 90, gpu_share: 460m, cpu: 500m, "
           "model: [P100, T4]"),
      NULL },
    { H "p,1000,0,8,1000,,LS,Pending,0,5,\n",
      BACK("submit: 0, duration: 5, gpus: 8, cpu: 1"), NULL },
    { H "p,1000,0,0,0,,LS,Running,0,5,5\n",
      BACK("submit: 0, duration: 0, recorded: {start: 5, end: 5}, cpu: 1"),
      NULL },
};

static const struct load_trace_case arrivals[] = {
    { H "p,1000,0,2,1000,,LS,Running,7,5,5\n",
      BACK("submit: 7, duration: forever, gpus: 2, cpu: 1"), NULL },
    { "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,0,2,1000\n",
      BACK("submit: 0, duration: forever, gpus: 2, cpu: 1"), NULL },
};

static const struct load_trace_case bad[] = {
    { "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,0,2,1000\n", NULL,
      "t.csv:2: a pod list without times can only be read for its arrivals" },
    { H "p,1000,0,2,500,,LS,Running,0,5,5\n", NULL,
      "t.csv:2:12: 'gpu_milli' must be 1000 (got "
      "'500')" },
    { H "p,1000,0,1,0,,LS,Running,0,5,5\n", NULL,
      "t.csv:2:12: 'gpu_milli' must be a whole number from 1 to 1000 (got "
      "'0')" },
    { H "p,1000,0,65,1000,,LS,Running,0,5,5\n", NULL,
      "t.csv:2:10: 'num_gpu' must be a whole number from 0 to 64 (got '65')" },
    { H "p,-1,0,1,1000,,LS,Running,0,5,5\n", NULL,
      "t.csv:2:3: 'cpu_milli' must be a whole number from 0 to 1099511627776 "
      "(got '-1')" },
    { H "p,1,0,1,1000,A|,LS,Running,0,5,5\n", NULL,
      "t.csv:2:14: 'gpu_spec' must be a model or several, such as "
      "V100M16|V100M32 (got 'A|')" },
    { H "p,1,0,1,1000,,LS,Running,0,5,9\n", NULL,
      "t.csv:2:28: 'deletion_time' must be no earlier than the pod's start "
      "(got '5')" },
    { H "p,1,0,1,1000,,LS,Running,0,,9\n", NULL,
      "t.csv:2:28: 'deletion_time' must be a number of seconds of at least 0 "
      "(got '')" },
};

static void test_good(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++)
        load_trace_check("t.csv", &good[i], NULL);
}

static void test_arrivals(void)
{
    const struct trace_options o = { .arrivals_only = true };

    for (size_t i = 0; i < N_ELEMENTS(arrivals); i++)
        load_trace_check("t.csv", &arrivals[i], &o);
}

static void test_bad(void)
{
    for (size_t i = 0; i < N_ELEMENTS(bad); i++)
        load_trace_check("t.csv", &bad[i], NULL);
}

static const struct suite_case cases[] = {
    { "good files are read", test_good },
    { "a trace of arrivals only is read", test_arrivals },
    { "bad files are refused", test_bad },
};

int main(void)
{
    return suite_run("traces: openb", cases, N_ELEMENTS(cases));
}
