/* reports/store/choose.c - finds runs by name, see choose.h. */
#include "reports/store/choose.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/text.h"

/* The runs of one store. */
struct shelf {
    struct report_store *store;
    struct report_stored_run *run;
    uint32_t runs;
};

struct chooser {
    const struct shelf *shelf;
    size_t shelves;
    struct report_choice *choice; /* grown by gs_array_grow */
    uint32_t count, cap;
};

static const struct report_stored_run *run_find(const struct shelf *f,
                                                const char *name)
{
    for (uint32_t i = 0; i < f->runs; i++) {
        if (strcmp(f->run[i].name, name) == 0)
            return &f->run[i];
    }
    return NULL;
}

static void choice_add(struct chooser *c, const struct shelf *f,
                       const struct report_stored_run *run)
{
    c->choice = gs_array_grow(c->choice, &c->cap, c->count + 1,
                              sizeof(*c->choice));
    c->choice[c->count++] = (struct report_choice){ f->store, *run };
}

/* The name of the run in "DB:NAME", if DB is this store; else NULL. */
static const char *name_within(const struct shelf *f, const char *name)
{
    const char *path = report_store_path(f->store);
    const char *base = strrchr(path, '/');
    size_t n = strlen(path);

    if (strncmp(name, path, n) == 0 && name[n] == ':')
        return name + n + 1;
    base = base ? base + 1 : path;
    n = strlen(base);
    return strncmp(name, base, n) == 0 && name[n] == ':' ? name + n + 1 : NULL;
}

static int ambiguous(const char *name, const char *const path[2],
                     const char *const run[2], struct gs_err *err)
{
    return gs_fail(
        err, GS_USAGE, (struct gs_mark){ 0 },
        "run '%.60s' can be '%.60s' of %.100s and '%.60s' of %.100s: "
        "give the path as DB:RUN",
        name, run[0], path[0], run[1], path[1]);
}

static int nowhere(const struct chooser *c, const char *name,
                   struct gs_err *err)
{
    const struct gs_mark at = {
        .source = c->shelves == 1 ? report_store_path(c->shelf[0].store) : NULL
    };
    char names[160];

    if (c->shelves == 1)
        return gs_fail(
            err, GS_USAGE, at, "no run is called '%.60s' (there are: %s)", name,
            report_store_names(c->shelf[0].store, names, sizeof(names)));
    names[0] = '\0';
    for (size_t i = 0; i < c->shelves && strlen(names) + 40 < sizeof(names);
         i++) {
        char some[60];

        gs_text_add(names, sizeof(names), "%s%s", i ? "; " : "",
                    report_store_names(c->shelf[i].store, some, sizeof(some)));
    }
    return gs_fail(err, GS_USAGE, at,
                   "no run is called '%.60s' in any of %zu databases (there "
                   "are: %s)",
                   name, c->shelves, names);
}

/* True when the same database was given before. */
static bool is_again(const struct chooser *c, size_t shelf)
{
    const char *path = report_store_path(c->shelf[shelf].store);

    for (size_t i = 0; i < shelf; i++) {
        if (strcmp(report_store_path(c->shelf[i].store), path) == 0)
            return true;
    }
    return false;
}

static int name_choose(struct chooser *c, const char *name, struct gs_err *err)
{
    const char *path[2] = { NULL }, *run[2] = { NULL };
    const uint32_t before = c->count;
    bool is_plain;

    for (size_t i = 0; i < c->shelves; i++) {
        const struct report_stored_run *r = run_find(&c->shelf[i], name);

        if (r)
            choice_add(c, &c->shelf[i], r);
    }
    is_plain = c->count > before;
    if (is_plain) {
        path[0] = report_store_path(c->choice[before].store);
        run[0] = name;
    }
    for (size_t i = 0; i < c->shelves; i++) {
        const char *within = name_within(&c->shelf[i], name);
        const struct report_stored_run *r = within
                                                ? run_find(&c->shelf[i], within)
                                                : NULL;

        if (!r || is_again(c, i))
            continue;
        if (path[0]) {
            path[1] = report_store_path(c->shelf[i].store);
            run[1] = within;
            return ambiguous(name, path, run, err);
        }
        path[0] = report_store_path(c->shelf[i].store);
        run[0] = within;
        choice_add(c, &c->shelf[i], r);
    }
    return c->count > before ? 0 : nowhere(c, name, err);
}

static int names_choose(struct chooser *c, const char *const *name,
                        size_t names, struct gs_err *err)
{
    for (size_t i = 0; names == 0 && i < c->shelves; i++) {
        for (uint32_t k = 0; k < c->shelf[i].runs; k++)
            choice_add(c, &c->shelf[i], &c->shelf[i].run[k]);
    }
    for (size_t k = 0; k < names; k++) {
        if (name_choose(c, name[k], err) < 0)
            return -1;
    }
    return 0;
}

int report_choose(struct report_store *const *store, size_t stores,
                  const char *const *name, size_t names, struct gs_arena *arena,
                  struct report_choice **choice, uint32_t *count,
                  struct gs_err *err)
{
    struct shelf *shelf = gs_arena_alloc(arena, stores, sizeof(*shelf));
    struct chooser c = { .shelf = shelf, .shelves = stores };
    int rc;

    assert(stores > 0);
    for (size_t i = 0; i < stores; i++) {
        shelf[i].store = store[i];
        if (report_store_runs(store[i], arena, &shelf[i].run, &shelf[i].runs,
                              err)
            < 0)
            return -1;
    }
    rc = names_choose(&c, name, names, err);
    if (rc == 0) {
        *choice = c.count ? gs_arena_memdup(arena, c.choice,
                                            c.count * sizeof(*c.choice))
                          : NULL;
        *count = c.count;
    }
    gs_array_free(c.choice);
    return rc;
}
