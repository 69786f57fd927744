/* tests/import/test_source.c - which objects files hold, which parts are left
 * out, and in which words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/input.h"
#include "import/source.h"
#include "tests/lib/suite.h"

/* --- what was taken, as lines --------------------------------------------- */

struct taken {
    char text[8192];
    size_t len;
    bool with_values;
    uint32_t stop_at, count; /* objects; stop_at 0: never */
};

static void add(struct taken *t, const char *text)
{
    const size_t len = strlen(text);

    CU_ASSERT_FATAL(t->len + len < sizeof(t->text));
    memcpy(t->text + t->len, text, len + 1);
    t->len += len;
}

/* {key=value,list=[a,b]}; texts in quotes have them. */
static void value_add(struct taken *t, const struct gs_ynode *n)
{
    if (n->key) {
        add(t, n->key->text);
        add(t, "=");
    }
    if (n->kind == GS_YSCALAR) {
        add(t, n->quoted ? "'" : "");
        add(t, n->text);
        add(t, n->quoted ? "'" : "");
        return;
    }
    add(t, n->kind == GS_YMAP ? "{" : "[");
    for (const struct gs_ynode *c = n->child; c; c = c->next) {
        value_add(t, c);
        add(t, c->next ? "," : "");
    }
    add(t, n->kind == GS_YMAP ? "}" : "]");
}

static int take(void *ctx, const struct import_object *o, struct gs_err *err)
{
    struct taken *t = ctx;
    char line[512];

    CU_ASSERT_EQUAL(o->root->kind, GS_YMAP);
    snprintf(line, sizeof(line), "%s:%d:%d %s %s", o->source, o->root->line,
             o->root->column, *o->api_version ? o->api_version : "-",
             *o->kind ? o->kind : "-");
    add(t, line);
    if (t->with_values) {
        add(t, " ");
        value_add(t, o->root);
    }
    add(t, "\n");
    return ++t->count == t->stop_at ? gs_fail(
               err, GS_INPUT, (struct gs_mark){ o->source, 0, 0 }, "enough")
                                    : 0;
}

static void skip(void *ctx, const struct gs_err *why)
{
    char line[512];

    CU_ASSERT_EQUAL(why->count, 1);
    add(ctx, "skip ");
    add(ctx, gs_err_format(why, 0, line, sizeof(line)));
    add(ctx, "\n");
}

static const struct gs_ypath unread[] = {
    { { "metadata", "managedFields" } },
    { { "metadata", "annotations", "last" } },
};

static struct import_taker taker(struct taken *t)
{
    return (struct import_taker){ .take = take,
                                  .skip = skip,
                                  .ctx = t,
                                  .unread = unread,
                                  .unread_count = N_ELEMENTS(unread) };
}

static int read_bytes(const char *bytes, size_t size, struct taken *t,
                      struct gs_err *err)
{
    const struct import_taker taker_of = taker(t);
    struct gs_input *in = gs_input_open_memory("f", bytes, size);
    const int rc = import_source_read_input(in, &taker_of, err);

    gs_input_close(in);
    return rc;
}

struct sample {
    const char *text, *want;
};

static void expect_all(const struct sample *s, size_t count, bool with_values)
{
    for (size_t i = 0; i < count; i++) {
        struct taken t = { .with_values = with_values };
        struct gs_err err = { 0 };

        CU_ASSERT_EQUAL(read_bytes(s[i].text, strlen(s[i].text), &t, &err), 0);
        CU_ASSERT_EQUAL(err.count, 0);
        if (strcmp(t.text, s[i].want) != 0)
            printf("\n--- of:\n%s\n--- got:\n%s--- want:\n%s", s[i].text,
                   t.text, s[i].want);
        CU_ASSERT_STRING_EQUAL(t.text, s[i].want);
    }
}

/* --- formats -------------------------------------------------------------- */

