/* tests/traces/test_bad_traces.c - every malformed file of
 * tests/data/bad/traces fails with the line that stands beside it.
 */
#include "tests/lib/bad_files.h"
#include "tests/lib/load_trace.h"

static bool read(const char *path, struct gs_err *err)
{
    const struct trace_options o = { .format = TRACE_AUTO };
    struct gs_input *in = gs_input_open(path, err);
    struct load_trace l;
    bool is_read;

    load_trace_init(&l);
    is_read = in && trace_read(in, &o, l.w, &l.facts, err) == 0;
    gs_input_close(in);
    load_trace_fini(&l);
    return is_read;
}

static void test_all(void)
{
    bad_files_check("tests/data/bad/traces", 40, read);
}

/* A file with many mistakes is read to its end, and never more are kept than
 * were asked for.
 */
static void test_limit(void)
{
    const struct trace_options o = { .format = TRACE_AUTO };
    char text[4000] = "name,submit,duration\n";

    for (int i = 0; i < 50; i++)
        strcat(text, "a,x,1\n");
    for (unsigned limit = 0; limit <= GS_ERR_MAX; limit += 5) {
        struct gs_input *in = gs_input_open_memory("t.csv", text, strlen(text));
        struct load_trace l;

        load_trace_init(&l);
        l.err.limit = limit;
        CU_ASSERT_EQUAL(trace_read(in, &o, l.w, &l.facts, &l.err), -1);
        CU_ASSERT_EQUAL(l.err.count, limit ? limit : 1);
        gs_input_close(in);
        load_trace_fini(&l);
    }
}

static const struct suite_case cases[] = {
    { "bad files are refused as written", test_all },
    { "no more mistakes are kept than asked for", test_limit },
};

int main(void)
{
    return suite_run("traces: malformed files", cases, N_ELEMENTS(cases));
}
