/* import/kubernetes/object/made.c - parts of objects as nodes, see made.h. */
#include "import/kubernetes/object/made.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/kubernetes/object/kube.h"

static struct gs_ynode *node(struct kube *k, enum gs_ykind kind,
                             const struct gs_ynode *at)
{
    struct gs_ynode *n = gs_arena_alloc(k->arena, 1, sizeof(*n));

    n->kind = kind;
    n->line = at ? at->line : 0;
    n->column = at ? at->column : 0;
    return n;
}

static struct gs_ynode *scalar(struct kube *k, const char *text,
                               const struct gs_ynode *at)
{
    struct gs_ynode *n = node(k, GS_YSCALAR, at);

    n->quoted = true;
    n->len = (uint32_t)strlen(text);
    n->text = gs_arena_strndup(k->arena, text, n->len);
    return n;
}

struct gs_ynode *kube_made_map(struct kube *k, const struct gs_ynode *at)
{
    return node(k, GS_YMAP, at);
}

struct gs_ynode *kube_made_list(struct kube *k, const struct gs_ynode *at)
{
    return node(k, GS_YSEQ, at);
}

struct gs_ynode *kube_made_copy(struct kube *k, const struct gs_ynode *n,
                                const struct gs_ynode *at)
{
    struct gs_ynode *copy = kube_made_map(k, at);

    if (n && n->kind == GS_YMAP) {
        copy->child = n->child;
        copy->len = n->len;
    }
    return copy;
}

void kube_made_put(struct kube *k, struct gs_ynode *parent, const char *key,
                   struct gs_ynode *child)
{
    assert(parent->kind == (key ? GS_YMAP : GS_YSEQ) && !child->next);
    if (key)
        child->key = scalar(k, key, parent);
    child->next = parent->child;
    parent->child = child;
    parent->len++;
}

void kube_made_text(struct kube *k, struct gs_ynode *parent, const char *key,
                    const char *text)
{
    if (text)
        kube_made_put(k, parent, key, scalar(k, text, parent));
}

const struct gs_ynode *kube_made_pod(struct kube *k,
                                     const struct gs_ynode *metadata,
                                     const struct gs_ynode *spec,
                                     struct gs_ynode *requests)
{
    struct gs_ynode *pod = kube_made_map(k, requests);
    struct gs_ynode *inner = kube_made_copy(k, spec, requests);
    struct gs_ynode *list = kube_made_list(k, requests);
    struct gs_ynode *container = kube_made_map(k, requests);
    struct gs_ynode *resources = kube_made_map(k, requests);

    kube_made_put(k, resources, "requests", requests);
    kube_made_put(k, container, "resources", resources);
    kube_made_put(k, list, NULL, container);
    kube_made_put(k, inner, "containers", list);
    kube_made_put(k, pod, "spec", inner);
    kube_made_put(k, pod, "metadata", kube_made_copy(k, metadata, requests));
    return pod;
}
