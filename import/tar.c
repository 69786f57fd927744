/* import/tar.c - files in a tar archive, see formats.h.
 *
 * An archive is blocks of 512 bytes: a header, the member's bytes, the next
 * header.  A name that is too long for its header stands before it as a member
 * of its own: GNU's type L, or "path" among the records of POSIX' type x.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "import/formats.h"

#define BLOCK 512u
#define NAME_MAX_BYTES 4096u /* of a member, with its NUL */
#define RECORDS_MAX 65536u   /* bytes of a long name, or of records */
#define FIELD(header, from, size) ((header) + (from)), (size)

struct tar {
    struct gs_input *in;
    struct gs_err *err;
    unsigned char header[BLOCK];
    char name[NAME_MAX_BYTES]; /* for the next member; "": its header's */
    uint64_t size;             /* likewise, by records */
    bool has_size;
};

static int fail(const struct tar *t, const char *why)
{
    return gs_fail(t->err, GS_INPUT,
                   (struct gs_mark){ gs_input_name(t->in), 0, 0 },
                   "damaged or cut short (tar): %s", why);
}

/* A number in octal, or behind a byte 0x80 in binary; -1 when it is none. */
static int number_read(const unsigned char *field, size_t size, uint64_t *value)
{
    size_t i = 0;

    *value = 0;
    if (field[0] == 0x80) {
        for (i = 1; i < size; i++) {
            if (*value >> 55)
                return -1;
            *value = *value << 8 | field[i];
        }
        return 0;
    }
    while (i < size && field[i] == ' ')
        i++;
    for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
        *value = *value << 3 | (field[i] & 7u);
    return i == size || field[i] == '\0' || field[i] == ' ' ? 0 : -1;
}

static bool sum_is_right(const unsigned char *header)
{
    uint64_t want, sum = 0;

    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= 148 && i < 156 ? ' ' : header[i];
    return number_read(FIELD(header, 148, 8), &want) == 0 && sum == want;
}

bool import_tar_is(const char *head, size_t size)
{
    return size >= BLOCK && memcmp(head + 257, "ustar", 5) == 0
           && sum_is_right((const unsigned char *)head);
}

/* --- bytes ---------------------------------------------------------------- */

/* `size` bytes into `buf`; *got is less only at the end of the archive. */
static int bytes_read(struct tar *t, void *buf, size_t size, size_t *got)
{
    size_t more;

    for (*got = 0; *got < size; *got += more) {
        if (gs_input_read(t->in, (char *)buf + *got, size - *got, &more, t->err)
            < 0)
            return -1;
        if (more == 0)
            break;
    }
    return 0;
}

static int bytes_skip(struct tar *t, uint64_t size)
{
    char buf[8192];

    while (size) {
        const size_t want = size < sizeof(buf) ? (size_t)size : sizeof(buf);
        size_t got;

        if (bytes_read(t, buf, want, &got) < 0)
            return -1;
        if (got < want)
            return fail(t, "it ends within a file");
        size -= got;
    }
    return 0;
}

/* To the next block, behind `size` bytes; an archive may end before it. */
static int padding_skip(struct tar *t, uint64_t size)
{
    char buf[BLOCK];
    size_t got;

    return size % BLOCK ? bytes_read(t, buf, BLOCK - size % BLOCK, &got) : 0;
}

/* --- headers -------------------------------------------------------------- */

static void name_copy(struct tar *t, const char *name, size_t len)
{
    const size_t n = len < sizeof(t->name) ? len : sizeof(t->name) - 1;

    memcpy(t->name, name, n);
    t->name[n] = '\0';
}

/* Records "LENGTH KEY=VALUE\n"; others than those of use are left out. */
static int records_take(struct tar *t, const char *at, size_t left)
{
    while (left && *at) {
        size_t len = 0, n = 0;
        const char *key, *value, *end;

        while (n < left && n < 8 && at[n] >= '0' && at[n] <= '9')
            len = len * 10 + (size_t)(at[n++] - '0');
        if (n == 0 || n == left || at[n] != ' ' || len <= n + 1 || len > left
            || at[len - 1] != '\n')
            return fail(t, "a record of its header is wrong");
        key = at + n + 1;
        end = at + len - 1;
        value = memchr(key, '=', (size_t)(end - key));
        if (!value)
            return fail(t, "a record of its header is wrong");
        if (value - key == 4 && memcmp(key, "path", 4) == 0)
            name_copy(t, value + 1, (size_t)(end - value - 1));
        if (value - key == 4 && memcmp(key, "size", 4) == 0) {
            t->has_size = true;
            t->size = 0;
            for (const char *c = value + 1; c < end; c++) {
                if (*c < '0' || *c > '9' || t->size >> 55)
                    return fail(t, "a size is no number");
                t->size = t->size * 10 + (uint64_t)(*c - '0');
            }
        }
        at += len;
        left -= len;
    }
    return 0;
}

