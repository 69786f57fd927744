/* import/kubernetes/object/kube_quantity.c - amounts as Kubernetes writes
 * them.
 */
#include "import/kubernetes/object/kube_quantity.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"

/* Digits beyond are not kept: 2^60 times ten of it fits 128 bits. */
#define DIGITS_MAX INT64_C(100000000000000000)

__extension__ typedef unsigned __int128 wide;

struct suffix {
    const char *text;
    int tens, twos; /* powers of 10 and of 2 */
};

static const struct suffix suffixes[] = {
    { "", 0, 0 },    { "n", -9, 0 },  { "u", -6, 0 },  { "m", -3, 0 },
    { "k", 3, 0 },   { "M", 6, 0 },   { "G", 9, 0 },   { "T", 12, 0 },
    { "P", 15, 0 },  { "E", 18, 0 },  { "Ki", 0, 10 }, { "Mi", 0, 20 },
    { "Gi", 0, 30 }, { "Ti", 0, 40 }, { "Pi", 0, 50 }, { "Ei", 0, 60 },
};

/* 10^tens of what `s` says behind the digits: a suffix or an exponent. */
static int scale_parse(const char *s, int *tens, int *twos)
{
    char *end;
    long e;

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        if (strcmp(s, suffixes[i].text) == 0) {
            *tens = suffixes[i].tens;
            *twos = suffixes[i].twos;
            return 0;
        }
    }
    if ((*s != 'e' && *s != 'E') || s[1] == '\0' || strchr(" \t\n", s[1]))
        return -1;
    e = strtol(s + 1, &end, 10);
    if (*end || e < -30 || e > 30)
        return -1;
    *tens = (int)e;
    *twos = 0;
    return 0;
}

/* The amount, at most INT64_MAX: *is_beyond says whether it is more. */
static int amount_parse(const char *s, int64_t *milli, bool *is_beyond)
{
    wide v = 0;
    int digits = 0, tens = 0, twos = 0, behind = 0;
    bool point = false, rest = false;

    s += *s == '+';
    for (; (*s >= '0' && *s <= '9') || (*s == '.' && !point); s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        digits++;
        if (v < DIGITS_MAX) {
            v = v * 10 + (unsigned)(*s - '0');
            behind += point;
        } else {
            rest = rest || *s != '0';
            behind -= !point;
        }
    }
    if (digits == 0 || scale_parse(s, &tens, &twos) < 0)
        return -1;
    v <<= twos;
    for (tens += 3 - behind; tens < 0; tens++) {
        rest = rest || v % 10;
        v /= 10;
    }
    for (; v && tens > 0 && v <= INT64_MAX; tens--)
        v *= 10;
    v += rest;
    *is_beyond = v > INT64_MAX;
    *milli = *is_beyond ? INT64_MAX : (int64_t)v;
    return 0;
}

int kube_quantity_parse(const char *s, int64_t *milli)
{
    bool is_beyond;
    int64_t v;

    assert(s && milli);
    if (amount_parse(s, &v, &is_beyond) < 0 || is_beyond)
        return -1;
    *milli = v;
    return 0;
}

void kube_quantity_tell_most(struct kube *k, const char *source,
                             const struct gs_ynode *at)
{
    import_account_tell(k->account, IMPORT_ASSUMED, source, at,
                        "amounts beyond those that a trace can state: they are "
                        "the most that it can");
}

int kube_quantity_read(struct kube *k, const struct gs_ynode *n, int64_t *milli)
{
    bool is_beyond = false;

    if (n->kind == GS_YSCALAR
        && amount_parse(n->text, milli, &is_beyond) == 0) {
        if (is_beyond)
            kube_quantity_tell_most(k, k->source, n);
        return 0;
    }
    k->has_mistake = true;
    import_account_tell(k->account, IMPORT_LEFT, k->source, n,
                        "an amount that is no quantity of Kubernetes ('%.40s')",
                        n->kind == GS_YSCALAR ? n->text : "a list or mapping");
    return -1;
}
