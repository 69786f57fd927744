/* tests/base/test_yamldoc.c - errors of YAML documents: causes, places,
 * messages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "base/yamltop.h"
#include "tests/lib/suite.h"

/* --- documents ------------------------------------------------------------ */

static const struct {
    const char *text, *error; /* NULL: it must be read */
} documents[] = {
    { "a: 1\n", NULL },
    { "a: {b: [1, 2], c: ''}\n", NULL },
    { "- a\n- b\n", NULL },
    { "a: &x {b: 1}\nc: *x\n", NULL },
    { "", "t.yaml:1:1: the file is empty" },
    { "# nothing\n", "t.yaml:1:1: the file is empty" },
    { "a: 1\nb: 2\na: 3\n", "t.yaml:3:1: duplicate key 'a' (first at line 1)" },
    { "x: {a: 1, a: 2}\n", "t.yaml:1:11: duplicate key 'a' (first at line 1)" },
    { "a: 1\n---\nb: 2\n", "t.yaml:2:1: a second document in one file" },
    { "a: !!int 3\n", "t.yaml:1:4: tags ('!...') are not supported" },
    { "x: &a {b: 1}\ny:\n  <<: *a\n",
      "t.yaml:3:3: merge keys ('<<') are not supported" },
    { "a: *nobody\n", "t.yaml:1:4: no anchor is called 'nobody'" },
    { "? [a, b]\n: 1\n", "t.yaml:1:3: a key must be a plain text" },
    { "a: [1, 2\n", "t.yaml:2:1: not valid YAML: did not find expected ',' "
                    "or ']'" },
    /* bytes that libyaml's reader refuses, by line and column */
    { "a: 1\nb: \"\xe4\"\n",
      "t.yaml:2:5: not valid YAML: invalid trailing UTF-8 octet" },
    { "a: 1\n\nb\x01: 1\n",
      "t.yaml:3:2: not valid YAML: control characters are not allowed" },
    { "a:\n\t- b\n", "t.yaml:2:1: not valid YAML: a tab where blanks are "
                     "needed" },
    { "\xef\xbb\xbf"
      "a: 1\r\nb: 2\r\n",
      NULL },
    { "\xef\xbb\xbf"
      "a: 1, b: 2\n",
      "t.yaml:1:8: not valid YAML: mapping values are not allowed in this "
      "context" },
    { "\xff\xfe"
      "a",
      "t.yaml:1:1: is text in UTF-16: save it as UTF-8" },
    { "a: \"x\\0y\"\n", "t.yaml:1:4: a text may not hold a NUL byte" },
};

static const struct gs_ynode *read_text(const char *text,
                                        struct gs_arena *arena,
                                        const struct gs_ystream *stream,
                                        struct gs_err *err)
{
    struct gs_input *in = gs_input_open_memory("t.yaml", text, strlen(text));
    const struct gs_ynode *root = gs_yaml_read(in, arena, stream, err);

    gs_input_close(in);
    return root;
}

static void expect(const struct gs_err *err, const char *want)
{
    char buf[512];

    CU_ASSERT_EQUAL(err->count > 0, want != NULL);
    if (err->count && want) {
        gs_err_format(err, 0, buf, sizeof(buf));
        if (strcmp(buf, want) != 0)
            printf("\n got %s\nwant %s\n", buf, want);
        CU_ASSERT_STRING_EQUAL(buf, want);
    }
}

static void test_documents(void)
{
    for (size_t i = 0; i < N_ELEMENTS(documents); i++) {
        struct gs_arena *arena = gs_arena_create(1024);
        struct gs_err err = { 0 };
        const struct gs_ynode *root = read_text(documents[i].text, arena, NULL,
                                                &err);

        CU_ASSERT_EQUAL(root == NULL, documents[i].error != NULL);
        expect(&err, documents[i].error);
        gs_arena_destroy(arena);
    }
}