static const struct sample formats[] = {
    { "{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}", "f:1:1 v1 Pod\n" },
    { "\n  [{\"kind\": \"Pod\"},\n {\"a\": 1}]", "f:2:4 - Pod\nf:3:2 - -\n" },
    { "{\"kind\": \"A\"}\n{\"kind\": \"B\"}{\"kind\": \"C\"}",
      "f:1:1 - A\nf:2:1 - B\nf:2:14 - C\n" },
    { "apiVersion: v1\nkind: Pod\n", "f:1:1 v1 Pod\n" },
    { "# c\n---\n# only\n---\nkind: A\n---\n\n--- {kind: B}\n...\n---\n",
      "f:5:1 - A\nf:8:5 - B\n" },
    { "%YAML 1.1\n---\nkind: A\n", "f:3:1 - A\n" },
    { "\xef\xbb\xbfkind: A\r\nb:\r\n- c\r\n---\r\nkind: B\r\n",
      "f:1:1 - A\nf:5:1 - B\n" },
    { "kind: A\nb:\t1\n\t\nc: 2 \t\n", "f:1:1 - A\n" },
    { "actions: x\ntiers: []\n", "f:1:1 - -\n" },
    /* YAML that begins like JSON */
    { "{kind: A}", "f:1:1 - A\n" },
    { "{\"kind\": A}", "f:1:1 - A\n" },
    { "[{kind: A}, {'kind': 'B'}]", "f:1:2 - A\nf:1:13 - B\n" },
    { "{\"kind\": \"A\"} # c\n---\nkind: B\n", "f:1:1 - A\nf:3:1 - B\n" },
    { "{\"kind\": \"A\"}\n---\n{\"kind\": \"B\"}\n", "f:1:1 - A\nf:3:1 - B\n" },
    { "{\"kind\": \"A\", \"b\": 2026-01-01}", "f:1:1 - A\n" },
    { "{\"kind\": \"A\", \"b\": -}", "f:1:1 - A\n" },
    { "{\"kind\": \"A\", \"b\": nulls}", "f:1:1 - A\n" },
    { "{\"kind\":\"A\",\"b\":[-1.5e+3,true,\"\\\"\",null]}", "f:1:1 - A\n" },
    { "{\"a\": 1, }", "skip f:1:10: not valid JSON: string or '}' expected "
                      "near '}'\n" },
};

static void test_formats(void)
{
    expect_all(formats, N_ELEMENTS(formats), false);
}

static const struct sample lists[] = {
    { "{\"kind\": \"NodeList\", \"apiVersion\": \"v1\", \"items\": [{}, {}]}",
      "f:1:52 v1 Node\nf:1:56 v1 Node\n" },
    { "{\"items\": [{\"a\": 1}, {\"kind\": \"X\", \"apiVersion\": \"y\"}],\n"
      "\"apiVersion\": \"v1\", \"kind\": \"NodeList\"}",
      "f:1:22 y X\nf:1:12 v1 Node\n" },
    { "{\"items\": [{\"kind\": \"X\"}]}", "f:1:12 - X\n" },
    { "{\"items\": [{}]}", "f:1:12 - -\n" },
    { "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [{\"kind\": "
      "\"List\", \"items\": [{\"kind\": \"A\"}]}, {\"kind\": \"PodList\", "
      "\"apiVersion\": \"v1\", \"items\": [{}]}]}",
      "f:1:75 - A\nf:1:142 v1 Pod\n" },
    { "{\"kind\": \"Other\", \"items\": [1]}", "f:1:1 - Other\n" },
    { "{\"kind\": \"PodList\", \"items\": []}{\"kind\": \"B\"}",
      "f:1:33 - B\n" },
    { "{\"kind\": \"PodList\", \"items\": []}", "skip f: holds no objects\n" },
    { "kind: NodeList\napiVersion: v1\nitems:\n- {a: 1}\n- kind: X\n",
      "f:4:3 v1 Node\nf:5:3 v1 X\n" },
    { "apiVersion: v1\nitems:\n- a: 1\n- kind: X\n  apiVersion: y\nkind: "
      "NodeList\n---\nkind: B\n",
      "f:4:3 y X\nf:3:3 v1 Node\nf:8:1 - B\n" },
    { "kind: List\nitems:\n- kind: List\n  items: [{kind: A}]\n",
      "f:4:11 - A\n" },
    { "- kind: A\n- {}\n", "f:1:3 - A\nf:2:3 - -\n" },
    { "kind: ConfigMapList\nitems: {a: b}\n", "f:1:1 - ConfigMapList\n" },
};