/* What stands before a member and tells about it. */
static int extension_take(struct tar *t, char type, uint64_t size)
{
    char *buf;
    size_t got = 0;
    int rc = -1;

    if (size > RECORDS_MAX)
        return fail(t, "a name is too long");
    buf = gs_array_new((size_t)size + 1, 1);
    if (bytes_read(t, buf, (size_t)size, &got) == 0) {
        if (got < size)
            rc = fail(t, "it ends within a name");
        else if (type == 'x')
            rc = records_take(t, buf, got);
        else {
            name_copy(t, buf, strnlen(buf, got));
            rc = 0;
        }
    }
    gs_array_free(buf);
    return rc < 0 ? -1 : padding_skip(t, size);
}

/* The member's name: PREFIX/NAME, unless it was told before. */
static void name_of_header(struct tar *t)
{
    const char *h = (const char *)t->header;
    const int prefix = memcmp(h + 257, "ustar\0", 6) == 0
                           ? (int)strnlen(FIELD(h, 345, 155))
                           : 0;

    if (!t->name[0])
        snprintf(t->name, sizeof(t->name), "%.*s%s%.*s", prefix, h + 345,
                 prefix ? "/" : "", (int)strnlen(FIELD(h, 0, 100)), h);
}

/* A file's name of which no part begins with a dot, as "._nodes.yaml" of
 * macOS does.
 */
static bool is_shown(const char *name)
{
    const char *part = name;

    while (*part) {
        const size_t len = strcspn(part, "/");

        if (part[0] == '.' && len > 1 && !(len == 2 && part[1] == '.'))
            return false;
        if (!part[len])
            return true;
        part += len + 1;
    }
    return false; /* a folder, or nothing */
}

/* --- members -------------------------------------------------------------- */

static int member_read(struct tar *t, uint64_t size,
                       int (*member)(void *ctx, struct gs_input *in,
                                     struct gs_err *err),
                       void *ctx)
{
    const char *archive = gs_input_name(t->in);
    const size_t room = strlen(archive) + strlen(t->name) + 2;
    char *name = gs_array_new(room, 1);
    struct gs_input *part;
    int rc = -1;

    snprintf(name, room, "%s:%s", archive, t->name);
    part = gs_input_open_part(t->in, name, size, t->err);
    gs_array_free(name);
    if (part) {
        rc = member(ctx, part, t->err);
        if (rc < 0)
            gs_input_close(part);
        else
            rc = gs_input_part_end(part, t->err);
    }
    return rc < 0 ? -1 : padding_skip(t, size);
}

/* Links, devices, folders: whatever size their headers state, no bytes follow.
 */
static bool has_bytes(char type)
{
    return type < '1' || type > '6';
}

int import_tar_read(struct gs_input *in,
                    int (*member)(void *ctx, struct gs_input *in,
                                  struct gs_err *err),
                    void *ctx, struct gs_err *err)
{
    struct tar t = { .in = in, .err = err };

    for (;;) {
        uint64_t size;
        size_t got;
        char type;
        int rc;

        if (bytes_read(&t, t.header, BLOCK, &got) < 0)
            return -1;
        if (got == 0 || (got == BLOCK && t.header[0] == '\0'))
            return 0;
        if (got < BLOCK || !sum_is_right(t.header)
            || number_read(FIELD(t.header, 124, 12), &size) < 0)
            return fail(&t, "a header is wrong");
        type = (char)t.header[156];
        if (type == 'L' || type == 'x') {
            if (extension_take(&t, type, size) < 0)
                return -1;
            continue;
        }
        size = has_bytes(type) ? (t.has_size ? t.size : size) : 0;
        if (size > GS_INPUT_TOTAL_MAX)
            return fail(&t, "a file is too large");
        name_of_header(&t);
        if ((type == '0' || type == '\0' || type == '7') && is_shown(t.name))
            rc = member_read(&t, size, member, ctx);
        else
            rc = bytes_skip(&t, size) < 0 ? -1 : padding_skip(&t, size);
        if (rc < 0)
            return -1;
        t.name[0] = '\0';
        t.has_size = false;
    }
}