/* Nested lists, and aliases of aliases of aliases. */
static void test_bombs(void)
{
    struct gs_arena *arena = gs_arena_create(1024);
    struct gs_err deep = { 0 }, wide = { 0 };
    char text[4096] = "a: ";
    size_t len;

    for (int i = 0; i < 100; i++)
        strcat(text, "[");
    CU_ASSERT_PTR_NULL(read_text(text, arena, NULL, &deep));
    CU_ASSERT_EQUAL(deep.code, GS_LIMIT);
    len = (size_t)snprintf(text, sizeof(text), "a0: &a0 [x, x, x, x, x, x]\n");
    for (int i = 1; i < 20; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len,
                                "a%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n", i, i,
                                i - 1, i - 1, i - 1, i - 1);
    CU_ASSERT_PTR_NULL(read_text(text, arena, NULL, &wide));
    CU_ASSERT_EQUAL(wide.code, GS_LIMIT);
    gs_arena_destroy(arena);
}

/* A duplicate is found among many keys. */
static void test_many_keys(void)
{
    struct gs_arena *arena = gs_arena_create(1024);
    struct gs_err err = { 0 };
    char *text = calloc(1, 200000);
    size_t len = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (int i = 0; i < 5000; i++)
        len += (size_t)sprintf(text + len, "key%d: %d\n", i, i);
    CU_ASSERT_PTR_NOT_NULL(read_text(text, arena, NULL, &err));
    strcat(text, "key77: again\n");
    CU_ASSERT_PTR_NULL(read_text(text, arena, NULL, &err));
    expect(&err, "t.yaml:5001:1: duplicate key 'key77' (first at line 78)");
    free(text);
    gs_arena_destroy(arena);
}

/* --- streaming ------------------------------------------------------------ */

static int item(void *ctx, const struct gs_ynode *n, struct gs_err *err)
{
    int *sum = ctx;

    if (n->kind != GS_YSCALAR)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ 0, n->line, n->column },
                       "not a number");
    *sum += atoi(n->text);
    return 0;
}