static void test_lists(void)
{
    expect_all(lists, N_ELEMENTS(lists), false);
}

/* --- values --------------------------------------------------------------- */

static const struct sample values[] = {
    { "{\"a\": 12345678901234567890123, \"b\": 1.50, \"c\": -1e3,\"d\":true,"
      "\"e\":null,\"f\":\"\\u00e4\\n\\\"\",\"\\u0067\":[1,[]]}",
      "f:1:1 - - {a=12345678901234567890123,b=1.50,c=-1e3,d=true,e=null,"
      "f='\xc3\xa4\n\"',g=[1,[]]}\n" },
    { "{\"metadata\": {\"name\": \"x\", \"managedFields\": [{\"a\": \"]}\\\"\"},"
      " 1],\n \"annotations\": {\"last\":\"{\\\"a\\\"}\" ,\"b\": \"c\"}},"
      "\"managedFields\":1}\n{\"kind\":\"B\"}",
      "f:1:1 - - {metadata={name='x',annotations={b='c'}},managedFields=1}\n"
      "f:3:1 - B {kind='B'}\n" },
    { "{\"kind\":\"PodList\",\"items\":[{\"metadata\":{\"managedFields\":{}}},"
      "{\"metadata\":[{\"managedFields\":1}]}]}",
      "f:1:28 - Pod {metadata={}}\nf:1:62 - Pod {metadata=[{managedFields=1}]}"
      "\n" },
    { "metadata:\n  name: x\n  managedFields: [{a: &b 1}]\n  annotations: {last"
      ": 1, b: c}\nitems: 5\n",
      "f:1:1 - - {metadata={name=x,annotations={b=c}},items=5}\n" },
    { "kind: PodList\nitems:\n- metadata: {managedFields: {a: [1]}, b: 2}\n",
      "f:3:3 - Pod {metadata={b=2}}\n" },
    /* merge keys: own keys first, then the first mapping that has it */
    { "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {<<: [*a, {x: 0, z: 0}]}\n",
      "f:1:1 - - {a={x=1,y=2},b={y=3,x=1},c={x=1,y=2,z=0}}\n" },
    { "a: {'<<': 1}\n", "f:1:1 - - {a={<<=1}}\n" },
    { "a: !!str 5\nb: !!int '5'\nc: ! 5\nd: !Ref x\ne: !!binary aGk=\nf: !!set "
      "{x}\n",
      "f:1:1 - - {a='5',b='5',c='5',d=x,e='aGk=',f={x=}}\n" },
};

static void test_values(void)
{
    expect_all(values, N_ELEMENTS(values), true);
}

/* --- mistakes ------------------------------------------------------------- */

