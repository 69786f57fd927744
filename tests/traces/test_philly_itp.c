/* tests/traces/test_philly_itp.c - Microsoft's traces: Philly, ITP, Muri. */
#include "tests/lib/load_trace.h"
#include "traces/edit/describe.h"

#define P "timestamp,duration,num_gpus,gpu_time,cluster\n"

static const struct load_trace_case good[] = {
    { P "2017-10-09 07:01:55,66.0,1,66.0,a\n"
        "2017-10-09 07:01:54,5.25,20,0,b\n"
        "2017-10-09 07:01:54,0,8,0,\n",
      "epoch: 2017-10-09 07:01:54.000000\n"
      "queues:\n  - {name: a, weight: 1}\n  - {name: b, weight: 1}\n"
      "jobs:\n"
      "  - {name: job-2, submit: 0, duration: 5.25s, queue: b, "
      "tasks: [{replicas: 2, gpus: 8}, {replicas: 1, gpus: 4}]}\n"
      "  - {name: job-3, submit: 0, duration: 0, gpus: 8}\n"
      "  - {name: job-1, submit: 1, duration: 66, queue: a, gpus: 1}\n",
      NULL },
    { "job_id,submission_time,duration,num_gpu\nx,16566,3890,4",
      "jobs:\n  - {name: x, submit: 16566, duration: 3890, gpus: 4}\n", NULL },
    { "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,"
      "interval\r\n0,16,1500,1046811,vgg,128,927475000,11174000\r\n",
      "jobs:\n  - {name: \"0\", submit: 1.5s, duration: 927475, replicas: 2, "
      "gpus: 8}\n",
      NULL },
};

static const struct load_trace_case bad[] = {
    { P "2017-13-09 07:01:55,66.0,1,66.0,a\n", NULL,
      "t.csv:2:1: 'timestamp' must be a time such as 2017-10-09 07:01:55 (got "
      "'2017-13-09 07:01:55')" },
    { P "2017-10-09 07:01:55,inf,1,66.0,a\n", NULL,
      "t.csv:2:21: 'duration' must be a number of seconds of at least 0 (got "
      "'inf')" },
    { P "2017-10-09 07:01:55,1,1.5,66.0,a\n", NULL,
      "t.csv:2:23: 'num_gpus' must be a whole number from 0 to 1099511627776 "
      "(got '1.5')" },
    { P "2017-10-09 07:01:55,1,1000000000,66.0,a\n", NULL,
      "t.csv:2: a job may have at most 1000000 tasks (1000000000 GPUs make "
      "125000000)" },
    { P "2017-10-09 07:01:55,1,1,1,/\n", NULL,
      "t.csv:2:27: 'cluster' must be a path of at most 8 names, such as a/b/c "
      "(got '/')" },
    { "job_id,submission_time,duration,num_gpu\nx,-1,3890,4", NULL,
      "t.csv:2:3: 'submission_time' must be a number of seconds of at least 0 "
      "(got '-1')" },
    { "job_id,num_gpu,submit_time,iterations,duration\n0,1,x,1,1\n", NULL,
      "t.csv:2:5: 'submit_time' must be a number of milliseconds of at least "
      "0 (got 'x')" },
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

static void test_task_size(void)
{
    const struct trace_options o = { .task_size = 4 };
    const struct trace_options large = { .task_size = 65 };
    const struct load_trace_case c = {
        "job_id,submission_time,duration,num_gpu\nx,0,1,9",
        "jobs:\n  - {name: x, submit: 0, duration: 1, tasks: "
        "[{replicas: 2, gpus: 4}, {replicas: 1, gpus: 1}]}\n",
        NULL
    };
    const struct load_trace_case refused = {
        c.text, NULL, "a task may have at most 64 GPUs (got 65)"
    };

    load_trace_check("t.csv", &c, &o);
    load_trace_check("t.csv", &refused, &large);
}

static void test_recognise(void)
{
    static const struct load_trace_case unknown[] = {
        { "", NULL, "x: the file is empty" },
        { "# only a comment\n", NULL,
          "x: holds comments and blank lines only" },
        { "hello\n", NULL,
          "x: not a trace of a known format (known: native YAML and CSV, SWF, "
          "openb, Philly, ITP and Muri CSV)" },
    };

    for (size_t i = 0; i < N_ELEMENTS(unknown); i++)
        load_trace_check("x", &unknown[i], NULL);
    CU_ASSERT_EQUAL(trace_format_find("philly"), TRACE_PHILLY);
    CU_ASSERT_EQUAL(trace_format_find("nope"), TRACE_FORMATS);
    for (int f = 0; f < TRACE_FORMATS; f++)
        CU_ASSERT_EQUAL(
            (int)trace_format_find(trace_format_name((enum trace_format)f)), f);
}

/* The published files, when they are at hand: rows and GPU time. */
static void test_published(void)
{
    static const struct {
        const char *path;
        uint32_t jobs;
        double mean_gpus; /* asked, over the span of submissions */
    } files[] = {
        { "philly/philly.csv.gz", 82247, 374.237 },
        { "itp/cluster04.csv.xz", 15802, 494.559 },
        { "itp/cluster06.csv.xz", 2396, 86.563 },
        { "muri/trace3.csv.xz", 992, 51.443 },
    };
    const char *folder = getenv("GSIM_SHARED");
    const struct trace_options o = { .format = TRACE_AUTO };

    if (!folder) {
        printf("skipped (GSIM_SHARED is not set) ");
        return;
    }
    for (size_t i = 0; i < N_ELEMENTS(files); i++) {
        char path[512];
        struct trace_summary s;
        struct gs_input *in;
        struct load_trace l;

        snprintf(path, sizeof(path), "%s/traces/%s", folder, files[i].path);
        load_trace_init(&l);
        in = gs_input_open(path, &l.err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(in);
        CU_ASSERT_EQUAL(trace_read(in, &o, l.w, &l.facts, &l.err), 0);
        trace_describe(l.w, &s);
        CU_ASSERT_EQUAL(s.jobs, files[i].jobs);
        CU_ASSERT_TRUE(s.mean_gpus > files[i].mean_gpus - 0.001
                       && s.mean_gpus < files[i].mean_gpus + 0.001);
        gs_input_close(in);
        load_trace_fini(&l);
    }
}

static const struct suite_case cases[] = {
    { "good files are read", test_good },
    { "bad files are refused", test_bad },
    { "jobs are cut into tasks by their size", test_task_size },
    { "formats are recognised", test_recognise },
    { "published files have the published sums", test_published },
};

int main(void)
{
    return suite_run("traces: Philly, ITP, Muri", cases, N_ELEMENTS(cases));
}