static void test_stream(void)
{
    struct gs_arena *arena = gs_arena_create(1024);
    struct gs_err err = { 0 }, all = { .limit = GS_ERR_MAX };
    int sum = 0;
    const struct gs_ystream stream = { "jobs", item, &sum };
    const struct gs_ynode *root = read_text(
        "x: &five 5\njobs: [1, 2, *five]\ny: [7]\n", arena, &stream, &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT_EQUAL(sum, 8);
    CU_ASSERT_PTR_NULL(gs_ynode_find(root, "jobs")->child);
    CU_ASSERT_STRING_EQUAL(gs_ynode_find(root, "y")->child->text, "7");
    sum = 0;
    CU_ASSERT_PTR_NULL(
        read_text("jobs: [1, [], 2, {}, 4]\n", arena, &stream, &all));
    CU_ASSERT_EQUAL(all.count, 2);
    CU_ASSERT_EQUAL(sum, 7); /* reading continued */
    sum = 0;
    CU_ASSERT_PTR_NULL(read_text("jobs: [1, [], 2]\n", arena, &stream, &err));
    CU_ASSERT_EQUAL(sum, 1); /* reading stopped */
    gs_arena_destroy(arena);
}

/* --- large files, which a thread reads ------------------------------------ */

#define LATE 20000 /* lines before what is wrong */

static const struct {
    const char *text, *error; /* after line LATE; NULL: it is read */
    int line;                 /* of the error, after LATE */
} late[] = {
    { "a: &x {b: 1}\nc: *x\n", NULL, 0 },
    { "a: &x\n- &y b\nc: [*x, *y]\n", NULL, 0 },
    { "a: [1, 2\n", ":1: not valid YAML: did not find expected ',' or ']'", 2 },
    { "b: \"\xe4\"\n", ":5: not valid YAML: invalid trailing UTF-8 octet", 1 },
    { "b:\n\t- c\n", ":1: not valid YAML: a tab where blanks are needed", 2 },
    { "key3: 1\n", ":1: duplicate key 'key3' (first at line 4)", 1 },
    { "---\nb: 2\n", ":1: a second document in one file", 1 },
    { "a: *nobody\n", ":4: no anchor is called 'nobody'", 1 },
};

/* LATE lines, then `end`. */
static char *late_text(const char *end)
{
    char *text = calloc(1, 32 * LATE + 100);
    size_t len = 0;

    for (int i = 0; i < LATE; i++)
        len += (size_t)sprintf(text + len, "key%d: [%d]\n", i, i);
    strcpy(text + len, end);
    return text;
}

static void test_late(void)
{
    for (size_t i = 0; i < N_ELEMENTS(late); i++) {
        struct gs_arena *arena = gs_arena_create(1024);
        struct gs_err err = { 0 };
        char *text = late_text(late[i].text), want[200];
        const struct gs_ynode *root = read_text(text, arena, NULL, &err);

        snprintf(want, sizeof(want), "t.yaml:%d%s", LATE + late[i].line,
                 late[i].error ? late[i].error : "");
        expect(&err, late[i].error ? want : NULL);
        CU_ASSERT_EQUAL(root == NULL, late[i].error != NULL);
        if (root)
            CU_ASSERT_EQUAL(root->len, LATE + 2);
        free(text);
        gs_arena_destroy(arena);
    }
}

/* The reading stops at any item, and where bytes are missing. */
static void test_stops(void)
{
    char *text = calloc(1, 8 * LATE + 100);
    int sum = 0;
    const struct gs_ystream stream = { "jobs", item, &sum };

    strcpy(text, "jobs:\n");
    for (int i = 0; i < LATE; i++)
        strcat(text + 8 * i, i % 7777 == 7776 ? "- []   \n" : "-    1 \n");
    for (unsigned limit = 1; limit <= 3; limit += 2) {
        struct gs_arena *arena = gs_arena_create(1024);
        struct gs_err err = { .limit = limit };

        sum = 0;
        CU_ASSERT_PTR_NULL(read_text(text, arena, &stream, &err));
        CU_ASSERT_EQUAL(err.count, limit == 1 ? 1 : 2);
        CU_ASSERT_EQUAL(sum, limit == 1 ? 7776 : LATE - 2);
        gs_arena_destroy(arena);
    }
    free(text);
}

static void test_cut(void)
{
    char path[] = "/tmp/gsim-cut-XXXXXX", *text = late_text("");
    struct gs_arena *arena = gs_arena_create(1024);
    struct gs_err err = { 0 };
    struct gs_input *in;
    gzFile out = gzdopen(mkstemp(path), "w");
    struct stat st;

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT_TRUE(gzwrite(out, text, (unsigned)strlen(text)) > 0);
    CU_ASSERT_EQUAL_FATAL(gzclose(out), Z_OK);
    CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
    CU_ASSERT_EQUAL_FATAL(truncate(path, st.st_size - 1000), 0);
    in = gs_input_open(path, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    CU_ASSERT_PTR_NULL(gs_yaml_read(in, arena, NULL, &err));
    CU_ASSERT_EQUAL(err.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text, "gzip"));
    gs_input_close(in);
    gs_arena_destroy(arena);
    free(text);
    unlink(path);
}

/* --- fields --------------------------------------------------------------- */

struct thing {
    uint32_t gpus;
    int32_t priority;
    int64_t duration, cpu, memory, rate;
    double weight;
    bool on;
    const char *name;
};

#define AT(field) offsetof(struct thing, field)

static const struct gs_yfield fields[] = {
    { "name", gs_yread_text, AT(name), true },
    { "gpus", gs_yread_count, AT(gpus), false },
    { "priority", gs_yread_i32, AT(priority), false },
    { "duration", gs_yread_duration, AT(duration), false },
    { "cpu", gs_yread_milli, AT(cpu), false },
    { "memory", gs_yread_bytes, AT(memory), false },
    { "rate", gs_yread_rate, AT(rate), false },
    { "weight", gs_yread_double, AT(weight), false },
    { "on", gs_yread_bool, AT(on), false },
};

static const struct {
    const char *text, *error;
} things[] = {
    { "{name: x, gpus: 8, priority: -3, duration: 1h, cpu: 500m, memory: "
      "80GiB, rate: 25GB/s, weight: 0.5, on: yes}",
      NULL },
    { "{gpus: 8}", "t.yaml:1:1: thing needs 'name'" },
    { "{name: x, gpu: 8}",
      "t.yaml:1:11: unknown key 'gpu' in thing (did you mean 'gpus'?)" },
    { "{name: x, colour: 8}",
      "t.yaml:1:11: unknown key 'colour' in thing (known: name, gpus, "
      "priority, duration, cpu, memory, rate, weight, on)" },
    { "{name: x, gpus: 0}",
      "t.yaml:1:17: 'gpus' must be a whole number of at least 1 (got '0')" },
    { "{name: x, gpus: -1}",
      "t.yaml:1:17: 'gpus' must be a whole number of at least 1 (got '-1')" },
    { "{name: x, gpus: 4294967296}",
      "t.yaml:1:17: 'gpus' must be a whole number of at least 1 (got "
      "'4294967296')" },
    { "{name: x, gpus: [1]}",
      "t.yaml:1:17: 'gpus' must be a whole number of at least 1 (got a list)" },
    { "{name: x, priority: 1.5}",
      "t.yaml:1:21: 'priority' must be a whole number (got '1.5')" },
    { "{name: x, duration: soon}",
      "t.yaml:1:21: 'duration' must be a time such as 90, 90s, 15m, 1h30m or "
      "2d (got 'soon')" },
    { "{name: x, cpu: m}",
      "t.yaml:1:16: 'cpu' must be an amount such as 4, 1.5 or 500m (got 'm')" },
    { "{name: x, memory: 8GX}",
      "t.yaml:1:19: 'memory' must be an amount of bytes such as 512MiB or 80GB "
      "(got '8GX')" },
    { "{name: x, rate: 8GB}",
      "t.yaml:1:17: 'rate' must be a rate such as 25GB/s or 200Gbit/s (got "
      "'8GB')" },
    { "{name: x, weight: nan}",
      "t.yaml:1:19: 'weight' must be a number (got 'nan')" },
    { "{name: x, on: maybe}",
      "t.yaml:1:15: 'on' must be true or false (got 'maybe')" },
    { "{name: \"a\\eb\"}",
      "t.yaml:1:8: 'name' must be a text without control characters (got "
      "'a?b')" },
    { "{name: ''}",
      "t.yaml:1:8: 'name' must be a text without control characters (got '')" },
    { "[name]", "t.yaml:1:1: thing must be a mapping of keys to values" },
};

static void test_fields(void)
{
    const struct gs_yctx c = { .source = "t.yaml" };

    for (size_t i = 0; i < N_ELEMENTS(things); i++) {
        struct gs_arena *arena = gs_arena_create(1024);
        struct gs_err err = { 0 };
        struct thing t = { 0 };
        const struct gs_ynode *root = read_text(things[i].text, arena, NULL,
                                                &err);

        CU_ASSERT_PTR_NOT_NULL_FATAL(root);
        CU_ASSERT_EQUAL(gs_ynode_fields(&c, root, "thing", fields,
                                        N_ELEMENTS(fields), &t, &err),
                        things[i].error ? -1 : 0);
        expect(&err, things[i].error);
        if (!things[i].error)
            CU_ASSERT(t.gpus == 8 && t.priority == -3 && t.cpu == 500
                      && t.duration == 3600 * INT64_C(1000000) && t.on
                      && t.memory == INT64_C(80) << 30
                      && t.rate == INT64_C(25000000000) && t.weight == 0.5);
        gs_arena_destroy(arena);
    }
}

/* --- the top of a file ---------------------------------------------------- */

static const struct {
    const char *text;
    const char *keys; /* key=first, by ' '; "-first" of a list */
    int rc;
    bool is_empty;
} tops[] = {
    { "{name: x, actions: [allocate]}\n", "name=x actions=allocate", 0, false },
    { "# c\n---\n\"a\":\n- {b: {c: d}}\n- e\nf: {}\n", "a=b f=", 0, false },
    { "{\"jobs\":\n[{\"name\": \"a\"}],\n  \"q\": 1}", "jobs=name q=1", 0,
      false },
    { "a: &x [b]\nc: *x\nd: e\n", "a=b c= d=e", 0, false },
    { "? [a, {b: c}]\n: d\ne: f\n", "=d e=f", 0, false },
    { "- gpus: 1\n- b\n", "-gpus", 0, false },
    { "[{gpus: 1}]", "-gpus", 0, false },
    { "a: 1\n---\nb: 2\n", "a=1", 0, false },
    { "a: 1\nb: [1, 2\nc: {\n", "a=1", -1, false },
    { "word\n", "", 0, false },
    { "", "", 0, true },
    { "# only\n", "", 0, true },
};

static void top_text(const struct gs_ytop *t, char *to)
{
    *to = '\0';
    if (t->is_list)
        strcat(strcpy(to, "-"), t->key[0].first);
    for (uint32_t i = 0; i < t->count; i++) {
        strcat(strcat(to, i ? " " : ""), t->key[i].key);
        strcat(strcat(to, "="), t->key[i].first);
    }
}

static void test_top(void)
{
    for (size_t i = 0; i < N_ELEMENTS(tops); i++) {
        struct gs_input *in = gs_input_open_memory("t", tops[i].text,
                                                   strlen(tops[i].text));
        struct gs_err err = { 0 };
        struct gs_ytop top;
        char got[GS_YTOP_KEYS_MAX * 2 * (GS_YTOP_TEXT_MAX + 1)];

        CU_ASSERT_EQUAL(gs_yaml_top(in, &top, &err), tops[i].rc);
        CU_ASSERT_EQUAL(top.is_empty, tops[i].is_empty);
        top_text(&top, got);
        if (strcmp(got, tops[i].keys) != 0)
            printf("\n got %s\nwant %s\n", got, tops[i].keys);
        CU_ASSERT_STRING_EQUAL(got, tops[i].keys);
        gs_input_close(in);
    }
}

/* More and longer keys than a table holds. */
static void test_top_is_bounded(void)
{
    char *text = calloc(1, 250000);
    struct gs_err err = { 0 };
    struct gs_input *in;
    struct gs_ytop top;
    size_t len = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (int i = 0; i < 1000; i++)
        len += (size_t)sprintf(text + len, "%0100d: %0100d\n", i, i);
    in = gs_input_open_memory("t", text, len);
    CU_ASSERT_EQUAL(gs_yaml_top(in, &top, &err), 0);
    CU_ASSERT_EQUAL(top.count, GS_YTOP_KEYS_MAX);
    CU_ASSERT_EQUAL(strlen(top.key[0].key), GS_YTOP_TEXT_MAX - 1);
    gs_input_close(in);
    free(text);
}

/* --- lists of names ------------------------------------------------------- */

static void test_names_are_joined_whole(void)
{
    static const char *const name[] = { "alpha", "beta", "gamma" };
    static const struct {
        size_t size, count;
        const char *want;
    } cases[] = {
        { 64, 3, "alpha, beta, gamma" },
        { 19, 3, "alpha, beta, gamma" },
        { 18, 3, "alpha, beta, ..." },
        { 17, 3, "alpha, beta, ..." },
        { 16, 3, "alpha, ..." },
        { 12, 2, "alpha, beta" },
        { 11, 2, "alpha, ..." },
        { 8, 2, "..." },
        { 8, 0, "" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        char buf[64];

        gs_names_join(buf, cases[i].size, name, cases[i].count);
        CU_ASSERT_STRING_EQUAL(buf, cases[i].want);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "documents are read as trees, wrong ones are told", test_documents },
        { "nested lists and aliases are bounded", test_bombs },
        { "a duplicate among many keys is found", test_many_keys },
        { "a long list is streamed item by item", test_stream },
        { "a large file is read as a small one is", test_late },
        { "reading a large file stops where it must", test_stops },
        { "a large file that is cut off is told once", test_cut },
        { "fields are read into their places", test_fields },
        { "the top of a file tells its keys", test_top },
        { "the top of a file is bounded", test_top_is_bounded },
        { "names are joined whole", test_names_are_joined_whole },
    };

    return suite_run("base/yamldoc", cases, N_ELEMENTS(cases));
}
