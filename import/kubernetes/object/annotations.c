/* import/kubernetes/object/annotations.c - annotations and labels of objects
 * and of pods that change decisions in the cluster, but have no effect here.
 */
#include <assert.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"

/* A name that ends with '*' stands for all that begin so; text NULL: it is
 * read, or decides nothing.
 */
static const struct row {
    const char *key, *text;
} rows[] = {
    { "volcano.sh/hierarchy", "queues of drf are those of their parents" },
    { "volcano.sh/hierarchy-weights", "weights of drf are those of queues" },
    { "volcano.sh/jdb-*", "evictions of a job are not bounded" },
    { "volcano.sh/cooldown-time", "a pod may be evicted from its start on" },
    { "volcano.sh/numa-topology-policy", "nodes are not divided by NUMA" },
    { "volcano.sh/task-priority", "tasks of a job are placed in their order" },
    { "volcano.sh/resource-strategy-*", "strategies are those of the policy" },
    { "kai.scheduler/preemption-delay", "a job evicts as soon as it waits" },
    { "kai.scheduler/segment-*", NULL }, /* read where KAI reads them */
    { "scheduling.koordinator.sh/*", "settings of Koordinator" },
    { "gang.scheduling.koordinator.sh/*", "gangs of Koordinator" },
    { "yunikorn.apache.org/queue", NULL }, /* read */
    { "yunikorn.apache.org/app-id", NULL },
    { "yunikorn.apache.org/user.info", NULL }, /* by placement rules */
    { "yunikorn.apache.org/username", NULL },
    { "yunikorn.apache.org/allow-preemption", NULL }, /* of classes */
    { "yunikorn.apache.org/task-groups", NULL },
    { "yunikorn.apache.org/task-group-name", NULL },
    { "yunikorn.apache.org/placeholder", NULL },
    { "yunikorn.apache.org/schedulingPolicyParameters", NULL },
    { "yunikorn.apache.org/parentqueue", NULL }, /* of namespaces */
    { "yunikorn.apache.org/namespace.*", NULL },
    { "yunikorn.apache.org/*", "settings of YuniKorn" },
    { "slurmjob.slinky.slurm.net/job-name", NULL },
    { "slurmjob.slinky.slurm.net/*", "settings of a job of Slurm" },
};

static const struct row *row_of(const char *key)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const size_t len = strcspn(rows[i].key, "*");

        if (strncmp(key, rows[i].key, len) == 0
            && (rows[i].key[len] == '*' || key[len] == '\0'))
            return &rows[i];
    }
    return NULL;
}

static void check(struct kube *k, const struct gs_ynode *map)
{
    for (; map; map = map->next) {
        const struct row *x = row_of(map->key->text);

        if (x && x->text)
            import_account_tell(k->account, IMPORT_IGNORED, k->source, map,
                                "%.80s: %s", map->key->text, x->text);
    }
}

void kube_annotations_check(struct kube *k, const struct gs_ynode *object)
{
    assert(k);
    check(k, kube_map(object, "metadata.annotations"));
    check(k, kube_map(object, "metadata.labels"));
}
