/* tests/traces/test_trace_mistakes.c - every mistake of a trace is told, by its
 * place.
 */
#include "tests/lib/load_trace.h"
#include "traces/formats/reading.h"

/* Reading `text` finds `count` mistakes, which begin as those in `want`. */
static void mistakes(const char *text, unsigned limit, const char *const *want,
                     size_t count)
{
    struct gs_input *in = gs_input_open_memory("t.yaml", text, strlen(text));
    const struct trace_options o = { .format = TRACE_AUTO };
    struct load_trace l;
    char buf[1024];

    load_trace_init(&l);
    l.err.limit = limit;
    CU_ASSERT_EQUAL(trace_read(in, &o, l.w, &l.facts, &l.err), -1);
    CU_ASSERT_EQUAL(l.err.count, count);
    for (unsigned i = 0; i < l.err.count && i < count; i++) {
        gs_err_format(&l.err, i, buf, sizeof(buf));
        if (strncmp(buf, want[i], strlen(want[i])) != 0)
            printf("\n got %s\nwant %s\n", buf, want[i]);
        CU_ASSERT(strncmp(buf, want[i], strlen(want[i])) == 0);
    }
    gs_input_close(in);
    load_trace_fini(&l);
}

/* A caller that wants more gets every mistake, in order. */
static void test_all_mistakes(void)
{
    static const char text[] = "jobs:\n"
                               "- {name: a, submit: x, duration: 1, gpus: 0}\n"
                               "- {name: b, submit: 0, duration: 1}\n"
                               "- {name: b, submit: 0, duration: 1}\n"
                               "queues: [{name: q, wight: 1}]\n";
    static const char *const want[] = {
        "t.yaml:2:21: 'submit' must be a time such as 90, 90s, 15m, 1h30m or "
        "2d or a date (got 'x')",
        "t.yaml:2:43: 'gpus' must be a whole number from 1 to 64 (got '0')",
        "t.yaml:4:10: two jobs are called 'b' (the first is at line 3)",
        "t.yaml:5:20: unknown key 'wight' in queue (did you mean 'weight'?)",
    };

    mistakes(text, GS_ERR_MAX, want, N_ELEMENTS(want));
    mistakes(text, 0, want, 1);
}

/* In one job, and in one row of CSV, too: by their places, not in the order in
 * which the reader comes to them.
 */
static void test_all_mistakes_of_one_job(void)
{
    static const char text[] =
        "jobs:\n"
        "- {gang: 0, duration: x, queue: '', submit: y, foo: 1}\n"
        "- {name: a, submit: 1, tasks: [{gpus: z}, {gpu: 1}], duration: -1}\n";
    static const char *const want[] = {
        "t.yaml:2:10: 'gang' must be",
        "t.yaml:2:23: 'duration' must be",
        "t.yaml:2:33: 'queue' must be",
        "t.yaml:2:45: 'submit' must be",
        "t.yaml:2:48: unknown key 'foo' in job (known: name, submit, ",
        "t.yaml:3:39: 'gpus' must be",
        "t.yaml:3:44: unknown key 'gpu' in task",
        "t.yaml:3:64: 'duration' must be",
    };
    static const char rows[] = "duration,gpus,submit\nx,y,z\n1,1,1\n1,q,1\n";
    static const char *const cells[] = {
        "t.yaml:2:1: 'duration' must be",
        "t.yaml:2:3: 'gpus' must be",
        "t.yaml:2:5: 'submit' must be",
        "t.yaml:4:3: 'gpus' must be",
    };

    mistakes(text, GS_ERR_MAX, want, N_ELEMENTS(want));
    mistakes(text, 0, want, 1);
    mistakes(rows, GS_ERR_MAX, cells, N_ELEMENTS(cells));
    mistakes(rows, 0, cells, 1);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "every mistake is reported in order", test_all_mistakes },
        { "mistakes of one job are reported by place",
          test_all_mistakes_of_one_job },
    };

    return suite_run("traces/trace_mistakes", cases, N_ELEMENTS(cases));
}
