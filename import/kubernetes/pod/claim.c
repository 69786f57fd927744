/* import/kubernetes/pod/claim.c - kinds ResourceClaim, ResourceClaimTemplate,
 * DeviceClass and ResourceSlice.
 */
#include "import/kubernetes/pod/claim.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/source.h"

#define DEVICES_MAX 4096 /* of one request */

void kube_claims_free(struct kube_claims *all)
{
    gs_array_free(all->at);
    gs_array_free(all->by_claim.at);
    gs_array_free(all->by_template.at);
    gs_array_free(all->klass);
    gs_array_free(all->by_class.at);
    gs_array_free(all->by_type.at);
    gs_array_free(all->slice);
}

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s", text);
}

/* --- claims --------------------------------------------------------------- */

/* The request of devices `n`: its fields stand in "exactly", in the first of
 * "firstAvailable", or (before v1beta2) in itself.
 */
static void request_take(struct kube *k, const struct gs_ynode *n,
                         struct kube_amounts *a)
{
    const struct gs_ynode *x = kube_at(n, "exactly");
    const char *mode;
    uint32_t klass;

    if (!x && kube_list(n, "firstAvailable")) {
        x = kube_list(n, "firstAvailable");
        if (x->next)
            ignored(k, n,
                    "device requests: the first of several that is "
                    "available is taken as the first");
    }
    x = x ? x : n;
    klass = kube_name(k, x, "deviceClassName");
    mode = kube_text(x, "allocationMode");
    if (!klass || kube_flag(x, "adminAccess", false))
        return;
    if (mode && strcmp(mode, "All") == 0)
        ignored(k, x, "device requests: all devices of a node are taken as 1");
    if (kube_list(x, "selectors"))
        ignored(k, x, "selectors of device requests");
    if (kube_at(x, "capacity"))
        ignored(k, x, "capacity of device requests");
    kube_amount_add(k, a, klass,
                    kube_number(k, x, "count", 1, 1, DEVICES_MAX) * 1000);
}

int kube_claim_read(struct kube *k, const struct import_object *o)
{
    const bool is_template = strcmp(o->kind, "ResourceClaimTemplate") == 0;
    const struct gs_ynode *devices = kube_at(
        o->root, is_template ? "spec.spec.devices" : "spec.devices");
    struct kube_claims *all = k->claims;
    struct kube_amounts a = { 0 };

    for (const struct gs_ynode *r = kube_list(devices, "requests"); r;
         r = r->next)
        request_take(k, r, &a);
    if (kube_list(devices, "constraints"))
        ignored(k, devices, "constraints among the devices of a claim");
    if (a.count == 0) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "claims without requests of a device class");
        return -1;
    }
    kube_index_put(is_template ? &all->by_template : &all->by_claim,
                   kube_full_name(k, o->root), all->count);
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = a;
    return 0;
}

/* --- device classes ------------------------------------------------------- */

/* The text in quotes behind `what` and "==" in an expression; 0. */
static uint32_t compared(const struct kube *k, const char *text,
                         const char *what)
{
    const char *at = strstr(text, what);
    char value[256];
    size_t len;

    if (!at)
        return 0;
    at += strlen(what);
    at += strspn(at, " ");
    if (strncmp(at, "==", 2) != 0)
        return 0;
    at += 2;
    at += strspn(at, " ");
    if (*at != '"' && *at != '\'')
        return 0;
    len = strcspn(at + 1, "\"'");
    if (len == 0 || len >= sizeof(value))
        return 0;
    memcpy(value, at + 1, len);
    value[len] = '\0';
    return kube_put(k, value);
}

/* The id of both, as one text. */
static uint32_t pair(const struct kube *k, uint32_t driver, uint32_t type)
{
    char text[600];

    (void)snprintf(text, sizeof(text), "%.253s %.253s", kube_str(k, driver),
                   kube_str(k, type));
    return kube_put(k, text);
}

