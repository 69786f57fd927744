/* base/input.c - bytes and lines of plain or packed files, see input.h. */
#include "base/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"

#define RAW_SIZE (1u << 16)
#define OUT_SIZE (1u << 18)
#define LZMA_MEMORY (UINT64_C(512) << 20)
#define ZSTD_MEMORY (UINT64_C(128) << 20) /* the window zstd itself allows */

enum packing { PLAIN, GZIP, XZ, ZSTD };

struct gs_input {
    char *name;
    int fd;                   /* -1: memory, or a part */
    struct gs_input *whole;   /* of a part: where its bytes come from */
    uint64_t whole_left;      /* bytes of the part not yet taken from it */
    const unsigned char *raw; /* packed bytes not yet taken */
    size_t raw_left;
    bool raw_end; /* no more can be read into raw */
    unsigned char *raw_buf;
    enum packing packing;
    bool unpacked_end; /* nothing more comes out */
    bool at_boundary;  /* between packed members */
    z_stream gz;
    lzma_stream xz;
    ZSTD_DStream *zstd;
    char *out; /* unpacked bytes */
    uint32_t out_cap;
    size_t from, to; /* not yet given to the reader */
    char *head;      /* copy of the first bytes; NULL: not asked for */
    size_t head_size;
    uint64_t total, hash;
    int line;
};

static struct gs_mark mark(const struct gs_input *in)
{
    return (struct gs_mark){ in->name, 0, 0 };
}

static const struct {
    const char *name;
    const char *magic; /* first bytes of a file */
    size_t magic_len;
} packings[] = {
    [GZIP] = { "gzip", "\x1f\x8b", 2 },
    [XZ] = { "xz", "\xfd\x37zXZ\0", 6 },
    [ZSTD] = { "zstd", "\x28\xb5\x2f\xfd", 4 },
};

static int damaged(const struct gs_input *in, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, mark(in), "damaged or cut short (%s)",
                   packings[in->packing].name);
}

static int no_memory(const struct gs_input *in, struct gs_err *err)
{
    return gs_fail(err, GS_IO, mark(in), "cannot unpack: out of memory (%s)",
                   packings[in->packing].name);
}

/* The file may be sound: its dictionary is larger than this reader allows. */
static int dictionary_too_large(const struct gs_input *in, uint64_t need,
                                uint64_t limit, struct gs_err *err)
{
    char text[40] = "more memory";

    if (need)
        snprintf(text, sizeof(text), "%llu MiB of memory",
                 (unsigned long long)(need + (1 << 20) - 1) >> 20);
    return gs_fail(err, GS_LIMIT, mark(in),
                   "needs %s to unpack, where %llu MiB are allowed "
                   "(%s): pack it with a smaller dictionary or window",
                   text, (unsigned long long)limit >> 20,
                   packings[in->packing].name);
}

static int gzip_fail(const struct gs_input *in, int rc, struct gs_err *err)
{
    return rc == Z_MEM_ERROR ? no_memory(in, err) : damaged(in, err);
}

static int xz_fail(const struct gs_input *in, lzma_ret rc, struct gs_err *err)
{
    if (rc == LZMA_MEM_ERROR)
        return no_memory(in, err);
    if (rc == LZMA_MEMLIMIT_ERROR)
        return dictionary_too_large(in, lzma_memusage(&in->xz), LZMA_MEMORY,
                                    err);
    if (rc == LZMA_OPTIONS_ERROR)
        return gs_fail(err, GS_INPUT, mark(in),
                       "is packed with a filter that is not known (xz)");
    return damaged(in, err);
}

static int zstd_fail(const struct gs_input *in, size_t rc, struct gs_err *err)
{
    switch (ZSTD_getErrorCode(rc)) {
    case ZSTD_error_memory_allocation:
        return no_memory(in, err);
    case ZSTD_error_frameParameter_windowTooLarge:
        return dictionary_too_large(in, 0, ZSTD_MEMORY, err);
    case ZSTD_error_dictionary_wrong:
        return gs_fail(err, GS_INPUT, mark(in),
                       "is packed with a dictionary of its own, which is not "
                       "in the file (zstd)");
    default:
        return damaged(in, err);
    }
}

/* --- raw bytes ------------------------------------------------------------ */

static int raw_fill_part(struct gs_input *in, struct gs_err *err)
{
    size_t size = in->whole_left < RAW_SIZE ? (size_t)in->whole_left : RAW_SIZE;

    in->raw = in->raw_buf;
    if (size && gs_input_read(in->whole, in->raw_buf, size, &size, err) < 0)
        return -1;
    in->raw_end = size == 0;
    if (size == 0 && in->whole_left) {
        in->whole_left = 0; /* told once */
        return gs_fail(err, GS_INPUT, mark(in), "is cut short");
    }
    in->raw_left = size;
    in->whole_left -= size;
    return 0;
}

