/* tests/base/test_text.c - what a terminal is shown of a text. */
#include <string.h>

#include "base/text.h"
#include "tests/suite.h"

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

int main(void)
{
    static const struct suite_case cases[] = {
        { "control characters and broken UTF-8",
          test_text_is_fit_for_a_terminal },
    };

    return suite_run("base/text", cases, N_ELEMENTS(cases));
}
