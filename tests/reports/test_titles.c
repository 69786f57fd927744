/* tests/reports/test_titles.c - shortened titles are always different. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/text.h"
#include "reports/table/titles.h"
#include "tests/lib/suite.h"

#define TITLES 12

static const struct {
    uint32_t room;
    const char *title[4], *text[4];
} cases[] = {
    { 12, { "kube-default", "volcano" }, { "kube-default", "volcano" } },
    /* what they have in common goes first, by words where that is enough */
    { 10,
      { "binpack/load=0.8", "binpack/load=1.2" },
      { "~load=0.8", "~load=1.2" } },
    { 6, { "binpack/load=0.8", "binpack/load=1.2" }, { "~0.8", "~1.2" } },
    { 9,
      { "load=0.8/cluster=more", "load=1/cluster=more",
        "load=1.25/cluster=more" },
      { "load=0.8~", "load=1~", "~1.25~" } },
    { 10,
      { "binpack@/results/monday.db", "binpack@/results/friday.db" },
      { "~monday.db", "~friday.db" } },
    /* nothing in common, and too long */
    { 8, { "alphabetical", "backfilling" }, { "alph~cal", "back~ing" } },
    /* the same */
    { 8, { "easy", "easy" }, { "easy~1", "easy~2" } },
    { 5, { "aaaaaaa", "aaaaaaa", "aaa~2" }, { "aaa~1", "aaa~2", "aaa~3" } },
    { 6,
      { "\xc3\xa9\xc3\xa8\xc3\xa9xxxx1", "\xc3\xa9\xc3\xa9\xc3\xa9xxxx2" },
      { NULL } },
};

static void test_fit(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        const uint32_t room[4] = { cases[i].room, cases[i].room, cases[i].room,
                                   cases[i].room };
        const char *const *text;
        uint32_t n = 0;

        while (n < 4 && cases[i].title[n])
            n++;
        text = report_titles_fit(cases[i].title, room, n, arena, NULL);
        for (uint32_t k = 0; k < n; k++) {
            CU_ASSERT(gs_text_length(text[k]) <= cases[i].room);
            CU_ASSERT(gs_text_is_clean(text[k], strlen(text[k])));
            if (cases[i].text[0])
                CU_ASSERT_STRING_EQUAL(text[k], cases[i].text[k]);
        }
        gs_arena_destroy(arena);
    }
}

/* Titles of few letters, so that they are often alike, in any room. */
static void test_random(void)
{
    static const char *const piece[] = { "a",  "b",  "/",        "=",     "-",
                                         "~1", "~2", "\xc3\xa9", "load=", "x" };
    struct gs_rng rng;

    gs_rng_init(&rng, 7, "titles");
    for (int round = 0; round < 3000; round++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        char title[TITLES][64];
        const char *at[TITLES];
        const char *const *text;
        uint32_t room[TITLES];
        bool is_numbered;

        for (int i = 0; i < TITLES; i++) {
            const uint32_t pieces = 1 + (uint32_t)gs_rng_below(&rng, 9);

            title[i][0] = '\0';
            for (uint32_t k = 0; k < pieces; k++)
                strcat(title[i], piece[gs_rng_below(&rng, N_ELEMENTS(piece))]);
            at[i] = title[i];
            room[i] = 4 + (uint32_t)gs_rng_below(&rng, 12);
        }
        text = report_titles_fit(at, room, TITLES, arena, &is_numbered);
        for (int i = 0; i < TITLES; i++) {
            CU_ASSERT(gs_text_length(text[i]) <= room[i]);
            CU_ASSERT(gs_text_is_clean(text[i], strlen(text[i])));
            for (int k = 0; k < i; k++)
                CU_ASSERT_STRING_NOT_EQUAL(text[i], text[k]);
        }
        gs_arena_destroy(arena);
    }
}

int main(void)
{
    static const struct suite_case list[] = {
        { "titles are cut to their room", test_fit },
        { "cut titles stay apart", test_random },
    };

    return suite_run("reports/titles", list, N_ELEMENTS(list));
}
