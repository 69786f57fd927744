/* tests/base/test_files.c - lines, packed files, CSV rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/input.h"
#include "tests/lib/suite.h"

/* --- lines ---------------------------------------------------------------- */

static void test_lines(void)
{
    static const struct {
        const char *text;
        size_t size;
        int lines; /* -1: an error comes after them */
        const char *last;
    } cases[] = {
        { "", 0, 0, NULL },          { "a", 1, 1, "a" },
        { "a\n", 2, 1, "a" },        { "a\nb", 3, 2, "b" },
        { "a\r\nb\r\n", 6, 2, "b" }, { "\n\n", 2, 2, "" },
        { "a\rb\n", 4, 1, "a\rb" },  { "a\0b\n", 4, -1, NULL },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_input *in = gs_input_open_memory("m", cases[i].text,
                                                   cases[i].size);
        struct gs_err err = { 0 };
        char *line = NULL, last[16] = "";
        size_t len = 0;
        int n = 0, rc;

        while ((rc = gs_input_line(in, &line, &len, &err)) > 0) {
            n++;
            memcpy(last, line, len + 1);
        }
        CU_ASSERT_EQUAL(rc, cases[i].lines < 0 ? -1 : 0);
        if (cases[i].lines >= 0)
            CU_ASSERT_EQUAL(n, cases[i].lines);
        if (cases[i].last)
            CU_ASSERT_STRING_EQUAL(last, cases[i].last);
        gs_input_close(in);
    }
}

static void test_long_lines(void)
{
    const size_t sizes[] = { GS_INPUT_LINE_MAX, GS_INPUT_LINE_MAX + 1,
                             3 * GS_INPUT_LINE_MAX };

    for (size_t i = 0; i < N_ELEMENTS(sizes); i++) {
        char *text = malloc(sizes[i]);
        struct gs_err err = { 0 };
        struct gs_input *in;
        char *line;
        size_t len = 0;

        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        memset(text, 'x', sizes[i]);
        in = gs_input_open_memory("m", text, sizes[i]);
        CU_ASSERT_EQUAL(gs_input_line(in, &line, &len, &err),
                        sizes[i] > GS_INPUT_LINE_MAX ? -1 : 1);
        CU_ASSERT_EQUAL(err.code,
                        sizes[i] > GS_INPUT_LINE_MAX ? GS_LIMIT : GS_OK);
        gs_input_close(in);
        free(text);
    }
}

