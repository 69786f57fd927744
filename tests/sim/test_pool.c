/* tests/sim/test_pool.c - points in processes of their own. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "sim/study/pool.h"
#include "tests/lib/suite.h"

#define POINTS 20

enum ending { WELL, FAILS, KILLED, EXITS };

struct seen {
    enum ending ending[POINTS];
    int before; /* points may change it, for themselves */
    unsigned over[POINTS], failed[POINTS];
    uint32_t answer[POINTS];
    char text[POINTS][64];
    uint32_t stop_after, count, ticks;
    int signal; /* sent to us by point 3 */
};

static int point(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    struct seen *s = ctx;

    s->before++;
    switch (s->ending[i]) {
    case FAILS:
        return gs_fail(err, GS_INPUT, (struct gs_mark){ "here", 3, 0 },
                       "point %u is wrong", i);
    case KILLED:
        raise(SIGKILL);
        break;
    case EXITS:
        _exit(7);
    case WELL:
        break;
    }
    if (s->signal && i == 3) {
        kill(getppid(), s->signal);
        pause();
    }
    *(uint32_t *)answer = 100 * i + (uint32_t)s->before;
    return 0;
}

static int over(void *ctx, uint32_t i, const void *answer,
                const struct gs_err *failure, struct gs_err *err)
{
    struct seen *s = ctx;

    s->over[i]++;
    s->count++;
    s->answer[i] = *(const uint32_t *)answer;
    if (failure) {
        s->failed[i]++;
        gs_err_format(failure, 0, s->text[i], sizeof(s->text[i]));
    }
    if (s->stop_after && s->count == s->stop_after)
        return gs_fail(err, GS_IO, (struct gs_mark){ 0 }, "enough");
    return 0;
}

static void tick(void *ctx)
{
    ((struct seen *)ctx)->ticks++;
}

static struct study_pool pool(struct seen *s, uint32_t jobs, uint32_t count)
{
    return (struct study_pool){ .jobs = jobs,
                                .count = count,
                                .answer = sizeof(uint32_t),
                                .point = point,
                                .over = over,
                                .tick = tick,
                                .ctx = s };
}

static void test_all(void)
{
    static const uint32_t jobs[] = { 1, 2, 3, POINTS, STUDY_JOBS_MAX };

    for (size_t k = 0; k < N_ELEMENTS(jobs); k++) {
        struct seen s = { .before = 5 };
        struct study_pool p = pool(&s, jobs[k], POINTS);

        CU_ASSERT_EQUAL(study_pool_run(&p, NULL), 0);
        for (uint32_t i = 0; i < POINTS; i++) {
            CU_ASSERT_EQUAL(s.over[i], 1);
            CU_ASSERT_EQUAL(s.failed[i], 0);
            CU_ASSERT_EQUAL(s.answer[i], 100 * i + 6);
        }
        CU_ASSERT_EQUAL(s.before, 5);
        CU_ASSERT_EQUAL(p.signal, 0);
        CU_ASSERT(s.ticks > 0);
    }
}

static void test_none(void)
{
    struct seen s = { 0 };
    struct study_pool p = pool(&s, 2, 0);

    CU_ASSERT_EQUAL(study_pool_run(&p, NULL), 0);
    CU_ASSERT_EQUAL(s.count, 0);
}

static void test_failures(void)
{
    struct seen s = { .ending = { [2] = FAILS, [5] = KILLED, [9] = EXITS } };
    struct study_pool p = pool(&s, 2, POINTS);

    CU_ASSERT_EQUAL(study_pool_run(&p, NULL), 0);
    CU_ASSERT_EQUAL(s.count, POINTS);
    for (uint32_t i = 0; i < POINTS; i++)
        CU_ASSERT_EQUAL(s.failed[i], s.ending[i] != WELL);
    CU_ASSERT_STRING_EQUAL(s.text[2], "here:3: point 2 is wrong");
    CU_ASSERT_PTR_NOT_NULL(strstr(s.text[5], "signal 9"));
    CU_ASSERT_PTR_NOT_NULL(strstr(s.text[9], "status 7"));
}

static void test_stop(void)
{
    struct seen s = { .stop_after = 4 };
    struct study_pool p = pool(&s, 2, POINTS);
    struct gs_err err = { 0 };

    CU_ASSERT_EQUAL(study_pool_run(&p, &err), -1);
    CU_ASSERT_EQUAL(s.count, 4);
    CU_ASSERT_STRING_EQUAL(err.problem[0].text, "enough");
}

/* The signal ends the pool and its processes, not us. */
static void test_signal(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

    for (size_t k = 0; k < N_ELEMENTS(signals); k++) {
        struct seen s = { .signal = signals[k] };
        struct study_pool p = pool(&s, 1, POINTS);
        struct gs_err err = { 0 };

        CU_ASSERT_EQUAL(study_pool_run(&p, &err), -1);
        CU_ASSERT_EQUAL(p.signal, signals[k]);
        CU_ASSERT_EQUAL(s.count, 3);
        CU_ASSERT_EQUAL(err.code, GS_IO);
    }
}

static const struct suite_case cases[] = {
    { "every point is done once, by itself", test_all },
    { "a pool of no points ends", test_none },
    { "one that fails or dies does not stop the others", test_failures },
    { "the caller may stop", test_stop },
    { "a signal ends the pool and its processes", test_signal },
};

int main(void)
{
    return suite_run("pool", cases, N_ELEMENTS(cases));
}
