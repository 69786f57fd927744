/* tests/base/test_text.c - texts as shown on a terminal. */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "tests/lib/suite.h"

static void test_text_is_fit_for_a_terminal(void)
{
    static const struct {
        const char *from, *to;
        size_t length;
    } cases[] = {
        { "", "", 0 },
        { "wait.mean", "wait.mean", 9 },
        { "\033[31mx\n\x7f", "?[31mx??", 8 },
        { "\xc2\x9b"
          "31m",
          "??31m", 5 },
        { "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80",
          "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80", 3 },
        { "\xff\xc3", "??", 2 },
        { "\xc0\xaf", "??", 2 },      /* too long for '/' */
        { "\xed\xa0\x80", "???", 3 }, /* half of a pair */
        { "\xf4\x90\x80\x80", "????", 4 },
        /* right to left, of no width, a tag, a soft hyphen */
        { "a\xe2\x80\xae"
          "b\xe2\x80\x8b\xef\xbb\xbf",
          "a???b??????", 11 },
        { "\xf3\xa0\x81\x81\xc2\xad\xe2\x80\xa8", "?????????", 9 },
        { "\xc2\xa0\xe2\x80\x94", "\xc2\xa0\xe2\x80\x94", 2 },
        { "<script>'; drop--", "<script>'; drop--", 17 },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        char text[64];

        strcpy(text, cases[i].from);
        CU_ASSERT_EQUAL(gs_text_is_clean(text, strlen(text)),
                        strcmp(text, cases[i].to) == 0);
        gs_text_clean(text);

        CU_ASSERT_STRING_EQUAL(text, cases[i].to);
        CU_ASSERT_EQUAL(gs_text_length(text), cases[i].length);
    }
    CU_ASSERT_EQUAL(gs_text_bytes("\xc3\xbc\xe2\x82\xacx", 2), 5);
    CU_ASSERT_EQUAL(gs_text_bytes("ab", 9), 2);
}

static void test_a_text_is_copied_for_a_message(void)
{
    char buf[8];

    CU_ASSERT_STRING_EQUAL(gs_text_shown("a\tb", buf, sizeof(buf)), "a?b");
    CU_ASSERT_STRING_EQUAL(gs_text_shown("1234567", buf, sizeof(buf)),
                           "1234567");
    CU_ASSERT_STRING_EQUAL(gs_text_shown("12345678", buf, sizeof(buf)),
                           "1234...");
    /* a character that is cut in two */
    CU_ASSERT_STRING_EQUAL(gs_text_shown("123\xc3\xbc"
                                         "678",
                                         buf, sizeof(buf)),
                           "123?...");
}

static void test_a_text_is_copied_to_stay(void)
{
    struct gs_arena *a = gs_arena_create(64);

    CU_ASSERT_STRING_EQUAL(gs_text_copy(a, "a\tb"), "a?b");
    CU_ASSERT_STRING_EQUAL(gs_text_copy(a, NULL), "");
    gs_arena_destroy(a);
}

static void test_a_name_is_found(void)
{
    static const char *const names[] = { "a", "ab" };

    CU_ASSERT_EQUAL(gs_text_find("ab", names, 2), 1);
    CU_ASSERT_EQUAL(gs_text_find("abc", names, 2), 2);
    CU_ASSERT_EQUAL(gs_text_find("", names, 2), 2);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "control characters and broken UTF-8 are found",
          test_text_is_fit_for_a_terminal },
        { "a copy for a message is bounded and harmless",
          test_a_text_is_copied_for_a_message },
        { "a copy that stays is harmless", test_a_text_is_copied_to_stay },
        { "a name has a place in its list", test_a_name_is_found },
    };

    return suite_run("base/text", cases, N_ELEMENTS(cases));
}