/* The head consumes nothing, and stays valid whatever is read later. */
static void test_head(void)
{
    struct gs_input *in = gs_input_open_memory("m", "one\ntwo\n", 8);
    struct gs_err err = { 0 };
    const char *seen;
    char *line;
    size_t len;

    seen = gs_input_head(in, &len, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
    CU_ASSERT_EQUAL(len, 8);
    CU_ASSERT_EQUAL(gs_input_line(in, &line, &len, &err), 1);
    CU_ASSERT_STRING_EQUAL(line, "one");
    CU_ASSERT_PTR_EQUAL(gs_input_head(in, &len, &err), seen);
    CU_ASSERT_EQUAL(len, 8);
    CU_ASSERT_EQUAL(memcmp(seen, "one\ntwo\n", 8), 0);
    CU_ASSERT_EQUAL(gs_input_line(in, &line, &len, &err), 1);
    CU_ASSERT_STRING_EQUAL(line, "two");
    CU_ASSERT_EQUAL(gs_input_line_number(in), 2);
    gs_input_close(in);
}

/* --- lines that a thread reads ahead -------------------------------------- */

/* Read both to their ends or mistakes: the number of answers that differ. */
static uint32_t differences(struct gs_input *a, struct gs_input *b)
{
    struct gs_err x = { 0 }, y = { 0 };
    uint32_t wrong = 0;
    char *s, *t, said[2][800];
    size_t m, n;
    int rc, mistakes = 0;

    do {
        rc = gs_input_line(a, &s, &m, &x);
        wrong += gs_input_line(b, &t, &n, &y) != rc
                 || gs_input_line_number(a) != gs_input_line_number(b);
        wrong += rc > 0 && (m != n || memcmp(s, t, n + 1) != 0);
        mistakes += rc < 0;
    } while (rc > 0 || (rc < 0 && mistakes < 3));
    wrong += x.count != y.count;
    wrong += rc == 0 && gs_input_hash(a) != gs_input_hash(b);
    if (x.count && y.count) /* both are called f */
        wrong += strcmp(gs_err_format(&x, 0, said[0], sizeof(said[0])),
                        gs_err_format(&y, 0, said[1], sizeof(said[1])))
                 != 0;
    return wrong;
}

/* A text of 40,000 lines with something at line 30,000. */
static char *text_with(const char *what, size_t size, size_t *total)
{
    char *text = malloc(40000 * 8 + size);
    size_t n = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (int i = 1; i <= 40000; i++) {
        if (i == 30000)
            memcpy(text + n, what, size);
        n += i == 30000 ? size : 0;
        n += (size_t)sprintf(text + n, "%d%s", i,
                             i == 40000 ? ""
                             : i % 3    ? "\n"
                                        : "\r\n");
    }
    *total = n;
    return text;
}

static void test_lines_ahead(void)
{
    static char huge[GS_INPUT_LINE_MAX + 10];
    const struct {
        const char *what;
        size_t size;
    } cases[] = {
        { "", 0 },
        { "\n\n\r\n", 4 },
        { "a\0b\n", 4 },
        { huge, GS_INPUT_LINE_MAX - 5 }, /* with the number of the line */
        { huge, sizeof(huge) },
    };
    char dir[] = "/tmp/gsim-test-XXXXXX";

    memset(huge, 'x', sizeof(huge));
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
    CU_ASSERT_EQUAL_FATAL(chdir(dir), 0);
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_err err = { 0 };
        size_t size, len;
        char *text = text_with(cases[i].what, cases[i].size, &size), *line;
        FILE *f = fopen("f", "w");
        struct gs_input *memory, *file;

        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        CU_ASSERT_EQUAL(fwrite(text, 1, size, f), size);
        fclose(f);
        memory = gs_input_open_memory("f", text, size);
        file = gs_input_open("f", &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        CU_ASSERT_EQUAL(differences(memory, file), 0);
        gs_input_close(memory);
        gs_input_close(file);
        free(text);
        file = gs_input_open("f", &err); /* and closed before its end */
        for (int n = 0; n < 20000; n++)
            CU_ASSERT_EQUAL_FATAL(gs_input_line(file, &line, &len, &err), 1);
        gs_input_close(file);
    }
    CU_ASSERT_EQUAL(unlink("f"), 0);
    CU_ASSERT_EQUAL(chdir("/"), 0);
    CU_ASSERT_EQUAL(rmdir(dir), 0);
}

/* --- packed files --------------------------------------------------------- */

#define LINES 50000

/* Number of lines of the file that are as written; -1 on failure. */
static int lines_of(const char *path)
{
    struct gs_err err = { 0 };
    struct gs_input *in = gs_input_open(path, &err);
    char want[32], *line;
    size_t len;
    int n = 0, rc = -1;

    while (in && (rc = gs_input_line(in, &line, &len, &err)) > 0) {
        snprintf(want, sizeof(want), "line %d", n % LINES);
        CU_ASSERT_STRING_EQUAL_FATAL(line, want);
        n++;
    }
    gs_input_close(in);
    if (rc < 0)
        CU_ASSERT_EQUAL(err.code, GS_INPUT);
    return rc < 0 ? -1 : n;
}

static void test_packed(void)
{
    static const struct {
        const char *command; /* makes $f from plain */
        int lines;
    } cases[] = {
        { "cat plain >f", LINES },
        { "gzip -c plain >f", LINES },
        { "xz -c plain >f", LINES },
        { "zstd -q -c plain >f", LINES },
        { "(gzip -c plain; gzip -c plain) >f", 2 * LINES },
        { "(xz -c plain; xz -c plain) >f", 2 * LINES },
        { "(zstd -q -c plain; zstd -q -c plain) >f", 2 * LINES },
        { "gzip -c plain | head -c 5000 >f", -1 },
        { "xz -c plain | head -c 3000 >f", -1 },
        { "zstd -q -c plain | head -c 3000 >f", -1 },
        { "(gzip -c plain; echo rubbish) >f", -1 },
        { "(xz -c plain; echo rubbish) >f", -1 },
        { "printf '\\037\\213' >f", -1 },
        { "gzip -c plain >f; printf 'xx' | dd of=f bs=1 seek=4000 "
          "conv=notrunc status=none",
          -1 },
    };
    char dir[] = "/tmp/gsim-test-XXXXXX", command[256], path[64];
    FILE *plain;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/plain", dir);
    plain = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(plain);
    for (int i = 0; i < LINES; i++)
        fprintf(plain, "line %d\n", i);
    fclose(plain);
    snprintf(path, sizeof(path), "%s/f", dir);
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        snprintf(command, sizeof(command), "cd %s && %s", dir,
                 cases[i].command);
        CU_ASSERT_EQUAL_FATAL(system(command), 0);
        if (cases[i].lines >= 0)
            CU_ASSERT_EQUAL(lines_of(path), cases[i].lines);
        if (cases[i].lines < 0) {
            struct gs_err err = { 0 };
            struct gs_input *in = gs_input_open(path, &err);
            char *line;
            size_t len;

            while (in && gs_input_line(in, &line, &len, &err) > 0)
                ;
            CU_ASSERT_EQUAL(err.code, GS_INPUT);
            gs_input_close(in);
        }
    }
    snprintf(command, sizeof(command), "rm -r %s", dir);
    CU_ASSERT_EQUAL(system(command), 0);
}

