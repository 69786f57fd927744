/* import/kubernetes/workload/parts.c - workloads whose members start one after
 * the other.
 */
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "traces/workload/dependencies.h"

struct kube_need *kube_needs_read(struct kube *k, const struct gs_ynode *list,
                                  enum trace_when when, uint32_t *count)
{
    const struct gs_ynode *v = kube_list(list, "");
    struct kube_need *needs = gs_arena_alloc(k->arena, v ? list->len : 1,
                                             sizeof(*needs));

    for (*count = 0; v && *count < TRACE_DEPENDENCIES_MAX; v = v->next) {
        const char *status = kube_text(v, "status");
        const uint32_t key = v->kind == GS_YSCALAR ? kube_put(k, v->text)
                                                   : kube_name(k, v, "name");

        if (key)
            needs[(*count)++] = (struct kube_need){
                key,
                status && strcmp(status, "Ready") == 0 ? TRACE_STARTED : when
            };
    }
    return needs;
}

/* "namespace/name-member" */
static uint32_t part_name(struct kube *k, const struct kube_workload *w,
                          uint32_t member)
{
    return kube_put(k,
                    gs_arena_printf(k->arena, "%.506s-%.253s",
                                    kube_str(k, w->name), kube_str(k, member)));
}

static uint32_t part_key(struct kube *k, const struct kube_workload *w,
                         uint32_t member)
{
    return kube_put(k,
                    gs_arena_printf(k->arena, "%.64s %.506s %.253s",
                                    kube_str(k, w->kind), kube_str(k, w->name),
                                    kube_str(k, member)));
}

static void part_add(struct kube *k, const struct kube_workload *w, uint32_t i)
{
    const struct kube_member *m = &w->member[i];
    struct kube_need *need = gs_arena_alloc(k->arena, m->needs + 1,
                                            sizeof(*need));
    struct kube_workload part = *w;

    for (uint32_t n = 0; n < m->needs; n++)
        need[n] = (struct kube_need){ part_key(k, w, m->need[n].key),
                                      m->need[n].when };
    part.name = part_name(k, w, m->name);
    part.key = part_key(k, w, m->name);
    part.uid = 0;
    part.gang = m->min;
    part.member = &w->member[i];
    part.members = 1;
    part.need = need;
    part.needs = m->needs;
    part.needs_any = m->needs_any;
    (void)kube_workload_add(k, &part);
}

void kube_parts_split(struct kube *k)
{
    const uint32_t count = k->workloads->count;

    for (uint32_t i = 0; i < count; i++) {
        const struct kube_workload w = k->workloads->at[i];
        const struct gs_ynode at = { .line = w.line, .column = w.column };
        uint32_t needs = 0;

        for (uint32_t x = 0; x < w.members; x++)
            needs += w.member[x].needs;
        if (needs == 0 || w.is_part)
            continue;
        if (w.has_pods || w.is_over || w.schedule || w.copies != 1
            || (w.queue && !kube_workload_is_kai(k, &w))) {
            import_account_tell(
                k->account, IMPORT_IGNORED, kube_str(k, w.source), &at,
                "the order in which the parts of a workload "
                "start: of one that runs, or is in a queue that "
                "admits it as a whole, all start together");
            continue;
        }
        import_account_tell(k->account, IMPORT_ASSUMED, kube_str(k, w.source),
                            &at,
                            "parts of a workload that start one after the "
                            "other are jobs of their own");
        for (uint32_t x = 0; x < w.members; x++)
            part_add(k, &w, x);
        k->workloads->at[i].is_part = true;
    }
}
