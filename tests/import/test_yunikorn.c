/* tests/import/test_yunikorn.c - configurations of YuniKorn's queues: amounts
 * as its tests state them (tests/data/vectors/yunikorn.yaml), the mistakes that
 * it refuses, and the queue that placement rules give.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "import/yunikorn/yunikorn.h"
#include "tests/lib/vectors.h"

static void quantity_run(const struct vector *v)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "value");
    const struct gs_ynode *error = gs_ynode_find(v->expected, "error");
    const bool milli = strcmp(vector_in(v, "resource")->text, "vcore") == 0;
    int64_t value = -1;
    const enum yunikorn_quantity is = yunikorn_quantity(
        vector_in(v, "text")->text, milli, &value);

    if (want) {
        CU_ASSERT(is == YUNIKORN_OK && value == strtoll(want->text, NULL, 10));
    } else {
        CU_ASSERT(is
                  == (strcmp(error->text, "overflow") == 0 ? YUNIKORN_OVERFLOW
                                                           : YUNIKORN_INVALID));
    }
}

/* --- the queue of an application ------------------------------------------ */

static const char *tag_of(void *ctx, const char *name)
{
    const struct gs_ynode *const *tags = ctx;
    const struct gs_ynode *n = gs_ynode_find(*tags, name);

    return n ? n->text : NULL;
}

/* The configuration is refused, or its rules give the queue, "none" or another.
 */
static void placement_run(const struct vector *v)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct gs_err err = { .limit = 1 };
    const struct yunikorn_conf *c = yunikorn_read(vector_in(v, "conf"), v->id,
                                                  arena, NULL, &err);
    const struct gs_ynode *of = vector_in(v, "app");
    const struct gs_ynode *want = gs_ynode_find(v->expected, "queue");
    const struct gs_ynode *list = gs_ynode_find(of, "groups");
    const struct gs_ynode *tags = gs_ynode_find(of, "tags");
    const char *names[8], *is = "refused";
    char path[YUNIKORN_PATH_MAX + 1];
    struct yunikorn_words groups = { names, 0 };
    const struct yunikorn_application a = {
        .queue = gs_ynode_find(of, "queue")->text,
        .user = gs_ynode_find(of, "user")->text,
        .groups = &groups,
        .tag = tag_of,
        .ctx = &tags,
    };

    CU_ASSERT_FATAL(list->len <= N_ELEMENTS(names));
    for (const struct gs_ynode *g = list->child; g; g = g->next)
        names[groups.count++] = g->text;
    if (c)
        is = yunikorn_place(&c->partition[0], &a, path) ? path : "none";
    if (strcmp(is, want ? want->text : "refused") != 0)
        vector_fails(v, "another queue", is);
    gs_arena_destroy(arena);
}

/* --- mistakes ------------------------------------------------------------- */

#define P "partitions:\n- name: default\n"
#define Q P "  queues:\n  - name: root\n    queues:\n"