int kube_device_class_read(struct kube *k, const struct import_object *o)
{
    struct kube_claims *all = k->claims;
    struct kube_device_class c = {
        .name = kube_name(k, o->root, "metadata.name"),
        .resource = kube_name(k, o->root, "spec.extendedResourceName"),
    };

    for (const struct gs_ynode *s = kube_list(o->root, "spec.selectors"); s;
         s = s->next) {
        const char *text = kube_text(s, "cel.expression");

        if (!text)
            continue;
        c.driver = c.driver ? c.driver : compared(k, text, "device.driver");
        c.type = c.type ? c.type : compared(k, text, ".type");
    }
    kube_index_put(&all->by_class, c.name, all->classes);
    if (c.driver && c.type)
        kube_index_put(&all->by_type, pair(k, c.driver, c.type), all->classes);
    all->klass = gs_array_grow(all->klass, &all->class_cap, all->classes + 1,
                               sizeof(*all->klass));
    all->klass[all->classes++] = c;
    return 0;
}

/* "nvidia.com/gpu" for devices of "gpu.nvidia.com" of type "gpu", or of none;
 * 0.
 */
static uint32_t gpu_of(const struct kube *k, uint32_t driver, uint32_t type)
{
    const char *name = kube_str(k, driver);
    char resource[300];

    if (strncmp(name, "gpu.", 4) != 0 || !name[4]
        || (type && strcmp(kube_str(k, type), "gpu") != 0))
        return 0;
    (void)snprintf(resource, sizeof(resource), "%.253s/gpu", name + 4);
    return kube_put(k, resource);
}

/* The resource that devices of a class are. */
static uint32_t resource_of_class(const struct kube *k, uint32_t klass)
{
    const uint32_t at = kube_index_get(&k->claims->by_class, klass);
    const struct kube_device_class *c = at ? &k->claims->klass[at - 1] : NULL;
    uint32_t gpu;

    if (c && c->resource)
        return c->resource;
    gpu = c && c->driver ? gpu_of(k, c->driver, c->type) : gpu_of(k, klass, 0);
    return gpu ? gpu : klass;
}

void kube_claims_take(struct kube *k, const struct kube_template *t,
                      struct kube_amounts *sum)
{
    const struct kube_claims *all = k->claims;
    const struct gs_ynode here = { .line = t->line, .column = t->column };

    for (uint32_t i = 0; i < t->claims; i++) {
        const struct kube_claim_use *use = &t->claim[i];
        const uint32_t at = kube_index_get(
            use->is_shared ? &all->by_claim : &all->by_template, use->name);

        if (!at) {
            import_account_tell(k->account, IMPORT_LEFT, kube_str(k, t->source),
                                &here, "claims that the source lacks");
            continue;
        }
        if (use->is_shared)
            import_account_tell(k->account, IMPORT_ASSUMED,
                                kube_str(k, t->source), &here,
                                "each pod of a ResourceClaim has devices of "
                                "its own");
        for (uint32_t a = 0; a < all->at[at - 1].count; a++)
            kube_amount_add(k, sum,
                            resource_of_class(k, all->at[at - 1].at[a].name),
                            all->at[at - 1].at[a].milli);
    }
}

/* --- slices --------------------------------------------------------------- */

/* A text or a number among the attributes of a device. */
static uint32_t attribute(const struct kube *k, const struct gs_ynode *device,
                          const char *name)
{
    const struct gs_ynode *all = kube_at(device, "attributes");
    const struct gs_ynode *a;

    if (!all)
        all = kube_at(device, "basic.attributes");
    a = kube_key(all, name);
    return kube_name(k, a, "string");
}

static int64_t memory_of(struct kube *k, const struct gs_ynode *device)
{
    const struct gs_ynode *v = kube_at(device, "capacity.memory.value");
    int64_t milli;

    if (!v)
        v = kube_at(device, "basic.capacity.memory.value");
    return v && kube_quantity_read(k, v, &milli) == 0 ? milli / 1000 : 0;
}