/* Have at least one raw byte unless the file is over. */
static int raw_fill(struct gs_input *in, struct gs_err *err)
{
    ssize_t n;

    assert(in->raw || in->raw_left == 0);
    if (in->raw_left || in->raw_end)
        return 0;
    if (in->whole)
        return raw_fill_part(in, err);
    do
        n = read(in->fd, in->raw_buf, RAW_SIZE);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return gs_fail(err, errno == EISDIR ? GS_INPUT : GS_IO, mark(in),
                       "cannot read: %s", strerror(errno));
    in->raw = in->raw_buf;
    in->raw_left = (size_t)n;
    in->raw_end = n == 0;
    return 0;
}

/* --- unpacking: fill `size` bytes at most; *got 0 at the end -------------- */

static int plain_step(struct gs_input *in, unsigned char *to, size_t size,
                      size_t *got, struct gs_err *err)
{
    (void)err; /* copying cannot fail */
    *got = in->raw_left < size ? in->raw_left : size;
    if (*got)
        memcpy(to, in->raw, *got);
    in->raw += *got;
    in->raw_left -= *got;
    in->unpacked_end = in->raw_end && in->raw_left == 0;
    return 0;
}

static int gzip_step(struct gs_input *in, unsigned char *to, size_t size,
                     size_t *got, struct gs_err *err)
{
    int rc;

    if (in->raw_left == 0) {
        in->unpacked_end = true;
        return in->at_boundary ? 0 : damaged(in, err);
    }
    if (in->at_boundary && inflateReset(&in->gz) != Z_OK)
        return damaged(in, err);
    in->at_boundary = false;
    /* zlib does not write through next_in */
    in->gz.next_in = (unsigned char *)(uintptr_t)in->raw;
    in->gz.avail_in = (unsigned)in->raw_left;
    in->gz.next_out = to;
    in->gz.avail_out = (unsigned)size;
    rc = inflate(&in->gz, Z_NO_FLUSH);
    in->raw += in->raw_left - in->gz.avail_in;
    in->raw_left = in->gz.avail_in;
    *got = size - in->gz.avail_out;
    in->at_boundary = rc == Z_STREAM_END;
    return rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR
               ? 0
               : gzip_fail(in, rc, err);
}

static int xz_step(struct gs_input *in, unsigned char *to, size_t size,
                   size_t *got, struct gs_err *err)
{
    lzma_ret rc;

    in->xz.next_in = in->raw;
    in->xz.avail_in = in->raw_left;
    in->xz.next_out = to;
    in->xz.avail_out = size;
    rc = lzma_code(&in->xz, in->raw_left ? LZMA_RUN : LZMA_FINISH);
    in->raw = in->xz.next_in;
    in->raw_left = in->xz.avail_in;
    *got = size - in->xz.avail_out;
    in->unpacked_end = rc == LZMA_STREAM_END;
    return rc == LZMA_OK || rc == LZMA_STREAM_END ? 0 : xz_fail(in, rc, err);
}

static int zstd_step(struct gs_input *in, unsigned char *to, size_t size,
                     size_t *got, struct gs_err *err)
{
    ZSTD_inBuffer from = { in->raw, in->raw_left, 0 };
    ZSTD_outBuffer out = { to, size, 0 };
    size_t rc;

    if (in->raw_left == 0 && in->at_boundary) {
        in->unpacked_end = true;
        return 0;
    }
    rc = ZSTD_decompressStream(in->zstd, &out, &from);
    in->raw += from.pos;
    in->raw_left -= from.pos;
    *got = out.pos;
    if (ZSTD_isError(rc))
        return zstd_fail(in, rc, err);
    if (rc && out.pos == 0 && from.size == 0 && in->raw_end)
        return damaged(in, err);
    in->at_boundary = rc == 0;
    return 0;
}

typedef int (*step_fn)(struct gs_input *in, unsigned char *to, size_t size,
                       size_t *got, struct gs_err *err);

static const step_fn steps[] = {
    [PLAIN] = plain_step,
    [GZIP] = gzip_step,
    [XZ] = xz_step,
    [ZSTD] = zstd_step,
};

