/* base/err.h - why something failed, and where in the user's file.
 *
 * One struct gs_err travels down a call chain.  Zeroed, it keeps the first
 * problem only; with `limit` set it collects up to that many, so that
 * `gsim validate` can list all mistakes of a file at once.
 */
#ifndef GS_ERR_H
#define GS_ERR_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)

enum gs_code {
    GS_OK = 0,
    GS_USAGE, /* the command line is wrong */
    GS_INPUT, /* a file the user wrote is wrong */
    GS_IO,    /* the operating system said no */
    GS_LIMIT, /* the input is legal but too large */
};

#define GS_ERR_MAX 20 /* problems one gs_err can hold */

struct gs_mark {
    const char *source; /* file name; NULL when there is none */
    int line, column;   /* from 1; 0 when there is none */
};

struct gs_problem {
    int line, column;
    char source[96]; /* file name, its tail if too long */
    char text[640];
};

struct gs_err {
    enum gs_code code; /* of the first problem */
    unsigned count;    /* problems kept */
    unsigned limit;    /* problems wanted, at most GS_ERR_MAX; 0: 1 */
    struct gs_problem problem[GS_ERR_MAX];
};

/* Add a problem to `err` (may be NULL) and return -1, so that a caller can
 * write
 *     return gs_fail(err, GS_INPUT, mark, "...");
 * A problem past the limit is dropped, and so is one that `err` has already.
 * Control characters and bytes that are not UTF-8 become '?'.
 */
int gs_fail(struct gs_err *err, enum gs_code code, struct gs_mark at,
            const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Add the problems of `from`, as far as there is room. */
void gs_err_append(struct gs_err *err, const struct gs_err *from);

/* Order the problems by file, in the order in which the files first failed,
 * then by line and column; problems of one place keep their order.
 */
void gs_err_sort(struct gs_err *err);

/* True while a loader that has just failed should look for more mistakes. */
bool gs_err_wants_more(const struct gs_err *err);

/* "trace.yaml:14:9: text" of problem `i`; leaves out what is not known.
 * Returns buf.
 */
const char *gs_err_format(const struct gs_err *err, unsigned i, char *buf,
                          size_t size);

/* The entry of `known` (`count` strings) that `word` was probably meant to be:
 * at most 2 edits away and fewer than half its characters.  NULL when there is
 * none.
 */
const char *gs_nearest(const char *word, const char *const *known,
                       size_t count);

/* "a, b, c" of `count` names in `buf` of `size` bytes (at least 8).  Whole
 * names only: "..." stands for those that do not fit.  Returns buf.
 */
const char *gs_names_join(char *buf, size_t size, const char *const *name,
                          size_t count);

#pragma GCC visibility pop

#endif /* GS_ERR_H */
