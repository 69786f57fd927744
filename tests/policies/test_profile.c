/* tests/policies/test_profile.c - profiles: named, read, changed, printed. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/yamlplain.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "policies/profile/profile_file.h"
#include "policies/profile/registry.h"
#include "tests/lib/suite.h"
#include "topology/resources.h"

static struct gsched_profile *read_text(const char *text,
                                        struct gs_arena *arena,
                                        struct gs_err *err)
{
    struct gs_input *in = gs_input_open_memory("p.yaml", text, strlen(text));
    struct gsched_profile *p = gsched_profile_read(in, arena, err);

    gs_input_close(in);
    return p;
}

/* A printed profile reads back as the same profile. */
static void test_round_trip(void)
{
    for (size_t i = 0; gsched_preset_at(i); i++) {
        struct gs_arena *arena = gs_arena_create(4096);
        struct gs_err err = { 0 };
        struct gsched_profile *p = gsched_profile_named(
            gsched_preset_at(i)->name, arena, &err);
        struct gsched_profile *again;
        const char *text;

        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        text = gsched_profile_text(p, arena);
        again = read_text(text, arena, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(again);
        CU_ASSERT_STRING_EQUAL(gsched_profile_text(again, arena), text);
        gs_arena_destroy(arena);
    }
}

static bool same_tree(const struct gs_ynode *a, const struct gs_ynode *b)
{
    for (; a && b; a = a->next, b = b->next) {
        if (a->kind != b->kind || a->quoted != b->quoted || a->len != b->len
            || !a->key != !b->key)
            return false;
        if ((a->key && !same_tree(a->key, b->key))
            || (a->kind == GS_YSCALAR ? strcmp(a->text, b->text) != 0
                                      : !same_tree(a->child, b->child))
            || ((a->kind != GS_YSCALAR || a->len)
                && (a->line != b->line || a->column != b->column)))
            return false;
    }
    return !a && !b;
}

/* yamlplain and libyaml give the same tree at the same places, or yamlplain
 * refuses.
 */
static bool reads_alike(const char *text, struct gs_arena *arena)
{
    const struct gs_ynode *want = gs_yaml_parse("t", text, arena, NULL);
    const struct gs_ynode *got = gs_yaml_plain("t", text, arena, NULL);
    const bool same = want && got && same_tree(want, got);

    if (!same)
        printf("read in another way: %s\n", text);
    return same;
}

static void test_plain_reader(void)
{
    static const char *const alike[] = {
        "a: 1",
        "a: {b: [1, 2], c: '', 'd': \"e\\n\\x07\"}\n",
        "a:\n- 1\n- 2\nb:\n  - x: y\n    z:\n  -\n    - 1\n",
        "# c\n\n- - a # b\n  - b#c\n- [\n  a,\n  # d\n  b ]\n",
        "trigger: {period: 1s}",
        "a: b:c",
        "a: b,c]{}",
        "- b, c",
        "a: -5",
        "a: it's",
        "a: 'it''s: {'",
        "x.resources: {gpu: 5, cpu: }",
        "{a: {}, b: [], c}",
        "a: \xc3\xa4 # o\nb : 2",
        "'a b': c\n\"d\": e",
        "plain text",
        "a: http://b",
        "- a\n-\n- b",
    };
    static const char *const refused[] = {
        "",
        "# nothing",
        "a: 1\na: 2",
        "{a: 1, a: 2}",
        "a: [1, 2",
        "a: {b",
        "a: 'b",
        "a: \"b\\q\"",
        "a: \"\\x00\"",
        "a: b: c",
        "a: - b",
        "a: 1\n  b: 2",
        "  a: 1\nb: 2",
        "a: &x 1",
        "a: *x",
        "a: !!int 3",
        "<<: {a: 1}",
        "---\na: 1",
        "a: |\n  b",
        "a:\n\t- b",
        "[a: b]",
        "a: ]",
        "[a,,b]",
        "a: \x01",
        "a: \"\xe4\"",
        ": a",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "-",
    };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct gs_err err = { 0 };

    for (size_t i = 0; gsched_preset_at(i); i++) {
        struct gsched_profile *p = gsched_profile_named(
            gsched_preset_at(i)->name, arena, &err);

        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT_TRUE(reads_alike(gsched_preset_at(i)->text, arena));
        CU_ASSERT_TRUE(reads_alike(gsched_profile_text(p, arena), arena));
    }
    for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++)
        CU_ASSERT_TRUE(reads_alike(alike[i], arena));
    for (size_t i = 0; i + 1 < sizeof(refused) / sizeof(refused[0]); i++) {
        struct gs_err why = { 0 };
        const struct gs_ynode *got = gs_yaml_plain("t", refused[i], arena,
                                                   &why);

        if (got || why.count != 1)
            printf("read: %s\n", refused[i]);
        CU_ASSERT_PTR_NULL(got);
        CU_ASSERT_EQUAL(why.count, 1);
    }
    gs_arena_destroy(arena);
}

