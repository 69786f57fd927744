/* import/kubernetes/object/amounts.c - amounts of resources by name. */
#include "import/kubernetes/object/amounts.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"

#define MILLI_MAX (INT64_C(1) << 62)

/* Is there room for one more name?  If not, it is told. */
static bool has_room(struct kube *k, const struct kube_amounts *a)
{
    if (a->count < KUBE_AMOUNTS_MAX)
        return true;
    import_account_tell(k->account, IMPORT_LEFT, k->source, NULL,
                        "resources of one object beyond %d", KUBE_AMOUNTS_MAX);
    return false;
}

struct kube_amounts kube_amounts_read(struct kube *k, const struct gs_ynode *n)
{
    struct kube_amounts a = { 0 };

    if (!n || n->kind != GS_YMAP)
        return a;
    a.at = gs_arena_alloc(k->arena,
                          n->len < KUBE_AMOUNTS_MAX ? n->len : KUBE_AMOUNTS_MAX,
                          sizeof(*a.at));
    for (n = n->child; n; n = n->next) {
        int64_t milli;

        if (n->key->len == 0 || gs_ynode_is_null(n)
            || kube_quantity_read(k, n, &milli) < 0 || !has_room(k, &a))
            continue;
        a.at[a.count++] = (struct kube_amount){ kube_put(k, n->key->text),
                                                milli };
    }
    return a;
}

static struct kube_amount *find(const struct kube_amounts *a, uint32_t name)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->at[i].name == name)
            return &a->at[i];
    }
    return NULL;
}

int64_t kube_amount_of(const struct kube_amounts *a, uint32_t name)
{
    const struct kube_amount *found = find(a, name);

    return found ? found->milli : 0;
}

/* The amount of that name, a new one if there is none; NULL when there are too
 * many.  Lists are short: each new name copies.
 */
static struct kube_amount *put(struct kube *k, struct kube_amounts *a,
                               uint32_t name)
{
    struct kube_amount *found = find(a, name), *at;

    if (found || !has_room(k, a))
        return found;
    at = gs_arena_alloc(k->arena, a->count + 1, sizeof(*at));
    if (a->count)
        memcpy(at, a->at, a->count * sizeof(*at));
    a->at = at;
    at[a->count].name = name;
    return &at[a->count++];
}

void kube_amount_add(struct kube *k, struct kube_amounts *a, uint32_t name,
                     int64_t milli)
{
    struct kube_amount *at = put(k, a, name);

    assert(milli >= 0);
    milli = milli < MILLI_MAX ? milli : MILLI_MAX;
    if (at)
        at->milli = at->milli > MILLI_MAX - milli ? MILLI_MAX
                                                  : at->milli + milli;
}

void kube_amount_raise(struct kube *k, struct kube_amounts *a, uint32_t name,
                       int64_t milli)
{
    struct kube_amount *at = put(k, a, name);

    assert(milli >= 0);
    if (at && at->milli < milli)
        at->milli = milli < MILLI_MAX ? milli : MILLI_MAX;
}