/* --- CSV ------------------------------------------------------------------ */

static void test_rows(void)
{
    static const struct {
        const char *text, *fields, *error; /* fields joined with '|' */
    } cases[] = {
        { "a,b\n1,2\n", "1|2", NULL },
        { "a,b\r\n1,2\r\n", "1|2", NULL },
        { "\xef\xbb\xbf"
          "a,b\n1,2",
          "1|2", NULL },
        { "a,b\n,\n", "|", NULL },
        { "a,b\n\n  \n1,2\n", "1|2", NULL },
        { "a,b\n\"1,5\",2\n", "1,5|2", NULL },
        { "a,b\n\"say \"\"hi\"\"\",2\n", "say \"hi\"|2", NULL },
        { "a,b\n1,\"\"\n", "1|", NULL },
        { "a,b\n1,\"x\"\n", "1|x", NULL },
        { "\"a\",b\n1,2\n", "1|2", NULL },
        { "", NULL,
          "t.csv:1:1: the file is empty: a header line was expected" },
        { "a,a\n", NULL, "t.csv:1:3: column 'a' is named twice" },
        { "a,,b\n", NULL, "t.csv:1:3: column 2 has no name" },
        { "a,b\n1\n", NULL, "t.csv:2:1: 1 fields where the header names 2" },
        { "a,b\n1,2,3\n", NULL,
          "t.csv:2:1: 3 fields where the header names 2" },
        { "a,b\n\"1,2\n", NULL,
          "t.csv:2:1: a quoted field must end with '\"' before the next ',' or "
          "the end of the line" },
        { "a,b\n1,\"2\"\"\n", NULL,
          "t.csv:2:3: a quoted field must end with '\"' before the next ',' or "
          "the end of the line" },
        { "a,b\n\"1\"x,2\n", NULL,
          "t.csv:2:1: a quoted field must end with '\"' before the next ',' or "
          "the end of the line" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_input *in = gs_input_open_memory("t.csv", cases[i].text,
                                                   strlen(cases[i].text));
        struct gs_err err = { 0 };
        char got[128] = "", buf[512];
        struct gs_csv csv;
        int rc = gs_csv_open(&csv, in, &err);

        if (rc == 0 && (rc = gs_csv_next(&csv, &err)) > 0)
            snprintf(got, sizeof(got), "%s|%s", csv.field[0].text,
                     csv.field[1].text);
        CU_ASSERT_EQUAL(rc, cases[i].error ? -1 : 1);
        if (cases[i].fields)
            CU_ASSERT_STRING_EQUAL(got, cases[i].fields);
        if (cases[i].error && err.count)
            CU_ASSERT_STRING_EQUAL(gs_err_format(&err, 0, buf, sizeof(buf)),
                                   cases[i].error);
        gs_csv_close(&csv);
        gs_input_close(in);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a file is read line by line", test_lines },
        { "a long line is read whole or refused", test_long_lines },
        { "the head of a file stays unread", test_head },
        { "lines that a thread reads are those of the file", test_lines_ahead },
        { "packed files read as plain ones", test_packed },
        { "CSV rows are read, wrong ones are told", test_rows },
    };

    return suite_run("base/files", cases, N_ELEMENTS(cases));
}
