/* tests/traces/test_native_csv.c - native CSV in, as YAML out, and back. */
#include "tests/lib/load_trace.h"
#include "traces/formats/reading.h"

#define H "name,submit,duration"

static const struct load_trace_case good[] = {
    { H "\na,0,60\n", "jobs:\n  - {name: a, submit: 0, duration: 60}\n", NULL },
    { "\xef\xbb\xbf" H "\r\na,0,60\r\n",
      "jobs:\n  - {name: a, submit: 0, duration: 60}\n", NULL },
    { "gpus,duration,submit\n8,1h,1.5s\n,2h,0",
      "jobs:\n  - {name: job-2, submit: 0, duration: 7200}\n"
      "  - {name: job-1, submit: 1.5s, duration: 3600, gpus: 8}\n",
      NULL },
    { H ",estimate,queue,priority,user,gang,replicas,gpus,cpu,memory,rdma,"
        "model,task_interval,within,mode\n"
        "a,0,forever,1h,x/y,-5,bob,2,4,8,96,1TiB,8,B|A,1s,rack,preferred\n",
      "queues:\n  - {name: x, weight: 1}\n  - {name: x/y, weight: 1}\n"
      "jobs:\n  - {name: a, submit: 0, duration: forever, estimate: 3600, "
      "queue: x/y, priority: -5, user: bob, gang: 2, task_interval: 1, "
      "topology: {within: rack, mode: preferred}, replicas: 4, gpus: 8, "
      "cpu: 96, memory: 1TiB, rdma: 8, model: [A, B]}\n",
      NULL },
    { H ",gpu_share\na,0,1,0.25\nb,0,1,\n",
      "jobs:\n  - {name: a, submit: 0, duration: 1, gpu_share: 250m}\n"
      "  - {name: b, submit: 0, duration: 1}\n",
      NULL },
    { H ",gpu_memory\na,0,1,20GiB\nb,0,1,\n",
      "jobs:\n  - {name: a, submit: 0, duration: 1, gpu_memory: 20GiB}\n"
      "  - {name: b, submit: 0, duration: 1}\n",
      NULL },
    { H ",mig,model\na,0,1,1g.10gb,A100-40|A100-80\nb,0,1,,\n",
      "jobs:\n  - {name: a, submit: 0, duration: 1, mig: 1g.10gb, "
      "model: [A100-40, A100-80]}\n"
      "  - {name: b, submit: 0, duration: 1}\n",
      NULL },
    { H ",replicas,gang,min_replicas,checkpoint,restart,retries,preemptible\n"
        "a,0,1,8,,2,10m,resume,0,false\n"
        "b,0,1,8,4,2,,checkpoint,5,true\n"
        "c,0,1,8,,,,,,\n",
      "jobs:\n  - {name: a, submit: 0, duration: 1, checkpoint: 600, "
      "restart: resume, retries: 0, preemptible: false, "
      "replicas: {min: 2, max: 8}}\n"
      "  - {name: b, submit: 0, duration: 1, gang: 4, retries: 5, "
      "replicas: {min: 2, max: 8}}\n"
      "  - {name: c, submit: 0, duration: 1, replicas: 8}\n",
      NULL },
    { H ",replicas,completions\na,0,1,4,16\nb,0,1,4,\nc,0,1,1,2\n",
      "jobs:\n  - {name: a, submit: 0, duration: 1, gang: 1, "
      "completions: 16, replicas: 4}\n"
      "  - {name: b, submit: 0, duration: 1, replicas: 4}\n"
      "  - {name: c, submit: 0, duration: 1, completions: 2}\n",
      NULL },
    { H ",account,partition,qos,nice,user\na,0,1,x,p,high,-5,u\n"
        "b,0,1,,,,0,\n",
      "jobs:\n  - {name: a, submit: 0, duration: 1, user: u, account: x, "
      "partition: p, qos: high, nice: -5}\n"
      "  - {name: b, submit: 0, duration: 1}\n",
      NULL },
    { H ",communication,measured_on,gradient\n"
        "a,0,1,0.3,\"my rack\",2GiB\n"
        "b,0,1,0,,\nc,0,1,1,,\n",
      "jobs:\n  - {name: a, submit: 0, duration: 1, communication: 300m, "
      "measured_on: \"my rack\", gradient: 2GiB}\n"
      "  - {name: b, submit: 0, duration: 1}\n"
      "  - {name: c, submit: 0, duration: 1, communication: 1}\n",
      NULL },
    /* dependencies */
    { H ",after\nx,0,1,\ny,0,1,x\na,0,1,x:started+5m;y\n"
        "b,0,1,a:failed|x:ended\nc,0,1,x:completed+1s\n",
      "jobs:\n  - {name: x, submit: 0, duration: 1}\n"
      "  - {name: y, submit: 0, duration: 1, after: [x]}\n"
      "  - {name: a, submit: 0, duration: 1, after: [{job: x, when: started, "
      "delay: 300}, y]}\n"
      "  - {name: b, submit: 0, duration: 1, after: {any: [{job: a, when: "
      "failed}, {job: x, when: ended}]}}\n"
      "  - {name: c, submit: 0, duration: 1, after: [{job: x, delay: 1}]}\n",
      NULL },
    /* what really happened */
    { H ",replicas,recorded_start,recorded_end,recorded_nodes\n"
        "a,0,60,4,1m,2m,n1*2|n2*2\n"
        "b,0,60,2,1m;5m;9m,2m;6m;,n1|n2;;n3*2\n"
        "c,0,60,1,5,,\n",
      "jobs:\n  - {name: a, submit: 0, duration: 60, recorded: {start: 60,"
      " end: 120, nodes: [\"n1*2\", \"n2*2\"]}, replicas: 4}\n"
      "  - {name: b, submit: 0, duration: 60, recorded: [{start: 60, end: 120,"
      " nodes: [n1, n2]}, {start: 300, end: 360}, {start: 540, nodes:"
      " [\"n3*2\"]}], replicas: 2}\n"
      "  - {name: c, submit: 0, duration: 60, recorded: {start: 5}}\n",
      NULL },
    { H "\n\"a,\"\"b\",0,1\n",
      "jobs:\n  - {name: \"a,\\\"b\", submit: 0, duration: 1}\n", NULL },
};

