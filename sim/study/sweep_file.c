/* sim/study/sweep_file.c - reading sweeps, see sweep_file.h. */
#include "sim/study/sweep_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/text.h"
#include "base/yamldoc.h"
#include "reports/measure/metrics.h"
#include "sim/replay/replay.h"
#include "sim/study/inputs.h"
#include "sim/study/run.h"

#define AXIS_ITEMS_MAX 10000u /* values on one axis of texts */

struct loader {
    struct sweep_file *f;
    struct gs_arena *arena;
    struct gs_yctx ctx;
};

/* What the file's keys hold. */
struct keys {
    const char *name;
    const struct gs_ynode *traces, *topologies, *policies, *seeds, *set;
    const struct gs_ynode *format, *keep;
    uint32_t limit, task_size, large;
    struct report_window_request window;
    int64_t until;
    const char *speed, *scenario;
};

static int refuse(const struct loader *l, const struct gs_ynode *n,
                  struct gs_err *err, const char *allowed)
{
    return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, n),
                   "'%.40s' must be %s (got '%.60s')",
                   n->key ? n->key->text : "value", allowed,
                   n->kind == GS_YSCALAR ? n->text
                   : n->kind == GS_YMAP  ? "a mapping"
                                         : "a list");
}

static const char *join(const struct loader *l, const char *a, const char *sep,
                        const char *b)
{
    char *s = gs_arena_alloc(l->arena, strlen(a) + strlen(sep) + strlen(b) + 1,
                             1);

    return strcat(strcat(strcpy(s, a), sep), b);
}

/* --- lists of texts ---------------------------------------------------------------- */

static bool is_text(const struct gs_ynode *n)
{
    return n->kind == GS_YSCALAR && n->len > 0
           && gs_text_is_clean(n->text, n->len);
}

/* Read the texts of `n`, one or a list, into *text; on failure those of its
 * items that are texts.
 */
static int texts_read(const struct loader *l, const struct gs_ynode *n,
                      const char *allowed, const char *const **text,
                      uint32_t *count, struct gs_err *err)
{
    const struct gs_ynode *item = n->kind == GS_YSEQ ? n->child : n;
    const uint32_t items = n->kind == GS_YSEQ ? n->len : 1;
    const char **out = gs_arena_alloc(l->arena, items + 1, sizeof(*out));
    int rc = 0;

    *text = out;
    *count = 0;
    if (n->kind == GS_YMAP)
        return refuse(l, n, err, allowed);
    if (items > AXIS_ITEMS_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(&l->ctx, n),
                       "'%.40s' has %u values, at most %u are allowed",
                       n->key ? n->key->text : "value", items, AXIS_ITEMS_MAX);
    for (uint32_t i = 0; i < items; i++, item = item->next) {
        if (!is_text(item))
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, item),
                         "'%.40s' must be %s, each a text without control "
                         "characters",
                         n->key ? n->key->text : "value", allowed);
        else
            out[(*count)++] = item->text;
    }
    return rc;
}

/* --- axes ---------------------------------------------------------------------------- */

/* Two choices of an axis with one label would make two runs of one name. */
static int labels_check(const struct loader *l, const struct gs_ynode *n,
                        const struct grid_axis *a, struct gs_err *err)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(a->choice[i].label, a->choice[k].label) == 0)
                return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, n),
                               "'%.60s' is there twice: '%.60s'", a->name,
                               a->choice[i].label);
        }
    }
    return 0;
}

static int axis_add(struct loader *l, const struct gs_ynode *n,
                    const char *name, const struct grid_choice *choice,
                    uint32_t count, struct gs_err *err)
{
    struct grid *g = &l->f->grid;
    struct grid_axis *a = &g->axis[g->axis_count];

    if (g->axis_count == GRID_AXES_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(&l->ctx, n),
                       "more than %u axes", GRID_AXES_MAX);
    *a = (struct grid_axis){ name, choice, count };
    g->axis_count++;
    if (count == 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, n),
                       "'%.60s' needs at least one value",
                       n->key ? n->key->text : name);
    return 0;
}

/* "openb" of "a/openb.csv.gz": up to the first dot, if that leaves anything. */
static const char *stem(const struct loader *l, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const size_t n = strcspn(base, ".");

    return n ? gs_arena_strndup(l->arena, base, n) : base;
}

/* Files are labelled by their stems, unless two have the same. */
static bool stems_differ(const struct grid_choice *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(c[i].label, c[k].label) == 0)
                return false;
        }
    }
    return true;
}

