/* tests/base/test_far.c - arrays in files hold what those on the heap hold. */
#include "base/far.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "tests/lib/suite.h"

#define LEAST 4096u /* bytes: arrays are in files soon */
#define ARRAYS 8u

static struct gs_far *far_open(void)
{
    struct gs_err err = { 0 };
    struct gs_far *far = gs_far_open(".", LEAST, &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(far);
    return far;
}

static void test_new(void)
{
    struct gs_far *far = far_open();
    uint32_t *small = gs_far_new(far, 10, sizeof(*small));
    uint32_t *large = gs_far_new(far, LEAST, sizeof(*large));

    CU_ASSERT_EQUAL(gs_far_size(far), LEAST * sizeof(*large));
    for (uint32_t i = 0; i < LEAST; i++)
        CU_ASSERT_EQUAL_FATAL(large[i], 0);
    for (uint32_t i = 0; i < LEAST; i++)
        large[i] = i;
    gs_far_leave(far);
    for (uint32_t i = 0; i < LEAST; i++)
        CU_ASSERT_EQUAL_FATAL(large[i], i);
    CU_ASSERT_EQUAL(small[9], 0);
    gs_far_free(far, small);
    gs_far_free(far, large);
    gs_far_free(far, NULL);
    CU_ASSERT_EQUAL(gs_far_size(far), 0);
    (void)gs_far_new(far, LEAST, 1); /* freed with all */
    gs_far_close(far);
    gs_far_close(NULL);
}

/* Arrays with the same entries, in files and on the heap. */
struct both {
    uint64_t *far, *near;
    uint32_t count, far_cap, near_cap;
};

static void both_add(struct gs_far *far, struct both *b, uint64_t value)
{
    b->far = gs_far_grow(far, b->far, &b->far_cap, b->count + 1,
                         sizeof(*b->far));
    b->near = gs_far_grow(NULL, b->near, &b->near_cap, b->count + 1,
                          sizeof(*b->near));
    CU_ASSERT_EQUAL_FATAL(b->far[b->count], 0);
    b->far[b->count] = b->near[b->count] = value;
    b->count++;
}

static void both_check(const struct both *b)
{
    CU_ASSERT_FATAL(gs_array_same(b->far, b->near, b->count, sizeof(*b->far)));
}

static void random_round(uint64_t seed, size_t limit)
{
    struct gs_far *far = far_open();
    struct gs_rng rng;
    struct gs_far_keeper *keeper = limit ? gs_far_keeper_start(far, limit)
                                         : NULL;
    struct both all[ARRAYS] = { { NULL } };

    gs_rng_init(&rng, seed, "far");
    for (uint32_t step = 0; step < 60000; step++) {
        struct both *b = &all[gs_rng_below(&rng, ARRAYS)];
        const uint64_t what = gs_rng_below(&rng, 2000);

        if (what > 1) {
            both_add(far, b, gs_rng_u32(&rng));
            continue;
        }
        both_check(b);
        if (what == 0) {
            gs_far_leave(far);
        } else {
            b->far = gs_far_trim(far, b->far, &b->far_cap, b->count,
                                 sizeof(*b->far));
            if (step % 2)
                continue;
            gs_far_free(far, b->far);
            gs_array_free(b->near);
            *b = (struct both){ NULL };
        }
    }
    for (uint32_t i = 0; i < ARRAYS; i++) {
        both_check(&all[i]);
        gs_array_free(all[i].near);
        gs_far_free(far, all[i].far);
    }
    gs_far_keeper_stop(keeper);
    gs_far_close(far);
}

static void test_random(void)
{
    for (uint64_t seed = 1; seed <= suite_rounds(3); seed++) {
        random_round(seed, 0);
        random_round(seed, 1); /* the keeper gives back all the time */
    }
}

static void test_folder(void)
{
    struct gs_err err = { 0 };

    CU_ASSERT_PTR_NULL(gs_far_open("no/such/folder", LEAST, &err));
    CU_ASSERT_EQUAL(err.code, GS_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text, "No such file"));
}

/* Files may hold this many bytes: the process ends with status 4. */
static void test_full(void)
{
    const pid_t child = fork();
    int status = 0;

    if (child == 0) {
        const struct rlimit most = { 1 << 20, 1 << 20 };
        struct gs_far *far = gs_far_open(".", LEAST, NULL);

        (void)signal(SIGXFSZ, SIG_IGN);
        (void)!freopen("/dev/null", "w", stderr);
        if (far && setrlimit(RLIMIT_FSIZE, &most) == 0)
            (void)gs_far_new(far, 2 << 20, 1);
        _exit(0);
    }
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 4);
}

