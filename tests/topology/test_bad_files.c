/* tests/topology/test_bad_files.c - every malformed file of
 * tests/data/bad/topology fails with the line that stands beside it, in
 * FILE.expect.
 *
 * Run from the top of the tree, as make does.
 */
#include <dirent.h>

#include "tests/lib/load_topo.h"
#include "topology/read.h"

#define FOLDER "tests/data/bad/topology"

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

/* Wanting `limit` problems, the first is always the same. */
static void check_file(const char *path, unsigned limit)
{
    char want[512], got[512] = "";
    struct gs_input *in;
    struct load_topo l;

    load_topo_init(&l);
    l.err.limit = limit;
    in = gs_input_open(path, &l.err);
    if (in && topo_read(in, l.arena, l.names, &l.dims, &l.err))
        snprintf(got, sizeof(got), "%s was read", path);
    else
        gs_err_format(&l.err, 0, got, sizeof(got));
    read_expected(path, want, sizeof(want));
    load_topo_same(got, want);
    gs_input_close(in);
    load_topo_fini(&l);
}

static void test_all(void)
{
    struct dirent **list;
    const int n = scandir(FOLDER, &list, is_input, alphasort);

    CU_ASSERT_TRUE_FATAL(n >= 60);
    for (int i = 0; i < n; i++) {
        char path[512];

        snprintf(path, sizeof(path), FOLDER "/%s", list[i]->d_name);
        check_file(path, 0);
        check_file(path, GS_ERR_MAX);
        free(list[i]);
    }
    free(list);
}

/* A file with many mistakes is read to its end, and never more are kept than
 * were asked for.
 */
static void check_limit(const char *name, const char *text)
{
    for (unsigned limit = 0; limit <= GS_ERR_MAX; limit += 5) {
        struct gs_input *in = gs_input_open_memory(name, text, strlen(text));
        struct load_topo l;

        load_topo_init(&l);
        l.err.limit = limit;
        CU_ASSERT_PTR_NULL(topo_read(in, l.arena, l.names, &l.dims, &l.err));
        CU_ASSERT_EQUAL(l.err.count, limit ? limit : 1);
        gs_input_close(in);
        load_topo_fini(&l);
    }
}

static void test_limit(void)
{
    char csv[4000] = "sn,cpu_milli,memory_mib,gpu,model\n";
    char yaml[4000] = "node_types: {a: {gpus: 8}}\nnodes:\n";

    for (int i = 0; i < 50; i++) {
        strcat(csv, "a,x,1,1,T4\n");
        strcat(yaml, "  - {name: a, type: b}\n");
    }
    check_limit("t.csv", csv);
    check_limit("t.yaml", yaml);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "bad files are refused as written", test_all },
        { "no more mistakes are kept than asked for", test_limit },
    };

    return suite_run("topology: malformed files", cases, N_ELEMENTS(cases));
}