/* Files, or with `all` false only those that inputs_policy takes for one; the
 * others are their own label.  The axis is added after a mistake as well, so
 * that its other values are checked.
 */
static int files_add(struct loader *l, const struct gs_ynode *n,
                     const char *name, bool all, struct gs_err *err)
{
    const char *const *text;
    struct grid_choice *c;
    uint32_t count;
    const int rc = texts_read(l, n,
                              all ? "a file or a list of files"
                                  : "a policy or a list of policies",
                              &text, &count, err);

    c = gs_arena_alloc(l->arena, count + 1, sizeof(*c));
    for (uint32_t i = 0; i < count; i++) {
        const bool is_file = all || inputs_policy_is_file(text[i]);

        c[i].value = is_file ? inputs_beside(l->arena, l->f->path, text[i])
                             : text[i];
        c[i].label = is_file ? stem(l, text[i]) : text[i];
    }
    if (!stems_differ(c, count)) {
        for (uint32_t i = 0; i < count; i++)
            c[i].label = text[i];
    }
    if (rc < 0) {
        l->f->grid.axis[l->f->grid.axis_count++] = (struct grid_axis){ name, c,
                                                                       count };
        return -1;
    }
    if (axis_add(l, n, name, c, count, err) < 0)
        return -1;
    return labels_check(l, n, &l->f->grid.axis[l->f->grid.axis_count - 1], err);
}

/* An axis that the file does not name: one choice. */
static int axis_default(struct loader *l, const struct gs_ynode *root,
                        const char *name, const char *value, struct gs_err *err)
{
    struct grid_choice *c = gs_arena_alloc(l->arena, 1, sizeof(*c));

    c->value = c->label = value;
    return axis_add(l, root, name, c, 1, err);
}

/* --- seeds --------------------------------------------------------------------------- */

/* "7", or "1..10". */
static int seed_range(const char *s, uint64_t *first, uint64_t *last)
{
    const char *dots = strstr(s, "..");
    const size_t n = dots ? (size_t)(dots - s) : strlen(s);

    if (gs_quantity_parse_u64(s, n, first) < 0)
        return -1;
    *last = *first;
    if (dots && gs_quantity_parse_u64(dots + 2, strlen(dots + 2), last) < 0)
        return -1;
    return *last < *first || *last > INT64_MAX ? -1 : 0;
}

static void seed_set(const struct loader *l, struct grid_choice *c,
                     uint64_t seed)
{
    char text[24];
    const int n = snprintf(text, sizeof(text), "%" PRIu64, seed);

    c->value = gs_arena_strndup(l->arena, text, (size_t)n);
    c->label = join(l, "s", "", c->value);
}

static int seeds_add(struct loader *l, const struct gs_ynode *n,
                     struct gs_err *err)
{
    const struct gs_ynode *item = n->kind == GS_YSEQ ? n->child : n;
    const bool is_list = n->kind == GS_YSEQ;
    struct grid_choice *c;
    uint64_t first, last;
    uint32_t count = n->len;
    int rc = 0;

    if (n->kind == GS_YMAP || (is_list && n->len > AXIS_ITEMS_MAX))
        return refuse(l, n, err,
                      "a number, such as 7, two, such as 1..10, "
                      "or a list of at most 10000");
    if (!is_list) {
        if (seed_range(n->text, &first, &last) < 0
            || last - first >= GRID_POINTS_MAX)
            return refuse(l, n, err,
                          "a number, such as 7, or two, such as "
                          "1..10, at most 100000 apart");
        count = (uint32_t)(last - first) + 1;
    }
    c = gs_arena_alloc(l->arena, count + 1, sizeof(*c));
    for (uint32_t i = 0; i < count; i++) {
        if (is_list) {
            if (item->kind != GS_YSCALAR || strstr(item->text, "..")
                || seed_range(item->text, &first, &last) < 0)
                rc = gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, item),
                             "'seeds' must be whole numbers (got '%.60s')",
                             item->kind == GS_YSCALAR ? item->text
                                                      : "a list or mapping");
            else
                seed_set(l, &c[i], first);
            item = item->next;
        } else
            seed_set(l, &c[i], first + i);
    }
    if (rc < 0 || axis_add(l, n, "seed", c, count, err) < 0)
        return -1;
    /* the seeds of a range differ */
    return is_list ? labels_check(
               l, n, &l->f->grid.axis[l->f->grid.axis_count - 1], err)
                   : 0;
}

/* --- set: axes of changes ------------------------------------------------------------ */