static const struct {
    const char *text, *mistake; /* NULL: none */
} cases[] = {
    { Q "    - {name: a}\n", NULL },
    { P "  queues: [{name: a}, {name: b}]\n", NULL }, /* root is put on top */
    { P "  queues: [{name: root}]\n  scheduler: {}\n",
      "4:3: 'scheduler' is no key of a partition (YuniKorn refuses it)" },
    { "partitions: [wrong]\n", "1:14: a partition is a mapping" },
    { "partitions: []\n", "1:1: there is no partition" },
    { P "  queues: [{name: root}]\n- name: DEFAULT\n  queues: [{name: root}]\n",
      "4:3: there are two partitions 'default'" },
    { Q "    - {name: a, weight: 1}\n",
      "6:17: 'weight' is no key of a queue (YuniKorn refuses it)" },
    { Q "    - {name: a}\n    - {name: A}\n",
      "7:7: there are two queues 'a' below 'root'" },
    { Q "    - {name: a b}\n",
      "6:7: 'a b' is no name of a queue: 1 to 64 letters, digits and "
      "_ : # / @ -" },
    { Q "    - {name: a, resources: {max: {memory: 5X}}}\n",
      "6:43: 'memory' is an amount: digits and k, M, G, T, P, E, Ki to Ei (got "
      "'5X')" },
    { Q "    - {name: a, resources: {max: {memory: 9223372036854775808}}}\n",
      "6:43: amount '9223372036854775808' of 'memory' is too large" },
    { Q "    - {name: a, resources: {guaranteed: {vcore: 2}, max: {vcore: 1}}}"
        "\n",
      "6:7: queue 'a' is guaranteed more vcore than its max" },
    { Q "    - {name: a, resources: {guaranteed: {vcore: 2}}, queues: [\n"
        "       {name: b, resources: {guaranteed: {vcore: 2}}},\n"
        "       {name: c, resources: {guaranteed: {vcore: 1}}}]}\n",
      "6:7: the queues below 'a' are guaranteed more vcore than it is" },
    { Q "    - {name: a, resources: {max: {vcore: 2}}, queues: [\n"
        "       {name: b, resources: {max: {vcore: 3}}}]}\n",
      "7:8: the max vcore of queue 'b' is above that of a queue above it" },
    { P "  queues: [{name: root, resources: {max: {vcore: 1}}}]\n",
      "3:12: queue root has no resources: it is as large as the cluster" },
    { Q "    - {name: a, maxapplications: 2, queues: [{name: b}]}\n",
      "6:46: queue 'b' has 'maxapplications', since 'a' has" },
    { Q "    - {name: a, maxapplications: 2, queues: [\n"
        "       {name: b, maxapplications: 3}]}\n",
      "7:8: 'maxapplications' of queue 'b' is above that of 'a'" },
    { Q "    - {name: a, submitacl: \"u v w\"}\n",
      "6:28: 'submitacl' is 'USERS GROUPS': one blank, commas in each" },
    { Q "    - {name: a, limits: [{limit: l, maxapplications: 1}]}\n",
      "6:26: a limit names users or groups" },
    { Q "    - {name: a, limits: [{users: [u]}]}\n",
      "6:26: a limit has 'maxresources' or 'maxapplications'" },
    { Q "    - name: a\n      limits:\n"
        "      - {users: ['*'], maxapplications: 1}\n"
        "      - {users: [u], maxapplications: 1}\n",
      "9:9: the limit of user 'u' stands behind that of all, '*'" },
    { Q "    - {name: a, limits: [{groups: ['*'], maxapplications: 1}]}\n",
      "6:26: a limit of all groups, '*', stands beside one of a named group "
      "only" },
    { Q "    - {name: a, limits: [{users: [u], maxresources: {vcore: 0}}]}\n",
      "6:26: 'maxresources' of a limit are above 0" },
    { Q "    - name: a\n      limits: [{users: [u], maxapplications: 1}]\n"
        "      queues: [{name: b, limits: [{users: [u], maxapplications: 2}]}]"
        "\n",
      "8:35: 'maxapplications' of 'u' in queue 'b' is above that of a queue "
      "above it" },
    { P "  queues: [{name: root}]\n  limits: [{users: [u], maxapplications: 1}]"
        "\n",
      NULL },
    { P "  queues: [{name: root, limits: [{users: [u], maxapplications: 1}]}]\n"
        "  limits: [{users: [u], maxapplications: 2}]\n",
      "4:12: limits of the partition are those of its root" },
    { P "  queues: [{name: root}]\n  nodesortpolicy: {type: stack}\n",
      "4:26: the type of nodesortpolicy is fair or binpacking, not 'stack'" },
    { P "  queues: [{name: root}]\n"
        "  nodesortpolicy: {resourceweights: {vcore: -1}}\n",
      "4:45: the weight of 'vcore' is a number from 0 to 1000000" },
    { P "  queues: [{name: root}]\n  placementrules: [{name: recovery}]\n",
      "4:20: a placement rule is provided, user, fixed or tag, not 'recovery'" },
    { P "  queues: [{name: root}]\n  placementrules: [{name: tag}]\n",
      "4:20: a placement rule tag has a 'value'" },
    { P "  queues: [{name: root}]\n"
        "  placementrules: [{name: user, filter: {type: maybe}}]\n",
      "4:48: the type of a filter is allow or deny, not 'maybe'" },
    { P "  queues: [{name: root}]\n"
        "  placementrules: [{name: user, filter: {users: ['[a']}}]\n",
      "4:20: the users of a filter are names, or one regular expression" },
    { P "  queues: [{name: root}]\n"
        "  placementrules: [{name: fixed, value: a}]\n",
      "4:20: the placement rule names 'root.a', which is not there, and does "
      "not create it" },
    { P "  queues: [{name: root, queues: [{name: a}]}]\n"
        "  placementrules: [{name: fixed, value: a.b, create: true}]\n",
      "4:20: the placement rule names 'root.a.b', below the leaf 'a'" },
};

