/* import/kubernetes/series/kube_samples.c - see kube_samples.h. */
#include "import/kubernetes/series/kube_samples.h"

#include <stdbool.h>

#include "base/duration.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "import/kubernetes/object/kube.h"
#include "import/source.h"

#define NUMBER_MAX 64 /* bytes */

struct reader {
    const char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Does the byte end a number? */
static bool is_end(char c)
{
    return c == '"' || c == ',' || c == ']' || is_blank(c);
}

static void blanks(struct reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

/* Past `c` and blanks around it. */
static bool skip(struct reader *r, char c)
{
    blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    blanks(r);
    return true;
}

/* A number with an exponent or a sign, as thousandths of 0 or more; false for
 * NaN and infinity.
 */
static bool real_parse(const char *s, size_t len, int64_t unit, int64_t *out)
{
    double v;

    if (gs_quantity_parse_double(s, len, &v) < 0)
        return false;
    v *= (double)unit;
    *out = v <= 0                         ? 0
           : v >= (double)GS_QUANTITY_MAX ? GS_QUANTITY_MAX
                                          : (int64_t)(v + 0.5);
    return true;
}

/* The number that begins here, in quotes or not, times `unit`: 1; 0 when it is
 * NaN or infinity; -1 when nothing of a number is here.
 */
static int number_read(struct reader *r, int64_t unit, int64_t *out)
{
    const bool is_quoted = r->at < r->end && *r->at == '"';
    const char *from = r->at += is_quoted, *end;
    const size_t left = (size_t)(r->end - from);
    size_t len = gs_decimal_parse(from, left, unit, out, NULL);
    bool is_number = true;

    end = from + len;
    if (len == 0 || end == r->end || !is_end(*end)) {
        for (end = from; end < r->end && !is_end(*end);)
            end++;
        len = (size_t)(end - from);
        if (len == 0 || len > NUMBER_MAX)
            return -1;
        is_number = real_parse(from, len, unit, out);
    }
    r->at = end;
    if (is_quoted && (end == r->end || *end != '"'))
        return -1;
    r->at += is_quoted;
    return is_number;
}

static void sample_add(struct kube_samples *s, int64_t us, int64_t milli,
                       bool is_number)
{
    if (!is_number) {
        s->rest++;
        return;
    }
    us = us < GS_TIME_MAX ? us : GS_TIME_MAX;
    if (s->count && us > s->last && (!s->step || us - s->last < s->step))
        s->step = us - s->last;
    s->first = s->count && s->first < us ? s->first : us;
    if (!s->count || us >= s->last) {
        s->last = us;
        s->milli = milli;
    }
    s->count++;
    if (milli == 0)
        return;
    s->on++;
    s->on_first = s->on > 1 && s->on_first < us ? s->on_first : us;
    s->on_last = us > s->on_last ? us : s->on_last;
}

/* [time, "value"] */
static int pair_read(struct reader *r, struct kube_samples *s)
{
    int64_t us, milli;
    int rc;

    if (!skip(r, '[') || number_read(r, GS_SECOND, &us) != 1 || !skip(r, ','))
        return -1;
    rc = number_read(r, 1000, &milli);
    if (rc < 0 || !skip(r, ']'))
        return -1;
    sample_add(s, us, milli, rc);
    return 0;
}

static int pairs_read(struct reader *r, struct kube_samples *s)
{
    if (!skip(r, '['))
        return -1;
    if (skip(r, ']'))
        return 0;
    do {
        if (pair_read(r, s) < 0)
            return -1;
    } while (skip(r, ','));
    return skip(r, ']') ? 0 : -1;
}

/* Values and the times of these, in milliseconds. */
static int columns_read(struct reader *values, struct reader *times,
                        struct kube_samples *s)
{
    int64_t us, milli;
    int rc;

    if (!skip(values, '[') || !skip(times, '['))
        return -1;
    if (skip(values, ']'))
        return 0;
    do {
        rc = number_read(values, 1000, &milli);
        if (rc < 0 || number_read(times, 1000, &us) != 1)
            return -1;
        sample_add(s, us, milli, rc);
    } while (skip(values, ',') && skip(times, ','));
    return skip(values, ']') && skip(times, ']') ? 0 : -1;
}

static struct reader reader_of(const struct import_object *o,
                               enum kube_unread which)
{
    for (uint32_t i = 0; i < o->cuts; i++) {
        if (o->cut[i].unread == which)
            return (struct reader){ o->cut[i].text,
                                    o->cut[i].text + o->cut[i].len };
    }
    return (struct reader){ NULL, NULL };
}

/* The sample of an instant query, which stands in the tree. */
static int value_read(const struct gs_ynode *pair, struct kube_samples *s)
{
    const struct gs_ynode *time = pair ? pair->child : NULL;
    const struct gs_ynode *value = time ? time->next : NULL;
    struct reader r, v;
    int64_t us, milli;
    int rc;

    if (!value || pair->kind != GS_YSEQ || time->kind != GS_YSCALAR
        || value->kind != GS_YSCALAR)
        return -1;
    r = (struct reader){ time->text, time->text + time->len };
    v = (struct reader){ value->text, value->text + value->len };
    rc = number_read(&v, 1000, &milli);
    if (rc < 0 || number_read(&r, GS_SECOND, &us) != 1)
        return -1;
    sample_add(s, us, milli, rc);
    return 0;
}

int kube_samples_read(const struct import_object *o, struct kube_samples *s)
{
    struct reader values = reader_of(o, KUBE_UNREAD_VALUES);
    struct reader times = reader_of(o, KUBE_UNREAD_TIMES);
    int rc;

    *s = (struct kube_samples){ .on_first = KUBE_UNKNOWN,
                                .on_last = KUBE_UNKNOWN,
                                .is_instant = !values.at };
    rc = times.at    ? values.at ? columns_read(&values, &times, s) : -1
         : values.at ? pairs_read(&values, s)
                     : value_read(kube_at(o->root, "value"), s);
    return rc;
}
