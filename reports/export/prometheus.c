/* reports/export/prometheus.c - metrics in Prometheus' text format, version
 * 0.0.4.
 *
 * A metric is a family: "wait.p95" is gsim_wait_p95_seconds.  The last part of
 * some names comes from the inputs, so it may contain anything; it becomes a
 * label: "placement.tier_share.rack" is gsim_placement_tier_share{tier="rack"}.
 * Samples of a family are consecutive, as the format requires.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/export/export.h"
#include "reports/glossary/glossary.h"
#include "reports/glossary/metric_names.h"
#include "reports/store/choose.h"

static const struct open_family {
    const char *prefix, *label;
} open_families[] = {
    { METRIC_FRAG_TIER_SHARE, "tier" },
    { METRIC_PLACEMENT_TIER_SHARE, "tier" },
    { METRIC_WAIT_BY_CAUSE, "cause" },
};

#define N_OPEN (sizeof(open_families) / sizeof(open_families[0]))

struct sample {
    char *family;           /* "gsim_wait_p95_seconds" */
    const char *key, *part; /* label of an open family, or NULL */
    const char *run, *scope, *label;
    const struct report_metric_info *info;
    uint32_t order; /* order of reading */
    double value;
};

struct samples {
    struct gs_arena *arena;
    struct sample *sample;
    uint32_t count, cap;
};

/* --- gathering ------------------------------------------------------------ */

/* The family name of "wait.p95" (`len` bytes), with the unit if the name does
 * not state it.
 */
static char *family_name(struct gs_arena *arena, const char *name, size_t len,
                         enum report_unit unit)
{
    static const char seconds[] = "_seconds";
    const size_t size = len + sizeof("gsim_") + sizeof(seconds);
    char *family = gs_arena_alloc(arena, size, 1);
    size_t n;

    snprintf(family, size, "gsim_%.*s", (int)len, name);
    for (char *c = family; *c; c++) {
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_", *c))
            *c = '_';
    }
    n = strlen(family);
    if (unit == REPORT_SECONDS
        && (n < sizeof(seconds)
            || strcmp(family + n + 1 - sizeof(seconds), seconds) != 0))
        strcat(family, seconds);
    return family;
}

/* Add a sample; metrics of other versions of gsim, whose meaning is unknown,
 * are left out.
 */
static void sample_add(struct samples *all, const char *run,
                       const struct report_stored_metric *m)
{
    const struct report_metric_info *info = report_glossary_find(m->name);
    size_t len = strlen(m->name);
    struct sample *s;

    if (!info)
        return;
    all->sample = gs_array_grow(all->sample, &all->cap, all->count + 1,
                                sizeof(*all->sample));
    s = &all->sample[all->count];
    *s = (struct sample){ .run = run,
                          .scope = m->scope,
                          .label = gs_text_copy(all->arena, m->label),
                          .info = info,
                          .order = all->count++,
                          .value = m->value };
    for (size_t i = 0; i < N_OPEN; i++) {
        const size_t n = strlen(open_families[i].prefix);

        if (strncmp(m->name, open_families[i].prefix, n) == 0) {
            s->key = open_families[i].label;
            s->part = gs_text_copy(all->arena, m->name + n);
            len = n - 1;
        }
    }
    s->family = family_name(all->arena, m->name, len, info->unit);
}

static int sample_compare(const void *pa, const void *pb)
{
    const struct sample *a = pa, *b = pb;
    const int order = strcmp(a->family, b->family);

    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int samples_read(struct report_store *s, const char *run,
                        struct samples *all, struct gs_err *err)
{
    struct report_choice *choice;
    struct report_stored_metric *m;
    uint32_t runs, count;

    if (report_choose(&s, 1, &run, run ? 1 : 0, all->arena, &choice, &runs, err)
        < 0)
        return -1;
    for (uint32_t i = 0; i < runs; i++) {
        const char *name = gs_text_copy(all->arena, choice[i].run.name);

        if (report_store_metrics(s, choice[i].run.id, all->arena, &m, &count,
                                 err)
            < 0)
            return -1;
        for (uint32_t k = 0; k < count; k++)
            sample_add(all, name, &m[k]);
    }
    return 0;
}

/* --- printing ------------------------------------------------------------- */

static void label_print(const char *name, const char *value, FILE *out)
{
    fprintf(out, "%s=\"", name);
    for (; *value; value++) {
        if (*value == '\\' || *value == '"')
            fputc('\\', out);
        fputc(*value, out);
    }
    fputc('"', out);
}

static void value_print(double v, FILE *out)
{
    if (isnan(v))
        fputs(" NaN\n", out);
    else if (isinf(v))
        fputs(v > 0 ? " +Inf\n" : " -Inf\n", out);
    else
        fprintf(out, " %.17g\n", v);
}

static void sample_print(const struct sample *s, FILE *out)
{
    static const char *const scopes[] = { "queue", "size", "type", "scheduler",
                                          "qos" };

    fprintf(out, "%s{", s->family);
    label_print("run", s->run, out);
    for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
        if (strcmp(s->scope, scopes[i]) == 0) {
            fputc(',', out);
            label_print(scopes[i], s->label, out);
        }
    }
    if (s->key) {
        fputc(',', out);
        label_print(s->key, s->part, out);
    }
    fputc('}', out);
    value_print(s->value, out);
}

int report_export_prometheus(struct report_store *s, const char *run, FILE *out,
                             struct gs_err *err)
{
    struct samples all = { .arena = gs_arena_create(1 << 16) };
    const char *family = "";
    const int rc = samples_read(s, run, &all, err);

    assert(s && out);
    if (rc == 0 && all.count)
        qsort(all.sample, all.count, sizeof(*all.sample), sample_compare);
    for (uint32_t i = 0; rc == 0 && i < all.count; i++) {
        const struct sample *p = &all.sample[i];

        if (strcmp(family, p->family) != 0)
            fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", p->family,
                    p->info->definition, p->family);
        family = p->family;
        sample_print(p, out);
    }
    gs_array_free(all.sample);
    gs_arena_destroy(all.arena);
    return rc;
}
