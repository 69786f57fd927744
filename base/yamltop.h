/* base/yamltop.h - the top-level keys of a YAML file, by which its type is
 * recognised.
 */
#ifndef GS_YAMLTOP_H
#define GS_YAMLTOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/yamldoc.h"

struct gs_err;
struct gs_input;

#define GS_YTOP_KEYS_MAX 64u
#define GS_YTOP_TEXT_MAX 64u /* with its NUL; longer texts are cut */

struct gs_ytop_key {
    char key[GS_YTOP_TEXT_MAX];
    enum gs_ykind kind;           /* of its value */
    char first[GS_YTOP_TEXT_MAX]; /* the value if it is a scalar, else the
                                     first scalar in it */
};

/* The first document that is not empty.  If it is a list, key[0].first is its
 * first scalar and count is 0.  key[count] is a pair that was not read to its
 * end.
 */
struct gs_ytop {
    struct gs_ytop_key key[GS_YTOP_KEYS_MAX];
    uint32_t count;
    bool is_empty; /* no document, or comments only */
    bool is_list;
};

/* Read `in` until the document ends, the table is full, or about 1 MiB was
 * read. -1, with the keys found so far, when the rest is not valid YAML.
 */
int gs_yaml_top(struct gs_input *in, struct gs_ytop *top, struct gs_err *err);

/* The pair with `key`, or NULL: also the last one, whose value may be too long
 * to be read to its end.
 */
const struct gs_ytop_key *gs_ytop_find(const struct gs_ytop *top,
                                       const char *key);

#endif /* GS_YAMLTOP_H */
