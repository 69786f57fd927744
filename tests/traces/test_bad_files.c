/* tests/traces/test_bad_files.c - every malformed file of tests/data/bad/traces
 * fails with the line that stands beside it, in FILE.expect.
 *
 * Run from the top of the tree, as make does.
 */
#include <dirent.h>

#include "tests/lib/load_trace.h"

#define FOLDER "tests/data/bad/traces"

static int is_input(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');

    return e->d_name[0] != '.' && dot && strcmp(dot, ".expect") != 0;
}

/* The expected message, "" when there is none. */
static void read_expected(const char *path, char *buf, size_t size)
{
    char name[512];
    FILE *f;

    buf[0] = '\0';
    snprintf(name, sizeof(name), "%s.expect", path);
    f = fopen(name, "r");
    if (!f)
        return;
    if (fgets(buf, (int)size, f))
        buf[strcspn(buf, "\n")] = '\0';
    fclose(f);
}

static void check_file(const char *path)
{
    const struct trace_options o = { .format = TRACE_AUTO };
    char want[512], got[512] = "";
    struct gs_input *in;
    struct load_trace l;

    load_trace_init(&l);
    in = gs_input_open(path, &l.err);
    if (in && trace_read(in, &o, l.w, &l.facts, &l.err) == 0)
        snprintf(got, sizeof(got), "%s was read", path);
    else
        gs_err_format(&l.err, 0, got, sizeof(got));
    read_expected(path, want, sizeof(want));
    if (strcmp(got, want) != 0)
        printf("\n got %s\nwant %s\n", got, want);
    CU_ASSERT_STRING_EQUAL(got, want);
    gs_input_close(in);
    load_trace_fini(&l);
}

static void test_all(void)
{
    struct dirent **list;
    const int n = scandir(FOLDER, &list, is_input, alphasort);

    CU_ASSERT_TRUE_FATAL(n >= 40);
    for (int i = 0; i < n; i++) {
        char path[512];

        snprintf(path, sizeof(path), FOLDER "/%s", list[i]->d_name);
        check_file(path);
        free(list[i]);
    }
    free(list);
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
