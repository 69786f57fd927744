/* reports/store/figures.c - metrics by key, see figures.h. */
#include "reports/store/figures.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "base/output.h"
#include "base/text.h"
#include "reports/measure/metrics.h"
#include "reports/store/run_inputs.h"
#include "reports/store/store.h"

#define BASELINE_MAX (16u << 20) /* bytes of one */

static bool is_database_head(const char *head, size_t size)
{
    static const char magic[] = "SQLite format 3"; /* and a NUL */

    return size >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0;
}

const char *report_figure_key(struct gs_arena *arena, const char *name,
                              const char *scope, const char *label)
{
    char *key;

    if (label[0] == '\0')
        return gs_text_copy(arena, name);
    key = gs_arena_printf(arena, "%s[%s=%s]", name, scope, label);
    gs_text_clean(key);
    return key;
}

static int figure_compare(const void *pa, const void *pb)
{
    const struct report_figure *a = pa, *b = pb;

    return strcmp(a->key, b->key);
}

void report_figures_sort(struct report_figures *f)
{
    assert(f);
    if (f->count)
        qsort(f->figure, f->count, sizeof(*f->figure), figure_compare);
}

void report_figures_take(const char *run, const struct report_metric *metric,
                         uint32_t count, struct gs_arena *arena,
                         struct report_figures *out)
{
    assert(run && metric);
    out->run = gs_text_copy(arena, run);
    out->count = count;
    out->figure = gs_arena_alloc(arena, count + 1, sizeof(*out->figure));
    for (uint32_t i = 0; i < count; i++)
        out->figure[i] = (struct report_figure){
            report_figure_key(arena, metric[i].name, metric[i].scope,
                              metric[i].label),
            metric[i].value
        };
    report_figures_sort(out);
}

const struct report_figure *report_figures_find(const struct report_figures *f,
                                                const char *key)
{
    const struct report_figure wanted = { .key = key };

    assert(f);
    return f->count ? bsearch(&wanted, f->figure, f->count, sizeof(wanted),
                              figure_compare)
                    : NULL;
}

const struct report_figures *report_figure_set_find(
    const struct report_figure_set *s, const char *run)
{
    for (uint32_t i = 0; i < s->runs; i++) {
        if (strcmp(s->run[i].run, run) == 0)
            return &s->run[i];
    }
    return NULL;
}

/* --- from a database ------------------------------------------------------ */

static int run_read(struct report_store *s, const struct report_stored_run *run,
                    struct gs_arena *arena, struct report_figures *out,
                    struct gs_err *err)
{
    struct report_stored_metric *m;

    if (report_store_metrics(s, run->id, arena, &m, &out->count, err) < 0)
        return -1;
    out->run = gs_text_copy(arena, run->name);
    out->inputs = report_inputs_text(run, arena);
    out->figure = gs_arena_alloc(arena, out->count + 1, sizeof(*out->figure));
    for (uint32_t i = 0; i < out->count; i++)
        out->figure[i] = (struct report_figure){
            report_figure_key(arena, m[i].name, m[i].scope, m[i].label),
            m[i].value
        };
    report_figures_sort(out);
    return 0;
}

static int database_read(const char *path, struct gs_arena *arena,
                         struct report_figure_set *out, struct gs_err *err)
{
    struct report_store *s = report_store_open_readonly(path, err);
    struct report_stored_run *run;
    int rc = -1;

    if (s && report_store_runs(s, arena, &run, &out->runs, err) == 0) {
        rc = 0;
        out->run = gs_arena_alloc(arena, out->runs + 1, sizeof(*out->run));
        for (uint32_t i = 0; rc == 0 && i < out->runs; i++)
            rc = run_read(s, &run[i], arena, &out->run[i], err);
    }
    report_store_close(s);
    return rc;
}

/* --- from a baseline ------------------------------------------------------ */