/* Take off a byte-order mark: `in->out` holds the file's first bytes. */
static int mark_skip(struct gs_input *in, struct gs_err *err)
{
    if (in->to >= 2
        && (memcmp(in->out, "\xff\xfe", 2) == 0
            || memcmp(in->out, "\xfe\xff", 2) == 0))
        return gs_fail(err, GS_INPUT, (struct gs_mark){ in->name, 1, 1 },
                       "is text in UTF-16: save it as UTF-8");
    if (in->to >= 3 && memcmp(in->out, "\xef\xbb\xbf", 3) == 0) {
        in->to -= 3;
        memmove(in->out, in->out + 3, in->to);
    }
    return 0;
}

/* Append some unpacked bytes to the buffer, which has room. */
static int out_fill(struct gs_input *in, struct gs_err *err)
{
    const bool is_first = in->total == 0;
    size_t got = 0;

    assert(in->from <= in->to && in->to <= in->out_cap);
    /* of the first bytes as many as a mark may have */
    while (got < (is_first ? 3u : 1u) && !in->unpacked_end) {
        size_t more = 0;

        if (raw_fill(in, err) < 0
            || steps[in->packing](in, (unsigned char *)in->out + in->to + got,
                                  in->out_cap - in->to - got, &more, err)
                   < 0)
            return -1;
        got += more;
    }
    for (size_t i = in->to; i < in->to + got; i++)
        in->hash = (in->hash ^ (unsigned char)in->out[i])
                   * UINT64_C(0x100000001b3);
    in->to += got;
    in->total += got;
    if (in->total > GS_INPUT_TOTAL_MAX)
        return gs_fail(err, GS_LIMIT, mark(in),
                       "holds more than %llu bytes once unpacked",
                       (unsigned long long)GS_INPUT_TOTAL_MAX);
    return is_first ? mark_skip(in, err) : 0;
}

/* --- opening -------------------------------------------------------------- */

static struct gs_input *input_create(const char *name, int fd)
{
    struct gs_input *in = gs_array_new(1, sizeof(*in));

    in->name = gs_text_make("%s", name);
    in->fd = fd;
    in->hash = UINT64_C(0xcbf29ce484222325);
    in->out = gs_array_grow(NULL, &in->out_cap, OUT_SIZE, 1);
    in->at_boundary = true;
    return in;
}

/* Tell the packing by the first bytes and get ready for it. */
static int packing_start(struct gs_input *in, struct gs_err *err)
{
    lzma_ret xz;
    int gz;

    if (raw_fill(in, err) < 0)
        return -1;
    for (int p = GZIP; p <= ZSTD; p++) {
        if (in->raw_left >= packings[p].magic_len
            && memcmp(in->raw, packings[p].magic, packings[p].magic_len) == 0)
            in->packing = (enum packing)p;
    }
    switch (in->packing) {
    case GZIP:
        gz = inflateInit2(&in->gz, 15 + 16);
        return gz == Z_OK ? 0 : gzip_fail(in, gz, err);
    case XZ:
        xz = lzma_stream_decoder(&in->xz, LZMA_MEMORY, LZMA_CONCATENATED);
        return xz == LZMA_OK ? 0 : xz_fail(in, xz, err);
    case ZSTD:
        in->zstd = ZSTD_createDStream();
        return in->zstd ? 0 : no_memory(in, err);
    case PLAIN:
        break;
    }
    return 0;
}

struct gs_input *gs_input_open(const char *path, struct gs_err *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    const struct gs_mark at = { .source = path };
    const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct gs_input *in;
    struct stat st;

    assert(path);
    if (fd < 0) {
        gs_fail(err, GS_INPUT, at, "cannot open: %s", strerror(errno));
        return NULL;
    }
    if (!is_stdin && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        gs_fail(err, GS_INPUT, at, "is a directory");
        (void)close(fd); /* nothing was written */
        return NULL;
    }
    in = input_create(is_stdin ? "standard input" : path, fd);
    in->raw_buf = gs_array_new(RAW_SIZE, 1);
    if (packing_start(in, err) < 0) {
        gs_input_close(in);
        return NULL;
    }
    return in;
}

struct gs_input *gs_input_open_memory(const char *name, const void *data,
                                      size_t size)
{
    struct gs_input *in = input_create(name, -1);

    assert(name && (data || size == 0));
    in->raw = data;
    in->raw_left = size;
    in->raw_end = true;
    return in;
}

struct gs_input *gs_input_open_part(struct gs_input *whole, const char *name,
                                    uint64_t size, struct gs_err *err)
{
    struct gs_input *in = input_create(name, -1);

    assert(whole && name);
    in->whole = whole;
    in->whole_left = size;
    in->raw_buf = gs_array_new(RAW_SIZE, 1);
    if (packing_start(in, err) < 0) {
        gs_input_close(in);
        return NULL;
    }
    return in;
}

