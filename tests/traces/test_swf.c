/* tests/traces/test_swf.c - the Standard Workload Format and its traps. */
#include "tests/lib/load_trace.h"

/* number submit wait run procs cpu mem procs_asked time_asked mem_asked status
 * user group executable queue partition preceding think
 */
#define LINE(number, submit, run, procs, asked, user)                       \
    number " " submit " -1 " run " " procs " -1 -1 -1 " asked " -1 1 " user \
           " 1 -1 1 -1 -1 -1"
#define BACK(submit, times, tasks)                                        \
    "jobs:\n  - {name: \"1\", submit: " submit ", duration: " times tasks \
    ", cpu: 1}\n"

static const struct load_trace_case good[] = {
    { LINE("1", "0", "60", "1", "60", "-1"), BACK("0", "60", ""), NULL },
    { LINE("1", "0", "60", "4", "100", "7"),
      BACK("0", "60", ", estimate: 100, user: \"7\", replicas: 4"), NULL },
    /* cut at the requested time */
    { LINE("1", "0", "100", "4", "60", "-1"),
      BACK("0", "60", ", estimate: 100, replicas: 4"), NULL },
    /* no requested time: as it ran */
    { LINE("1", "0", "100", "4", "-1", "-1"), BACK("0", "100", ", replicas: 4"),
      NULL },
    /* never ran, no processors, submitted before the log */
    { LINE("1", "5", "-1", "4", "60", "-1"), BACK("5", "1", ", replicas: 4"),
      NULL },
    { LINE("1", "0", "0", "4", "60", "-1"), BACK("1", "1", ", replicas: 4"),
      NULL },
    { LINE("1", "5", "60", "-1", "60", "-1"), BACK("5", "1", ""), NULL },
    { LINE("1", "-5", "60", "2", "60", "-1"), BACK("1", "1", ", replicas: 2"),
      NULL },
    /* header, clamping, CRLF, fractions, more fields, blank lines */
    { "; MaxProcs: 2\r\n;\r\n; UnixStartTime: 86400\r\n\r\n" LINE(
          "1", "0", "60", "4", "60", "-1") "\r\n",
      "epoch: 1970-01-02 00:00:00.000000\n" BACK("0", "60", ", replicas: 2"),
      NULL },
    { "  " LINE("1", "0.5", "60.25", "1.0", "70.0", "-1") " 5 6 7.5\n",
      BACK("0.5s", "60.25s", ", estimate: 70"), NULL },
    { LINE("1", "0", "0.5", "1", "0.7", "-1"), BACK("0", "1", ""), NULL },
    /* equal submit times keep the order of the file */
    { LINE("2", "9", "1", "1", "1", "-1") "\n" LINE("1", "9", "1", "1", "1",
                                                    "-1") "\n; end\n",
      "jobs:\n  - {name: \"2\", submit: 9, duration: 1, cpu: 1}\n"
      "  - {name: \"1\", submit: 9, duration: 1, cpu: 1}\n",
      NULL },
};

static const struct load_trace_case bad[] = {
    { "; nothing\n", NULL, "t.swf: holds no jobs" },
    { "1 2 3\n", NULL, "t.swf:1: a job has 18 fields (got 3)" },
    { "; x\n" LINE("1", "x", "1", "1", "1", "-1"), NULL,
      "t.swf:2:3: field 2 (submit time) must be a number (got 'x')" },
    { LINE("1", "0", "nan", "1", "1", "-1"), NULL,
      "t.swf:1:8: field 4 (run time) must be a number (got 'nan')" },
    { LINE("1", "0", "1e5", "1", "1", "-1"), NULL,
      "t.swf:1:8: field 4 (run time) must be a number (got '1e5')" },
    { LINE("1", "99999999999999999999", "1", "1", "1", "-1"), NULL,
      "t.swf:1:3: field 2 (submit time) must be a number (got "
      "'99999999999999999999')" },
    { LINE("1", "0", "1", "1.5", "1", "-1"), NULL,
      "t.swf:1: field 5 (allocated processors) must be a whole number" },
    { LINE("1", "0", "1", "1000001", "1", "-1"), NULL,
      "t.swf:1: a job may have at most 1000000 tasks (1000001 processors make "
      "1000001)" },
};

static void test_good(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++)
        load_trace_check("t.swf", &good[i], NULL);
}

static void test_bad(void)
{
    for (size_t i = 0; i < N_ELEMENTS(bad); i++)
        load_trace_check("t.swf", &bad[i], NULL);
}

static void test_units(void)
{
    static const struct {
        const char *procs;
        struct trace_options o;
        const char *back;
    } units[] = {
        { "20",
          { .processors_are_gpus = true, .task_size = 8 },
          ", tasks: [{replicas: 2, gpus: 8}, {replicas: 1, gpus: 4}]}\n" },
        { "16",
          { .processors_are_gpus = true, .task_size = 8 },
          ", replicas: 2, gpus: 8}\n" },
        { "5",
          { .processors_are_gpus = true, .task_size = 8 },
          ", gpus: 5}\n" },
        { "5", { .processors_are_gpus = true }, ", replicas: 5, gpus: 1}\n" },
        { "100",
          { .task_size = 64 },
          ", tasks: [{replicas: 1, cpu: 64}, {replicas: 1, cpu: 36}]}\n" },
    };

    for (size_t i = 0; i < N_ELEMENTS(units); i++) {
        char text[200], back[200];
        const struct load_trace_case c = { text, back, NULL };

        snprintf(text, sizeof(text),
                 "1 0 -1 60 %s -1 -1 -1 60 -1 1 -1 1 -1 1 -1 -1 -1",
                 units[i].procs);
        snprintf(back, sizeof(back),
                 "jobs:\n  - {name: \"1\", submit: 0, duration: 60%s",
                 units[i].back);
        load_trace_check("t.swf", &c, &units[i].o);
    }
}

static void test_facts(void)
{
    static const char text[] =
        ";   MaxProcs:   128\n; UnixStartTime: 893466664\n" LINE(
            "1", "0", "1", "1", "1", "-1");
    struct load_trace l;

    CU_ASSERT_EQUAL(load_trace_bytes(&l, "t.swf", text, sizeof(text) - 1, NULL),
                    0);
    CU_ASSERT_EQUAL(l.facts.format, TRACE_SWF);
    CU_ASSERT_EQUAL(l.facts.max_procs, 128);
    CU_ASSERT_EQUAL(l.facts.epoch, INT64_C(893466664000000));
    load_trace_fini(&l);
}

static const struct suite_case cases[] = {
    { "good files are read", test_good },
    { "bad files are refused", test_bad },
    { "processors are tasks", test_units },
    { "facts of the header are kept", test_facts },
};

int main(void)
{
    return suite_run("traces: SWF", cases, N_ELEMENTS(cases));
}
