/* traces/formats/reader.c - recognises the format by content and reads the
 * file.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "base/input.h"
#include "traces/formats/reading.h"

/* The first line that is not blank and not a YAML comment. */
struct head {
    const char *text;
    size_t len;
};

struct format {
    const char *name;
    trace_read_fn read;
    const char *columns[6]; /* a CSV header that has all of these */
    bool (*recognise)(const struct head *h); /* NULL: by columns */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* True when `name` is one of the fields of a CSV header. */
static bool has_column(const struct head *h, const char *name)
{
    const size_t len = strlen(name);
    const char *s = h->text, *end = h->text + h->len;

    while (s < end) {
        const char *comma = memchr(s, ',', (size_t)(end - s));
        const char *stop = comma ? comma : end;
        const char *a = s, *b = stop;

        while (a < b && (is_blank(*a) || *a == '"'))
            a++;
        while (b > a && (is_blank(b[-1]) || b[-1] == '"'))
            b--;
        if ((size_t)(b - a) == len && memcmp(a, name, len) == 0)
            return true;
        s = stop + 1;
    }
    return false;
}

static bool is_native_csv(const struct head *h)
{
    return !memchr(h->text, ':', h->len)
           && (has_column(h, "submit") || has_column(h, "duration"));
}

/* A comment, or a first field that is a number followed by another. */
static bool is_swf(const struct head *h)
{
    size_t i = 0;

    if (h->text[0] == ';')
        return true;
    if (h->text[0] == '-')
        i++;
    while (i < h->len && h->text[i] >= '0' && h->text[i] <= '9')
        i++;
    if (i == 0 || i >= h->len || !is_blank(h->text[i]))
        return false;
    while (i < h->len && is_blank(h->text[i]))
        i++;
    return i < h->len && strchr("-0123456789", h->text[i]);
}

static bool is_yaml(const struct head *h)
{
    return h->text[0] == '{' || h->text[0] == '%'
           || (h->len >= 3 && memcmp(h->text, "---", 3) == 0)
           || memchr(h->text, ':', h->len);
}

/* Checked from the last to the first. */
static const struct format formats[TRACE_FORMATS] = {
    [TRACE_AUTO] = { .name = "auto" },
    [TRACE_YAML] = { "yaml", trace_read_yaml, { NULL }, is_yaml },
    [TRACE_CSV] = { "csv", trace_read_csv, { NULL }, is_native_csv },
    [TRACE_SWF] = { "swf", trace_read_swf, { NULL }, is_swf },
    [TRACE_OPENB] = { "openb",
                      trace_read_openb,
                      { "cpu_milli", "num_gpu", "gpu_milli" },
                      NULL },
    [TRACE_PHILLY] = { "philly",
                       trace_read_philly,
                       { "timestamp", "duration", "num_gpus" },
                       NULL },
    [TRACE_ITP] = { "itp",
                    trace_read_itp,
                    { "submission_time", "duration", "num_gpu" },
                    NULL },
    [TRACE_MURI] = { "muri",
                     trace_read_muri,
                     { "submit_time", "duration", "num_gpu", "iterations" },
                     NULL },
};

const char *trace_format_name(enum trace_format f)
{
    return formats[f].name;
}

enum trace_format trace_format_find(const char *name)
{
    int f = 0;

    assert(name);
    while (f < TRACE_FORMATS && strcmp(formats[f].name, name) != 0)
        f++;
    return (enum trace_format)f;
}

static bool has_columns(const struct head *h, const char *const *name)
{
    for (; *name; name++) {
        if (!has_column(h, *name))
            return false;
    }
    return true;
}

static struct head first_line(const char *s, size_t size)
{
    const char *end = s + size;

    while (s < end) {
        const char *lf = memchr(s, '\n', (size_t)(end - s));
        const char *stop = lf ? lf : end;

        while (s < stop && is_blank(*s))
            s++;
        if (s < stop && *s != '#')
            return (struct head){ s, (size_t)(stop - s) };
        s = stop < end ? stop + 1 : end;
    }
    return (struct head){ s, 0 };
}

/* True when the first line can only be the header of a table. */
static bool is_header(const struct head *h)
{
    return memchr(h->text, ',', h->len) || memchr(h->text, ';', h->len)
           || memchr(h->text, '\t', h->len);
}

static void unknown_fail(struct gs_mark at, const struct head *h,
                         struct gs_err *err)
{
    if (is_header(h))
        gs_fail(err, GS_INPUT, at,
                "not a trace of a known format: a header of native CSV names "
                "the columns 'submit' and 'duration', in lower case and "
                "between commas (got '%.*s%s'); others known are SWF, openb, "
                "Philly, ITP and Muri CSV",
                h->len < 80 ? (int)h->len : 80, h->text,
                h->len < 80 ? "" : "...");
    else
        gs_fail(err, GS_INPUT, at,
                "not a trace of a known format (known: native YAML and CSV, "
                "SWF, openb, Philly, ITP and Muri CSV)");
}

enum trace_format trace_format_recognise(struct gs_input *in,
                                         struct gs_err *err)
{
    const struct gs_mark at = { .source = gs_input_name(in) };
    size_t size;
    const char *s = gs_input_head(in, &size, err);
    struct head h;

    if (!s)
        return TRACE_AUTO;
    h = first_line(s, size);
    if (!h.len && size >= GS_INPUT_HEAD_MAX) /* only comments so far */
        return TRACE_YAML;
    for (int f = TRACE_FORMATS; h.len && f-- > TRACE_AUTO + 1;) {
        const struct format *t = &formats[f];

        if (t->recognise ? t->recognise(&h) : has_columns(&h, t->columns))
            return (enum trace_format)f;
    }
    if (h.len)
        unknown_fail(at, &h, err);
    else
        gs_fail(err, GS_INPUT, at,
                size ? "holds comments and blank lines only"
                     : "the file is empty");
    return TRACE_AUTO;
}

/* The size of a task, in GPUs or cores. */
static int set_task_size(struct trace_reading *r, enum trace_format f,
                         struct gs_err *err)
{
    r->units_are_gpus = f != TRACE_SWF || r->options->processors_are_gpus;
    r->task_size = r->options->task_size;
    if (r->task_size == 0)
        r->task_size = f == TRACE_SWF ? 1 : 8;
    if (r->units_are_gpus && r->task_size > TOPO_DEVICES_MAX)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "a task may have at most %d GPUs (got %u)",
                       TOPO_DEVICES_MAX, r->task_size);
    return 0;
}

int trace_read(struct gs_input *in, const struct trace_options *o,
               struct trace_workload *w, struct trace_facts *facts,
               struct gs_err *err)
{
    struct trace_facts f = { .format = o->format };
    struct trace_reading r = { .in = in, .options = o, .w = w, .facts = &f };

    assert(in && o);
    int rc;

    if (f.format == TRACE_AUTO)
        f.format = trace_format_recognise(in, err);
    if (f.format == TRACE_AUTO || set_task_size(&r, f.format, err) < 0)
        return -1;
    rc = formats[f.format].read(&r, err);
    gs_far_free(w->far, r.line_of);
    if (rc < 0)
        return -1;
    if (w->job_count == 0)
        return gs_fail(err, GS_INPUT, trace_reading_mark(&r, 0, 0),
                       "holds no jobs");
    trace_workload_finish(w, o->limit);
    w->epoch = f.epoch;
    *facts = f;
    return 0;
}
