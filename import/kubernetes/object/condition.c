/* import/kubernetes/object/condition.c - selectors: conditions on labels. */
#include "import/kubernetes/object/condition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"

/* --- conditions ----------------------------------------------------------- */

/* Lists are short: each addition copies. */
void kube_conditions_append(struct kube *k, struct kube_conditions *c,
                            const struct topo_condition *more, uint32_t count)
{
    struct topo_condition *at = gs_arena_alloc(k->arena, c->count + count + 1,
                                               sizeof(*at));

    if (c->count)
        memcpy(at, c->at, c->count * sizeof(*at));
    if (count)
        memcpy(at + c->count, more, count * sizeof(*at));
    c->at = at;
    c->count += count;
}

void kube_conditions_require(struct kube *k, struct kube_conditions *c,
                             uint32_t key, uint32_t value)
{
    uint32_t *v = gs_arena_memdup(k->arena, &value, sizeof(value));

    kube_conditions_append(
        k, c,
        &(struct topo_condition){
            .key = key, .op = TOPO_IN, .value_count = 1, .value = v },
        1);
}

static int op_find(const char *name)
{
    for (int op = 0; name && op < TOPO_OPS; op++) {
        if (strcmp(topo_op_names[op], name) == 0)
            return op;
    }
    return -1;
}

/* The strings of the list `n`, each once, in the order of their ids. */
static void values_read(struct kube *k, const struct gs_ynode *n,
                        struct topo_condition *c)
{
    uint32_t *value = gs_arena_alloc(k->arena, n ? n->len : 0, sizeof(*value));

    for (n = n && n->kind == GS_YSEQ ? n->child : NULL; n; n = n->next) {
        uint32_t id, i = 0;

        if (n->kind != GS_YSCALAR)
            continue;
        id = kube_put(k, n->text);
        while (i < c->value_count && value[i] < id)
            i++;
        if (i < c->value_count && value[i] == id)
            continue;
        memmove(value + i + 1, value + i,
                (c->value_count - i) * sizeof(*value));
        value[i] = id;
        c->value_count++;
    }
    c->value = value;
}

static bool expression_read(struct kube *k, const struct gs_ynode *n,
                            struct topo_condition *c)
{
    const char *key = kube_text(n, "key");
    const int op = op_find(kube_text(n, "operator"));

    if (!key || op < 0)
        return false;
    *c = (struct topo_condition){ .key = kube_put(k, key),
                                  .op = (enum topo_op)op };
    if (op == TOPO_EXISTS || op == TOPO_ABSENT)
        return true;
    values_read(k, kube_at(n, "values"), c);
    if (op == TOPO_IN || op == TOPO_NOT_IN)
        return c->value_count > 0;
    if (c->value_count != 1
        || !topo_label_number(kube_str(k, c->value[0]), &c->number))
        return false;
    c->value_count = 0;
    c->value = NULL;
    return true;
}

void kube_conditions_add(struct kube *k, struct kube_conditions *c,
                         const struct gs_ynode *map,
                         const struct gs_ynode *list)
{
    struct topo_condition one;

    for (map = map && map->kind == GS_YMAP ? map->child : NULL; map;
         map = map->next) {
        if (map->kind == GS_YSCALAR)
            kube_conditions_require(k, c, kube_put(k, map->key->text),
                                    kube_put(k, map->text));
    }
    for (list = list && list->kind == GS_YSEQ ? list->child : NULL; list;
         list = list->next) {
        if (expression_read(k, list, &one))
            kube_conditions_append(k, c, &one, 1);
        else
            import_account_tell(k->account, IMPORT_LEFT, k->source, list,
                                "an expression without a key, an operator of "
                                "Kubernetes and fitting values");
    }
}

bool kube_conditions_equal(const struct kube_conditions *a,
                           const struct kube_conditions *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct topo_condition *x = &a->at[i], *y = &b->at[i];

        if (x->key != y->key || x->op != y->op || x->number != y->number
            || x->value_count != y->value_count
            || (x->value_count
                && memcmp(x->value, y->value, x->value_count * sizeof(uint32_t))
                       != 0))
            return false;
    }
    return true;
}

/* --- labels --------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct topo_label *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

/* JSON in an annotation, which may be several lines: these say as much on one.
 */
static uint32_t text_put(struct kube *k, const char *text)
{
    const char *first = text + strspn(text, " \t\r\n");
    char *one;

    if ((*first != '[' && *first != '{') || !strpbrk(first, "\t\r\n"))
        return kube_put(k, text);
    one = gs_arena_strndup(k->arena, first, strlen(first));
    for (char *c = one; (c = strpbrk(c, "\t\r\n")); c++)
        *c = ' ';
    return kube_put(k, one);
}

struct kube_labels kube_labels_read(struct kube *k, const struct gs_ynode *map)
{
    struct kube_labels l = { 0 };

    if (!map || map->kind != GS_YMAP)
        return l;
    l.at = gs_arena_alloc(k->arena, map->len, sizeof(*l.at));
    for (const struct gs_ynode *c = map->child; c; c = c->next) {
        if (c->kind == GS_YSCALAR)
            l.at[l.count++] = (struct topo_label){ kube_put(k, c->key->text),
                                                   text_put(k, c->text) };
    }
    qsort(l.at, l.count, sizeof(*l.at), by_key);
    return l;
}

static const struct topo_label *find(const struct kube_labels *l, uint32_t key)
{
    const struct topo_label want = { .key = key };

    return l->count ? bsearch(&want, l->at, l->count, sizeof(want), by_key)
                    : NULL;
}

uint32_t kube_label_value(const struct kube_labels *l, uint32_t key)
{
    const struct topo_label *found = find(l, key);

    return found ? found->value : 0;
}

bool kube_label_has(const struct kube_labels *l, uint32_t key)
{
    return find(l, key) != NULL;
}

static bool is_listed(const struct topo_condition *c, uint32_t value)
{
    for (uint32_t i = 0; i < c->value_count; i++) {
        if (c->value[i] == value)
            return true;
    }
    return false;
}

static bool holds(const struct kube *k, const struct topo_condition *c,
                  const struct topo_label *label)
{
    int64_t number;

    switch (c->op) {
    case TOPO_IN:
        return label && is_listed(c, label->value);
    case TOPO_NOT_IN:
        return !label || !is_listed(c, label->value);
    case TOPO_EXISTS:
        return label != NULL;
    case TOPO_ABSENT:
        return !label;
    case TOPO_GT:
    case TOPO_LT:
        return label && topo_label_number(kube_str(k, label->value), &number)
               && (c->op == TOPO_GT ? number > c->number : number < c->number);
    }
    return false;
}

bool kube_conditions_hold(const struct kube *k, const struct kube_conditions *c,
                          const struct kube_labels *l)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (!holds(k, &c->at[i], find(l, c->at[i].key)))
            return false;
    }
    return true;
}

void kube_label_add(struct kube *k, struct kube_labels *to,
                    struct topo_label label)
{
    struct topo_label *at = gs_arena_alloc(k->arena, to->count + 1,
                                           sizeof(*at));
    uint32_t n = 0;

    if (kube_label_has(to, label.key))
        return;
    for (uint32_t i = 0; i <= to->count; i++) {
        if (n == i && (i == to->count || to->at[i].key > label.key))
            at[n++] = label;
        if (i < to->count)
            at[n++] = to->at[i];
    }
    to->at = at;
    to->count = n;
}
