/* base/yamlreader.h - the reader behind yamldoc.h and yamldocs.h: events into
 * one tree.  For the files base/yaml*.c alone.
 */
#ifndef GS_YAMLREADER_H
#define GS_YAMLREADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/yamldoc.h"
#include "base/yamlevent.h"

struct gs_arena;

struct gs_ylimits {
    int depth;
    uint32_t nodes, scalar, aliases; /* as GS_YAML_*_MAX */
    uint64_t bytes;                  /* of all texts together */
};

struct gs_yanchor;

struct gs_yreader {
    struct gs_yevents events;
    struct gs_input *in;
    struct gs_arena *arena; /* where nodes go now */
    struct gs_arena *doc;   /* of the whole document */
    struct gs_arena *item;  /* of one streamed item */
    const struct gs_ystream *stream;
    bool (*wants)(void *ctx, const struct gs_ynode *root); /* it streamed */
    void (*replaced)(void *ctx, const struct gs_ynode *key);
    void *docs_ctx; /* of wants and replaced */
    const struct gs_ylimits *limits;
    const struct gs_ypath *unread; /* in files of others */
    size_t unread_count;
    struct gs_err *err;
    bool is_foreign; /* a file of another system: merge keys, tags */
    const struct gs_ynode *root;
    const char *path[GS_YPATH_MAX]; /* keys from the document or item */
    int path_from;                  /* depth of its mapping */
    struct gs_yanchor *anchor;
    uint32_t anchor_count, anchor_cap;
    uint32_t nodes, copied;
    uint64_t bytes;
};

/* The node that begins with event `e`, which is gone then, `depth` collections
 * deep; NULL with a problem.
 */
struct gs_ynode *gs_yreader_node(struct gs_yreader *r, const yaml_event_t *e,
                                 int depth);
/* Forget what belongs to the document read last, its nodes too. */
void gs_yreader_forget(struct gs_yreader *r);
struct gs_mark gs_yreader_mark(const struct gs_yreader *r,
                               const struct gs_ynode *n);

/* --- keys of one mapping (yamlkeys.c) --- */

/* Is it the key of values to be merged? */
bool gs_ykey_merges(const struct gs_yreader *r, const struct gs_ynode *key);
/* May `key` stand behind the values that `map` has? */
int gs_ykey_check(const struct gs_yreader *r, const struct gs_ynode *map,
                  const struct gs_ynode *key);
/* At the end of a mapping: the check of a large one, or the last value of each
 * key where r->replaced takes the others; then the keys that
 * `merged` (a mapping or a sequence of them; NULL: none) adds at `end`, the
 * place for the pointer to one more value.
 */
int gs_ykeys_end(struct gs_yreader *r, struct gs_ynode *map,
                 const struct gs_ynode **end, const struct gs_ynode *merged);

#endif /* GS_YAMLREADER_H */
