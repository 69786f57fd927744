/* tests/base/test_yamlline.c - items on one plain line are read as libyaml reads
 * them: the same tree, places and errors as of the text with a comment behind each
 * line, which libyaml reads.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/rng.h"
#include "base/yamldoc.h"
#include "tests/lib/suite.h"

/* A growing text. */
struct text {
    char *at;
    size_t len, cap;
};

static void put(struct text *t, const char *fmt, ...)
{
    char part[2048];
    va_list args;
    int len;

    va_start(args, fmt);
    len = vsnprintf(part, sizeof(part), fmt, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof(part))
        CU_FAIL_FATAL("a part is too long");
    if (t->len + (size_t)len + 1 > t->cap) {
        t->cap = 2 * t->cap + 1024;
        t->at = realloc(t->at, t->cap);
        if (!t->at)
            CU_FAIL_FATAL("no memory");
    }
    memcpy(t->at + t->len, part, (size_t)len + 1);
    t->len += (size_t)len;
}

/* All of a tree, with its places. */
static void put_node(struct text *t, const struct gs_ynode *n)
{
    put(t, "%d:%d kind %d len %u", n->line, n->column, (int)n->kind, n->len);
    if (n->kind == GS_YSCALAR)
        put(t, " '%.300s' %d %zu", n->text, n->quoted, strlen(n->text));
    put(t, "\n");
    for (const struct gs_ynode *c = n->child; c; c = c->next) {
        if (c->key)
            put_node(t, c->key);
        put_node(t, c);
    }
}

static int item(void *ctx, const struct gs_ynode *n, struct gs_err *err)
{
    (void)err;
    put(ctx, "item\n");
    put_node(ctx, n);
    return 0;
}

/* What is read of the text: items of the key "jobs" as they come, then the rest, or
 * the error.
 */
static struct text read_all(const struct text *t)
{
    struct text got = { 0 };
    const struct gs_ystream stream = { "jobs", item, &got };
    struct gs_arena *arena = gs_arena_create(1024);
    struct gs_input *in = gs_input_open_memory("t.yaml", t->at, t->len);
    struct gs_err err = { 0 };
    const struct gs_ynode *root = gs_yaml_read(in, arena, &stream, &err);
    char buf[512];

    put(&got, "done\n");
    if (root)
        put_node(&got, root);
    else
        put(&got, "%s\n", gs_err_format(&err, 0, buf, sizeof(buf)));
    gs_input_close(in);
    gs_arena_destroy(arena);
    return got;
}

static struct text commented(const struct text *t)
{
    struct text c = { 0 };

