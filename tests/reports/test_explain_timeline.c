/* tests/reports/test_explain_timeline.c - a job's life, drawn. */
#include "reports/explain/explain.h"
#include "tests/lib/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S INT64_C(1000000)
#define H (3600 * S)
#define DAY (24 * H)

#define MOST 400

struct life {
    const char *state;
    int64_t submit, start, end, run_end;
    int64_t gang;
    struct report_explained_wait wait[4];
    struct report_explained_span span[4];
    int64_t evicted[4]; /* 0 ends them */
};

/* What is drawn of it, freed by the caller. */
static char *drawn(const struct report_explained *e,
                   const struct report_layout *layout)
{
    char *text = NULL, *from, *to, *part;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        abort();
    report_explain_print(e, layout, out);
    fclose(out);
    from = strstr(text, "Time line");
    to = from ? strstr(from, "\n\n") : NULL;
    if (to)
        to[1] = '\0';
    part = strdup(from ? from : "");
    free(text);
    return part;
}

static struct report_explained explained(struct life *l)
{
    static struct report_explained_eviction eviction[4];
    struct report_explained e = {
        .run = "r",
        .policy = "p",
        .name = "j",
        .queue = "",
        .user = "",
        .scheduler = "",
        .priority = "",
        .state = l->state,
        .cause = "",
        .reason = "",
        .tier = "",
        .tasks = 4,
        .gang = l->gang,
        .submit = l->submit,
        .start = l->start,
        .end = l->end,
        .run_end = l->run_end,
        .quota = "its queue or user may not hold more",
        .wait = l->wait,
        .span = l->span,
        .eviction = eviction,
    };

    while (e.waits < 4 && l->wait[e.waits].cause)
        e.waits++;
    while (e.spans < 4 && l->span[e.spans].node)
        e.spans++;
    for (; e.evictions < 4 && l->evicted[e.evictions]; e.evictions++)
        eviction[e.evictions] = (struct report_explained_eviction){
            .at = l->evicted[e.evictions],
            .kind = "preempt",
            .by = "",
            .by_queue = "",
            .by_job = -1,
        };
    return e;
}

#define SPAN(n, from, to)                                                     \
    {                                                                         \
        .node = "n", .domain = "", .tasks = (n), .start = (from), .end = (to) \
    }

