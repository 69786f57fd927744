/* tests/reports/test_decisions.c - digests of placements find the first that
 * moved.
 */
#include "reports/store/decisions.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

#define MOST 2000u

static struct report_decided decided[MOST];

/* `count` placements, all different. */
static struct report_decisions made(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        decided[i] = (struct report_decided){ .at = i / 3,
                                              .tasks = 1,
                                              .devices = 1,
                                              .job = i,
                                              .name = "job",
                                              .node = i % 2 ? "a" : "b" };
    return (struct report_decisions){ decided, count };
}

/* Each change of each placement is found, within the stride. */
static void test_moved(void)
{
    static const uint32_t counts[] = { 1, 2, 9, 199, 200, 201, 400, 1999 };
    struct gs_arena *arena = gs_arena_create(1 << 14);

    for (size_t k = 0; k < N_ELEMENTS(counts); k++) {
        struct report_decisions d = made(counts[k]);
        const char *digest = report_decisions_digest(&d, arena);
        const uint32_t stride = counts[k] / 200 + 1;
        uint32_t from, to;

        CU_ASSERT(strlen(digest) <= 2 * 200 + 20);
        CU_ASSERT_FALSE(report_decisions_moved(&d, digest, &from, &to));
        for (uint32_t i = 0; i < counts[k]; i += 1 + counts[k] / 50) {
            for (int what = 0; what < 5; what++) {
                d = made(counts[k]);
                decided[i].at += what == 0;
                decided[i].job += what == 1;
                decided[i].tasks += what == 2;
                decided[i].devices += what == 3;
                if (what == 4)
                    decided[i].node = "c";
                CU_ASSERT(report_decisions_moved(&d, digest, &from, &to));
                /* or, by chance, in the part behind */
                CU_ASSERT(from <= i && i < to + stride);
                CU_ASSERT(to - from <= stride);
            }
        }
    }
    gs_arena_destroy(arena);
}

/* Fewer, and more. */
static void test_count(void)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_decisions d = made(9);
    const char *digest = report_decisions_digest(&d, arena);
    uint32_t from, to;

    d.count = 7;
    CU_ASSERT(report_decisions_moved(&d, digest, &from, &to));
    CU_ASSERT_EQUAL(from, 7);
    d = made(12);
    CU_ASSERT(report_decisions_moved(&d, digest, &from, &to));
    CU_ASSERT_EQUAL(from, 9);
    d.count = 0;
    CU_ASSERT(report_decisions_moved(&d, digest, &from, &to));
    CU_ASSERT_EQUAL(from, 0);
    gs_arena_destroy(arena);
}

/* Texts that are no digests, or damaged, are never read beyond their end. */
static void test_hostile(void)
{
    static const char *const texts[] = {
        "",
        "x",
        "1",
        "1:",
        "1:0:",
        "1:1:",
        "9:1:A",
        "9:1:AB",
        "::1",
        "9:1:ABC",
        "4294967295:1:AA",
        "9:4294967295:AA",
        "-1:-1:AA",
    };
    struct report_decisions d = made(9);

    for (size_t i = 0; i < N_ELEMENTS(texts); i++) {
        uint32_t from = 0, to = 0;

        if (report_decisions_moved(&d, texts[i], &from, &to))
            CU_ASSERT(from <= to && to <= d.count);
    }
}

/* A log and the rows that are stored of it have one digest. */
static void test_rows(void)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_decisions log, rows;
    struct report_store *s;
    struct database db;
    struct rig r;

    database_init(&db);
    s = report_store_open(db.path, NULL);
    rig_run(&r);
    CU_ASSERT_EQUAL(database_put(s, &r, "one", NULL), 0);
    report_store_close(s);
    report_decisions_take(r.log, r.topo, r.work, arena, &log);
    CU_ASSERT_EQUAL(report_decisions_read(db.path, "one", arena, &rows, NULL),
                    0);
    CU_ASSERT(log.count > 3);
    CU_ASSERT_STRING_EQUAL(report_decisions_digest(&log, arena),
                           report_decisions_digest(&rows, arena));
    CU_ASSERT_EQUAL(report_decisions_read(db.path, "two", arena, &rows, NULL),
                    -1);
    rig_fini(&r);
    database_fini(&db);
    gs_arena_destroy(arena);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a placement that moved is found", test_moved },
        { "fewer or more placements", test_count },
        { "damaged digests", test_hostile },
        { "rows and logs", test_rows },
    };

    return suite_run("decisions", cases, N_ELEMENTS(cases));
}
