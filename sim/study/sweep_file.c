/* sim/study/sweep_file.c - reads the files of sweeps, see sweep_file.h. */
#include "sim/study/sweep_file.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/text.h"
#include "base/yamldoc.h"
#include "reports/measure/metrics.h"
#include "sim/replay/replay.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/run.h"
#include "sim/study/vary.h"

#define AXIS_ITEMS_MAX 10000u /* values on one axis of texts */

struct sweep_loader {
    struct sweep_file f;
    struct gs_arena *arena;
    struct gs_yctx ctx;
    const struct gs_ynode *root;
    /* keys of the file that are read later */
    const struct gs_ynode *traces, *topologies, *policies, *seeds, *set;
    const struct gs_ynode *format, *keep;
};

/* The place of `n`, for messages. */
static struct gs_mark at(const struct sweep_loader *l, const struct gs_ynode *n)
{
    return gs_ynode_mark(&l->ctx, n);
}

/* --- lists of texts ------------------------------------------------------- */

static bool is_text(const struct gs_ynode *n)
{
    return n->kind == GS_YSCALAR && n->len > 0
           && gs_text_is_clean(n->text, n->len);
}

/* Read the texts of `n`, one or a list, into *text; on failure *text has the
 * items that are texts.
 */
static int texts_read(const struct sweep_loader *l, const struct gs_ynode *n,
                      const char *allowed, const char *const **text,
                      uint32_t *count, struct gs_err *err)
{
    const struct gs_ynode *item = n->kind == GS_YSEQ ? n->child : n;
    const uint32_t items = n->kind == GS_YSEQ ? n->len : 1;
    const char *key = n->key ? n->key->text : "value";
    const char **out = gs_arena_alloc(l->arena, items + 1, sizeof(*out));
    int rc = 0;

    *text = out;
    *count = 0;
    if (n->kind == GS_YMAP)
        return gs_yread_refuse(&l->ctx, n, allowed, err);
    if (items > AXIS_ITEMS_MAX)
        return gs_fail(err, GS_LIMIT, at(l, n),
                       "'%.40s' has %u values, at most %u are allowed", key,
                       items, AXIS_ITEMS_MAX);
    for (uint32_t i = 0; i < items; i++, item = item->next) {
        if (is_text(item))
            out[(*count)++] = item->text;
        else
            rc = gs_fail(err, GS_INPUT, at(l, item),
                         "'%.40s' must be %s, each a text without control "
                         "characters",
                         key, allowed);
    }
    return rc;
}

/* --- axes ----------------------------------------------------------------- */

/* A label that two choices share; NULL: all differ. */
static const char *label_twice(const struct grid_choice *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(c[i].label, c[k].label) == 0)
                return c[i].label;
        }
    }
    return NULL;
}

/* Add an axis, also one with mistakes, so that its values are checked. */
static void axis_add(struct sweep_loader *l, const char *name,
                     const struct grid_choice *choice, uint32_t count)
{
    struct grid *g = &l->f.grid;

    assert(g->axis_count < GRID_AXES_MAX);
    g->axis[g->axis_count++] = (struct grid_axis){ name, choice, count };
}

/* Check that labels differ: two equal labels would give two runs of one name.
 */
static int axis_check(const struct sweep_loader *l, const struct gs_ynode *n,
                      struct gs_err *err)
{
    const struct grid_axis *a = &l->f.grid.axis[l->f.grid.axis_count - 1];
    const char *twice = label_twice(a->choice, a->count);

    if (a->count == 0)
        return gs_fail(err, GS_INPUT, at(l, n),
                       "'%.60s' needs at least one value", n->key->text);
    if (twice)
        return gs_fail(err, GS_INPUT, at(l, n),
                       "'%.60s' is there twice: '%.60s'", a->name, twice);
    return 0;
}

/* "openb" of "a/openb.csv.gz": up to the first dot, if that leaves anything. */
static const char *stem(const struct sweep_loader *l, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const size_t n = strcspn(base, ".");

    return n ? gs_arena_strndup(l->arena, base, n) : base;
}

/* Add an axis of files, or of policies, of which inputs_policy treats some as
 * files.  Files are labelled by their stems, or by their paths when two stems
 * are equal; other policies by their names.  `n` NULL: the only choice is
 * `otherwise`.
 */