    for (const char *line = t->at; *line;) {
        const size_t len = strcspn(line, "\n");

        put(&c, "%.*s #\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
    return c;
}

/* True when both are read alike. */
static bool are_alike(const struct text *t)
{
    struct text c = commented(t);
    struct text a = read_all(t), b = read_all(&c);
    const bool alike = strcmp(a.at, b.at) == 0;

    if (!alike)
        printf("\n%.2000s\n", t->at);
    free(a.at);
    free(b.at);
    free(c.at);
    return alike;
}

/* --- random lines ----------------------------------------------------------- */

static const char *any(struct gs_rng *r, const char *const *of, size_t count)
{
    return of[gs_rng_below(r, count)];
}

static void put_value(struct text *t, struct gs_rng *r, int depth, bool odd)
{
    static const char *const plain[] = { "1",   "j1",  "a/b.c-d", "7.5",
                                         "x+y", "10%", "null",    "_" };
    static const char *const quoted[] = { "\"a b\"", "\"\"", "\"- {x: 1}\"",
                                          "\" {a, b} \"", "\"#\"" };
    static const char *const others[] = {
        "-5",       "a b",          "2:30", "~",      "'q'",      "\"x\\ty\"",
        "\"\\\"\"", "\"\xc3\xa4\"", "&a 1", "*a",     "!x 1",     "",
        "{}",       "[]",           "{a}",  "[a: b]", "\xc3\xa4", "<<",
        "a:",       "[b, ]",        "}",    "x: y"
    };
    const uint64_t kind = gs_rng_below(r, odd ? 12 : 10);

    if (kind > 9) {
        put(t, "%s", any(r, others, N_ELEMENTS(others)));
    } else if (kind > 8 && depth < 6) {
        put(t, "{k: ");
        put_value(t, r, depth + 1, odd);
        put(t, "%*s, l: ", (int)gs_rng_below(r, 2), "");
        put_value(t, r, depth + 1, odd);
        put(t, "}");
    } else if (kind > 7 && depth < 6) {
        put(t, "[");
        put_value(t, r, depth + 1, odd);
        put(t, ",%*s", (int)gs_rng_below(r, 3), "");
        put_value(t, r, depth + 1, odd);
        put(t, " ]");
    } else if (kind > 5) {
        put(t, "%s", any(r, quoted, N_ELEMENTS(quoted)));
    } else {
        put(t, "%s", any(r, plain, N_ELEMENTS(plain)));
    }
}

static void put_item(struct text *t, struct gs_rng *r, int indent, bool odd)
{
    static const char *const keys[] = { "name", "b", "c", "d_e", "f" };
    const uint64_t count = 1 + gs_rng_below(r, 5);
    const size_t first = (size_t)gs_rng_below(r, 5);

    if (odd && gs_rng_below(r, 40) == 0)
        indent++;
    put(t, "%*s-%*s", indent, "", 1 + (gs_rng_below(r, 9) == 0), "");
    if (odd && gs_rng_below(r, 10) == 0) {
        put(t, "a: 1\n%*sb: 2\n", indent + 2, "");
        return;
    }
    if (odd && gs_rng_below(r, 10) == 0) {
        put_value(t, r, 0, odd);
        put(t, "\n");
        return;
    }
    put(t, "{");
    for (uint64_t k = 0; k < count; k++) {
        /* rarely a key comes twice */
        const bool twice = odd && gs_rng_below(r, 60) == 0;

        put(t, "%s%s:%*s", k ? ", " : "", keys[(first + k - twice) % 5],
            odd && gs_rng_below(r, 60) == 0 ? 0 : 1 + (gs_rng_below(r, 9) == 0),
            "");
        put_value(t, r, 0, odd);
    }
    put(t, "}%*s\n", (int)gs_rng_below(r, 2), "");
    if (odd && gs_rng_below(r, 20) == 0)
        put(t, "%s", gs_rng_below(r, 2) ? "\n" : "# a remark\n");
}

static void put_list(struct text *t, struct gs_rng *r, const char *key,
                     uint64_t count, bool odd)
{
    const int indent = (int)gs_rng_below(r, 4);

    put(t, "%s:\n", key);
    for (uint64_t i = 0; i < count; i++)
        put_item(t, r, indent, odd && gs_rng_below(r, 8) == 0);
    if (gs_rng_below(r, 4) == 0)
        put(t, "rest_%s: {a: 1}\n", key);
}

/* Lists in the tree and streamed, short ones with many kinds of lines, long ones
 * over the ends of what libyaml reads at once.
 */
static void test_random_lines(void)
{
    const uint64_t rounds = suite_rounds(1500);
    bool ok = true;

    for (uint64_t seed = 0; seed < rounds && ok; seed++) {
        const bool is_long = seed % 100 == 0;
        struct text t = { 0 };
        struct gs_rng r;

        gs_rng_init(&r, seed, "yamlline");
        put_list(&t, &r, "queues", gs_rng_below(&r, is_long ? 900 : 9),
                 !is_long);
        put_list(&t, &r, "jobs", 1 + gs_rng_below(&r, is_long ? 4000 : 12),
                 !is_long);
        ok = are_alike(&t);
        CU_ASSERT(ok);
        if (!ok)
            printf("seed %llu\n", (unsigned long long)seed);
        free(t.at);
    }
}

/* --- chosen texts ----------------------------------------------------------- */

static void test_chosen_texts(void)
{
    static const char *const texts[] = {
        "jobs:\n- {a: 1}\n- {a: 2}\n",
        "jobs:\n- {a: 1}\n- {a: 2}",
        "jobs:\n- {a: 1}\n- {a: 2, a: 3}\n- {a: 4}\n- {a: 5}\n",
        "jobs:\n  - {a: 1}\n  - {a: 2}\n- {a: 3}\n",
        "jobs:\n- {a: 1}\n  - {a: 2}\n- {a: 3}\n- {a: 4}\n",
        "jobs:\n- - {a: 1}\n  - {a: 2}\n  - {a: 3}\n- {a: 4}\n- {a: 5}\n",
        "jobs:\n- {a: 1}\n-\n- {a: 2}\n- {a: 3}\n",
        "jobs:\n- {a: 1}: 2\n- {a: 3}\n- {a: 4}\n",
        "jobs:\n- {a: 1} b\n- {a: 3}\n- {a: 4}\n",
        "jobs:\n- {a: 1,\n   b: 2}\n- {a: 3}\n- {a: 4}\n- {a: 5}\n",
        "jobs:\n- {a: [[[[1]]]]}\n- {a: [[[[[1]]]]]}\n- {a: 4}\n- {a: 5}\n",
        "jobs:\n- {a: 1}\n- {a: 2}\n...\n",
        "jobs:\n- {a: 1}\n- {a: 2}\n---\njobs:\n- {a: 1}\n",
        "jobs:\n- {a: &x 1}\n- {a: 2}\n- {a: *x}\n- {a: 2}\n",
    };

    for (size_t i = 0; i < N_ELEMENTS(texts); i++) {
        struct text t = { 0 };

        put(&t, "%s", texts[i]);
        CU_ASSERT(are_alike(&t));
        free(t.at);
    }
}

/* Lines as long as a key may be in libyaml, and longer. */
static void test_long_lines(void)
{
    for (int width = 960; width < 1060; width++) {
        struct text t = { 0 };

        put(&t, "jobs:\n");
        for (int i = 0; i < 5; i++) {
            put(&t, "- {a: %d, b: \"%*s", i, width / 3, "b");
            put(&t, "%*s", width / 3, "b");
            put(&t, "%*s\", c: 3}\n", width - width / 3 * 2 - 20, "b");
        }
        CU_ASSERT(are_alike(&t));
        free(t.at);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "random lines are read as libyaml reads them", test_random_lines },
        { "so are chosen ones", test_chosen_texts },
        { "so are long ones", test_long_lines },
    };

    return suite_run("base/yamlline", cases, N_ELEMENTS(cases));
}