int gs_input_part_end(struct gs_input *part, struct gs_err *err)
{
    int rc;

    assert(part && part->whole);
    do {
        part->raw_left = 0;
        rc = raw_fill_part(part, err);
    } while (rc == 0 && !part->raw_end);
    gs_input_close(part);
    return rc;
}

void gs_input_close(struct gs_input *in)
{
    if (!in)
        return;
    if (in->fd > STDIN_FILENO)
        (void)close(in->fd); /* nothing was written */
    inflateEnd(&in->gz);     /* nothing happens to those that were not begun */
    lzma_end(&in->xz);
    ZSTD_freeDStream(in->zstd);
    gs_array_free(in->name);
    gs_array_free(in->raw_buf);
    gs_array_free(in->out);
    gs_array_free(in->head);
    gs_array_free(in);
}

const char *gs_input_name(const struct gs_input *in)
{
    assert(in);
    return in->name;
}

/* --- reading -------------------------------------------------------------- */

/* Move what is left to the front, and make room behind it. */
static void out_shift(struct gs_input *in)
{
    const size_t left = in->to - in->from;

    assert(in->from <= in->to && in->to <= in->out_cap);
    if (in->from)
        memmove(in->out, in->out + in->from, left);
    in->from = 0;
    in->to = left;
    if (in->out_cap - left < OUT_SIZE / 2)
        in->out = gs_array_grow(in->out, &in->out_cap, in->out_cap + OUT_SIZE,
                                1);
}

const char *gs_input_head(struct gs_input *in, size_t *size, struct gs_err *err)
{
    assert(size);
    assert(in->head || in->from == 0); /* nothing was taken */
    while (!in->head && in->to < GS_INPUT_HEAD_MAX && !in->unpacked_end) {
        if (out_fill(in, err) < 0)
            return NULL;
    }
    if (!in->head) {
        in->head_size = in->to < GS_INPUT_HEAD_MAX ? in->to : GS_INPUT_HEAD_MAX;
        in->head = gs_array_new(in->head_size, 1);
        memcpy(in->head, in->out, in->head_size);
    }
    *size = in->head_size;
    return in->head;
}

int gs_input_read(struct gs_input *in, void *buf, size_t size, size_t *got,
                  struct gs_err *err)
{
    assert(buf && got && size > 0);
    if (in->from == in->to) {
        out_shift(in);
        if (out_fill(in, err) < 0)
            return -1;
    }
    *got = in->to - in->from < size ? in->to - in->from : size;
    memcpy(buf, in->out + in->from, *got);
    in->from += *got;
    return 0;
}

/* Have a whole line, or all that is left, in the buffer; its end. */
static int line_fill(struct gs_input *in, char **end, struct gs_err *err)
{
    size_t seen = 0;

    assert(in->from <= in->to);
    for (;;) {
        const size_t left = in->to - in->from;

        *end = left > seen
                   ? memchr(in->out + in->from + seen, '\n', left - seen)
                   : NULL;
        if ((*end ? (size_t)(*end - in->out) - in->from : left)
            > GS_INPUT_LINE_MAX)
            return gs_fail(
                err, GS_LIMIT, (struct gs_mark){ in->name, in->line + 1, 1 },
                "a line may hold at most %u bytes", GS_INPUT_LINE_MAX);
        if (*end || in->unpacked_end)
            return 0;
        seen = left;
        out_shift(in);
        if (out_fill(in, err) < 0)
            return -1;
    }
}

int gs_input_line(struct gs_input *in, char **line, size_t *len,
                  struct gs_err *err)
{
    char *end;

    assert(line && len);
    if (line_fill(in, &end, err) < 0)
        return -1;
    if (!end && in->from == in->to)
        return 0;
    if (!end && in->to == in->out_cap)
        out_shift(in); /* a last line needs its NUL */
    *line = in->out + in->from;
    *len = end ? (size_t)(end - *line) : in->to - in->from;
    in->from += *len + (end != NULL);
    in->line++;
    if (*len && (*line)[*len - 1] == '\r')
        --*len;
    if (memchr(*line, '\0', *len))
        return gs_fail(err, GS_INPUT, (struct gs_mark){ in->name, in->line, 1 },
                       "a line of text may not hold a NUL byte");
    (*line)[*len] = '\0';
    return 1;
}

int gs_input_line_number(const struct gs_input *in)
{
    return in->line;
}

uint64_t gs_input_hash(const struct gs_input *in)
{
    assert(in);
    return in->hash;
}