/* clang-format off */
static const struct {
    const char *what;
    struct life life;
    struct report_layout layout;
    const char *text;
} cases[] = {
    { "waits for two causes, runs",
      { "done", H, 3 * H, 5 * H, 9 * H, 4,
      { { "fragmentation", 3 * H / 2 }, { "order", H / 2 } },
      { SPAN(4, 3 * H, 5 * H) }, { 0 } },
      { REPORT_TABLE, 80, false, false },
      "Time line from its submission at 1h\n"
      "  0s       30m       1h       1h30m     2h       2h30m     3h       3h30m\n"
      "  |--------+---------+--------+---------+--------+---------+--------+--------|\n"
      "  ffffffffffffffffffffffffffffoooooooooo######################################\n"
      "                                        ^                                    x\n"
      "  f fragmentation  o order  -- causes by share, not by time\n"
      "  # runs  ^ starts  x done\n" },
    { "at the least width",
      { "done", H, 3 * H, 5 * H, 9 * H, 4,
      { { "fragmentation", 3 * H / 2 }, { "order", H / 2 } },
      { SPAN(4, 3 * H, 5 * H) }, { 0 } },
      { REPORT_TABLE, 40, false, false },
      "Time line from its submission at 1h\n"
      "  0s       1h       2h       3h\n"
      "  |--------+--------+--------+-------|\n"
      "  fffffffffffffooooo##################\n"
      "                    ^                x\n"
      "  f fragmentation  o order\n"
      "  -- causes by share, not by time\n"
      "  # runs  ^ starts  x done\n" },
    { "below it",
      { "done", H, 3 * H, 5 * H, 9 * H, 4,
      { { "fragmentation", 3 * H / 2 }, { "order", H / 2 } },
      { SPAN(4, 3 * H, 5 * H) }, { 0 } },
      { REPORT_TABLE, 10, false, false },
      "Time line from its submission at 1h\n"
      "  0s       1h       2h       3h\n"
      "  |--------+--------+--------+-------|\n"
      "  fffffffffffffooooo##################\n"
      "                    ^                x\n"
      "  f fragmentation  o order\n"
      "  -- causes by share, not by time\n"
      "  # runs  ^ starts  x done\n" },
    { "at a great one",
      { "done", H, 3 * H, 5 * H, 9 * H, 4,
      { { "fragmentation", 3 * H / 2 }, { "order", H / 2 } },
      { SPAN(4, 3 * H, 5 * H) }, { 0 } },
      { REPORT_TABLE, 200, false, false },
      "Time line from its submission at 1h\n"
      "  0s          15m         30m         45m          1h          1h15m       1h30m       1h45m        2h          2h15m       2h30m       2h45m        3h          3h15m       3h30m       3h45m\n"
      "  |-----------+-----------+-----------+------------+-----------+-----------+-----------+------------+-----------+-----------+-----------+------------+-----------+-----------+-----------+-----------|\n"
      "  fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffooooooooooooooooooooooooo##################################################################################################\n"
      "                                                                                                    ^                                                                                                x\n"
      "  f fragmentation  o order  -- causes by share, not by time\n"
      "  # runs  ^ starts  x done\n" },
    { "in colours",
      { "done", H, 3 * H, 5 * H, 9 * H, 4,
      { { "fragmentation", 3 * H / 2 }, { "order", H / 2 } },
      { SPAN(4, 3 * H, 5 * H) }, { 0 } },
      { REPORT_TABLE, 40, true, false },
      "Time line\033[0m from its submission at 1h\n"
      "  0s       1h       2h       3h\n"
      "  |--------+--------+--------+-------|\n"
      "  \033[33mfffffffffffffooooo\033[0m\033[32m##################\033[0m\n"
      "                    ^                x\n"
      "  f fragmentation  o order\n"
      "  -- causes by share, not by time\n"
      "  # runs  ^ starts  x done\n" },
    { "in blocks",
      { "done", H, 3 * H, 5 * H, 9 * H, 4,
      { { "fragmentation", 3 * H / 2 }, { "order", H / 2 } },
      { SPAN(4, 3 * H, 5 * H) }, { 0 } },
      { REPORT_TABLE, 40, false, true },
      "Time line from its submission at 1h\n"
      "  0s       1h       2h       3h\n"
      "  \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xa4\n"
      "  fffffffffffffooooo\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\n"
      "                    ^                x\n"
      "  f fragmentation  o order\n"
      "  -- causes by share, not by time\n"
      "  \xe2\x96\x88 runs  ^ starts  x done\n" },
    { "takes no time at all",
      { "done", H, H, H, 9 * H, 4, { { 0 } }, { SPAN(4, H, H) }, { 0 } },
      { REPORT_TABLE, 80, false, false },
      "" },
    { "waits, and runs for no time",
      { "done", 0, 60 * S, 60 * S, H, 4, { { "order", 60 * S } },
      { SPAN(4, 60 * S, 60 * S) }, { 0 } },
      { REPORT_TABLE, 40, false, false },
      "Time line from its submission at 0s\n"
      "  0s       15s      30s      45s\n"
      "  |--------+--------+--------+-------|\n"
      "  oooooooooooooooooooooooooooooooooooo\n"
      "                                     *\n"
      "  o order\n"
      "  ^ starts  x done  * several of these\n" },
    { "a service runs on",
      { "running", 0, 0, -1, 30 * DAY, 4, { { 0 } }, { SPAN(4, 0, -1) }, { 0 } },
      { REPORT_TABLE, 80, false, false },
      "Time line from its submission at 0s\n"
      "  0s          5d           10d          15d         20d          25d\n"
      "  |-----------+------------+------------+-----------+------------+-----------|\n"
      "  ############################################################################\n"
      "  ^                                                                          >\n"
      "  # runs  ^ starts  > goes on\n" },
    { "never starts",
      { "pending", 10 * S, -1, -1, 70 * S, 4,
      { { "quota", 40 * S }, { "", 20 * S } }, { { 0 } }, { 0 } },
      { REPORT_TABLE, 40, false, false },
      "Time line from its submission at 10s\n"
      "  0s       15s      30s      45s\n"
      "  |--------+--------+--------+-------|\n"
      "  qqqqqqqqqqqqqqqqqqqqqqqq????????????\n"
      "                                     >\n"
      "  q quota  ? unknown\n"
      "  -- causes by share, not by time\n"
      "  > goes on\n" },
    { "is rejected after a while",
      { "rejected", 0, -1, 30 * S, 70 * S, 4, { { "constraint", 30 * S } },
      { { 0 } }, { 0 } },
      { REPORT_TABLE, 40, false, false },
      "Time line from its submission at 0s\n"
      "  0s          10s         20s\n"
      "  |-----------+-----------+----------|\n"
      "  nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\n"
      "                                     x\n"
      "  n constraint\n"
      "  x rejected\n" },
    { "an unknown cause",
      { "pending", 0, -1, -1, 30 * S, 4, { { "weather", 30 * S } },
      { { 0 } }, { 0 } },
      { REPORT_TABLE, 40, false, false },
      "Time line from its submission at 0s\n"
      "  0s          10s         20s\n"
      "  |-----------+-----------+----------|\n"
      "  ????????????????????????????????????\n"
      "                                     >\n"
      "  ? unknown\n"
      "  > goes on\n" },
    { "is submitted after the end",
      { "pending", 10 * S, -1, -1, 9 * S, 4, { { 0 } }, { { 0 } }, { 0 } },
      { REPORT_TABLE, 40, false, false },
      "" },
    { "holds, gives up, holds again, runs",
      { "done", 0, 60 * S, 100 * S, H, 4, { { "hoarding", 60 * S } },
      { SPAN(2, 10 * S, 30 * S), SPAN(3, 50 * S, 100 * S),
        SPAN(1, 60 * S, 100 * S) },
      { 30 * S } },
      { REPORT_TABLE, 54, false, false },
      "Time line from its submission at 0s\n"
      "  0s             30s            1m             1m30s\n"
      "  |--------------+--------------+--------------+---|\n"
      "  hhhhh==========hhhhhhhhhh=====####################\n"
      "                 v              ^                  x\n"
      "  h hoarding\n"
      "  = holds, does not run  # runs  ^ starts\n"
      "  v gives back  x done\n" },
    { "deadlocked",
      { "partly placed", 0, -1, -1, 100 * S, 4, { { "hoarding", 100 * S } },
      { SPAN(2, 10 * S, -1) }, { 0 } },
      { REPORT_TABLE, 54, false, false },
      "Time line from its submission at 0s\n"
      "  0s             30s            1m             1m30s\n"
      "  |--------------+--------------+--------------+---|\n"
      "  hhhhh=============================================\n"
      "                                                   >\n"
      "  h hoarding\n"
      "  = holds, does not run  > goes on\n" },
    { "evicted, runs again",
      { "done", 0, 0, 100 * S, H, 4, { { 0 } },
      { SPAN(4, 0, 20 * S), SPAN(4, 50 * S, 70 * S), SPAN(4, 71 * S, 100 * S) },
      { 20 * S, 70 * S } },
      { REPORT_TABLE, 54, false, false },
      "Time line from its submission at 0s\n"
      "  0s             30s            1m             1m30s\n"
      "  |--------------+--------------+--------------+---|\n"
      "  ##########...............#########################\n"
      "  ^         v              ^         *             x\n"
      "  . waits again  # runs  ^ starts  v gives back\n"
      "  x done  * several of these\n" },
    { "keeps its gang",
      { "done", 0, 0, 100 * S, H, 2, { { 0 } },
      { SPAN(2, 0, 100 * S), SPAN(2, 0, 50 * S) }, { 50 * S } },
      { REPORT_TABLE, 54, false, false },
      "Time line from its submission at 0s\n"
      "  0s             30s            1m             1m30s\n"
      "  |--------------+--------------+--------------+---|\n"
      "  ##################################################\n"
      "  ^                        v                       x\n"
      "  # runs  ^ starts  v gives back  x done\n" },
    { "evicted for good",
      { "failed", 0, 0, 20 * S, H, 4, { { 0 } }, { SPAN(4, 0, 20 * S) },
      { 20 * S } },
      { REPORT_TABLE, 54, false, false },
      "Time line from its submission at 0s\n"
      "  0s          5s           10s         15s\n"
      "  |-----------+------------+-----------+-----------|\n"
      "  ##################################################\n"
      "  ^                                                *\n"
      "  # runs  ^ starts  v gives back  x failed\n"
      "  * several of these\n" },
    { "three microseconds",
      { "done", 7 * DAY, 7 * DAY + 1, 7 * DAY + 3, 9 * DAY, 4, { { "latency", 1 } },
      { SPAN(4, 7 * DAY + 1, 7 * DAY + 3) }, { 0 } },
      { REPORT_TABLE, 40, false, false },
      "Time line from its submission at 7d\n"
      "  0s          1us         2us\n"
      "  |-----------+-----------+----------|\n"
      "  llllllllllll########################\n"
      "              ^                      x\n"
      "  l latency\n"
      "  # runs  ^ starts  x done\n" },
    { "one microsecond",
      { "done", 0, 0, 1, 1, 4, { { 0 } }, { SPAN(4, 0, 1) }, { 0 } },
      { REPORT_TABLE, 40, false, false },
      "Time line from its submission at 0s\n"
      "  0s\n"
      "  |----------------------------------|\n"
      "  ####################################\n"
      "  ^                                  x\n"
      "  # runs  ^ starts  x done\n" },
    { "twenty years",
      { "done", 0, 3650 * DAY, 7300 * DAY, 7300 * DAY, 4,
      { { "capacity", 3650 * DAY } }, { SPAN(4, 3650 * DAY, 7300 * DAY) }, { 0 } },
      { REPORT_TABLE, 80, false, false },
      "Time line from its submission at 0s\n"
      "  0s        1000d     2000d      3000d     4000d      5000d     6000d\n"
      "  |---------+---------+----------+---------+----------+---------+---------+--|\n"
      "  cccccccccccccccccccccccccccccccccccccc######################################\n"
      "                                        ^                                    x\n"
      "  c capacity\n"
      "  # runs  ^ starts  x done\n" },
    { "as long as there is time",
      { "done", 0, 0, INT64_C(1) << 60, INT64_C(1) << 60, 4, { { 0 } },
      { SPAN(4, 0, INT64_C(1) << 60) }, { 0 } },
      { REPORT_TABLE, 54, false, false },
      "Time line from its submission at 0s\n"
      "  0s                5000000d           10000000d\n"
      "  |-----------------+------------------+-----------|\n"
      "  ##################################################\n"
      "  ^                                                x\n"
      "  # runs  ^ starts  x done\n" },
    { "what somebody wrote",
      { "done", 50 * S, 10 * S, 90 * S, 20 * S, 4, { { "quota", INT64_C(1) << 60 } },
      { SPAN(INT64_C(1) << 60, 80 * S, 60 * S), SPAN(4, 0, INT64_C(1) << 60) },
      { 1, 99 * S } },
      { REPORT_TABLE, 54, false, false },
      "Time line from its submission at 50s\n"
      "  0s          10s          20s         30s\n"
      "  |-----------+------------+-----------+-----------|\n"
      "  #############........................#############\n"
      "                                       ^           x\n"
      "  . waits again  # runs  ^ starts  x done\n" },
};
/* clang-format on */

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct life life = cases[i].life;
        const struct report_explained e = explained(&life);
        char *text = drawn(&e, &cases[i].layout);

        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
        if (strcmp(text, cases[i].text) != 0)
            printf("\n%s\n%s", cases[i].what, text);
        free(text);
    }
}

