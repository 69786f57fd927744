/* base/yamldoc.h - a checked YAML document.
 *
 * libyaml's events become a tree of nodes that know where they stand.
 * Duplicate keys, several documents, tags and merge keys are errors (but see
 * gs_yaml_documents); aliases, depth, nodes and bytes are bounded.  The items of one long
 * sequence under a top-level key may be handed over one by one, so that a
 * million jobs are never a tree.
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
    const struct gs_ynode *key;   /* as a map's value: its key */
    const struct gs_ynode *child; /* first value of a map or seq */
    const struct gs_ynode *next;  /* next value of the same parent */
};

/* Takes one item of the streamed sequence, valid during the call only.
 * Returning -1 stops the reading, unless gs_err_wants_more(err).
 */
typedef int (*gs_yitem_fn)(void *ctx, const struct gs_ynode *item,
                           struct gs_err *err);

struct gs_ystream {
    const char *key; /* top-level key whose items are streamed */
    gs_yitem_fn item;
    void *ctx;
};

/* Read all of `in` (not taken) into `arena`.  `stream` may be NULL; its
 * sequence is left empty in the tree.  The root; NULL on failure.  An empty
 * file is an error.
 */
const struct gs_ynode *gs_yaml_read(struct gs_input *in, struct gs_arena *arena,
                                    const struct gs_ystream *stream,
                                    struct gs_err *err);

/* Read a text of ours or of the command line, such as "binpack: {weight: 5}".
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

/* Keys from the root of a document, or of an item; NULL behind the last. */
struct gs_ypath {
    const char *key[GS_YPATH_MAX];
};

struct gs_ydocuments {
    const struct gs_ystream *stream; /* NULL: nothing is streamed */
    /* Is this sequence to be streamed?  `root` is the mapping as far as it was
     * read.  NULL: always.
     */
    bool (*wants)(void *ctx, const struct gs_ynode *root);
    const struct gs_ypath *unread; /* values that are left out, with keys */
    size_t unread_count;
    /* Takes a document, valid during the call only, also one whose items were
     * streamed.  -1 stops the reading.
     */
    int (*document)(void *ctx, const struct gs_ynode *root);
    /* Takes the reason why a document, or the rest of one, cannot be read.  -1
     * stops the reading.
     */
    int (*refused)(void *ctx, const struct gs_err *why);
    void *ctx;
};

/* Read all documents of `in` (not taken), as other systems write them: merge
 * keys are resolved, tags decide only if a scalar is a text, lines may hold
 * nothing but tabs, and documents may be deeper and texts longer than ours
 * (bounds: base/yamldocs.c).  Empty documents are left out.  A document with a
 * mistake ends there; the next begins behind a line "---".  An item of the
 * stream that returns -1 stops the reading.
 * 0; -1 when `in` cannot be read, with `err`, or was stopped, without.
 */
int gs_yaml_documents(struct gs_input *in, const struct gs_ydocuments *docs,
                      struct gs_err *err);

/* --- mappings as tables ------------------------------------------------ */

/* What a field reader gets besides the value. */
struct gs_yctx {
    const char *source; /* file name for messages */
    void *user;         /* the loader's own */
};

struct gs_mark gs_ynode_mark(const struct gs_yctx *c, const struct gs_ynode *n);

/* Store value `v` at `dest`.  Fails with what is allowed and what was seen;
 * v->key->text names the key.
 */
typedef int (*gs_yread_fn)(const struct gs_yctx *c, const struct gs_ynode *v,
                           void *dest, struct gs_err *err);

struct gs_yfield {
    const char *name;
    gs_yread_fn read;
    size_t offset; /* of `dest` in `out` */
    bool required;
};

/* Read mapping `n` by the table `f`: unknown keys (naming the nearest known
 * one), missing required keys and whatever the readers refuse are errors at
 * their position.  `what` names the mapping in messages ("job", "queue").
 * Goes on after a mistake while the caller wants more.
 */
int gs_ynode_fields(const struct gs_yctx *c, const struct gs_ynode *n,
                    const char *what, const struct gs_yfield *f, size_t count,
                    void *out, struct gs_err *err);

/* "'cpu' must be ALLOWED (got '...')", at `v`.  Returns -1. */
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
/* const struct gs_ynode *: kept as it is, for a second look. */
int gs_yread_node(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err);

#endif /* GS_YAMLDOC_H */
