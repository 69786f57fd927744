/* base/yamldoc.h - a checked YAML document.
 *
 * libyaml's events become a tree of nodes, each with its line and column.
 * Duplicate keys, several documents, tags and merge keys are errors (but see
 * gs_yaml_documents); aliases, depth, nodes and bytes are bounded.  The items
 * of one long sequence under a top-level key may be streamed to a callback one
 * by one, so that a million jobs never form one tree.
 */
#ifndef GS_YAMLDOC_H
#define GS_YAMLDOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct gs_arena;
struct gs_input;

#define GS_YAML_DEPTH_MAX 32
#define GS_YAML_NODES_MAX 5000000 /* in the tree, or one streamed item */
#define GS_YAML_SCALAR_MAX 65536  /* bytes */
#define GS_YAML_ALIASES_MAX 1000  /* nodes that aliases may add */

enum gs_ykind { GS_YSCALAR, GS_YMAP, GS_YSEQ };

struct gs_ynode {
    enum gs_ykind kind;
    int line, column;             /* from 1 */
    bool quoted;                  /* scalar in quotes: never null or a number */
    uint32_t len;                 /* scalar: bytes; map and seq: children */
    const char *text;             /* scalar: NUL-terminated, no NUL within */
    const struct gs_ynode *key;   /* of a value in a map: its key */
    const struct gs_ynode *child; /* first value of a map or seq */
    const struct gs_ynode *next;  /* next value of the same parent */
};

/* Receives one item of the streamed sequence; the item is valid during the call
 * only.  Returning -1 stops the reading, unless gs_err_wants_more(err).
 */
typedef int (*gs_yitem_fn)(void *ctx, const struct gs_ynode *item,
                           struct gs_err *err);

struct gs_ystream {
    const char *key; /* top-level key whose items are streamed */
    gs_yitem_fn item;
    void *ctx;
};

/* Read all of `in` (which stays open) into `arena`.  `stream` may be NULL; the
 * streamed sequence is empty in the tree.  Returns the root; NULL on failure.
 * An empty file is an error.
 */
const struct gs_ynode *gs_yaml_read(struct gs_input *in, struct gs_arena *arena,
                                    const struct gs_ystream *stream,
                                    struct gs_err *err);

/* Parse a text of the program itself or of the command line, such as "binpack:
 * {weight: 5}".
 */
const struct gs_ynode *gs_yaml_parse(const char *name, const char *text,
                                     struct gs_arena *arena,
                                     struct gs_err *err);

/* The value under `key`, NULL when absent or when map is not a map. */
const struct gs_ynode *gs_ynode_find(const struct gs_ynode *map,
                                     const char *key);

/* A plain scalar that is empty, "~" or "null". */
bool gs_ynode_is_null(const struct gs_ynode *n);

/* --- files of other systems ---------------------------------------------- */

#define GS_YPATH_MAX 4

/* Keys from the root of a document, or of an item; NULL after the last. */
struct gs_ypath {
    const char *key[GS_YPATH_MAX];
};

struct gs_ydocuments {
    const struct gs_ystream *stream; /* NULL: nothing is streamed */
    /* True to stream this sequence; `root` is the mapping read so far. NULL:
     * always.
     */
    bool (*wants)(void *ctx, const struct gs_ynode *root);
    const struct gs_ypath *unread; /* paths of values to skip */
    size_t unread_count;
    /* Receives a document, valid during the call only, also one whose items
     * were streamed.  -1 stops the reading.
     */
    int (*document)(void *ctx, const struct gs_ynode *root);
    /* Receives the error of a document that could not be read, or not to its
     * end.  -1 stops the reading.
     */
    int (*refused)(void *ctx, const struct gs_err *why);
    /* Receives a key that its mapping states again further on, with a value
     * that takes the place of this one.  NULL: a duplicate key is an error.
     */
    void (*replaced)(void *ctx, const struct gs_ynode *key);
    void *ctx;
};

/* Read all documents of `in` (which stays open) in files of other systems:
 * merge keys are resolved, a tag decides only whether a scalar is a text, a
 * line may consist of tabs, and the bounds on depth and length are higher than
 * for native files (base/yamldocs.c).  Empty documents are skipped.  Reading of
 * a document ends at its first mistake; the next begins after a line "---".  A
 * stream callback that returns -1 stops the reading.
 *
 * Returns 0; or -1, with `err` set when `in` cannot be read, not set when a
 * callback stopped the reading.
 */
int gs_yaml_documents(struct gs_input *in, const struct gs_ydocuments *docs,
                      struct gs_err *err);

/* --- mappings as tables ------------------------------------------------ */

/* Context of a field reader. */
struct gs_yctx {
    const char *source; /* file name for messages */
    void *user;         /* the loader's own */
};

struct gs_mark gs_ynode_mark(const struct gs_yctx *c, const struct gs_ynode *n);

/* Store value `v` at `dest`.  On failure the message says what is allowed and
 * what was found; v->key->text is the key.
 */
typedef int (*gs_yread_fn)(const struct gs_yctx *c, const struct gs_ynode *v,
                           void *dest, struct gs_err *err);

struct gs_yfield {
    const char *name;
    gs_yread_fn read;
    size_t offset; /* of `dest` in `out` */
    bool required;
};

/* Read mapping `n` by the table `f` into `out`.  Errors, each at its place: an
 * unknown key (with the nearest known one), a missing required key, a value
 * that its reader refuses.  `what` names the mapping in messages ("job",
 * "queue").  Continues after a mistake while the caller wants more.
 */
int gs_ynode_fields(const struct gs_yctx *c, const struct gs_ynode *n,
                    const char *what, const struct gs_yfield *f, size_t count,
                    void *out, struct gs_err *err);

/* Fail with "'cpu' must be ALLOWED (got '...')" at `v`.  Returns -1. */
int gs_yread_refuse(const struct gs_yctx *c, const struct gs_ynode *v,
                    const char *allowed, struct gs_err *err);

/* A whole number from `low` to `high`. */
int gs_yread_whole(const struct gs_yctx *c, const struct gs_ynode *v,
                   uint32_t low, uint32_t high, uint32_t *out,
                   struct gs_err *err);

/* One of `count` words: its index, or -1. */
int gs_yread_word(const struct gs_yctx *c, const struct gs_ynode *v,
                  const char *const *word, size_t count, struct gs_err *err);

/* Readers for common values; dest types in brackets. */
int gs_yread_bool(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err); /* bool */
int gs_yread_u32(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                 struct gs_err *err); /* uint32_t, >= 0 */
int gs_yread_count(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err); /* uint32_t, >= 1 */
int gs_yread_i32(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                 struct gs_err *err); /* int32_t */
int gs_yread_duration(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err); /* int64_t us */
int gs_yread_milli(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err); /* int64_t */
int gs_yread_bytes(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err); /* int64_t */
int gs_yread_rate(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err); /* int64_t bytes/s */
int gs_yread_double(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err); /* double */
/* const char *, in the document's arena; printable, not empty. */
int gs_yread_text(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err);
/* const struct gs_ynode *: the node itself, to be read later. */
int gs_yread_node(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err);

#endif /* GS_YAMLDOC_H */