static const struct load_trace_case bad[] = {
    { H "\n", NULL, "t.csv: holds no jobs" },
    { "name,submit\na,0\n", NULL,
      "t.csv:1: the header has no column 'duration'" },
    { H ",gpu\na,0,1,1\n", NULL,
      "t.csv:1: unknown column 'gpu' (did you mean 'gpus'?)" },
    { H "\na,,1\n", NULL, "t.csv:2:3: 'submit' must be given (got '')" },
    { H "\na,-1,1\n", NULL,
      "t.csv:2:3: 'submit' must be a time such as 90, 90s, 15m, 1h30m or "
      "2d (got '-1')" },
    { H "\na,0,nan\n", NULL,
      "t.csv:2:5: 'duration' must be a time such as 90, 90s, 15m, 1h30m or "
      "2d (got 'nan')" },
    { H ",recorded_end\na,0,1,5\n", NULL,
      "t.csv:2: 'recorded_end' needs 'recorded_start'" },
    { H ",recorded_start\na,0,1,soon\n", NULL,
      "t.csv:2: 'recorded_start' must be a time such as 90, 90s, 15m, 1h30m or "
      "2d, with ';' between runs (got 'soon')" },
    { H ",recorded_start,recorded_end\na,0,1,5,6;7\n", NULL,
      "t.csv:2: 'recorded_end' states more runs than 'recorded_start'" },
    { H ",recorded_start,recorded_nodes\na,0,1,5,n1|\n", NULL,
      "t.csv:2: 'recorded_nodes' must be nodes and how many tasks they hold, "
      "such as n1|n2*4, with ';' between runs (got 'n1|')" },
    { H ",recorded_start,recorded_nodes\na,0,1,5,n1*2\n", NULL,
      "t.csv:2: the recorded nodes hold 2 tasks, where the job has 1 and "
      "starts with 1" },
    { H ",recorded_start,recorded_end\na,0,1,5;4,;\n", NULL,
      "t.csv:2: only the last recorded run may have no end" },
    { H ",after\na,0,1,a\n", NULL,
      "t.csv:2: job 'a' depends on itself, by way of what it is 'after'" },
    { H ",after\na,0,1,\nb,0,1,a:starts\n", NULL,
      "t.csv:3: 'after' names 'a:starts', which is no job of the trace" },
    { H ",after\na,0,1,\nb,0,1,\nc,0,1,a;b|a\n", NULL,
      "t.csv:4: 'after' must be names of jobs with ';' between them, or '|' "
      "where one is enough, each as a, a:started or a:ended+5m" },
    { H ",after\na,0,1,\nb,0,1,a;\n", NULL,
      "t.csv:3: 'after' must be names of jobs with ';' between them, or '|' "
      "where one is enough, each as a, a:started or a:ended+5m" },
    { H ",gpus\na,0,1,65\n", NULL,
      "t.csv:2:7: 'gpus' must be a whole number from 0 to 64 (got '65')" },
    { H ",gpus\na,0,1,99999999999999999999\n", NULL,
      "t.csv:2:7: 'gpus' must be a whole number from 0 to 64 (got "
      "'99999999999999999999')" },
    { H ",replicas\na,0,1,0\n", NULL,
      "t.csv:2:7: 'replicas' must be a whole number from 1 to 1000000 (got "
      "'0')" },
    { H ",gpus,gpu_share\na,0,1,1,0.5\n", NULL,
      "t.csv:2: 'gpus' and 'gpu_share' exclude each other" },
    { H ",mig\na,0,1,3g\n", NULL,
      "t.csv:2:7: 'mig' must be " TRACE_MIG_ALLOWED " (got '3g')" },
    { H ",mig,gpu_share\na,0,1,3g.40gb,0.5\n", NULL,
      "t.csv:2: 'gpu_share' and 'mig' exclude each other" },
    { H ",mig,model\na,0,1,3g.40gb,H200\n", NULL,
      "t.csv:2: H200 has no MIG profile '3g.40gb' (it has: 1g.18gb, 1g.35gb, "
      "2g.35gb, 3g.71gb, 4g.71gb, 7g.141gb)" },
    { H ",gang,replicas\na,0,1,3,2\n", NULL,
      "t.csv:2: 'gang' (3) is more than the job's tasks (2)" },
    { H ",min_replicas,replicas\na,0,1,3,2\n", NULL,
      "t.csv:2: 'min_replicas' (3) is more than 'replicas' (2)" },
    { H ",gang,min_replicas,replicas\na,0,1,2,3,4\n", NULL,
      "t.csv:2: 'gang' (2) is less than 'min_replicas' (3)" },
    { H ",checkpoint\na,0,1,0s\n", NULL,
      "t.csv:2:7: 'checkpoint' must be more than 0 (got '0s')" },
    { H ",restart\na,0,1,never\n", NULL,
      "t.csv:2:7: 'restart' must be one of: checkpoint, resume (got 'never')" },
    { H ",completions,gang,replicas\na,0,1,3,2,4\n", NULL,
      "t.csv:2: 'completions' and 'gang' exclude each other: each task "
      "starts, runs and is repeated by itself" },
    { H ",retries\na,0,1,-1\n", NULL,
      "t.csv:2:7: 'retries' must be a whole number from 0 to 1000000 (got "
      "'-1')" },
    { H ",preemptible\na,0,1,no\n", NULL,
      "t.csv:2:7: 'preemptible' must be one of: true, false (got 'no')" },
    { H ",communication\na,0,1,1.001\n", NULL,
      "t.csv:2:7: 'communication' must be " TRACE_PART_ALLOWED
      " (got '1.001')" },
    { H ",communication\na,0,1,-0.1\n", NULL,
      "t.csv:2:7: 'communication' must be " TRACE_PART_ALLOWED
      " (got '-0.1')" },
    { H ",gradient,communication\na,0,1,much,0.1\n", NULL,
      "t.csv:2:7: 'gradient' must be an amount of bytes such as 512MiB or "
      "80GB (got 'much')" },
    { H ",gradient,communication\na,0,1,2GB,0\n", NULL,
      "t.csv:2: 'gradient' needs a 'communication' above 0" },
    { H ",measured_on\na,0,1,rack\n", NULL,
      "t.csv:2: 'measured_on' needs a 'communication' above 0" },
    { H ",mode\na,0,1,required\n", NULL, "t.csv:2: 'mode' needs 'within'" },
    { H ",priority\na,0,1,production\n", NULL,
      "t.csv:2:7: 'priority' must be a whole number from -2147483648 to "
      "2147483647 (got 'production')" },
    { H "\na,0,1\nb,0,1\na,0,1\n", NULL,
      "t.csv:4: two jobs are called 'a' (the first is at line 2)" },
    { H "\na\x01,0,1\n", NULL,
      "t.csv:2:1: 'name' must be printable text (got 'a?')" },
    { H "\na\xff,0,1\n", NULL,
      "t.csv:2:1: 'name' must be printable text (got 'a?')" },
};