static int files_add(struct sweep_loader *l, const struct gs_ynode *n,
                     const char *name, const char *otherwise,
                     struct gs_err *err)
{
    const bool is_policy = strcmp(name, "policy") == 0;
    const char *const *text = &otherwise;
    struct grid_choice *c;
    uint32_t count = 1;
    int rc = 0;

    if (n)
        rc = texts_read(l, n,
                        is_policy ? "a policy or a list of policies"
                                  : "a file or a list of files",
                        &text, &count, err);
    c = gs_arena_alloc(l->arena, count + 1, sizeof(*c));
    for (uint32_t i = 0; i < count; i++) {
        const bool is_file = n
                             && (!is_policy || inputs_policy_is_file(text[i]));

        c[i].value = is_file ? gs_input_beside(l->arena, l->f.path, text[i])
                             : text[i];
        c[i].label = is_file ? stem(l, text[i]) : text[i];
    }
    for (uint32_t i = 0, same = label_twice(c, count) != NULL;
         same && i < count; i++)
        c[i].label = text[i];
    axis_add(l, name, c, count);
    return rc < 0 ? -1 : n ? axis_check(l, n, err) : 0;
}

/* --- seeds ---------------------------------------------------------------- */

static struct grid_choice seed_choice(const struct sweep_loader *l,
                                      uint64_t seed)
{
    const char *label = gs_arena_printf(l->arena, "s%" PRIu64, seed);

    return (struct grid_choice){ .value = label + 1, .label = label };
}

static int seed_list_add(struct sweep_loader *l, const struct gs_ynode *n,
                         struct gs_err *err)
{
    struct grid_choice *c = gs_arena_alloc(l->arena, n->len + 1, sizeof(*c));
    uint32_t count = 0;
    int rc = 0;

    for (const struct gs_ynode *item = n->child; item; item = item->next) {
        const bool is_scalar = item->kind == GS_YSCALAR;
        uint64_t seed, last;

        if (is_scalar && !strstr(item->text, "..")
            && study_range_parse(item->text, &seed, &last) == 0
            && seed <= INT64_MAX)
            c[count++] = seed_choice(l, seed);
        else
            rc = gs_fail(err, GS_INPUT, at(l, item),
                         "'seeds' must be whole numbers (got '%.60s')",
                         is_scalar ? item->text : "a list or mapping");
    }
    axis_add(l, "seed", c, count);
    return rc < 0 ? -1 : axis_check(l, n, err);
}

static int seeds_add(struct sweep_loader *l, const struct gs_ynode *n,
                     struct gs_err *err)
{
    struct grid_choice *c;
    uint64_t first = 42, last = 42;

    if (n && n->kind == GS_YSEQ && n->len <= AXIS_ITEMS_MAX)
        return seed_list_add(l, n, err);
    if (n
        && (n->kind != GS_YSCALAR
            || study_range_parse(n->text, &first, &last) < 0 || last > INT64_MAX
            || last - first >= GRID_POINTS_MAX))
        return gs_yread_refuse(&l->ctx, n,
                               "a number, such as 7, two, such as 1..10, at "
                               "most 100000 apart, or a list of at most 10000",
                               err);
    c = gs_arena_alloc(l->arena, last - first + 1, sizeof(*c));
    for (uint32_t i = 0; i <= last - first; i++)
        c[i] = seed_choice(l, first + i);
    axis_add(l, "seed", c, (uint32_t)(last - first) + 1);
    return 0;
}

/* --- set: axes of changes ------------------------------------------------- */

/* load: [0.8, 1.2] */
static int values_add(struct sweep_loader *l, const struct gs_ynode *n,
                      struct gs_err *err)
{
    const char *const *text;
    struct grid_choice *c;
    uint32_t count;

    if (texts_read(l, n, "a list of values", &text, &count, err) < 0)
        return -1;
    c = gs_arena_alloc(l->arena, count + 1, sizeof(*c));
    for (uint32_t i = 0; i < count; i++) {
        const char **change = gs_arena_alloc(l->arena, 1, sizeof(*change));

        *change = gs_arena_printf(l->arena, "%s=%s", n->key->text, text[i]);
        c[i] = (struct grid_choice){ text[i], *change, change, 1 };
    }
    axis_add(l, n->key->text, c, count);
    return axis_check(l, n, err);
}

/* cluster: {as-is: [], half: [nodes.gpu8=16]} */
static int alternatives_add(struct sweep_loader *l, const struct gs_ynode *n,
                            struct gs_err *err)
{
    struct grid_choice *c = gs_arena_alloc(l->arena, n->len + 1, sizeof(*c));
    uint32_t count = 0;
    int rc = 0;

