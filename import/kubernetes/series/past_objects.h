/* import/kubernetes/series/past_objects.h - objects made of what series tell,
 * for the readers of their kinds.  They are there until the next one begins.
 */
#ifndef KUBE_PAST_OBJECTS_H
#define KUBE_PAST_OBJECTS_H

#include <stdint.h>

#include "import/kubernetes/object/kube.h"

struct gs_ynode;
struct import_object;
struct kube_amounts;
struct past_labels;

struct past_made {
    struct kube *k;
    struct kube scratch; /* with the arena of the object that is made now */
    uint32_t source;
};

void past_open(struct past_made *m, struct kube *k);
void past_close(struct past_made *m);

/* What tells the order of objects, so that it is not that of the files. */
struct past_order {
    int64_t time;
    const char *space, *name, *uid;
    uint32_t at; /* index of the object */
};

void past_order_sort(struct past_order *order, uint32_t count);

/* Begin an object: a mapping that stands there. */
struct gs_ynode *past_begin(struct past_made *m, uint32_t source, int line);
/* Put a mapping, a list, a mapping in a list. */
struct gs_ynode *past_map(struct past_made *m, struct gs_ynode *parent,
                          const char *key);
struct gs_ynode *past_list(struct past_made *m, struct gs_ynode *parent,
                           const char *key);
struct gs_ynode *past_item(struct past_made *m, struct gs_ynode *list);
/* Put a text; of a string id unless it is 0; of a time unless it is unknown. */
void past_word(struct past_made *m, struct gs_ynode *parent, const char *key,
               const char *text);
void past_text(struct past_made *m, struct gs_ynode *parent, const char *key,
               uint32_t id);
void past_date(struct past_made *m, struct gs_ynode *parent, const char *key,
               int64_t us);
/* Put labels and amounts, by the names that they had. */
void past_labels_put(struct past_made *m, struct gs_ynode *map,
                     const struct past_labels *l);
void past_amounts_put(struct past_made *m, struct gs_ynode *map,
                      const struct kube_amounts *a);
/* Hand over the object; what its reader returns. */
int past_read(struct past_made *m, const char *api_version, const char *kind,
              const struct gs_ynode *root,
              int (*read)(struct kube *k, const struct import_object *o));

#endif /* KUBE_PAST_OBJECTS_H */
