/* base/unpack.c - decompression of input files, see input_private.h. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd_errors.h>

#include "base/err.h"
#include "base/input_private.h"

#define LZMA_MEMORY (UINT64_C(512) << 20)
#define ZSTD_MEMORY (UINT64_C(128) << 20) /* the window zstd itself allows */

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

/* Fail: the file may be valid, but its dictionary is larger than this reader
 * allows.
 */
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

int gs_unpack_take(struct gs_input *in, struct gs_err *err)
{
    size_t size = in->whole_left < GS_INPUT_RAW_SIZE ? (size_t)in->whole_left
                                                     : GS_INPUT_RAW_SIZE;

    in->raw = in->raw_buf;
    if (size && gs_input_read(in->whole, in->raw_buf, size, &size, err) < 0)
        return -1;
    in->raw_end = size == 0;
    if (size == 0 && in->whole_left) {
        in->whole_left = 0; /* reported once */
        return gs_fail(err, GS_INPUT, mark(in), "is cut short");
    }
    in->raw_left = size;
    in->whole_left -= size;
    return 0;
}

/* Read at least one raw byte, unless at the end of the file. */
static int raw_fill(struct gs_input *in, struct gs_err *err)
{
    ssize_t n;

    assert(in->raw || in->raw_left == 0);
    if (in->raw_left || in->raw_end)
        return 0;
    if (in->whole)
        return gs_unpack_take(in, err);
    do
        n = read(in->fd, in->raw_buf, GS_INPUT_RAW_SIZE);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return gs_fail(err, errno == EISDIR ? GS_INPUT : GS_IO, mark(in),
                       "cannot read: %s", strerror(errno));
    in->raw = in->raw_buf;
    in->raw_left = (size_t)n;
    in->raw_end = n == 0;
    return 0;
}

/* --- decompression: fill `size` bytes at most; *got 0 at the end --------- */

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

/* --- all packings --------------------------------------------------------- */

int gs_unpack_start(struct gs_input *in, struct gs_err *err)
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

typedef int (*step_fn)(struct gs_input *in, unsigned char *to, size_t size,
                       size_t *got, struct gs_err *err);

static const step_fn steps[] = {
    [PLAIN] = plain_step,
    [GZIP] = gzip_step,
    [XZ] = xz_step,
    [ZSTD] = zstd_step,
};

int gs_unpack(struct gs_input *in, unsigned char *to, size_t size, size_t *got,
              struct gs_err *err)
{
    return raw_fill(in, err) < 0 ? -1
                                 : steps[in->packing](in, to, size, got, err);
}

void gs_unpack_end(struct gs_input *in)
{
    inflateEnd(&in->gz); /* no effect on streams that were not started */
    lzma_end(&in->xz);
    ZSTD_freeDStream(in->zstd);
}