/* load: [0.8, 1.2] */
static int values_add(struct loader *l, const struct gs_ynode *n,
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

        *change = join(l, n->key->text, "=", text[i]);
        c[i] = (struct grid_choice){ text[i], *change, change, 1 };
    }
    return axis_add(l, n, n->key->text, c, count, err);
}

/* cluster: {as-is: [], half: [nodes.gpu8=16]} */
static int alternatives_add(struct loader *l, const struct gs_ynode *n,
                            struct gs_err *err)
{
    struct grid_choice *c = gs_arena_alloc(l->arena, n->len + 1, sizeof(*c));
    uint32_t count = 0;
    int rc = 0;

    for (const struct gs_ynode *v = n->child; v; v = v->next, count++) {
        if (!is_text(v->key))
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, v->key),
                         "names on axis '%.60s' must be texts without "
                         "control characters",
                         n->key->text);
        c[count].value = v->key->text;
        c[count].label = join(l, n->key->text, "=", v->key->text);
        if (!gs_ynode_is_null(v)
            && texts_read(l, v, "a list of PATH=VALUE", &c[count].change,
                          &c[count].change_count, err)
                   < 0)
            rc = -1;
    }
    return rc < 0 ? -1 : axis_add(l, n, n->key->text, c, count, err);
}

/* Does axis `a` change PATH, the first `len` bytes of `path`? */
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

/* What two axes set would depend on their order. */
static int overlap_check(const struct loader *l, const struct gs_ynode *n,
                         struct gs_err *err)
{
    const struct grid *g = &l->f->grid;
    const struct grid_axis *new = &g->axis[g->axis_count - 1];

    for (uint32_t i = 0; i < new->count; i++) {
        for (uint32_t k = 0; k < new->choice[i].change_count; k++) {
            const char *c = new->choice[i].change[k];
            const size_t len = strcspn(c, "=");

            for (uint32_t a = SWEEP_SET; a + 1 < g->axis_count; a++) {
                if (c[len] && axis_changes(&g->axis[a], c, len))
                    return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, n),
                                   "'%.*s' is set by axis '%.40s' and by axis "
                                   "'%.40s'",
                                   (int)(len < 60 ? len : 60), c,
                                   g->axis[a].name, new->name);
            }
        }
    }
    return 0;
}

static int set_axis(struct loader *l, const struct gs_ynode *v,
                    struct gs_err *err)
{
    static const char *const taken[] = { "trace", "topology", "policy",
                                         "seed" };
    const struct grid *g = &l->f->grid;
    const bool is_map = v->kind == GS_YMAP;

    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        if (strcmp(v->key->text, taken[i]) == 0)
            return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, v->key),
                           "an axis is called '%s' already", taken[i]);
    }
    if (!is_text(v->key) || strchr(v->key->text, '='))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, v->key),
                       "an axis must be a PATH or a name, without '=' and "
                       "control characters (got '%.60s')",
                       v->key->text);
    if ((is_map ? alternatives_add : values_add)(l, v, err) < 0
        || (!is_map
            && labels_check(l, v, &g->axis[g->axis_count - 1], err) < 0))
        return -1;
    return overlap_check(l, v, err);
}

static int set_add(struct loader *l, const struct gs_ynode *n,
                   struct gs_err *err)
{
    int rc = 0;