static void test_good(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++)
        load_trace_check("t.csv", &good[i], NULL);
}

static void test_bad(void)
{
    for (size_t i = 0; i < N_ELEMENTS(bad); i++)
        load_trace_check("t.csv", &bad[i], NULL);
}

/* Written as CSV and read again, a workload is the same. */
static void test_round_trip(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++) {
        struct load_trace_case again = { NULL, good[i].yaml, NULL };
        struct load_trace l;
        char *csv = NULL;
        size_t size;
        FILE *out = open_memstream(&csv, &size);

        CU_ASSERT_EQUAL(load_trace_bytes(&l, "t.csv", good[i].text,
                                         strlen(good[i].text), NULL),
                        0);
        CU_ASSERT_EQUAL(trace_write_csv(out, l.w, NULL, &l.err), 0);
        fclose(out);
        again.text = csv;
        load_trace_check("t.csv", &again, NULL);
        free(csv);
        load_trace_fini(&l);
    }
}

/* What CSV cannot say is refused, and nothing is written. */
static void test_refused(void)
{
    static const struct {
        const char *yaml, *error;
    } refused[] = {
        { "tasks: [{}, {gpus: 1}]",
          "CSV cannot express job 'a': it has several task groups (write YAML "
          "instead)" },
        { "nodes: {a: b}",
          "CSV cannot express job 'a': it has node labels (write YAML "
          "instead)" },
        { "labels: {a: b}",
          "CSV cannot express job 'a': it has labels (write YAML instead)" },
        { "spread: {over: rack}",
          "CSV cannot express job 'a': it has an affinity or a spread (write "
          "YAML instead)" },
        { "recorded: {start: 5, nodes: [\"n|1\"]}",
          "CSV cannot express job 'a': it has recorded nodes with ',', '|', "
          "';', quotes or blanks in a name (write YAML instead)" },
        { "resources: {fpga: 1}",
          "CSV cannot express job 'a': it has other resources (write YAML "
          "instead)" },
    };

    for (size_t i = 0; i < N_ELEMENTS(refused); i++) {
        char text[200], buf[512];
        struct load_trace l;
        char *csv = NULL;
        size_t size = 1;
        FILE *out = open_memstream(&csv, &size);

        snprintf(text, sizeof(text),
                 "jobs: [{name: a, submit: 0, duration: 1, %s}]",
                 refused[i].yaml);
        CU_ASSERT_EQUAL(
            load_trace_bytes(&l, "t.yaml", text, strlen(text), NULL), 0);
        CU_ASSERT_EQUAL(trace_write_csv(out, l.w, NULL, &l.err), -1);
        fclose(out);
        CU_ASSERT_EQUAL(size, 0);
        CU_ASSERT_STRING_EQUAL(gs_err_format(&l.err, 0, buf, sizeof(buf)),
                               refused[i].error);
        free(csv);
        load_trace_fini(&l);
    }
}

static const struct suite_case cases[] = {
    { "good files are read", test_good },
    { "bad files are refused", test_bad },
    { "what is written reads back the same", test_round_trip },
    { "what CSV cannot say is refused", test_refused },
};

int main(void)
{
    return suite_run("traces: native CSV", cases, N_ELEMENTS(cases));
}