static void mistakes(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 14);
        struct gs_err err = { .limit = 1 };
        const struct gs_ynode *root = gs_yaml_parse("q", cases[i].text, arena,
                                                    &err);
        const struct yunikorn_conf *c = NULL;
        char text[800] = "";

        CU_ASSERT_PTR_NOT_NULL(root);
        if (root)
            c = yunikorn_read(root, "q", arena, NULL, &err);
        if (err.count)
            gs_err_format(&err, 0, text, sizeof(text));
        if ((c == NULL) != (cases[i].mistake != NULL)
            || (cases[i].mistake && strcmp(text + 2, cases[i].mistake) != 0)) {
            printf("%s=> %s\n", cases[i].text, text);
            CU_FAIL("another mistake");
        }
        gs_arena_destroy(arena);
    }
}

/* --- placement ------------------------------------------------------------ */

static const char *space_tag(void *ctx, const char *name)
{
    return strcmp(name, "namespace") == 0 ? ctx : NULL;
}

#define TREE                                                       \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n" \
    "    - {name: dev, parent: true}\n    - {name: prod}\n"

static const struct {
    const char *rules, *more; /* queues below root */
    const char *queue, *user, *group, *space;
    const char *path; /* NULL: rejected */
} places[] = {
    /* without rules the queue that is named, which must be there */
    { "", "", "root.prod", "u", NULL, "ns", "root.prod" },
    { "", "", "prod", "u", NULL, "ns", "root.prod" },
    { "", "", "root.none", "u", NULL, "ns", NULL },
    { "", "    - {name: default}\n", "root.none", "u", NULL, "ns",
      "root.default" },
    { "", "", "root.dev", "u", NULL, "ns", NULL }, /* it is no leaf */
    { "{name: provided, create: true}", "", "root.dev.x", "u", NULL, "ns",
      "root.dev.x" },
    { "{name: provided, create: true}", "", "root.prod.x", "u", NULL, "ns",
      NULL },
    { "{name: tag, value: namespace, create: true}", "", "", "u", NULL, "ns",
      "root.ns" },
    { "{name: user, create: true, parent: {name: tag, value: namespace, create:"
      " true}}",
      "", "", "a.b", NULL, "ns", "root.ns.a_dot_b" },
    { "{name: fixed, value: prod}", "", "", "u", NULL, "ns", "root.prod" },
    { "{name: user, create: true, filter: {type: allow, groups: [g]}}, "
      "{name: fixed, value: prod}",
      "", "", "u", NULL, "ns", "root.prod" },
    { "{name: user, create: true, filter: {type: allow, groups: [g]}}, "
      "{name: fixed, value: prod}",
      "", "", "u", "g", "ns", "root.u" },
    { "{name: user, create: true, filter: {type: deny, users: ['^x']}}, "
      "{name: fixed, value: prod}",
      "", "", "xy", NULL, "ns", "root.prod" },
    { "{name: user, create: true, parent: {name: fixed, value: root.dev}}", "",
      "", "u", NULL, "ns", "root.dev.u" },
};

static void placement(void)
{
    for (size_t i = 0; i < N_ELEMENTS(places); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 14);
        struct gs_err err = { .limit = 1 };
        const char *text = gs_arena_printf(
            arena, "%s" TREE "%s%s%s%s", P, places[i].more,
            *places[i].rules ? "  placementrules: [" : "", places[i].rules,
            *places[i].rules ? "]\n" : "");
        const struct gs_ynode *root = gs_yaml_parse("q", text, arena, &err);
        const struct yunikorn_conf *c = yunikorn_read(root, "q", arena, NULL,
                                                      &err);
        const char *group = places[i].group;
        char space[] = "ns", path[YUNIKORN_PATH_MAX + 1] = "";
        const struct yunikorn_words groups = { &group, group != NULL };
        const struct yunikorn_application a = { places[i].queue, places[i].user,
                                                &groups, space_tag, space };
        bool done;

        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        done = yunikorn_place(&c->partition[0], &a, path);
        if (done != (places[i].path != NULL)
            || (done && strcmp(path, places[i].path) != 0)) {
            printf("%s=> %d %s\n", text, done, path);
            CU_FAIL("another queue");
        }
        gs_arena_destroy(arena);
    }
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "yk-config", quantity_run },
        { "yk-placement", placement_run },
    };
    static const struct suite_case list[] = {
        { "what YuniKorn refuses is one mistake at its place", mistakes },
        { "placement rules give the queue", placement },
    };
    const int vectors = vectors_main(&(struct vector_suite){
        "import/yunikorn_vectors", "tests/data/vectors/yunikorn.yaml", groups,
        N_ELEMENTS(groups), NULL, 0 });

    return suite_run("import/yunikorn", list, N_ELEMENTS(list)) || vectors;
}