static const struct sample mistakes[] = {
    { "", "skip f: is empty\n" },
    { "# nothing\n", "skip f: holds no objects\n" },
    { "name,gpus\na,1\n", "skip f:1:1: is a text, not an object\n" },
    { "a: [\n---\nkind: B\n", "skip f:2:1: not valid YAML: did not find "
                              "expected node content\nf:3:1 - B\n" },
    { "a: 1\na: 2\n---\nkind: B\n---\n? [x]\n: y\n",
      "skip f:2:1: duplicate key 'a' (first at line 1)\nf:4:1 - B\n"
      "skip f:6:3: a key must be a plain text\n" },
    { "kind: List\nitems:\n- kind: A\n- b: [}\n---\nkind: C\n",
      "f:3:3 - A\nskip f:4:7: not valid YAML: did not find expected node "
      "content\nf:6:1 - C\n" },
    { "a: {<<: 1}\n", "skip f:1:9: a merge key ('<<') needs a mapping, or a "
                      "list of mappings\n" },
    { "a: 1\n\tb: 2\n", "skip f:2:1: not valid YAML: a tab where blanks are "
                        "needed\n" },
    { "[1, {}, 2]", "f:1:5 - -\nskip f:1:2: items that are no objects are left "
                    "out: 2, the first is here\n" },
    { "- x\n- {}\n",
      "f:2:3 - -\nskip f:1:3: items that are no objects are left "
      "out: 1, the first is here\n" },
    { "{\"kind\": \"Table\", \"rows\": []}",
      "skip f:1:1: is a table as it was printed (kind Table), without the "
      "objects: get these with 'kubectl get -o json'\n" },
    /* JSON: the place is right, and the next item is read */
    { "{\"kind\": \"PodList\", \"items\": [\n {\"a\": 1,\n  \"a\": 2}, {}]}",
      "skip f:3:3: not valid JSON: duplicate object key near '\"a\"'\n"
      "f:3:12 - Pod\n" },
    { "[{\"metadata\": {\"managedFields\": [\n[]], \"x\" 1}}, {}]",
      "skip f:2:10: not valid JSON: ':' expected near '1'\nf:2:15 - -\n" },
    { "{\"a\": \"\xff\"}", "skip f:1:7: not valid JSON: unable to decode byte "
                           "0xff near '\"'\n" },
    { "[{}, {} {}]",
      "f:1:2 - -\nf:1:6 - -\nskip f:1:9: not valid JSON: a comma "
      "or ']' is expected behind an item\n" },
    { "[{},]", "f:1:2 - -\nskip f:1:5: not valid JSON: an item is expected here"
               "\n" },
    { "{} ]", "f:1:1 - -\nskip f:1:4: not valid JSON: an object or an array is "
              "expected here\n" },
    { "{\"kind\": \"List\", \"items\": [{}], \"items\": 1}",
      "f:1:28 - -\nskip f:1:33: not valid JSON: duplicate object key near '\"items\"'\n" },
    /* templates */
    { "kind: A\n---\nkind: B\nname: x-{{ .Name }}\n",
      "skip f:4:9: is a template: import the manifests that are made of it "
      "(such as those of 'helm template')\n" },
    { "{% for x in y %}\nkind: A\n",
      "skip f:1:1: is a template: import the manifests that are made of it "
      "(such as those of 'helm template')\n" },
    { "kind: A\ntext: |\n  {{ x }}\nlist:\n- |\n {{ y }}\n- k: >-\n    {{ z }}\n"
      "quoted: \"{{ a }}\" # {{ b }}\nlong: \"\\\" {{ a }}\n  {{ b }}\"\n",
      "f:1:1 - A\n" },
};

static void test_mistakes(void)
{
    expect_all(mistakes, N_ELEMENTS(mistakes), false);
}

/* --- no skip: the first mistake is an error ------------------------------- */

static void test_mistakes_are_errors(void)
{
    static const char text[] = "a: [\n---\nkind: B\n---\nc: 1\nc: 2\n";
    struct taken t = { .stop_at = 0 };
    struct import_taker own = taker(&t);
    struct gs_err first = { 0 }, all = { .limit = GS_ERR_MAX };
    struct gs_input *in = gs_input_open_memory("f", text, strlen(text));

    own.skip = NULL;
    CU_ASSERT_EQUAL(import_source_read_input(in, &own, &first), -1);
    CU_ASSERT_EQUAL(first.count, 1);
    CU_ASSERT_EQUAL(t.count, 0);
    gs_input_close(in);
    in = gs_input_open_memory("f", text, strlen(text));
    (void)import_source_read_input(in, &own, &all);
    CU_ASSERT_EQUAL(all.count, 2);
    CU_ASSERT_EQUAL(all.problem[1].line, 6);
    CU_ASSERT_STRING_EQUAL(t.text, "f:3:1 - B\n");
    gs_input_close(in);
}

/* JSON that ends too early is an error, wherever it ends: of a dump that was
 * cut short, what is left is not the cluster.
 */
