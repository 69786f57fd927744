/* base/input_private.h - what input.c, input_lines.c and unpack.c share. */
#ifndef GS_INPUT_PRIVATE_H
#define GS_INPUT_PRIVATE_H

#include <lzma.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>
#include <zstd.h>

#include "base/input.h"

struct gs_err;

#define GS_INPUT_RAW_SIZE (1u << 16)

enum packing { PLAIN, GZIP, XZ, ZSTD };

struct gs_lines; /* opaque */

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
    int line;               /* that was given to the reader */
    bool is_regular;        /* a file that can be read without waiting */
    struct gs_lines *lines; /* of a thread that uses all above; NULL */
};

/* Append decompressed bytes to the buffer, which has room. */
int gs_input_fill(struct gs_input *in, struct gs_err *err);
/* Move the remaining bytes to the front, and make room after them. */
void gs_input_shift(struct gs_input *in);

/* End the thread; NULL is fine. */
void gs_lines_close(struct gs_lines *l);
/* Hash of all bytes up to the last line given. */
uint64_t gs_lines_hash(const struct gs_lines *l);

/* Tell the packing by the first bytes and get ready for it; -1 on failure. */
int gs_unpack_start(struct gs_input *in, struct gs_err *err);

/* Unpack `size` bytes at most to `to`: *got of them, 0 also while more may
 * come, unless in->unpacked_end.  -1 for a damaged or unreadable file.
 */
int gs_unpack(struct gs_input *in, unsigned char *to, size_t size, size_t *got,
              struct gs_err *err);

/* Of a part: take its next packed bytes from the whole. */
int gs_unpack_take(struct gs_input *in, struct gs_err *err);

/* Free what gs_unpack_start got ready. */
void gs_unpack_end(struct gs_input *in);

#endif /* GS_INPUT_PRIVATE_H */
