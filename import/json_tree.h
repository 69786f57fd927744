/* import/json_tree.h - one JSON value as a tree of nodes, by Jansson. */
#ifndef IMPORT_JSON_TREE_H
#define IMPORT_JSON_TREE_H

#include <jansson.h>

#include "import/json_scan.h"

struct gs_arena;

struct json_tree {
    struct gs_arena *arena; /* of the nodes */
    json_t *value;          /* has their texts */
    char *text;             /* the bytes without what is left out */
    uint32_t text_cap;
    size_t text_len;
};

void json_tree_open(struct json_tree *t);
void json_tree_close(struct json_tree *t);

/* The tree of the value that was scanned last: it stands between `from` and
 * `at` of `w`.  Nodes know their places; numbers, true, false and null have the
 * texts of the file.  Valid until the next call.  NULL with a problem.
 */
const struct gs_ynode *json_tree_make(struct json_tree *t,
                                      const struct json_window *w,
                                      const struct json_scan *s,
                                      struct gs_err *err);

/* The value, the caller's, that Jansson reads from `before`, the bytes scanned
 * last, and `behind`.  NULL with a problem.
 */
json_t *json_tree_load(struct json_tree *t, const char *before,
                       const struct json_window *w, const struct json_scan *s,
                       const char *behind, struct gs_err *err);

#endif /* IMPORT_JSON_TREE_H */