static void test_cut_short(void)
{
    static const char text[] =
        "{\"kind\": \"List\", \"items\": [{\"a\": [1, \"x\"]},\n {\"b\": {}}]}";

    for (size_t len = strlen("{\"kind\":"); len < strlen(text); len++) {
        struct taken t = { .stop_at = 0 };
        struct gs_err err = { 0 };

        CU_ASSERT_EQUAL(read_bytes(text, len, &t, &err), -1);
        CU_ASSERT_EQUAL(err.count, 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text, "is cut short: "));
    }
}

/* A taker that has enough is not called again, whatever the format. */
static void test_stop(void)
{
    static const char *const texts[] = {
        "{\"kind\":\"List\",\"items\":[{},{},{}]}",
        "[{},{},{}]",
        "{}{}{}",
        "a: 1\n---\na: 1\n---\na: 1\n",
        "kind: List\nitems: [{}, {}, {}]\n---\na: 1\n",
        "items: [{}, {}, {}]\n",
        "- {}\n- {}\n- {}\n",
        "kind: List\nitems: [{items: [{}, {}, {}]}]\n",
    };

    for (size_t i = 0; i < N_ELEMENTS(texts); i++) {
        struct taken t = { .stop_at = 2 };
        struct gs_err err = { 0 };

        CU_ASSERT_EQUAL(read_bytes(texts[i], strlen(texts[i]), &t, &err), -1);
        CU_ASSERT_EQUAL(err.count, 1);
        CU_ASSERT_STRING_EQUAL(err.problem[0].text, "enough");
        CU_ASSERT_EQUAL(t.count, 2);
    }
}

/* --- large and hostile files ---------------------------------------------- */

struct buffer {
    char *bytes;
    size_t len;
};

static struct buffer buffer_make(size_t size)
{
    struct buffer b = { calloc(1, size), 0 };

    CU_ASSERT_PTR_NOT_NULL_FATAL(b.bytes);
    return b;
}

static void append(struct buffer *b, const char *text)
{
    const size_t len = strlen(text);

    memcpy(b->bytes + b->len, text, len + 1);
    b->len += len;
}

struct counted {
    uint32_t count;
    int line; /* where the next object begins */
    int lines;
};

static int count(void *ctx, const struct import_object *o, struct gs_err *err)
{
    struct counted *c = ctx;
    const struct gs_ynode *n = gs_ynode_find(o->root, "n");

    (void)err;
    CU_ASSERT_EQUAL_FATAL(o->root->line, c->line);
    CU_ASSERT_PTR_NOT_NULL_FATAL(n);
    CU_ASSERT_EQUAL_FATAL(atoi(n->text), (int)c->count);
    c->count++;
    c->line += c->lines;
    return 0;
}

static void item_append(struct buffer *b, size_t format, int n)
{
    static const char *const before[] = {
        "{\"kind\":\"A\",\"apiVersion\":\"b\",\"metadata\":{\n"
        "\"managedFields\":\"\\\"]",
        "{\"a\":\"",
        "---\na: \"",
    };
    static const char *const behind[] = { "\\\\\"\n},\"n\":", "\",\n\"n\":",
                                          "\"\nn: " };
    static const char *const end[] = { "},\n", "}\n", "\n" };
    char number[16];

    append(b, before[format]);
    memset(b->bytes + b->len, 'x', (size_t)n * 37 % 2000);
    b->len += (size_t)n * 37 % 2000;
    append(b, behind[format]);
    snprintf(number, sizeof(number), "%d", n);
    append(b, number);
    append(b, end[format]);
}

/* Items of every length, so that buffers end everywhere in them. */
static void test_long_files(void)
{
    static const char *const head[] = { "{\"items\":[\n", "", "" };
    static const int lines[] = { 3, 2, 3 }, begins[] = { 2, 1, 2 };
    static const char *const tail[] = { "{\"n\":1500}],\n\"kind\":\"List\"}",
                                        "", "" };

    for (size_t f = 0; f < N_ELEMENTS(head); f++) {
        struct buffer b = buffer_make(4 << 20);
        struct counted c = { 0, begins[f], lines[f] };
        const struct import_taker counter = { .take = count,
                                              .ctx = &c,
                                              .unread = unread,
                                              .unread_count = N_ELEMENTS(
                                                  unread) };
        struct gs_err err = { 0 };
        struct gs_input *in;

        append(&b, head[f]);
        for (int i = 0; i < 1500; i++)
            item_append(&b, f, i);
        append(&b, tail[f]);
        in = gs_input_open_memory("f", b.bytes, b.len);
        CU_ASSERT_EQUAL(import_source_read_input(in, &counter, &err), 0);
        CU_ASSERT_EQUAL(c.count, f == 0 ? 1501 : 1500);
        gs_input_close(in);
        free(b.bytes);
    }
}

