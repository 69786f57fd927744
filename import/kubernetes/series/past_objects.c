/* import/kubernetes/series/past_objects.c - see past_objects.h. */
#include "import/kubernetes/series/past_objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/made.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/series/series_names.h"
#include "import/source.h"

void past_open(struct past_made *m, struct kube *k)
{
    *m = (struct past_made){ .k = k, .scratch = *k };
    m->scratch.arena = gs_arena_create(1 << 14);
}

void past_close(struct past_made *m)
{
    gs_arena_destroy(m->scratch.arena);
}

static int by_time(const void *a, const void *b)
{
    const struct past_order *x = a, *y = b;
    int rc;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    rc = strcmp(x->space, y->space);
    rc = rc ? rc : strcmp(x->name, y->name);
    rc = rc ? rc : strcmp(x->uid, y->uid);
    return rc ? rc : x->at < y->at ? -1 : x->at > y->at;
}

void past_order_sort(struct past_order *order, uint32_t count)
{
    if (count)
        qsort(order, count, sizeof(*order), by_time);
}

struct gs_ynode *past_begin(struct past_made *m, uint32_t source, int line)
{
    const struct gs_ynode at = { .line = line, .column = line > 0 };

    gs_arena_rewind(m->scratch.arena);
    m->source = source;
    return kube_made_map(&m->scratch, &at);
}

struct gs_ynode *past_map(struct past_made *m, struct gs_ynode *parent,
                          const char *key)
{
    struct gs_ynode *map = kube_made_map(&m->scratch, parent);

    kube_made_put(&m->scratch, parent, key, map);
    return map;
}

struct gs_ynode *past_list(struct past_made *m, struct gs_ynode *parent,
                           const char *key)
{
    struct gs_ynode *list = kube_made_list(&m->scratch, parent);

    kube_made_put(&m->scratch, parent, key, list);
    return list;
}

struct gs_ynode *past_item(struct past_made *m, struct gs_ynode *list)
{
    return past_map(m, list, NULL);
}

void past_word(struct past_made *m, struct gs_ynode *parent, const char *key,
               const char *text)
{
    kube_made_text(&m->scratch, parent, key, text);
}

void past_text(struct past_made *m, struct gs_ynode *parent, const char *key,
               uint32_t id)
{
    if (id)
        past_word(m, parent, key, kube_str(m->k, id));
}

void past_date(struct past_made *m, struct gs_ynode *parent, const char *key,
               int64_t us)
{
    char date[32];

    if (us != KUBE_UNKNOWN)
        past_word(m, parent, key, gs_date_format(us, date, sizeof(date)));
}

void past_labels_put(struct past_made *m, struct gs_ynode *map,
                     const struct past_labels *l)
{
    for (uint32_t i = 0; i < l->count; i++)
        past_word(
            m, map,
            kube_str(m->k, kube_series_key(m->k, kube_str(m->k, l->at[i].key))),
            kube_str(m->k, l->at[i].value));
}

void past_amounts_put(struct past_made *m, struct gs_ynode *map,
                      const struct kube_amounts *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        char milli[32];

        past_word(
            m, map,
            kube_str(m->k,
                     kube_series_resource(m->k, kube_str(m->k, a->at[i].name))),
            gs_quantity_format_milli(a->at[i].milli, milli, sizeof(milli)));
    }
}

int past_read(struct past_made *m, const char *api_version, const char *kind,
              const struct gs_ynode *root,
              int (*read)(struct kube *k, const struct import_object *o))
{
    const struct import_object o = { .source = kube_str(m->k, m->source),
                                     .api_version = api_version,
                                     .kind = kind,
                                     .root = root };

    m->k->source = o.source;
    return read(m->k, &o);
}