    if (n->kind != GS_YMAP)
        return refuse(l, n, err, "a mapping of axes");
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        if (set_axis(l, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* --- the file -------------------------------------------------------------------------- */

#define KEY(field, read, needed)                                      \
    {                                                                 \
#field, gs_yread_##read, offsetof(struct keys, field), needed \
    }

static const struct gs_yfield fields[] = {
    KEY(name, text, false),
    KEY(traces, node, true),
    KEY(topologies, node, false),
    KEY(policies, node, false),
    KEY(seeds, node, false),
    KEY(set, node, false),
    KEY(limit, u32, false),
    KEY(until, duration, false),
    KEY(format, node, false),
    KEY(task_size, count, false),
    KEY(large, count, false),
    KEY(keep, node, false),
    KEY(speed, text, false),
    { "world", gs_yread_text, offsetof(struct keys, scenario), false },
    { "from", gs_yread_duration, offsetof(struct keys, window.from), false },
    { "to", gs_yread_duration, offsetof(struct keys, window.to), false },
    { "warmup", gs_yread_duration, offsetof(struct keys, window.warmup),
      false },
};

/* Is it none of the words that stand for a model? */
static bool is_model_file(const char *speed)
{
    return strcmp(speed, "none") != 0 && strcmp(speed, "all-reduce") != 0;
}

/* A mistake stands at the first of the keys that make the window. */
static int window_check(const struct loader *l, const struct gs_ynode *root,
                        struct gs_err *err)
{
    static const char *const key[] = { "from", "to", "warmup", "until" };
    const struct gs_ynode *v = NULL;
    struct gs_err inner = { 0 };

    if (study_window_check(&l->f->window, l->f->until, &inner) == 0)
        return 0;
    for (size_t i = 0; i < sizeof(key) / sizeof(key[0]) && !v; i++)
        v = gs_ynode_find(root, key[i]);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->ctx, v ? v->key : root),
                   "%s", inner.problem[0].text);
}

static int words_read(struct loader *l, const struct keys *k,
                      const struct gs_ynode *root, struct gs_err *err)
{
    struct sweep_file *f = l->f;
    int rc = 0;

    if (k->keep) {
        f->metrics_only = k->keep->kind == GS_YSCALAR
                          && strcmp(k->keep->text, "metrics") == 0;
        if (!f->metrics_only
            && (k->keep->kind != GS_YSCALAR
                || strcmp(k->keep->text, "all") != 0))
            rc = refuse(l, k->keep, err, "all or metrics");
    }
    if (k->format) {
        f->trace.format = k->format->kind == GS_YSCALAR
                              ? trace_format_find(k->format->text)
                              : TRACE_FORMATS;
        if (f->trace.format == TRACE_FORMATS)
            rc = refuse(l, k->format, err,
                        "one of yaml, csv, swf, openb, philly, itp, muri");
    }
    f->trace.limit = k->limit;
    f->trace.task_size = k->task_size;
    f->until = k->until;
    f->window = k->window;
    f->speed = k->speed && is_model_file(k->speed)
                   ? inputs_beside(l->arena, f->path, k->speed)
                   : k->speed;
    f->scenario = k->scenario ? inputs_beside(l->arena, f->path, k->scenario)
                              : NULL;
    f->large = k->large;
    if (window_check(l, root, err) < 0)
        rc = -1;
    f->name = k->name ? k->name : stem(l, f->path);
    return rc;
}

static int axes_read(struct loader *l, const struct keys *k,
                     const struct gs_ynode *root, struct gs_err *err)
{
    int rc = 0;

    if ((k->traces ? files_add(l, k->traces, "trace", true, err)
                   : axis_default(l, root, "trace", "", err))
        < 0)
        rc = -1;
    if ((k->topologies ? files_add(l, k->topologies, "topology", true, err)
                       : axis_default(l, root, "topology", "", err))
        < 0)
        rc = -1;
    if ((k->policies ? files_add(l, k->policies, "policy", false, err)
                     : axis_default(l, root, "policy", "binpack", err))
        < 0)
        rc = -1;
    if (k->set && set_add(l, k->set, err) < 0)
        rc = -1;
    if ((k->seeds ? seeds_add(l, k->seeds, err)
                  : axis_default(l, root, "seed", "42", err))
        < 0)
        rc = -1;
    return rc;
}

static int root_read(struct loader *l, const struct gs_ynode *root,
                     struct gs_err *err)
{
    struct keys k = { .window = REPORT_WINDOW_WHOLE,
                      .until = SIM_FOREVER,
                      .large = REPORT_LARGE };
    int rc = gs_ynode_fields(&l->ctx, root, "a sweep", fields,
                             sizeof(fields) / sizeof(fields[0]), &k, err);

    if (root->kind != GS_YMAP || (rc < 0 && !gs_err_wants_more(err)))
        return -1;
    if (words_read(l, &k, root, err) < 0)
        rc = -1;
    if (axes_read(l, &k, root, err) < 0)
        rc = -1;
    if (rc < 0)
        return -1;
    if (grid_points(&l->f->grid) > GRID_POINTS_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(&l->ctx, root),
                       "makes more than %u runs: traces, topologies, policies, "
                       "what is set and seeds are combined",
                       GRID_POINTS_MAX);
    return 0;
}

int sweep_file_read(struct sweep_file *f, const char *path,
                    struct gs_arena *arena, struct gs_err *err)
{
    struct loader l = { f, arena, { path, NULL } };
    struct gs_input *in = gs_input_open(path, err);
    const struct gs_ynode *root;

    *f = (struct sweep_file){ .path = path };
    if (!in)
        return -1;
    root = gs_yaml_read(in, arena, NULL, err);
    f->hash = gs_input_hash(in);
    gs_input_close(in);
    return root ? root_read(&l, root, err) : -1;
}
