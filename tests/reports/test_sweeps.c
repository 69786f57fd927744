/* tests/reports/test_sweeps.c - states of sweeps, and merging of parts. */
#include <string.h>

#include "base/arena.h"
#include "reports/store/sweeps.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

#define POINTS 4

static const char *const axis[] = { "policy", "seed" };
static const char *const value[POINTS][2] = {
    { "a", "1" }, { "a", "2" }, { "b'", "1" }, { "b'", "2" }
};
static const struct report_sweep_point point[POINTS] = {
    { 0, "a/s1", value[0] },
    { 1, "a/s2", value[1] },
    { 2, "b'/s1", value[2] },
    { 3, "b'/s2", value[3] },
};
static const struct report_sweep_file file[] = { { "s.yaml", 11 },
                                                 { "t.csv", 12 } };
static const struct report_sweep whole = {
    .name = "it's",
    .version = "9",
    .grid = POINTS,
    .axes = 2,
    .files = 2,
    .points = POINTS,
    .axis = axis,
    .file = file,
    .point = point,
};

struct opened {
    struct report_store *store;
    struct report_sweep_place place;
    enum report_point_state state[POINTS];
    struct gs_err err;
};

static int begin(struct opened *o, const struct database *d,
                 const struct report_sweep *w)
{
    *o = (struct opened){ .store = report_store_open(d->path, NULL) };
    CU_ASSERT_PTR_NOT_NULL_FATAL(o->store);
    return report_store_sweep_begin(o->store, w, &o->place, o->state, &o->err);
}

static void end(struct opened *o)
{
    report_store_close(o->store);
}

/* The run of rig.h as that of a point. */
static void put(struct opened *o, struct rig *r, uint32_t i)
{
    const struct report_run run = { .name = point[i].run,
                                    .status = "done",
                                    .version = "9",
                                    .policy = "p",
                                    .profile = "",
                                    .topology = "",
                                    .trace = "",
                                    .options = "{}",
                                    .place = &o->place,
                                    .point = i };
    const struct report_metric metric = {
        .name = "m", .scope = "cluster", .label = "", .value = 1.5 + i
    };

    CU_ASSERT_EQUAL(
        report_store_write(o->store, &run, r->topo, r->work, r->log, &metric, 1,
                           report_metrics_samples(r->metrics), &o->err),
        0);
}

static const char states[] =
    "SELECT group_concat(state || coalesce(':' || error, ''), ' ')"
    " FROM (SELECT * FROM sweep_points ORDER BY point)";

static void test_resume(void)
{
    struct database d;
    struct opened o;
    struct rig r;

    database_init(&d);
    rig_run(&r);
    CU_ASSERT_EQUAL(begin(&o, &d, &whole), 0);
    CU_ASSERT_EQUAL(o.place.first_run, 1);
    put(&o, &r, 2);
    put(&o, &r, 2); /* nothing more: it is done */
    put(&o, &r, 0);
    CU_ASSERT_EQUAL(report_store_sweep_fail(o.store, &o.place, 1, "no", NULL),
                    0);
    CU_ASSERT_EQUAL(report_store_sweep_fail(o.store, &o.place, 2, "no", NULL),
                    0);
    end(&o);
    CU_ASSERT_STRING_EQUAL(database_ask(&d, states),
                           "done failed:no done pending\n");
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT id, name FROM runs ORDER BY id"),
        "1|a/s1\n3|b'/s1\n");

    CU_ASSERT_EQUAL(begin(&o, &d, &whole), 0);
    CU_ASSERT_EQUAL(o.state[0], REPORT_POINT_DONE);
    CU_ASSERT_EQUAL(o.state[1], REPORT_POINT_FAILED);
    CU_ASSERT_EQUAL(o.state[2], REPORT_POINT_DONE);
    CU_ASSERT_EQUAL(o.state[3], REPORT_POINT_PENDING);
    CU_ASSERT_EQUAL(report_store_sweep_retry(o.store, &o.place, NULL), 0);
    end(&o);
    CU_ASSERT_STRING_EQUAL(database_ask(&d, states),
                           "done pending done pending\n");
    rig_fini(&r);
    database_fini(&d);
}