    for (const struct gs_ynode *v = n->child; v; v = v->next, count++) {
        if (!is_text(v->key))
            rc = gs_fail(err, GS_INPUT, at(l, v->key),
                         "names on axis '%.60s' must be texts without control "
                         "characters",
                         n->key->text);
        c[count].value = v->key->text;
        c[count].label = gs_arena_printf(l->arena, "%s=%s", n->key->text,
                                         v->key->text);
        if (!gs_ynode_is_null(v)
            && texts_read(l, v, "a list of PATH=VALUE", &c[count].change,
                          &c[count].change_count, err)
                   < 0)
            rc = -1;
    }
    axis_add(l, n->key->text, c, count);
    return rc < 0 ? -1 : axis_check(l, n, err);
}

/* True when axis `a` changes PATH, the first `len` bytes of `path`. */
static bool axis_changes(const struct grid_axis *a, const char *path,
                         size_t len)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < a->choice[i].change_count; k++) {
            const char *c = a->choice[i].change[k];

            if (strncmp(c, path, len) == 0 && c[len] == '=')
                return true;
        }
    }
    return false;
}

/* Fail when two axes set the same path: only the later value would count. */
static int overlap_check(const struct sweep_loader *l, const struct gs_ynode *n,
                         struct gs_err *err)
{
    const struct grid *g = &l->f.grid;
    const struct grid_axis *new = &g->axis[g->axis_count - 1];

    for (uint32_t i = 0; i < new->count; i++) {
        for (uint32_t k = 0; k < new->choice[i].change_count; k++) {
            const char *c = new->choice[i].change[k];
            const size_t len = strcspn(c, "=");

            for (uint32_t a = SWEEP_SET; a + 1 < g->axis_count; a++) {
                if (c[len] && axis_changes(&g->axis[a], c, len))
                    return gs_fail(err, GS_INPUT, at(l, n),
                                   "'%.*s' is set by axis '%.40s' and by axis "
                                   "'%.40s'",
                                   (int)(len < 60 ? len : 60), c,
                                   g->axis[a].name, new->name);
            }
        }
    }
    return 0;
}

static int set_axis(struct sweep_loader *l, const struct gs_ynode *v,
                    struct gs_err *err)
{
    static const char *const taken[] = { "trace", "topology", "policy",
                                         "seed" };
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        if (strcmp(v->key->text, taken[i]) == 0)
            return gs_fail(err, GS_INPUT, at(l, v->key),
                           "an axis is called '%s' already", taken[i]);
    }
    if (!is_text(v->key) || strchr(v->key->text, '='))
        return gs_fail(err, GS_INPUT, at(l, v->key),
                       "an axis must be a PATH or a name, without '=' and "
                       "control characters (got '%.60s')",
                       v->key->text);
    return (v->kind == GS_YMAP ? alternatives_add : values_add)(l, v, err) < 0
               ? -1
               : overlap_check(l, v, err);
}

static int set_add(struct sweep_loader *l, const struct gs_ynode *n,
                   struct gs_err *err)
{
    int rc = 0;