static const struct {
    const char *spec;
    enum gsched_unit unit;
    uint32_t modules;
    const char *error; /* NULL: it must work */
} names[] = {
    { "binpack", GSCHED_UNIT_GANG, 4, NULL },
    { "kube-default", GSCHED_UNIT_POD, 10, NULL },
    { "gang,binpack", GSCHED_UNIT_GANG, 2, NULL },
    { "priority+least-allocated", GSCHED_UNIT_POD, 2, NULL },
    { "gang", GSCHED_UNIT_GANG, 1, NULL },
    { "binpak", GSCHED_UNIT_GANG, 0,
      "no policy is called 'binpak' (did you mean 'binpack'?)" },
    { "gang,spread", GSCHED_UNIT_GANG, 0,
      "'spread' is a preset: only modules can be joined ('gsim policies "
      "spread' shows its modules)" },
    { "gang,,binpack", GSCHED_UNIT_GANG, 0,
      "no policy is called '' (see 'gsim policies')" },
    { "gang,none.so", GSCHED_UNIT_GANG, 0,
      "'./none.so': cannot open: No such file or directory" },
    { "gang,a\n.so", GSCHED_UNIT_GANG, 0, "'a?.so' must be printable UTF-8" },
    { "gang,.so", GSCHED_UNIT_GANG, 0,
      "no policy is called '.so' (see 'gsim policies')" },
    { "", GSCHED_UNIT_GANG, 0, "no policy is called '' (see 'gsim policies')" },
    { "gang,gang", GSCHED_UNIT_GANG, 0,
      "gang,gang:2:17: module 'gang' is listed twice" },
};

static void test_names(void)
{
    for (size_t i = 0; i < N_ELEMENTS(names); i++) {
        struct gs_arena *arena = gs_arena_create(4096);
        struct gs_err err = { 0 };
        char buf[512];
        const struct gsched_profile *p = gsched_profile_named(names[i].spec,
                                                              arena, &err);

        CU_ASSERT_EQUAL(p == NULL, names[i].error != NULL);
        if (p) {
            CU_ASSERT_EQUAL(p->unit, names[i].unit);
            CU_ASSERT_EQUAL(p->use_count, names[i].modules);
        } else if (names[i].error) {
            CU_ASSERT_STRING_EQUAL(gs_err_format(&err, 0, buf, sizeof(buf)),
                                   names[i].error);
        }
        gs_arena_destroy(arena);
    }
}