/* Strings of all kinds: their ids are those of a table without files in which
 * each is put in the plain way.
 */
static void strings_round(uint64_t seed)
{
    struct gs_rng rng;
    struct gs_far *far = far_open();
    struct gs_strtab *plain = gs_strtab_create();
    struct gs_strtab *near = gs_strtab_create();
    struct gs_strtab *lies = gs_strtab_create_far(far);
    uint64_t number = 0;

    gs_rng_init(&rng, seed, "strings");
    for (uint32_t step = 0; step < 20000; step++) {
        const uint64_t kind = gs_rng_below(&rng, 8);
        char name[40];
        size_t len;
        uint32_t id;

        number += kind < 4;
        if (kind == 4)
            number = gs_rng_below(&rng, number + 3); /* one that was there */
        len = (size_t)snprintf(
            name, sizeof(name), "%s%llu",
            kind < 5   ? "job-"
            : kind < 7 ? ""
                       : "a-user-of-them-",
            (unsigned long long)(kind < 5 ? number : gs_rng_below(&rng, 300)));
        id = gs_strtab_put(plain, name, len);
        CU_ASSERT_EQUAL_FATAL(kind < 6 ? gs_strtab_put_rising(near, name, len)
                                       : gs_strtab_put(near, name, len),
                              id);
        CU_ASSERT_EQUAL_FATAL(kind < 6 ? gs_strtab_put_rising(lies, name, len)
                                       : gs_strtab_put(lies, name, len),
                              id);
        CU_ASSERT_STRING_EQUAL_FATAL(gs_strtab_str(lies, id), name);
        len = (size_t)snprintf(
            name, sizeof(name), "job-%llu",
            (unsigned long long)gs_rng_below(&rng, number + 9));
        CU_ASSERT_EQUAL_FATAL(gs_strtab_find(near, name, len),
                              gs_strtab_find(plain, name, len));
        if (step % 5000 == 0)
            gs_far_leave(far);
    }
    for (uint32_t id = 0; id < gs_strtab_count(plain); id++) {
        const char *s = gs_strtab_str(plain, id);

        CU_ASSERT_EQUAL_FATAL(gs_strtab_find(near, s, strlen(s)), id);
        CU_ASSERT_EQUAL_FATAL(gs_strtab_find(lies, s, strlen(s)), id);
    }
    gs_strtab_destroy(plain);
    gs_strtab_destroy(near);
    gs_strtab_destroy(lies);
    CU_ASSERT_EQUAL(gs_far_size(far), 0);
    gs_far_close(far);
}

static void test_strings(void)
{
    for (uint64_t seed = 1; seed <= suite_rounds(3); seed++)
        strings_round(seed);
}

/* Rising strings beside others that are left out, of which some are sought. */
static void test_left_out(void)
{
    struct gs_strtab *t = gs_strtab_create();
    bool out[400] = { false };
    char name[32];
    int n;

    for (uint32_t i = 0; i < 100; i++) {
        n = snprintf(name, sizeof(name), "job-%u", i);
        (void)gs_strtab_put_rising(t, name, (size_t)n);
        n = snprintf(name, sizeof(name), "other-%u", i);
        (void)gs_strtab_put(t, name, (size_t)n);
    }
    for (uint32_t id = 1; id < gs_strtab_count(t); id++)
        out[id] = true;
    gs_strtab_leave_out(t, out);
    for (int round = 0; round < 40; round++) { /* all are in the index again */
        for (uint32_t id = 1; id < gs_strtab_count(t); id++) {
            const char *s = gs_strtab_str(t, id);

            CU_ASSERT_EQUAL_FATAL(gs_strtab_find(t, s, strlen(s)), id);
        }
        CU_ASSERT_EQUAL_FATAL(gs_strtab_find(t, "job-101", 7), GS_STRTAB_NONE);
    }
    CU_ASSERT_EQUAL(gs_strtab_put_rising(t, "job-99", 6), 199);
    CU_ASSERT_EQUAL(gs_strtab_put_rising(t, "job-101", 7), 201);
    CU_ASSERT_EQUAL(gs_strtab_put_rising(t, "job-102", 7), 202);
    CU_ASSERT_EQUAL(gs_strtab_find(t, "job-101", 7), 201);
    gs_strtab_destroy(t);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "an array is zero, and stays what it is when memory is given back",
          test_new },
        { "arrays that grow hold the same in files and on the heap",
          test_random },
        { "a folder without files is an error", test_folder },
        { "a full disk ends the process", test_full },
        { "strings that rise have the ids that others have", test_strings },
        { "they are found beside strings that are left out", test_left_out },
    };

    return suite_run("base/far", cases, N_ELEMENTS(cases));
}