/* Too deep, of too many values, too large: told, and the next one is read. */
static void test_limits(void)
{
    static const char *const want[] = {
        "skip f:1:2: is nested too deep: an object may have 64 MiB, 1048576 "
        "values and be nested 128 deep\nf:1:404 - B\n",
        "skip f:1:2: is of too many values: an object may have 64 MiB, 1048576 "
        "values and be nested 128 deep\nf:1:2200012 - B\n",
        "skip f:1:2: is too large: an object may have 64 MiB, 1048576 values "
        "and be nested 128 deep\nf:1:70000012 - B\n",
        "skip f:1:130: nested more than 128 deep\nf:3:1 - B\n",
        "skip f:1: a text may hold at most 16777216 bytes\nf:3:1 - B\n",
        "skip f:5:4: more than 67108864 bytes in the texts of one document\n"
        "f:7:1 - B\n",
        "skip f:2:30005: aliases add more than 100000 values\nf:4:1 - B\n",
    };
    struct buffer b = buffer_make(72 << 20);

    for (size_t i = 0; i < N_ELEMENTS(want); i++) {
        struct taken t = { .stop_at = 0 };
        struct gs_err err = { 0 };

        b.len = 0;
        if (i == 0) {
            append(&b, "[");
            for (int k = 0; k < 200; k++)
                append(&b, "[");
            for (int k = 0; k < 200; k++)
                append(&b, "]");
            append(&b, ", {\"kind\":\"B\"}]");
            b.bytes[1] = '[';
        } else if (i == 1) {
            append(&b, "[{\"a\":[1");
            for (int k = 0; k < 1100000; k++)
                memcpy(b.bytes + b.len + 2 * k, ",1", 2);
            b.len += 2200000;
            append(&b, "]},{\"kind\":\"B\"}]");
        } else if (i == 2) {
            append(&b, "[{\"a\":\"");
            memset(b.bytes + b.len, 'x', 70000000);
            b.len += 70000000;
            append(&b, "\"} ,{\"kind\":\"B\"}]");
        } else if (i == 3) {
            for (int k = 0; k < 200; k++)
                append(&b, "[");
            append(&b, "\n---\nkind: B\n");
        } else if (i == 4) {
            append(&b, "a: ");
            memset(b.bytes + b.len, 'x', 18000000);
            b.len += 18000000;
            append(&b, "\n---\nkind: B\n");
        } else if (i == 5) {
            for (int k = 0; k < 5; k++) {
                append(&b, (char[]){ (char)('a' + k), '\0' });
                append(&b, ": ");
                memset(b.bytes + b.len, 'x', 14000000);
                b.len += 14000000;
                append(&b, "\n");
            }
            append(&b, "---\nkind: B\n");
        } else {
            append(&b, "a: &a [1,2,3,4,5,6,7,8,9]\nb: [*a");
            for (int k = 0; k < 30000; k++)
                memcpy(b.bytes + b.len + 3 * k, ",*a", 3);
            b.len += 90000;
            append(&b, "]\n---\nkind: B\n");
        }
        CU_ASSERT_EQUAL(read_bytes(b.bytes, b.len, &t, &err), 0);
        if (strcmp(t.text, want[i]) != 0)
            printf("\n--- got:\n%s--- want:\n%s", t.text, want[i]);
        CU_ASSERT_STRING_EQUAL(t.text, want[i]);
    }
    free(b.bytes);
}

/* --- archives ------------------------------------------------------------- */

/* A header, and the bytes.  `size` (NULL: that of the bytes) is what the header
 * states, in its 12 bytes.
 */