/* A run of no sweep gets a number after the reserved ones. */
static void test_numbers(void)
{
    struct report_sweep_point named[POINTS];
    struct report_sweep other = whole;
    struct database d;
    struct opened o;
    struct rig r;

    database_init(&d);
    rig_run(&r);
    CU_ASSERT_EQUAL(begin(&o, &d, &whole), 0);
    CU_ASSERT_EQUAL(database_put(o.store, &r, "alone", &o.err), 0);
    put(&o, &r, 3);
    end(&o);
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT id, name FROM runs ORDER BY id"),
        "4|b'/s2\n5|alone\n");
    other.name = "other";
    CU_ASSERT_EQUAL(begin(&o, &d, &other), -1); /* its names are taken */
    CU_ASSERT_EQUAL(o.err.code, GS_USAGE);
    end(&o);
    other.points = 3; /* which the other sweep has not made yet */
    CU_ASSERT_EQUAL(begin(&o, &d, &other), -1);
    CU_ASSERT_EQUAL(o.err.code, GS_USAGE);
    end(&o);
    memcpy(named, point, sizeof(named));
    named[0].run = "c/s1";
    named[1].run = "c/s2";
    named[2].run = "c/s3";
    other.point = named;
    CU_ASSERT_EQUAL(begin(&o, &d, &other), 0);
    CU_ASSERT_EQUAL(o.place.first_run, 6);
    end(&o);
    rig_fini(&r);
    database_fini(&d);
}

static void test_changed(void)
{
    static const struct report_sweep_file changed[] = { { "s.yaml", 11 },
                                                        { "t.csv", 13 } };
    struct report_sweep w = whole;
    struct database d;
    struct opened o;

    database_init(&d);
    CU_ASSERT_EQUAL(begin(&o, &d, &whole), 0);
    end(&o);
    w.file = changed;
    CU_ASSERT_EQUAL(begin(&o, &d, &w), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err.problem[0].text, "t.csv has changed"));
    end(&o);
    w.file = file;
    w.files = 1;
    CU_ASSERT_EQUAL(begin(&o, &d, &w), -1);
    end(&o);
    w.files = 2;
    w.version = "10";
    CU_ASSERT_EQUAL(begin(&o, &d, &w), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err.problem[0].text, "begun by gsim 9"));
    end(&o);
    database_fini(&d);
}

/* Every row of every table, but those of sweeps, whose numbers may differ. */
static void dump(const struct database *d, char **text)
{
    static const char tables[] =
        "SELECT 'SELECT ''' || name || ''', * FROM ' || name FROM"
        " sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sweep%'"
        " AND name NOT LIKE 'sqlite%' ORDER BY name";
    char *list = strdup(database_ask(d, tables)), *next = NULL;
    size_t len = 0;

    *text = calloc(1, 1 << 20);
    for (char *sql = strtok_r(list, "\n", &next); sql;
         sql = strtok_r(NULL, "\n", &next))
        len += (size_t)snprintf(*text + len, (1 << 20) - len, "%s",
                                database_ask(d, sql));
    free(list);
}

/* Two parts, merged in either order and one of them twice, give the whole. */
static void test_merge(void)
{
    static const uint32_t of[POINTS] = { 0, 1, 1, 0 };
    struct database d[4]; /* parts 0 and 1, merged, made at once */
    struct opened o, parts;
    char *merged, *made;
    struct rig r;

    rig_run(&r);
    for (int i = 0; i < 4; i++)
        database_init(&d[i]);
    for (uint32_t k = 0; k < 2; k++) {
        struct report_sweep w = whole;
        struct report_sweep_point mine[POINTS];

        w.points = 0;
        for (uint32_t i = 0; i < POINTS; i++) {
            if (of[i] == k)
                mine[w.points++] = point[i];
        }
        w.point = mine;
        w.first_run = 1;
        CU_ASSERT_EQUAL(begin(&parts, &d[k], &w), 0);
        for (uint32_t i = 0; i < w.points; i++) {
            if (mine[i].point == 1)
                report_store_sweep_fail(parts.store, &parts.place, 1, "it's",
                                        NULL);
            else
                put(&parts, &r, mine[i].point);
        }
        end(&parts);
    }
    CU_ASSERT_EQUAL(begin(&o, &d[2], &whole), 0);
    for (int k = 1; k >= -1; k--) /* 1, 0, 1 */
        CU_ASSERT_EQUAL(report_store_sweep_merge(o.store, &whole, &o.place,
                                                 d[k < 0 ? 1 : k].path, o.state,
                                                 &o.err),
                        0);
    CU_ASSERT_EQUAL(o.err.count, 0);
    CU_ASSERT_EQUAL(o.state[0], REPORT_POINT_DONE);
    CU_ASSERT_EQUAL(o.state[1], REPORT_POINT_FAILED);
    CU_ASSERT_EQUAL(o.state[3], REPORT_POINT_DONE);
    end(&o);
    CU_ASSERT_STRING_EQUAL(database_ask(&d[2], states),
                           "done failed:it's done done\n");
    CU_ASSERT_EQUAL(begin(&o, &d[3], &whole), 0);
    put(&o, &r, 0);
    put(&o, &r, 2);
    put(&o, &r, 3);
    end(&o);
    dump(&d[2], &merged);
    dump(&d[3], &made);
    CU_ASSERT(strlen(made) > 1000);
    CU_ASSERT_STRING_EQUAL(merged, made);
    free(merged);
    free(made);
    for (int i = 0; i < 4; i++)
        database_fini(&d[i]);
    rig_fini(&r);
}

