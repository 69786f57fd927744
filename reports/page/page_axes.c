/* reports/page/page_axes.c - the axes of the runs on the page, with their
 * values.
 *
 * policy, seed and run are not axes here: a line of a picture is a policy,
 * seeds are averaged, and a run is a point.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "base/text.h"
#include "reports/page/page_private.h"

#define AXES_MAX 32u

const char *page_run_value(const struct report_page *p, uint32_t run,
                           const char *axis)
{
    const char *value = report_axes_value(&p->run[run].axes, axis);

    return value ? value : "-";
}

/* --- one axis ------------------------------------------------------------- */

/* A number, or a duration in seconds. */
static bool number_of(const char *s, bool is_duration, double *out)
{
    int64_t us = 0;
    const int rc = is_duration ? gs_duration_parse(s, strlen(s), &us)
                               : gs_quantity_parse_double(s, strlen(s), out);

    if (is_duration)
        *out = (double)us / 1e6;
    return rc == 0;
}

/* Read the values as numbers or durations; false when one is neither. */
static bool numbers_read(struct page_axis *a, bool are_durations)
{
    for (uint32_t i = 0; i < a->values; i++) {
        if (!number_of(a->value[i], are_durations, &a->number[i]))
            return false;
    }
    a->is_numeric = a->values > 1;
    a->is_duration = are_durations;
    return a->is_numeric;
}

/* Sort ascending; "0.8" and "0.80" stay two values at one place. */
static void values_sort(struct page_axis *a)
{
    for (uint32_t i = 1; i < a->values; i++) {
        const double number = a->number[i];
        const char *value = a->value[i];
        uint32_t k = i;

        for (; k > 0 && a->number[k - 1] > number; k--) {
            a->number[k] = a->number[k - 1];
            a->value[k] = a->value[k - 1];
        }
        a->number[k] = number;
        a->value[k] = value;
    }
}

uint32_t page_axis_find(const struct page_axis *a, const char *value)
{
    return (uint32_t)gs_text_find(value, a->value, a->values);
}

void page_axis_read(const struct report_page *p, const char *name,
                    struct page_axis *a)
{
    const uint32_t runs = p->compare->runs;

    *a = (struct page_axis){
        .name = name,
        .value = gs_arena_alloc(p->arena, runs, sizeof(*a->value)),
        .number = gs_arena_alloc(p->arena, runs, sizeof(*a->number)),
    };
    for (uint32_t run = 0; run < runs; run++) {
        const char *value = page_run_value(p, run, name);

        if (page_axis_find(a, value) == a->values)
            a->value[a->values++] = value;
    }
    if (numbers_read(a, false) || numbers_read(a, true))
        values_sort(a);
}

/* --- all of them ---------------------------------------------------------- */

static bool is_same_value(const struct report_page *p, const char *axis,
                          uint32_t a, uint32_t b)
{
    return strcmp(page_run_value(p, a, axis), page_run_value(p, b, axis)) == 0;
}

/* True when both axes always change together, such as a named value of a sweep
 * and its change.
 */
static bool is_same_axis(const struct report_page *p, const struct page_axis *a,
                         const struct page_axis *b)
{
    if (a->values != b->values || a->values < 2)
        return false;
    for (uint32_t i = 0; i < p->compare->runs; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (is_same_value(p, a->name, i, k)
                != is_same_value(p, b->name, i, k))
                return false;
        }
    }
    return true;
}

/* Add an axis; of two that change together the one with numbers is kept, else
 * the first.
 */
static void axis_add(struct report_page *p, const struct page_axis *a)
{
    for (uint32_t i = 0; i < p->axes; i++) {
        if (!is_same_axis(p, &p->axis[i], a))
            continue;
        if (a->is_numeric && !p->axis[i].is_numeric)
            p->axis[i] = *a;
        return;
    }
    p->axis[p->axes++] = *a;
}

void page_axes_read(struct report_page *p)
{
    const char *name[AXES_MAX + 3] = { "policy", "seed", "run" };
    uint32_t names = 3;

    p->axis = gs_arena_alloc(p->arena, AXES_MAX, sizeof(*p->axis));
    p->axes = 0;
    for (uint32_t run = 0; run < p->compare->runs; run++) {
        const struct report_axes *axes = &p->run[run].axes;

        for (uint32_t i = 0; i < axes->count && names < AXES_MAX + 3; i++) {
            if (gs_text_find(axes->at[i].axis, name, names) == names)
                name[names++] = axes->at[i].axis;
        }
    }
    for (uint32_t i = 3; i < names; i++) {
        struct page_axis a;

        page_axis_read(p, name[i], &a);
        axis_add(p, &a);
    }
}

const char *page_group_value(const struct report_page *p, uint32_t group,
                             const struct page_axis *a)
{
    const struct compare_group *g = &p->compare->group[group];
    const char *value = page_run_value(p, g->run[0], a->name);

    for (uint32_t i = 1; i < g->runs; i++) {
        if (strcmp(page_run_value(p, g->run[i], a->name), value) != 0)
            return "several";
    }
    return value;
}