static void member_add_bytes(struct buffer *b, const char *name, char type,
                             const char *bytes, size_t len, const char *size)
{
    char *h = b->bytes + b->len;
    unsigned sum = 0;

    memset(h, 0, 512);
    memcpy(h, name, strlen(name));
    if (size)
        memcpy(h + 124, size, 12);
    else
        sprintf(h + 124, "%011o", (unsigned)len);
    h[156] = type;
    memcpy(h + 257, "ustar\00000", 8);
    memset(h + 148, ' ', 8);
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)h[i];
    sprintf(h + 148, "%06o", sum);
    memcpy(h + 512, bytes, len);
    b->len += 512 + (len + 511) / 512 * 512;
}

static void member_add(struct buffer *b, const char *name, char type,
                       const char *text)
{
    member_add_bytes(b, name, type, text, strlen(text), NULL);
}

static void expect_archive(const struct buffer *b, size_t len, const char *want)
{
    struct taken t = { .stop_at = 0 };
    struct gs_err err = { 0 };

    CU_ASSERT_EQUAL(read_bytes(b->bytes, len, &t, &err), 0);
    if (strcmp(t.text, want) != 0)
        printf("\n--- got:\n%s--- want:\n%s", t.text, want);
    CU_ASSERT_STRING_EQUAL(t.text, want);
}

/* "kind: Z\n" by gzip */
static const char packed[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xcb\xce"
                             "\xcc\x4b\xb1\x52\x88\xe2\x02\x00\xf0\xd7\x9b\xaf"
                             "\x08\x00\x00\x00";

static void test_archives(void)
{
    struct buffer b = buffer_make(1 << 20);
    char name[201];

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    member_add(&b, "d/", '5', "");
    member_add(&b, "d/b.yaml", '0', "kind: B\n");
    member_add(&b, "d/._b.yaml", '0', "kind: hidden\n");
    member_add(&b, "./d/a.json", '\0', "{\"kind\": \"A\"}");
    member_add(&b, "link", '2', "");
    member_add(&b, "x", 'g', "12 comment=\n");
    member_add(&b, "x", 'x', "22 path=long/name.yml\n");
    member_add(&b, "short", '0', "kind: C\n---\nkind: [\n");
    member_add(&b, "x", 'L', name);
    member_add(&b, "nnn", '0', "kind: D\n");
    member_add(&b, "empty", '0', "");
    member_add_bytes(&b, "z.gz", '0', packed, sizeof(packed) - 1, NULL);
    member_add_bytes(&b, "cut.gz", '0', packed, sizeof(packed) - 5, NULL);
    b.len += 1024;
    expect_archive(
        &b, b.len,
        "f:d/b.yaml:1:1 - B\nf:./d/a.json:1:1 - A\nf:long/name.yml:1:1 - C\n"
        "skip f:long/name.yml:4:1: not valid YAML: did not find expected node "
        "content\n"
        "f:nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn:1:1 - "
        "D\n"
        "skip f:empty: is empty\nf:z.gz:1:1 - Z\n"
        "skip f:cut.gz: damaged or cut short (gzip)\n");
    free(b.bytes);
}

static void test_damaged_archives(void)
{
    struct buffer b = buffer_make(1 << 20);

    member_add(&b, "a", '0', "kind: A\n");
    member_add(&b, "b", '0', "kind: [B,\n");
    expect_archive(&b, 1024, "f:a:1:1 - A\n");
    expect_archive(&b, 1500,
                   "f:a:1:1 - A\nskip f: damaged or cut short (tar): a header "
                   "is wrong\n");
    expect_archive(&b, 1540, "f:a:1:1 - A\nskip f:b: is cut short\n");
    b.bytes[1024]++;
    expect_archive(&b, 2048,
                   "f:a:1:1 - A\nskip f: damaged or cut short (tar): a header "
                   "is wrong\n");
    b.len = 1024;
    member_add_bytes(&b, "b", '0', "", 0, "\x80\0\0\0\x7f\0\0\0\0\0\0\0");
    expect_archive(&b, b.len,
                   "f:a:1:1 - A\nskip f: damaged or cut short (tar): a file is "
                   "too large\n");
    b.len = 1024;
    member_add_bytes(&b, "b", '0', "", 0, "99999999999");
    expect_archive(&b, b.len,
                   "f:a:1:1 - A\nskip f: damaged or cut short (tar): a header "
                   "is wrong\n");
    b.len = 1024;
    member_add(&b, "x", 'x', "99 path=a\n");
    expect_archive(&b, b.len,
                   "f:a:1:1 - A\nskip f: damaged or cut short (tar): a record "
                   "of its header is wrong\n");
    b.len = 1024;
    member_add(&b, "x", 'x', "25 size=7777777777777777\n");
    member_add(&b, "b", '0', "kind: B\n");
    expect_archive(&b, b.len,
                   "f:a:1:1 - A\nskip f: damaged or cut short (tar): a file is "
                   "too large\n");
    free(b.bytes);
    b = buffer_make(1 << 16);
    member_add(&b, "a", '0', "kind: A\n");
    {
        struct buffer outer = buffer_make(1 << 16);

        member_add_bytes(&outer, "a.tar", '0', b.bytes, b.len, NULL);
        expect_archive(&outer, outer.len,
                       "skip f:a.tar: is an archive within an archive\n");
        free(outer.bytes);
    }
    free(b.bytes);
}

/* --- folders -------------------------------------------------------------- */

static void file_make(const char *folder, const char *name, const char *bytes,
                      size_t len)
{
    char path[128];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, len, f), len);
    fclose(f);
}

