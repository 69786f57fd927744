/* base/input.c - bytes and lines of plain or packed files, see input.h. */
#include "base/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input_private.h"
#include "base/text.h"

#define OUT_SIZE (1u << 18)

/* --- unpacked bytes ------------------------------------------------------- */

/* Skip a byte-order mark: `in->out` has the first bytes of the file. */
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

int gs_input_fill(struct gs_input *in, struct gs_err *err)
{
    const bool is_first = in->total == 0;
    size_t got = 0;

    assert(in->from <= in->to && in->to <= in->out_cap);
    /* at the begin of the file as many bytes as a mark may have */
    while (got < (is_first ? 3u : 1u) && !in->unpacked_end) {
        size_t more = 0;

        if (gs_unpack(in, (unsigned char *)in->out + in->to + got,
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
        return gs_fail(err, GS_LIMIT, (struct gs_mark){ in->name, 0, 0 },
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
    in->is_regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    in->raw_buf = gs_array_new(GS_INPUT_RAW_SIZE, 1);
    if (gs_unpack_start(in, err) < 0) {
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
    in->raw_buf = gs_array_new(GS_INPUT_RAW_SIZE, 1);
    if (gs_unpack_start(in, err) < 0) {
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
        rc = gs_unpack_take(part, err);
    } while (rc == 0 && !part->raw_end);
    gs_input_close(part);
    return rc;
}

void gs_input_close(struct gs_input *in)
{
    if (!in)
        return;
    gs_lines_close(in->lines);
    if (in->fd > STDIN_FILENO)
        (void)close(in->fd); /* nothing was written */
    gs_unpack_end(in);
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

void gs_input_shift(struct gs_input *in)
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
    assert(in->head || in->from == 0); /* nothing was read before */
    while (!in->head && in->to < GS_INPUT_HEAD_MAX && !in->unpacked_end) {
        if (gs_input_fill(in, err) < 0)
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
    assert(!in->lines); /* the thread reads lines */
    if (in->from == in->to) {
        gs_input_shift(in);
        if (gs_input_fill(in, err) < 0)
            return -1;
    }
    *got = in->to - in->from < size ? in->to - in->from : size;
    memcpy(buf, in->out + in->from, *got);
    in->from += *got;
    return 0;
}

uint64_t gs_input_hash(const struct gs_input *in)
{
    assert(in);
    return in->lines ? gs_lines_hash(in->lines) : in->hash;
}

const char *gs_input_beside(struct gs_arena *arena, const char *from,
                            const char *path)
{
    const char *slash = strrchr(from, '/');

    if (path[0] == '/')
        return gs_arena_printf(arena, "%s", path);
    if (!slash) /* a file called "-" is not standard input */
        return gs_arena_printf(arena, "%s%s",
                               strcmp(path, "-") == 0 ? "./" : "", path);
    return gs_arena_printf(arena, "%.*s%s", (int)(slash - from) + 1, from,
                           path);
}
