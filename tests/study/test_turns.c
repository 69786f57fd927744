/* tests/study/test_turns.c - runs made at once, stored in their order. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/output.h"
#include "sim/study/pool.h"
#include "sim/study/turns.h"
#include "tests/lib/suite.h"

#define RUNS 8
#define MS 1000000
#define NONE UINT32_MAX

enum ending {
    WELL,
    MAKE_FAILS,
    STORE_FAILS,
    MAKE_KILLED,
    STORE_KILLED,
    SIGNALS
};

struct seen {
    struct study_turns *turns;
    FILE *log;  /* what the processes do, in the order in which they do it */
    long ms;    /* that the first run takes; the others less and less */
    bool waits; /* the first run waits until the third begins */
    uint32_t bad;
    enum ending ending; /* of run `bad` */
    int signal;
    char did[8 * RUNS]; /* of `log` */
    uint32_t over[RUNS], overs;
    uint64_t steps;
};

/* 'b' and 'm': run `i` begins, is made; 's': is stored. */
static void note(const struct seen *s, char what, uint32_t i)
{
    const char text[] = { what, (char)('0' + i) };

    /* the processes share the place in the file, and a write is whole */
    if (write(fileno(s->log), text, sizeof(text)) != sizeof(text))
        _exit(9);
}

static int made_badly(const struct seen *s, struct gs_err *err)
{
    switch (s->ending) {
    case MAKE_FAILS:
        return gs_fail(err, GS_INPUT, (struct gs_mark){ "here", 3, 0 },
                       "is wrong");
    case MAKE_KILLED:
        raise(SIGKILL);
        break;
    case SIGNALS:
        kill(getppid(), s->signal);
        pause();
        break;
    default:
        break;
    }
    return 0;
}

/* Wait until the log has `size` bytes, but not for ever. */
static void await(const struct seen *s, off_t size)
{
    const struct timespec tick = { 0, 10 * MS };
    struct stat st;

    for (int i = 0; i < 1000; i++) {
        if (fstat(fileno(s->log), &st) == 0 && st.st_size >= size)
            return;
        nanosleep(&tick, NULL);
    }
}

static int make(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    const struct seen *s = ctx;
    const struct timespec time = { 0, s->ms * MS / (i + 1) };

    note(s, 'b', i);
    nanosleep(&time, NULL);
    if (i == 0 && s->waits)
        await(s, sizeof("b0b1m1b2") - 1);
    study_turns_step(s->turns, i, 10 + i);
    *(uint32_t *)answer = 100 * i;
    if (i == s->bad && made_badly(s, err) < 0)
        return -1;
    note(s, 'm', i);
    return 0;
}

static int store(void *ctx, uint32_t i, struct gs_err *err)
{
    const struct seen *s = ctx;

    if (i == s->bad && s->ending == STORE_FAILS)
        return gs_fail(err, GS_IO, (struct gs_mark){ 0 }, "the disk is full");
    if (i == s->bad && s->ending == STORE_KILLED)
        raise(SIGKILL);
    note(s, 's', i);
    return 0;
}

static void over(void *ctx, uint32_t i, const void *answer)
{
    struct seen *s = ctx;

    CU_ASSERT_EQUAL(i, s->overs);
    s->over[s->overs++] = *(const uint32_t *)answer;
}

static void tick(void *ctx, uint64_t steps)
{
    ((struct seen *)ctx)->steps = steps;
}

static int run(struct seen *s, uint32_t jobs, struct gs_err *err)
{
    struct study_turns t = { .jobs = jobs,
                             .count = RUNS,
                             .answer = sizeof(uint32_t),
                             .make = make,
                             .store = store,
                             .over = over,
                             .tick = tick,
                             .ctx = s };
    int rc;

    s->turns = &t;
    s->log = gs_output_scratch(NULL);
    rc = study_turns_run(&t, err);
    s->signal = t.signal;
    rewind(s->log);
    s->did[fread(s->did, 1, sizeof(s->did) - 1, s->log)] = '\0';
    fclose(s->log);
    return rc;
}

