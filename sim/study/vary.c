/* sim/study/vary.c - reads axes, see vary.h.
 *
 * Ranges are counted in millionths, so that 0.8..1.6:0.2 ends at 1.6.
 */
#include "sim/study/vary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/text.h"

#define MICRO 1000000
#define NUMBER_MAX 1e12

static const struct gs_mark at = { .source = "--vary" };

static int micro_parse(const char *s, size_t len, int64_t *out)
{
    double d;

    if (gs_quantity_parse_double(s, len, &d) < 0 || !(fabs(d) <= NUMBER_MAX))
        return -1;
    *out = llround(d * MICRO);
    return 0;
}

/* "24", "1.2" */
static const char *micro_text(int64_t micro, struct gs_arena *arena)
{
    const int64_t size = micro < 0 ? -micro : micro;
    char text[48];
    int len = snprintf(text, sizeof(text), "%s%lld", micro < 0 ? "-" : "",
                       (long long)(size / MICRO));

    if (size % MICRO) {
        len += snprintf(text + len, sizeof(text) - (size_t)len, ".%06lld",
                        (long long)(size % MICRO));
        while (text[len - 1] == '0')
            len--;
    }
    return gs_arena_strndup(arena, text, (size_t)len);
}

/* --- ranges --------------------------------------------------------------- */

int study_range_parse(const char *text, uint64_t *first, uint64_t *last)
{
    const char *dots = strstr(text, "..");
    const size_t n = dots ? (size_t)(dots - text) : strlen(text);

    if (gs_quantity_parse_u64(text, n, first) < 0)
        return -1;
    *last = *first;
    if (dots && gs_quantity_parse_u64(dots + 2, strlen(dots + 2), last) < 0)
        return -1;
    return *last < *first ? -1 : 0;
}

struct range {
    int64_t from, to, step; /* millionths */
};

/* Parse a range.  Returns 1 when `text` is not a range. */
static int range_parse(const char *text, struct range *r, struct gs_err *err)
{
    const char *dots = strstr(text, ".."), *colon;
    size_t to_len;

    if (!dots)
        return 1;
    colon = strchr(dots, ':');
    to_len = colon ? (size_t)(colon - dots - 2) : strlen(dots + 2);
    r->step = MICRO;
    if (micro_parse(text, (size_t)(dots - text), &r->from) < 0
        || micro_parse(dots + 2, to_len, &r->to) < 0
        || (colon && micro_parse(colon + 1, strlen(colon + 1), &r->step) < 0)
        || r->step <= 0 || r->to < r->from
        || (!colon && (r->from % MICRO || r->to % MICRO)))
        return gs_fail(err, GS_USAGE, at,
                       "a range is FROM..TO:STEP, rising, such as 8..64:8 or "
                       "0.8..1.6:0.2 (got '%s')",
                       text);
    if ((r->to - r->from) / r->step >= STUDY_VALUES_MAX)
        return gs_fail(err, GS_USAGE, at, "at most %u values (got '%s')",
                       STUDY_VALUES_MAX, text);
    return 0;
}

static void range_expand(const struct range *r, struct gs_arena *arena,
                         struct study_axis *axis)
{
    axis->count = (uint32_t)((r->to - r->from) / r->step) + 1;
    axis->value = gs_arena_alloc(arena, axis->count, sizeof(*axis->value));
    axis->number = gs_arena_alloc(arena, axis->count, sizeof(*axis->number));
    for (uint32_t i = 0; i < axis->count; i++) {
        const int64_t micro = r->from + (int64_t)i * r->step;

        axis->value[i] = micro_text(micro, arena);
        axis->number[i] = (double)micro / MICRO;
    }
}

/* --- lists ---------------------------------------------------------------- */

/* Set the numbers of an axis whose values are numbers in ascending or
 * descending order: only such an axis can be searched.
 */
static void numbers_take(struct gs_arena *arena, struct study_axis *axis)
{
    double *number = gs_arena_alloc(arena, axis->count, sizeof(*number));
    bool rises = true, falls = true;

    for (uint32_t i = 0; i < axis->count; i++) {
        if (gs_quantity_parse_double(axis->value[i], strlen(axis->value[i]),
                                     &number[i])
            < 0)
            return;
        rises = rises && (i == 0 || number[i] > number[i - 1]);
        falls = falls && (i == 0 || number[i] < number[i - 1]);
    }
    if (rises || falls)
        axis->number = number;
}

static int list_parse(const char *text, struct gs_arena *arena,
                      struct study_axis *axis, struct gs_err *err)
{
    uint32_t count = 1;

    for (const char *s = text; *s; s++)
        count += *s == ',';
    if (count > STUDY_VALUES_MAX)
        return gs_fail(err, GS_USAGE, at, "at most %u values",
                       STUDY_VALUES_MAX);
    axis->value = gs_arena_alloc(arena, count, sizeof(*axis->value));
    for (const char *s = text;; s++) {
        const size_t len = strcspn(s, ",");

        if (len == 0)
            return gs_fail(err, GS_USAGE, at,
                           "a value of '%s' is empty (got '%s')", axis->path,
                           text);
        axis->value[axis->count++] = gs_arena_strndup(arena, s, len);
        s += len;
        if (!*s)
            break;
    }
    numbers_take(arena, axis);
    return 0;
}

/* --- an axis -------------------------------------------------------------- */

int study_axis_parse(const char *text, struct gs_arena *arena,
                     struct study_axis *axis, struct gs_err *err)
{
    const char *equals = strchr(text, '=');
    struct range r = { 0 };
    int rc;

    *axis = (struct study_axis){ 0 };
    if (!equals || equals == text || !gs_text_is_clean(text, strlen(text)))
        return gs_fail(err, GS_USAGE, at,
                       "must be PATH=FROM..TO:STEP or PATH=A,B,C (got '%s')",
                       text);
    axis->path = gs_arena_strndup(arena, text, (size_t)(equals - text));
    rc = range_parse(equals + 1, &r, err);
    if (rc < 0)
        return -1;
    if (rc > 0)
        return list_parse(equals + 1, arena, axis, err);
    range_expand(&r, arena, axis);
    return 0;
}

const char *study_axis_change(const struct study_axis *axis, uint32_t i,
                              struct gs_arena *arena)
{
    return gs_arena_printf(arena, "%s=%s", axis->path, axis->value[i]);
}