    if (n->kind != GS_YMAP)
        return gs_yread_refuse(&l->ctx, n, "a mapping of axes", err);
    if (n->len > GRID_AXES_MAX - l->f.grid.axis_count - 1)
        return gs_fail(err, GS_LIMIT, at(l, n), "more than %u axes",
                       GRID_AXES_MAX);
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        if (set_axis(l, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* --- the file ------------------------------------------------------------- */

#define AT(field) offsetof(struct sweep_loader, field)

static const struct gs_yfield fields[] = {
    { "name", gs_yread_text, AT(f.name), false },
    { "traces", gs_yread_node, AT(traces), true },
    { "topologies", gs_yread_node, AT(topologies), false },
    { "policies", gs_yread_node, AT(policies), false },
    { "seeds", gs_yread_node, AT(seeds), false },
    { "set", gs_yread_node, AT(set), false },
    { "limit", gs_yread_u32, AT(f.trace.limit), false },
    { "until", gs_yread_duration, AT(f.until), false },
    { "format", gs_yread_node, AT(format), false },
    { "sources", source_options_read, AT(f.sources), false },
    { "task_size", gs_yread_count, AT(f.trace.task_size), false },
    { "large", gs_yread_count, AT(f.large), false },
    { "keep", gs_yread_node, AT(keep), false },
    { "speed", gs_yread_text, AT(f.speed), false },
    { "world", gs_yread_text, AT(f.scenario), false },
    { "from", gs_yread_duration, AT(f.window.from), false },
    { "to", gs_yread_duration, AT(f.window.to), false },
    { "warmup", gs_yread_duration, AT(f.window.warmup), false },
};

/* Check the window; a mistake is reported at the first of its keys. */
static int window_check(const struct sweep_loader *l, struct gs_err *err)
{
    static const char *const key[] = { "from", "to", "warmup", "until" };
    const struct gs_ynode *v = NULL;
    struct gs_err inner = { 0 };

    if (study_window_check(&l->f.window, l->f.until, &inner) == 0)
        return 0;
    for (size_t i = 0; i < sizeof(key) / sizeof(key[0]) && !v; i++)
        v = gs_ynode_find(l->root, key[i]);
    return gs_fail(err, GS_INPUT, at(l, v ? v->key : l->root), "%s",
                   inner.problem[0].text);
}

/* True when `n` is the scalar `word`. */
static bool is_word(const struct gs_ynode *n, const char *word)
{
    return n->kind == GS_YSCALAR && strcmp(n->text, word) == 0;
}

static int words_read(struct sweep_loader *l, struct gs_err *err)
{
    struct sweep_file *f = &l->f;
    int rc = 0;

    f->metrics_only = l->keep && is_word(l->keep, "metrics");
    if (l->keep && !f->metrics_only && !is_word(l->keep, "all"))
        rc = gs_yread_refuse(&l->ctx, l->keep, "all or metrics", err);
    if (l->format)
        f->trace.format = l->format->kind == GS_YSCALAR
                              ? trace_format_find(l->format->text)
                              : TRACE_FORMATS;
    if (f->trace.format == TRACE_FORMATS)
        rc = gs_yread_refuse(&l->ctx, l->format,
                             "one of yaml, csv, swf, openb, philly, itp, muri",
                             err);
    if (f->speed && strcmp(f->speed, "none") != 0
        && strcmp(f->speed, "all-reduce") != 0)
        f->speed = gs_input_beside(l->arena, f->path, f->speed);
    if (f->scenario)
        f->scenario = gs_input_beside(l->arena, f->path, f->scenario);
    if (!f->name)
        f->name = stem(l, f->path);
    return window_check(l, err) < 0 ? -1 : rc;
}

/* Read all axes, also after a mistake in one. */
static int axes_read(struct sweep_loader *l, struct gs_err *err)
{
    int rc = files_add(l, l->traces, "trace", "", err);

    rc |= files_add(l, l->topologies, "topology", "", err);
    rc |= files_add(l, l->policies, "policy", "binpack", err);
    rc |= l->set ? set_add(l, l->set, err) : 0;
    return rc | seeds_add(l, l->seeds, err);
}

static int root_read(struct sweep_loader *l, struct gs_err *err)
{
    int rc = gs_ynode_fields(&l->ctx, l->root, "a sweep", fields,
                             sizeof(fields) / sizeof(fields[0]), l, err);

    if (l->root->kind != GS_YMAP || (rc < 0 && !gs_err_wants_more(err)))
        return -1;
    rc |= words_read(l, err);
    rc |= axes_read(l, err);
    if (rc < 0)
        return -1;
    if (grid_points(&l->f.grid) > GRID_POINTS_MAX)
        return gs_fail(err, GS_LIMIT, at(l, l->root),
                       "makes more than %u runs: traces, topologies, policies, "
                       "what is set and seeds are combined",
                       GRID_POINTS_MAX);
    return 0;
}

int sweep_file_read(struct sweep_file *f, const char *path,
                    struct gs_arena *arena, struct gs_err *err)
{
    struct sweep_loader l = { .f = { .path = path,
                                     .window = REPORT_WINDOW_WHOLE,
                                     .until = SIM_FOREVER,
                                     .sources = SOURCE_OPTIONS_NONE,
                                     .large = REPORT_LARGE },
                              .arena = arena,
                              .ctx = { .source = path } };
    struct gs_input *in = gs_input_open(path, err);
    int rc = -1;

    if (in) {
        l.root = gs_yaml_read(in, arena, NULL, err);
        l.f.hash = gs_input_hash(in);
        gs_input_close(in);
        rc = l.root ? root_read(&l, err) : -1;
    }
    *f = l.f;
    return rc;
}
