/* import/kubernetes/pod/volume.c - kinds PersistentVolume,
 * PersistentVolumeClaim and CSINode: volumes have no effect here, which is told
 * where they keep pods from nodes.
 */
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/source.h"

static void ignored(struct kube *k, const struct import_object *o,
                    const char *text)
{
    import_account_tell(k->account, IMPORT_IGNORED, o->source, o->root, "%s",
                        text);
}

int kube_volume_read(struct kube *k, const struct import_object *o)
{
    if (kube_at(o->root, "spec.nodeAffinity"))
        ignored(k, o,
                "volumes of some nodes or zones only: their pods run anywhere");
    return 1;
}

int kube_volume_claim_read(struct kube *k, const struct import_object *o)
{
    for (const struct gs_ynode *m = kube_list(o->root, "spec.accessModes"); m;
         m = m->next) {
        if (m->kind == GS_YSCALAR && strcmp(m->text, "ReadWriteOncePod") == 0)
            ignored(k, o,
                    "claims of volumes for one pod (ReadWriteOncePod): several "
                    "pods may have them");
    }
    return 1;
}

int kube_csi_node_read(struct kube *k, const struct import_object *o)
{
    for (const struct gs_ynode *d = kube_list(o->root, "spec.drivers"); d;
         d = d->next) {
        if (kube_at(d, "allocatable.count")) {
            ignored(k, o, "limits of volumes on a node");
            break;
        }
    }
    return 1;
}