/* Count the device among those of the slice that begin at `first`. */
static void device_take(struct kube *k, const struct kube_slice *x,
                        uint32_t first)
{
    struct kube_claims *all = k->claims;

    for (uint32_t i = first; i < all->slices; i++) {
        if (all->slice[i].type == x->type) {
            all->slice[i].count++;
            return;
        }
    }
    all->slice = gs_array_grow(all->slice, &all->slice_cap, all->slices + 1,
                               sizeof(*all->slice));
    all->slice[all->slices++] = *x;
}

int kube_slice_read(struct kube *k, const struct import_object *o)
{
    const uint32_t node = kube_name(k, o->root, "spec.nodeName");
    const uint32_t driver = kube_name(k, o->root, "spec.driver");
    const uint32_t first = k->claims->slices;

    if (!node || !driver) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "devices of no single node");
        return -1;
    }
    for (const struct gs_ynode *d = kube_list(o->root, "spec.devices"); d;
         d = d->next) {
        const struct kube_slice x = {
            .node = node,
            .driver = driver,
            .type = attribute(k, d, "type"),
            .count = 1,
            .product = attribute(k, d, "productName"),
            .memory = memory_of(k, d),
        };

        if (!gpu_of(k, driver, x.type)
            && (kube_list(d, "consumesCounters")
                || kube_list(d, "basic.consumesCounters")))
            ignored(k, d, "devices that a driver may cut out of others");
        else
            device_take(k, &x, first);
    }
    return 0;
}

static uint32_t resource_of_slice(const struct kube *k,
                                  const struct kube_slice *x)
{
    const uint32_t gpu = gpu_of(k, x->driver, x->type);
    const uint32_t at = x->type ? kube_index_get(&k->claims->by_type,
                                                 pair(k, x->driver, x->type))
                                : 0;
    char name[600];

    if (at && k->claims->klass[at - 1].resource)
        return k->claims->klass[at - 1].resource;
    if (gpu || at)
        return gpu ? gpu : k->claims->klass[at - 1].name;
    if (!x->type || strncmp(kube_str(k, x->driver), "gpu.", 4) != 0)
        return x->driver;
    (void)snprintf(name, sizeof(name), "%.253s.%.253s", kube_str(k, x->type),
                   kube_str(k, x->driver) + 4);
    return kube_put(k, name);
}

void kube_slices_place(struct kube *k)
{
    const struct kube_claims *all = k->claims;
    struct kube_amounts *more = gs_array_new(k->nodes->count + 1,
                                             sizeof(*more));
    struct kube_index node = { 0 };

    for (uint32_t n = 0; n < k->nodes->count; n++)
        kube_index_put(&node, k->nodes->at[n].name, n);
    for (uint32_t i = 0; i < all->slices; i++) {
        const struct kube_slice *x = &all->slice[i];
        const uint32_t at = kube_index_get(&node, x->node);
        struct kube_node *n = at ? &k->nodes->at[at - 1] : NULL;

        if (!n)
            continue;
        kube_amount_add(k, &more[at - 1], resource_of_slice(k, x),
                        (int64_t)x->count * 1000);
        if (gpu_of(k, x->driver, x->type)) {
            n->product = n->product ? n->product : x->product;
            n->device_memory = n->device_memory ? n->device_memory : x->memory;
        }
    }
    for (uint32_t n = 0; n < k->nodes->count; n++) {
        for (uint32_t i = 0; i < more[n].count; i++) {
            const struct kube_amount *a = &more[n].at[i];

            if (kube_amount_of(&k->nodes->at[n].amounts, a->name) == 0)
                kube_amount_add(k, &k->nodes->at[n].amounts, a->name, a->milli);
        }
    }
    gs_array_free(more);
    gs_array_free(node.at);
}
