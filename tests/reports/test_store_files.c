/* tests/reports/test_store_files.c - other files, missing files and cut files
 * in place of a database.
 */
#include <sys/stat.h>

#include "tests/lib/database.h"
#include "tests/lib/suite.h"

static void file_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        abort();
}

static void test_files_of_others(void)
{
    static const struct {
        const char *sql, *text;
    } cases[] = {
        { NULL, "file is not a database" },
        { "CREATE TABLE x (a)", "is a database, but not one of gsim's" },
        { "PRAGMA application_id = -1", "not one of gsim's" },
        { "PRAGMA user_version = 1",
          "has schema version 1 of an older gsim, this one reads 3 to " },
        { "PRAGMA user_version = 99", "has schema version 99 of a newer gsim" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        static const char *const name[] = { "one", NULL };
        struct gs_err write = { 0 }, read = { 0 };
        struct database d;

        database_init(&d);
        if (!cases[i].sql)
            file_write(d.path, "name,submit,duration\njob-1,0,10\n");
        else if (i > 1)
            database_put_all(&d, name);
        else
            file_write(d.path, "");
        if (cases[i].sql)
            database_ask(&d, cases[i].sql);
        CU_ASSERT_PTR_NULL(report_store_open(d.path, &write));
        CU_ASSERT_PTR_NULL(report_store_open_readonly(d.path, &read));
        CU_ASSERT_EQUAL(write.code, GS_INPUT);
        CU_ASSERT_EQUAL(read.code, GS_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(write.problem[0].text, cases[i].text));
        CU_ASSERT_PTR_NOT_NULL(strstr(read.problem[0].text, cases[i].text));
        CU_ASSERT_EQUAL(access(d.path, F_OK), 0);
        database_fini(&d);
    }
}

static void test_paths(void)
{
    static const struct {
        const char *path, *text;
        enum gs_code write, read;
    } cases[] = {
        { "/nowhere/x.db", "No such file or directory", GS_IO, GS_INPUT },
        { "/tmp", "is not a file", GS_INPUT, GS_INPUT },
        { "/dev/null", "is not a file", GS_INPUT, GS_INPUT },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_err write = { 0 }, read = { 0 };

        CU_ASSERT_PTR_NULL(report_store_open(cases[i].path, &write));
        CU_ASSERT_PTR_NULL(report_store_open_readonly(cases[i].path, &read));
        CU_ASSERT_EQUAL(write.code, cases[i].write);
        CU_ASSERT_EQUAL(read.code, cases[i].read);
        CU_ASSERT_PTR_NOT_NULL(strstr(write.problem[0].text, cases[i].text));
        CU_ASSERT_PTR_NOT_NULL(strstr(read.problem[0].text, cases[i].text));
    }
}

/* A cut database gives an error, not a crash, wherever it is cut. */
static void test_cut_files(void)
{
    static const char *const name[] = { "one", NULL };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct database d;
    uint32_t told = 0, cuts = 0;
    struct stat st;

    database_init(&d);
    database_put_all(&d, name);
    CU_ASSERT_EQUAL_FATAL(stat(d.path, &st), 0);
    for (off_t size = st.st_size - 1; size > 0; size -= 12345) {
        struct gs_err err = { 0 };
        struct report_stored_metric *metric;
        struct report_store *s;
        uint32_t count;

        CU_ASSERT_EQUAL_FATAL(truncate(d.path, size), 0);
        s = report_store_open_readonly(d.path, &err);
        if (s)
            (void)report_store_metrics(s, 1, arena, &metric, &count, &err);
        CU_ASSERT(err.code == GS_INPUT || err.code == GS_OK);
        told += err.code == GS_INPUT;
        cuts++;
        report_store_close(s);
    }
    CU_ASSERT(told + 2 >= cuts); /* the last pages are not of metrics */
    gs_arena_destroy(arena);
    database_fini(&d);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a file of another program is refused", test_files_of_others },
        { "a path without a database is refused", test_paths },
        { "a database that is cut anywhere is told", test_cut_files },
    };

    return suite_run("reports/store_files", cases, N_ELEMENTS(cases));
}
