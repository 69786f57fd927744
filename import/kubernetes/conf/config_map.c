/* import/kubernetes/conf/config_map.c - configurations of schedulers, as bare
 * files and as texts of a ConfigMap.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/source.h"

#define LINES_MAX 200000

int kube_scheduler_conf_read(struct kube *k, const struct import_object *o)
{
    return kube_scheduler_conf_take(k, o->root);
}

int kube_policy_read(struct kube *k, const struct import_object *o)
{
    return kube_policy_is(o->root) ? kube_policy_take(k, o->root) : 1;
}

/* Does the text look like a configuration of a scheduler? */
static bool is_conf(const char *text)
{
    return strstr(text, "KubeSchedulerConfiguration")
           || strstr(text, "stalegangeviction")
           || strstr(text, "config.kueue.x-k8s.io")
           || (strstr(text, "tiers:") && strstr(text, "plugins:"))
           || (strstr(text, "\"Policy\"") && strstr(text, "\"priorities\""));
}

/* The text of a ConfigMap as a document whose lines are those of the file, if
 * it is written line by line there.
 */
static const struct gs_ynode *text_parse(struct kube *k,
                                         const struct gs_ynode *v,
                                         struct gs_err *err)
{
    const size_t before = v->line < LINES_MAX ? (size_t)v->line : 0;
    char *text = gs_arena_alloc(k->arena, before + v->len + 1, 1);

    memset(text, '\n', before);
    memcpy(text + before, v->text, v->len + 1);
    return gs_yaml_parse(k->source, text, k->arena, err);
}

/* 1 when it is none. */
static int text_take(struct kube *k, const struct gs_ynode *v)
{
    struct gs_err why = { 0 };
    const struct gs_ynode *root;
    const char *kind;

    if (v->kind != GS_YSCALAR || !is_conf(v->text))
        return 1;
    root = text_parse(k, v, &why);
    if (!root) {
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "a configuration in a ConfigMap, %s:%d: %s",
                            k->source, why.problem[0].line,
                            why.problem[0].text);
        return -1;
    }
    kind = kube_text(root, "kind");
    if (kind && strcmp(kind, "KubeSchedulerConfiguration") == 0)
        return kube_scheduler_conf_take(k, root);
    if (kind && strcmp(kind, "Configuration") == 0) {
        const char *version = kube_text(root, "apiVersion");

        return kube_kueue_conf_read(
            k, &(struct import_object){ .source = k->source,
                                        .api_version = version ? version : "",
                                        .kind = kind,
                                        .root = root });
    }
    if (kind && strcmp(kind, "Policy") == 0 && kube_policy_is(root))
        return kube_policy_take(k, root);
    if (kube_kai_conf_is(root))
        return kube_kai_conf_take(k, root);
    return kube_volcano_conf_is(root) ? kube_volcano_conf_take(k, root) : 1;
}

int kube_config_map_read(struct kube *k, const struct import_object *o)
{
    int rc = kube_yunikorn_conf_take(k, o->root);

    for (const struct gs_ynode *v = kube_map(o->root, "data"); v; v = v->next) {
        const int one = text_take(k, v);

        rc = one < 1 && rc != 0 ? one : rc;
    }
    return rc;
}