static int baseline_bad(const char *path, const char *what, struct gs_err *err)
{
    const struct gs_mark at = { .source = path };

    return gs_fail(err, GS_INPUT, at,
                   "is no baseline: %s (make one with 'gsim gate DB --baseline "
                   "FILE --rules FILE --update')",
                   what);
}

static int run_parse(const char *path, const char *name, json_t *run,
                     struct gs_arena *arena, struct report_figures *out,
                     struct gs_err *err)
{
    const char *key;
    json_t *value;

    if (!json_is_object(run))
        return baseline_bad(path, "a run must be an object of figures", err);
    out->run = gs_text_copy(arena, name);
    out->figure = gs_arena_alloc(arena, json_object_size(run) + 1,
                                 sizeof(*out->figure));
    json_object_foreach(run, key, value)
    {
        if (!json_is_number(value))
            return baseline_bad(path, "figures must be numbers", err);
        out->figure[out->count++] = (struct report_figure){
            gs_text_copy(arena, key), json_number_value(value)
        };
    }
    report_figures_sort(out);
    return 0;
}

static int root_parse(const char *path, json_t *root, struct gs_arena *arena,
                      struct report_figure_set *out, struct gs_err *err)
{
    const struct gs_mark at = { .source = path };
    json_t *version = json_object_get(root, "baseline"), *run;
    json_t *runs = json_object_get(root, "runs");
    json_t *inputs = json_object_get(root, "inputs");
    json_t *decisions = json_object_get(root, "decisions");
    const char *name;

    if (!json_is_integer(version))
        return baseline_bad(path, "'baseline' must say its version", err);
    if (json_integer_value(version) != REPORT_BASELINE_VERSION)
        return gs_fail(err, GS_INPUT, at,
                       "is a baseline of version %lld, this gsim reads %d: "
                       "look at what changed, then write it anew with --update",
                       (long long)json_integer_value(version),
                       REPORT_BASELINE_VERSION);
    if (!json_is_object(runs))
        return baseline_bad(path, "'runs' must be an object", err);
    if (inputs && !json_is_object(inputs))
        return baseline_bad(path, "'inputs' must be an object", err);
    out->run = gs_arena_alloc(arena, json_object_size(runs) + 1,
                              sizeof(*out->run));
    json_object_foreach(runs, name, run)
    {
        struct report_figures *f = &out->run[out->runs++];
        const char *of = json_string_value(json_object_get(inputs, name));
        const char *digest = json_string_value(
            json_object_get(decisions, name));

        if (run_parse(path, name, run, arena, f, err) < 0)
            return -1;
        f->inputs = of ? gs_text_copy(arena, of) : NULL;
        f->decisions = digest ? gs_text_copy(arena, digest) : NULL;
    }
    return 0;
}

int report_figures_parse(const char *source, const char *text, size_t size,
                         struct gs_arena *arena, struct report_figure_set *out,
                         struct gs_err *err)
{
    json_error_t why;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    struct report_figure_set set = { .source = source };
    int rc;

    if (!root)
        return gs_fail(err, GS_INPUT,
                       (struct gs_mark){ source, why.line, why.column },
                       "is neither a database nor a baseline: %s", why.text);
    rc = root_parse(source, root, arena, &set, err);
    json_decref(root);
    if (rc == 0)
        *out = set;
    return rc;
}

static int baseline_read(struct gs_input *in, const char *path,
                         struct gs_arena *arena, struct report_figure_set *out,
                         struct gs_err *err)
{
    uint32_t cap = 0, len = 0;
    size_t got = 1;
    char *text = NULL;
    int rc = 0;

    while (rc == 0 && got && len <= BASELINE_MAX) {
        text = gs_array_grow(text, &cap, len + 4096, 1);
        rc = gs_input_read(in, text + len, cap - len, &got, err);
        len += rc == 0 ? (uint32_t)got : 0;
    }
    if (rc == 0 && len > BASELINE_MAX)
        rc = baseline_bad(path, "it has more than 16 MiB", err);
    if (rc == 0)
        rc = report_figures_parse(path, text, len, arena, out, err);
    gs_array_free(text);
    return rc;
}