static const struct {
    const char *setting, *shows, *error;
} settings[] = {
    { "unit=pod", "unit: pod\n", NULL },
    { "head=block", "head: block\n", NULL },
    { "trigger.period=2s", "trigger: {period: 2s}\n", NULL },
    { "trigger=event", "trigger: event\n", NULL },
    { "decision_cost=5ms", "decision_cost: 5ms\n", NULL },
    { "sample.percentage=40", "sample: {percentage: 40, minimum: 100}\n",
      NULL },
    { "sample={percentage: adaptive, minimum: 5}",
      "sample: {percentage: adaptive, minimum: 5}\n", NULL },
    { "sample.percentage=100", "decision_cost: 0s\nmodules:", NULL },
    { "candidates.start=random",
      "candidates: {percentage: 10, minimum: 100, start: random}\n", NULL },
    { "candidates.start=7", "start: 7}\n", NULL },
    { "sample.percentage=101", NULL,
      "--set:1:22: 'percentage' must be a whole number from 0 to 100, or "
      "'adaptive' (got '101')" },
    { "candidates.start=[1]", NULL,
      "--set:1:21: 'start' must be a whole number from 0 to 2147483647, or "
      "'victims' or 'random' (got 'a list or mapping')" },
    { "sample.nodes=3", NULL,
      "--set:1:10: unknown key 'nodes' in sample (known: percentage, minimum)" },
    { "binpack.weight=7", "binpack: {weight: 7, resources", NULL },
    { "binpack.resources={gpu: 1}", "resources: {gpu: 1}}", NULL },
    { "gang.timeout=10m", "gang: {timeout: 10m, victims: whole, again: yes}",
      NULL },
    { "gang.only=[gang_ready]",
      "victims: whole, again: yes, only: [gang_ready]}", NULL },
    { "fit.only=[score]", NULL,
      "--set:1:12: 'only' of module 'fit' must be a list of: filter" },
    { "fit.only=filter", NULL,
      "--set:1:11: 'only' of module 'fit' must be a list of: filter" },
    { "priority.x=1", NULL,
      "--set: module 'priority' has no parameter 'x' (see 'gsim policies')" },
    { "binpack.wieght=7", NULL,
      "--set: module 'binpack' has no parameter 'wieght' (did you mean "
      "'weight'?)" },
    { "unit", NULL,
      "--set: must be PATH=VALUE, as in binpack.weight=5 (got 'unit')" },
    { "=3", NULL,
      "--set: must be PATH=VALUE, as in binpack.weight=5 (got '=3')" },
    { "speed=3", NULL,
      "--set: no setting is called 'speed' (known: unit, head, requeue, actions, "
      "trigger.period, decision_cost, start_latency, end_latency, "
      "sample.*, candidates.*, bundles.*, queue_depth.*, shares_of, "
      "MODULE.PARAMETER)" },
    { "bundles.domains=3", "bundles: {domains: 3, whole: yes}\n", NULL },
    { "bundles.whole=no", "bundles: {domains: 8, whole: no}\n", NULL },
    { "bundles.domains=0", NULL,
      "--set:1:20: 'domains' must be a whole number from 1 to 1000 (got '0')" },
    { "queue_depth.allocate=3", "queue_depth: {allocate: 3}\n", NULL },
    { "queue_depth.allocate=-1", NULL,
      "--set:1:25: 'allocate' must be a whole number from 0 to 2147483647 (got "
      "'-1')" },
    { "shares_of=pool=red", "shares_of: \"pool=red\"\n", NULL },
    { "shares_of=a.b/pool=", "shares_of: \"a.b/pool=\"\n", NULL },
    { "shares_of=\"!pool\"", "shares_of: \"!pool\"\n", NULL },
    { "shares_of=red", NULL,
      "--set:1:12: 'shares_of' must be LABEL=VALUE, or !LABEL for the nodes "
      "without it (got 'red')" },
    { "shares_of==red", NULL,
      "--set:1:12: 'shares_of' must be LABEL=VALUE, or !LABEL for the nodes "
      "without it (got '=red')" },
    { "shares_of=\"!\"", NULL,
      "--set:1:12: 'shares_of' must be LABEL=VALUE, or !LABEL for the nodes "
      "without it (got '!')" },
    { "unit=node", NULL,
      "--set:1:7: 'unit' must be one of: gang, pod (got 'node')" },
    { "nope.x=3", NULL,
      "--set:1:9: no module is called 'nope' (see 'gsim policies')" },
    { "trigger.period=0s", NULL,
      "--set:1:19: 'period' must be at least 1ms (got '0s')" },
};

static void test_settings(void)
{
    for (size_t i = 0; i < N_ELEMENTS(settings); i++) {
        struct gs_arena *arena = gs_arena_create(4096);
        struct gs_err err = { 0 };
        char buf[512];
        struct gsched_profile *p = gsched_profile_named("binpack", arena, &err);
        const int rc = gsched_profile_set(p, settings[i].setting, arena, &err);

        CU_ASSERT_EQUAL(rc, settings[i].error ? -1 : 0);
        if (settings[i].shows)
            CU_ASSERT_PTR_NOT_NULL(
                strstr(gsched_profile_text(p, arena), settings[i].shows));
        if (settings[i].error && err.count)
            CU_ASSERT_STRING_EQUAL(gs_err_format(&err, 0, buf, sizeof(buf)),
                                   settings[i].error);
        gs_arena_destroy(arena);
    }
}