/* Checks that the first `want` runs, and no other, were stored and told. */
static void check_stored(const struct seen *s, uint32_t want)
{
    uint32_t next = 0;

    for (const char *d = s->did; *d; d += 2) {
        if (*d != 's')
            continue;
        CU_ASSERT_EQUAL(d[1], '0' + (char)next);
        next++;
    }
    CU_ASSERT_EQUAL(next, want);
    CU_ASSERT_EQUAL(s->overs, want);
    for (uint32_t i = 0; i < s->overs; i++)
        CU_ASSERT_EQUAL(s->over[i], 100 * i);
}

/* The most runs that were being made at one time. */
static uint32_t most_made(const struct seen *s)
{
    uint32_t now = 0, most = 0;

    for (const char *d = s->did; *d; d += 2) {
        now += *d == 'b';
        now -= *d == 'm';
        most = now > most ? now : most;
    }
    return most;
}

static void test_order(void)
{
    static const uint32_t jobs[] = { 1, 2, 3, RUNS, STUDY_JOBS_MAX };

    for (size_t k = 0; k < N_ELEMENTS(jobs); k++) {
        struct seen s = { .ms = 100, .bad = NONE };

        CU_ASSERT_EQUAL(run(&s, jobs[k], NULL), 0);
        check_stored(&s, RUNS);
        CU_ASSERT(most_made(&s) <= jobs[k]);
        CU_ASSERT_EQUAL(s.steps, 10 * RUNS + RUNS * (RUNS - 1) / 2);
    }
}

/* While the first one is made, others are, and the one after them begins. */
static void test_beside(void)
{
    struct seen s = { .bad = NONE, .waits = true };
    const char *first, *third;

    CU_ASSERT_EQUAL(run(&s, 2, NULL), 0);
    first = strstr(s.did, "m0");
    third = strstr(s.did, "b2");
    CU_ASSERT(first && third && third < first);
}

static void test_failures(void)
{
    static const struct {
        enum ending ending;
        uint32_t bad;
        const char *text;
    } c[] = {
        { MAKE_FAILS, 0, "here:3: is wrong" },
        { MAKE_FAILS, 3, "here:3: is wrong" },
        { STORE_FAILS, 3, "the disk is full" },
        { STORE_FAILS, RUNS - 1, "the disk is full" },
        { MAKE_KILLED, 2, "signal 9" },
        { STORE_KILLED, 2, "signal 9" },
    };

    for (size_t k = 0; k < N_ELEMENTS(c); k++) {
        struct seen s = { .ms = 40, .bad = c[k].bad, .ending = c[k].ending };
        struct gs_err err = { 0 };
        char text[128];

        CU_ASSERT_EQUAL(run(&s, 2, &err), -1);
        check_stored(&s, c[k].bad);
        gs_err_format(&err, 0, text, sizeof(text));
        CU_ASSERT_PTR_NOT_NULL(strstr(text, c[k].text));
        CU_ASSERT_EQUAL(err.count, 1);
        CU_ASSERT_EQUAL(s.signal, 0);
    }
}

static void test_signal(void)
{
    struct seen s = { .bad = 3, .ending = SIGNALS, .signal = SIGTERM };
    struct gs_err err = { 0 };
    uint32_t stored = 0;

    CU_ASSERT_EQUAL(run(&s, 2, &err), -1);
    CU_ASSERT_EQUAL(s.signal, SIGTERM);
    for (const char *d = s.did; *d; d += 2)
        stored += *d == 's';
    CU_ASSERT(stored <= 3 && s.overs <= stored);
}

static const struct suite_case cases[] = {
    { "runs are stored in order, and not more are made than may be",
      test_order },
    { "a run that waits keeps no other from being made", test_beside },
    { "after a failure no later run is stored", test_failures },
    { "a signal ends all", test_signal },
};

int main(void)
{
    return suite_run("turns", cases, N_ELEMENTS(cases));
}