/* Parts of other sweeps, and files that are not databases. */
static void test_no_part(void)
{
    static const struct report_sweep_file changed[] = { { "s.yaml", 10 },
                                                        { "t.csv", 12 } };
    struct report_sweep w = whole;
    struct database d[2];
    struct opened o, part;

    database_init(&d[0]);
    database_init(&d[1]);
    CU_ASSERT_EQUAL(begin(&o, &d[0], &whole), 0);
    CU_ASSERT_EQUAL(report_store_sweep_merge(o.store, &whole, &o.place,
                                             d[1].path, o.state, NULL),
                    -1); /* there is none */
    w.first_run = 7;
    CU_ASSERT_EQUAL(begin(&part, &d[1], &w), 0);
    end(&part);
    CU_ASSERT_EQUAL(report_store_sweep_merge(o.store, &whole, &o.place,
                                             d[1].path, o.state, &o.err),
                    -1);
    CU_ASSERT_EQUAL(o.err.code, GS_INPUT);
    database_fini(&d[1]);
    database_init(&d[1]);
    w.first_run = 1;
    w.file = changed;
    CU_ASSERT_EQUAL(begin(&part, &d[1], &w), 0);
    end(&part);
    CU_ASSERT_EQUAL(report_store_sweep_merge(o.store, &whole, &o.place,
                                             d[1].path, o.state, NULL),
                    -1);
    end(&o);
    database_fini(&d[0]);
    database_fini(&d[1]);
}

static void test_jobs(void)
{
    struct gs_arena *arena = gs_arena_create(1024);
    struct database d;
    struct opened o;
    const char *job;
    uint32_t n;

    database_init(&d);
    CU_ASSERT_EQUAL(begin(&o, &d, &whole), 0);
    CU_ASSERT_EQUAL(
        report_store_sweep_job(o.store, &o.place, arena, &job, &n, NULL), 0);
    CU_ASSERT_PTR_NULL(job);
    report_store_sweep_submitted(o.store, &o.place, 1, "", NULL);
    report_store_sweep_submitted(o.store, &o.place, 1, "17", NULL);
    report_store_sweep_submitted(o.store, &o.place, 2, "23", NULL);
    CU_ASSERT_EQUAL(
        report_store_sweep_job(o.store, &o.place, arena, &job, &n, NULL), 0);
    CU_ASSERT_STRING_EQUAL_FATAL(job, "23");
    CU_ASSERT_EQUAL(n, 2);
    report_store_sweep_submitted(o.store, &o.place, 0, NULL, NULL);
    CU_ASSERT_EQUAL(
        report_store_sweep_job(o.store, &o.place, arena, &job, &n, NULL), 0);
    CU_ASSERT_PTR_NULL(job);
    end(&o);
    database_fini(&d);
    gs_arena_destroy(arena);
}

static const struct suite_case cases[] = {
    { "a sweep goes on where it was", test_resume },
    { "numbers are reserved", test_numbers },
    { "what has changed is refused", test_changed },
    { "parts become a whole", test_merge },
    { "what is no part is refused", test_no_part },
    { "jobs of a batch system", test_jobs },
};

int main(void)
{
    return suite_run("sweeps", cases, N_ELEMENTS(cases));
}