/* Any value of a parameter prints as text that reads back equal. */
static void test_odd_text(void)
{
    static const char *const texts[] = {
        "actions: [allocate]\nmodules:\n  - gang: {timeout: \"a\\nb\\x01\"}\n",
        "actions: [allocate]\nmodules:\n  - gang: {timeout: 'it''s \\ \"so\"'}\n",
        "actions: [allocate]\nmodules:\n  - gang: {timeout: 'a: [b], #c'}\n",
        "name: '-x'\nactions: [allocate]\nmodules: [gang]\n",
    };

    for (size_t i = 0; i < N_ELEMENTS(texts); i++) {
        struct gs_arena *arena = gs_arena_create(4096);
        struct gs_err err = { 0 };
        const struct gsched_profile *p = read_text(texts[i], arena, &err);
        const struct gsched_profile *again;
        const char *text;

        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        text = gsched_profile_text(p, arena);
        again = read_text(text, arena, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(again);
        CU_ASSERT_STRING_EQUAL(gsched_profile_text(again, arena), text);
        gs_arena_destroy(arena);
    }
}

/* Lists of lists are tiers. */
static void test_tiers(void)
{
    struct gs_arena *arena = gs_arena_create(4096);
    struct gs_err err = { 0 };
    const struct gsched_profile *p = read_text(
        "actions: [allocate]\nmodules: [[priority, gang], [binpack]]\n", arena,
        &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->use_count, 3);
    CU_ASSERT_EQUAL(p->use[1].tier, 0);
    CU_ASSERT_EQUAL(p->use[2].tier, 1);
    gs_arena_destroy(arena);
}

/* A list without an entry is refused, since it would not read back. */
static void test_tiers_are_not_empty(void)
{
    static const char *const texts[] = { "[]", "[[]]", "[[gang], [], [fifo]]" };

    for (size_t i = 0; i < N_ELEMENTS(texts); i++) {
        struct gs_arena *arena = gs_arena_create(4096);
        struct gs_err err = { 0 };
        char text[128] = "actions: [allocate]\nmodules: ";

        CU_ASSERT_PTR_NULL(
            read_text(strcat(strcat(text, texts[i]), "\n"), arena, &err));
        CU_ASSERT_EQUAL(err.count, 1);
        CU_ASSERT_EQUAL(err.problem[0].line, 2);
        gs_arena_destroy(arena);
    }
}

/* The parameter numbered `param` of the only module in a profile. */
static const struct {
    const char *use;
    size_t param;
    bool real;
    double expect;
    const char *error;
} values[] = {
    { "overcommit", 0, true, 1.2, NULL },
    { "overcommit: {factor: 2}", 0, true, 2, NULL },
    { "overcommit: {factor: 1.5e1}", 0, true, 15, NULL },
    { "overcommit: {factor: 0}", 0, true, 0, NULL },
    { "overcommit: {factor: -0.5}", 0, true, 0,
      "p.yaml:3:26: 'factor' must be a number from 0 to 1000000 (got "
      "'-0.5')" },
    { "overcommit: {factor: 1000000.5}", 0, true, 0,
      "p.yaml:3:26: 'factor' must be a number from 0 to 1000000 (got "
      "'1000000.5')" },
    { "overcommit: {factor: lots}", 0, true, 0,
      "p.yaml:3:26: 'factor' must be a number (got 'lots')" },
    { "overcommit: {factor: nan}", 0, true, 0,
      "p.yaml:3:26: 'factor' must be a number (got 'nan')" },
    { "gang", 1, false, 0, NULL },
    { "gang: {victims: surplus}", 1, false, 1, NULL },
    { "queue", 0, false, 0, NULL },
    { "queue: {mode: capacity}", 0, false, 1, NULL },
    { "queue: {mode: capcity}", 0, false, 0,
      "p.yaml:3:19: 'mode' must be one of: proportion, capacity (got "
      "'capcity'; did you mean 'capacity'?)" },
    { "queue: {mode: fair}", 0, false, 0,
      "p.yaml:3:19: 'mode' must be one of: proportion, capacity (got 'fair')" },
    { "queue: {mode: [capacity]}", 0, false, 0,
      "p.yaml:3:19: 'mode' must be one of: proportion, capacity (got a list "
      "or mapping)" },
};

static void test_values(void)
{
    for (size_t i = 0; i < N_ELEMENTS(values); i++) {
        struct gs_arena *arena = gs_arena_create(4096);
        struct gs_strtab *strings = gs_strtab_create();
        struct gs_err err = { 0 };
        union gsp_value value[GSCHED_PARAMS_MAX];
        struct topo_dims dims = { 0 };
        char buf[512], text[128] = "actions: [allocate]\nmodules:\n  - ";
        const struct gsched_profile *p;
        int rc;

        topo_dims_init(&dims, strings);
        p = read_text(strcat(strcat(text, values[i].use), "\n"), arena, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        rc = gsched_use_values(&p->use[0], p->source, &dims, strings, arena,
                               value, &err);
        CU_ASSERT_EQUAL(rc, values[i].error ? -1 : 0);
        if (rc == 0 && values[i].real)
            CU_ASSERT_EQUAL(value[values[i].param].real, values[i].expect);
        if (rc == 0 && !values[i].real)
            CU_ASSERT_EQUAL((double)value[values[i].param].whole,
                            values[i].expect);
        if (values[i].error && err.count)
            CU_ASSERT_STRING_EQUAL(gs_err_format(&err, 0, buf, sizeof(buf)),
                                   values[i].error);
        gs_strtab_destroy(strings);
        gs_arena_destroy(arena);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "presets print and read back", test_round_trip },
        { "a text is read without libyaml as with it", test_plain_reader },
        { "tiers hold modules", test_tiers_are_not_empty },
        { "names of profiles are read or refused", test_names },
        { "settings change their parameter", test_settings },
        { "odd text is refused", test_odd_text },
        { "tiers are kept in order", test_tiers },
        { "numbers and choices are read or refused", test_values },
    };

    return suite_run("policies/profile", suite, N_ELEMENTS(suite));
}