/* clang-format off */
static const char many[] =
    "Time line from its submission at 0s\n"
    "  0s        2m         4m         6m\n"
    "  |---------+----------+----------+--|\n"
    "  ##################..................\n"
    "  ************************************\n"
    "  . waits again  # runs  ^ starts\n"
    "  v gives back  > goes on\n"
    "  * several of these\n";
/* clang-format on */

/* More evictions than columns: it runs for the most of each second, then for
 * the least.
 */
static void test_many(void)
{
    static struct report_explained_span span[MOST];
    static struct report_explained_eviction eviction[MOST];
    static const struct report_layout layout = { REPORT_TABLE, 40, false,
                                                 false };
    const struct report_explained e = {
        .run = "r",
        .policy = "p",
        .name = "j",
        .queue = "",
        .user = "",
        .scheduler = "",
        .priority = "",
        .state = "running",
        .cause = "",
        .reason = "",
        .tier = "",
        .tasks = 1,
        .gang = 1,
        .submit = 0,
        .start = 0,
        .end = -1,
        .run_end = MOST * S,
        .span = span,
        .spans = MOST,
        .eviction = eviction,
        .evictions = MOST,
    };
    char *text;

    for (int i = 0; i < MOST; i++) {
        span[i] = (struct report_explained_span){
            .node = "n",
            .domain = "",
            .tasks = 1,
            .start = i * S,
            .end = i * S + (i < MOST / 2 ? 6 : 4) * S / 10,
        };
        eviction[i] = (struct report_explained_eviction){
            .at = span[i].end,
            .kind = "preempt",
            .by = "",
            .by_queue = "",
            .by_job = -1,
        };
    }
    text = drawn(&e, &layout);
    CU_ASSERT_STRING_EQUAL(text, many);
    if (strcmp(text, many) != 0)
        printf("\n%s", text);
    free(text);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "the time line is drawn as written", test_cases },
        { "of many parts in a column the longest is drawn", test_many },
    };

    return suite_run("reports/explain_timeline", suite, N_ELEMENTS(suite));
}
