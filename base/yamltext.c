/* base/yamltext.c - writes texts as YAML. */
#include "base/yamltext.h"

#include <assert.h>
#include <string.h>

void gs_yaml_put_escaped(FILE *out, const char *s, size_t len)
{
    assert(out && (s || len == 0));
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '"' || s[i] == '\\')
            putc('\\', out);
        putc(s[i], out);
    }
}

void gs_yaml_put_text(FILE *out, const char *s, size_t len)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz"
                               "0123456789_./-";

    assert(out && s);
    if (len && strchr(letters, *s) && strspn(s, safe) >= len
        && !(len == 4 && memcmp(s, "null", 4) == 0)) {
        fwrite(s, 1, len, out);
        return;
    }
    putc('"', out);
    gs_yaml_put_escaped(out, s, len);
    putc('"', out);
}
