/* reports/compare/axes.c - the axes of a run, see axes.h. */
#include "reports/compare/axes.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <sqlite3.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "reports/store/store.h"
#include "reports/store/store_private.h"

struct reader {
    struct report_axes *axes;
    struct gs_arena *arena;
};

const char *report_axes_value(const struct report_axes *a, const char *axis)
{
    assert(a && axis);
    for (uint32_t i = 0; i < a->count; i++) {
        if (strcmp(a->at[i].axis, axis) == 0)
            return a->at[i].value;
    }
    return NULL;
}

/* The first value of an axis stays. */
static void value_add(struct reader *r, const char *axis, const char *value)
{
    struct report_axes *a = r->axes;

    if (report_axes_value(a, axis))
        return;
    a->at = gs_arena_grow(r->arena, a->at, &a->cap, a->count, sizeof(*a->at));
    a->at[a->count++] = (struct report_axis_value){
        gs_text_copy(r->arena, axis), gs_text_copy(r->arena, value)
    };
}

static int rows_add(struct reader *r, struct report_store *from, int64_t run)
{
    sqlite3_stmt *st = store_ask(
        from,
        "SELECT 'trace', trace FROM runs WHERE id = ?1 UNION ALL"
        " SELECT 'topology', topology FROM runs WHERE id = ?1 UNION ALL"
        " SELECT v.axis, v.value FROM sweeps s JOIN sweep_values v"
        " ON v.sweep_id = s.id AND v.point = ?1 - s.first_run"
        " WHERE ?1 >= s.first_run AND ?1 < s.first_run + s.points",
        run, 0, 0);

    while (st && sqlite3_step(st) == SQLITE_ROW)
        value_add(r, store_text(st, 0, r->arena), store_text(st, 1, r->arena));
    return store_answered(st);
}

static void sets_add(struct reader *r, const char *options_text)
{
    json_t *options = json_loads(options_text, 0, NULL);
    json_t *set = json_object_get(options, "set"), *change;
    size_t i;

    json_array_foreach(set, i, change)
    {
        const char *text = json_string_value(change);
        const char *equals = text ? strchr(text, '=') : NULL;

        if (equals)
            value_add(r,
                      gs_arena_strndup(r->arena, text, (size_t)(equals - text)),
                      equals + 1);
    }
    json_decref(options);
}

int report_axes_read(struct report_axes *a, struct report_store *from,
                     const struct report_stored_run *run,
                     struct gs_arena *arena, struct gs_err *err)
{
    struct reader r = { a, arena };
    char seed[24];

    assert(a && from && run && arena);
    *a = (struct report_axes){ .count = 0 };
    snprintf(seed, sizeof(seed), "%" PRIu64, run->seed);
    value_add(&r, "policy", run->policy);
    value_add(&r, "seed", seed);
    value_add(&r, "run", run->name);
    if (rows_add(&r, from, run->id) < 0)
        return store_fail(from, "cannot read the runs", err);
    sets_add(&r, run->options);
    return 0;
}
