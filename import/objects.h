/* import/objects.h - what the readers of formats find, on its way to the taker.
 *
 * A reader calls import_objects_put() for the value of a document.  For a list
 * of items it calls import_list_open(), import_list_put() for each item, and
 * import_list_close().  A part that it cannot read goes to
 * import_objects_refuse().  Each returns -1 when the reading is to stop.
 */
#ifndef IMPORT_OBJECTS_H
#define IMPORT_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "import/source.h"

struct gs_arena;

struct import_held;

struct import_objects {
    const struct import_taker *taker;
    struct gs_err *err;
    const char *source;           /* the file that is read now */
    uint64_t found;               /* objects and refusals of this file */
    const struct import_cut *cut; /* of the object that is put now */
    uint32_t cuts;
};

struct import_list {
    const char *api_version, *kind;   /* NULL: not stated so far */
    struct gs_arena *arena;           /* of `held`; NULL: none yet */
    struct import_held *first, **end; /* items that wait for the kind */
    uint32_t held_nodes;
    uint32_t others;  /* items that are no mappings */
    int line, column; /* of the first of these */
};

/* A document: an object, a list, a sequence of objects. */
int import_objects_put(struct import_objects *o, const struct gs_ynode *root);

/* Tell why a part of the file holds no objects. */
int import_objects_refuse(struct import_objects *o, const struct gs_err *why);
int import_objects_refuse_at(struct import_objects *o, int line, int column,
                             const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Do the items of an object of this kind (NULL: not stated) stand for
 * themselves?
 */
bool import_kind_is_list(const char *kind);

/* Texts stay the caller's and are there until the list is closed. */
void import_list_open(struct import_list *l, const char *api_version,
                      const char *kind);
int import_list_put(struct import_objects *o, struct import_list *l,
                    const struct gs_ynode *item);
/* The list is over: hand over the items that waited for its kind; free what it
 * has.  With `stopped`, only the latter.
 */
int import_list_close(struct import_objects *o, struct import_list *l,
                      const char *api_version, const char *kind, bool stopped);

#endif /* IMPORT_OBJECTS_H */