static void test_folders(void)
{
    static const char *const want[] = {
        "/a/x.yaml:1:1 - X\n",
        "/b.json:1:1 - B\n",
        "/c.gz:1:1 - Z\n",
        "/e: is an empty folder\n",
        "/l: is a link to a folder, which is not ",
        "/p: is no file\n",
        "/t: is empty\n",
    };
    char dir[] = "/tmp/gsim-test-XXXXXX", path[128];
    struct taken t = { .stop_at = 0 };
    const struct import_taker own = taker(&t);
    struct gs_err err = { 0 };
    const char *at = t.text;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
    for (const char *name = "ae"; *name; name++) {
        snprintf(path, sizeof(path), "%s/%c", dir, *name);
        CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
    }
    file_make(dir, "t", "", 0);
    file_make(dir, "b.json", "{\"kind\":\"B\"}", 12);
    file_make(dir, "a/x.yaml", "kind: X", 7);
    file_make(dir, ".hidden", "kind: H", 7);
    file_make(dir, "c.gz", packed, sizeof(packed) - 1);
    snprintf(path, sizeof(path), "%s/l", dir);
    CU_ASSERT_EQUAL(symlink("a", path), 0);
    snprintf(path, sizeof(path), "%s/p", dir);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);

    CU_ASSERT_EQUAL(import_source_read(dir, &own, &err), 0);
    for (size_t i = 0; i < N_ELEMENTS(want); i++) {
        at = strstr(at, want[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    }
    CU_ASSERT_PTR_NULL(strstr(t.text, "hidden"));

    snprintf(path, sizeof(path), "rm -r %s", dir);
    CU_ASSERT_EQUAL(system(path), 0);
    CU_ASSERT_EQUAL(import_source_read(dir, &own, &err), -1);
    CU_ASSERT_EQUAL(err.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text, "cannot open"));
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a format is told by its content", test_formats },
        { "the items of lists are objects", test_lists },
        { "values are as they are written", test_values },
        { "mistakes are told, what follows is read", test_mistakes },
        { "without a skip, a mistake is an error", test_mistakes_are_errors },
        { "a file that is cut short is an error", test_cut_short },
        { "a taker stops the reading", test_stop },
        { "items are whole wherever a buffer ends", test_long_files },
        { "hostile files meet their limits", test_limits },
        { "members of archives are files", test_archives },
        { "damaged archives are told", test_damaged_archives },
        { "files of folders come in order", test_folders },
    };

    return suite_run("import/source", cases, N_ELEMENTS(cases));
}