/* "a, b, ..." of the runs' names, as many as fit. */
static const char *names_list(const struct report_figure_set *s, char *buf,
                              size_t size)
{
    const char **name = gs_array_new(s->runs, sizeof(*name));

    for (uint32_t i = 0; i < s->runs; i++)
        name[i] = s->run[i].run;
    gs_names_join(buf, size, name, s->runs);
    gs_array_free(name);
    return buf;
}

int report_figures_read(const char *path, const char *name,
                        struct gs_arena *arena, struct report_figure_set *out,
                        struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);
    struct report_figure_set set = { .source = path };
    const struct report_figures *run;
    char names[160];
    const char *head;
    size_t size = 0;
    int rc;

    if (!in)
        return -1;
    head = gs_input_head(in, &size, err);
    if (!head)
        rc = -1;
    else if (is_database_head(head, size))
        rc = database_read(path, arena, &set, err);
    else
        rc = baseline_read(in, path, arena, &set, err);
    gs_input_close(in);
    if (rc < 0)
        return -1;
    run = name ? report_figure_set_find(&set, name) : NULL;
    if (name && !run)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = path },
                       "no run is called '%.60s' (there are: %s)", name,
                       names_list(&set, names, sizeof(names)));
    if (run) {
        set.run = gs_arena_memdup(arena, run, sizeof(*run));
        set.runs = 1;
    }
    *out = set;
    return 0;
}

/* --- to a baseline -------------------------------------------------------- */

static json_t *figures_json(const struct report_figure_set *s)
{
    json_t *runs = json_object(), *inputs = json_object();
    json_t *decisions = json_object(), *root;

    for (uint32_t i = 0; i < s->runs; i++) {
        const struct report_figures *f = &s->run[i];
        json_t *run = json_object();

        for (uint32_t k = 0; k < f->count; k++) {
            if (isfinite(f->figure[k].value))
                json_object_set_new(run, f->figure[k].key,
                                    json_real(f->figure[k].value));
        }
        json_object_set_new(runs, f->run, run);
        if (f->inputs)
            json_object_set_new(inputs, f->run, json_string(f->inputs));
        if (f->decisions)
            json_object_set_new(decisions, f->run, json_string(f->decisions));
    }
    root = json_pack("{s:i, s:o}", "baseline", REPORT_BASELINE_VERSION, "runs",
                     runs);
    if (json_object_size(inputs) > 0)
        json_object_set(root, "inputs", inputs);
    if (json_object_size(decisions) > 0)
        json_object_set(root, "decisions", decisions);
    json_decref(inputs);
    json_decref(decisions);
    return root;
}

bool report_is_database(const char *path)
{
    struct gs_input *in = gs_input_open(path, NULL);
    size_t size = 0;
    const char *head = in ? gs_input_head(in, &size, NULL) : NULL;
    const bool is = head && is_database_head(head, size);

    gs_input_close(in);
    return is;
}

int report_figures_save(const struct report_figure_set *s, const char *path,
                        struct gs_err *err)
{
    const struct gs_mark at = { .source = path };
    struct gs_output *out;
    json_t *root;
    int rc;

    if (report_is_database(path))
        return gs_fail(err, GS_USAGE, at,
                       "is a database, which --update does not rewrite: name a "
                       "baseline FILE");
    out = gs_output_open(path, err);
    if (!out)
        return -1;
    root = figures_json(s);
    rc = json_dumpf(root, gs_output_stream(out),
                    JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    if (rc < 0)
        (void)gs_fail(err, GS_IO, at, "cannot write");
    fputc('\n', gs_output_stream(out));
    json_decref(root);
    return gs_output_close(out, rc, err);
}
