/* import/kubernetes/conf/config_map.c - configurations of schedulers, as bare
 * files and as texts of a ConfigMap or of values of Helm.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/object/shapes.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/source.h"

#define LINES_MAX 200000
#define UNPACKED_MAX (4u << 20) /* bytes of a packed text */

int kube_scheduler_conf_read(struct kube *k, const struct import_object *o)
{
    return kube_scheduler_conf_take(k, o->root);
}

int kube_policy_read(struct kube *k, const struct import_object *o)
{
    return kube_policy_is(o->root) ? kube_policy_take(k, o->root) : 1;
}

/* --- without apiVersion and kind ------------------------------------------ */

int kube_conf_bare_take(struct kube *k, const struct gs_ynode *root,
                        const char **what)
{
    static const struct {
        const char *what;
        bool (*is)(const struct gs_ynode *root);
        int (*take)(struct kube *k, const struct gs_ynode *root);
    } bare[] = {
        { "load of Kueue", kube_kueue_load_is, kube_kueue_load_take },
        { "configuration of KAI", kube_kai_conf_is, kube_kai_conf_take },
        { "values of KAI's chart", kube_kai_values_are, kube_kai_values_take },
        { "configuration of YuniKorn", kube_yunikorn_conf_is,
          kube_yunikorn_conf_take },
        { "configuration of Volcano", kube_volcano_conf_is,
          kube_volcano_conf_take },
        { "policy of kube-scheduler", kube_policy_is, kube_policy_take },
    };

    for (size_t i = 0; i < sizeof(bare) / sizeof(bare[0]); i++) {
        *what = bare[i].what;
        if (bare[i].is(root))
            return bare[i].take(k, root);
    }
    return 1;
}

/* --- texts ---------------------------------------------------------------- */

/* Does the text look like a configuration of a scheduler?  One of YuniKorn has
 * a key of its own.
 */
static bool is_conf(const char *key, const char *text)
{
    const bool is_queues = strcmp(key, "queues.yaml") == 0
                           || strcmp(key, "configuration") == 0;

    return strstr(text, "KubeSchedulerConfiguration")
           || strstr(text, "stalegangeviction")
           || strstr(text, "config.kueue.x-k8s.io")
           || (is_queues && strstr(text, "partitions:"))
           || (strstr(text, "tiers:") && strstr(text, "plugins:"))
           || (strstr(text, "\"Policy\"") && strstr(text, "\"priorities\""));
}

/* The text as a document whose lines are those of the file, if it is written
 * line by line there.
 */
static const struct gs_ynode *text_parse(struct kube *k, const char *text,
                                         size_t len, int line,
                                         struct gs_err *err)
{
    const size_t before = line < LINES_MAX ? (size_t)line : 0;
    char *all = gs_arena_alloc(k->arena, before + len + 1, 1);

    memset(all, '\n', before);
    memcpy(all + before, text, len);
    all[before + len] = '\0';
    return gs_yaml_parse(k->source, all, k->arena, err);
}

static int document_take(struct kube *k, const struct gs_ynode *root)
{
    const char *kind = kube_text(root, "kind");
    const char *version = kube_text(root, "apiVersion");
    const char *what;

    if (kind && strcmp(kind, "KubeSchedulerConfiguration") == 0)
        return kube_scheduler_conf_take(k, root);
    if (kind && strcmp(kind, "Configuration") == 0) {
        const struct import_object o = { .source = k->source,
                                         .api_version = version ? version : "",
                                         .kind = kind,
                                         .root = root };

        kube_shape_check(k, &o);
        return kube_kueue_conf_read(k, &o);
    }
    return kube_conf_bare_take(k, root, &what);
}

/* A text below line `line` of the file: 0; 1 when it is none; -1 when it is
 * refused, which is told.
 */
static int text_take(struct kube *k, const char *text, size_t len, int line)
{
    struct gs_err why = { 0 };
    const struct gs_ynode *root = text_parse(k, text, len, line, &why);

    if (root)
        return document_take(k, root);
    import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                        "a configuration in a text, %s:%d: %s", k->source,
                        why.problem[0].line, why.problem[0].text);
    return -1;
}

/* One that is of use counts more than one that is refused. */
static void note(int *all, int one)
{
    if (one < 1 && *all != 0)
        *all = one;
}

/* All texts below `n`. */
static void texts_take(struct kube *k, const struct gs_ynode *n, int *rc)
{
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        if (v->kind != GS_YSCALAR)
            texts_take(k, v, rc);
        else if (is_conf(v->key ? v->key->text : "", v->text))
            note(rc, text_take(k, v->text, v->len, v->line));
    }
}

int kube_texts_take(struct kube *k, const struct gs_ynode *root)
{
    int rc = 1;

    if (root->kind != GS_YSCALAR)
        texts_take(k, root, &rc);
    return rc;
}

/* --- packed texts --------------------------------------------------------- */

/* The bytes that base64 `text` stands for, into `to` of 3/4 of its length. */
static size_t base64_read(const char *text, char *to)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0, count = 0;
    size_t size = 0;

    for (; *text; text++) {
        const char *digit = strchr(digits, *text);

        if (!digit) /* the end of a line, '=' */
            continue;
        bits = bits << 6 | (uint32_t)(digit - digits);
        count += 6;
        if (count >= 8) {
            count -= 8;
            to[size++] = (char)(bits >> count & 0xff);
        }
    }
    return size;
}

/* What the packed bytes hold, up to UNPACKED_MAX; -1 when they are damaged. */
static int unpack(const char *name, const char *bytes, size_t size, char *to,
                  size_t *len)
{
    struct gs_err why = { 0 };
    struct gs_input *whole = gs_input_open_memory(name, bytes, size);
    struct gs_input *in = gs_input_open_part(whole, name, size, &why);
    size_t got = 1;
    int rc = in ? 0 : -1;

    *len = 0;
    while (rc == 0 && got && *len < UNPACKED_MAX) {
        rc = gs_input_read(in, to + *len, UNPACKED_MAX - *len, &got, &why);
        *len += rc == 0 ? got : 0;
    }
    gs_input_close(in);
    gs_input_close(whole);
    return rc < 0 || *len == UNPACKED_MAX ? -1 : 0;
}

/* "queues.yaml.gz" of binaryData. */
static int packed_take(struct kube *k, const struct gs_ynode *v)
{
    char *bytes = gs_array_new(v->len + 1, 1);
    char *text = gs_array_new(UNPACKED_MAX + 1, 1);
    size_t len;
    int rc = -1;

    if (unpack(k->source, bytes, base64_read(v->text, bytes), text, &len) == 0)
        rc = strlen(text) == len ? text_take(k, text, len, 0) : 1;
    else
        import_account_tell(k->account, IMPORT_LEFT, k->source, v,
                            "'%.80s' of a ConfigMap that cannot be unpacked",
                            v->key->text);
    gs_array_free(bytes);
    gs_array_free(text);
    return rc;
}

/* --- a ConfigMap ---------------------------------------------------------- */

#define NO_GANGS "service.disableGangScheduling"

/* Whether YuniKorn has gangs, as yunikorn-configs says, else yunikorn-defaults.
 */
static void gangs_read(struct kube *k, const struct gs_ynode *data,
                       bool is_default)
{
    const struct gs_ynode *v = kube_key(data, NO_GANGS);

    if (!v || v->kind != GS_YSCALAR || (is_default && k->states_gangs))
        return;
    k->no_gangs = kube_go_true(v->text);
    k->states_gangs |= !is_default;
}

/* Is it what holds without the setting? */
static bool is_default(const struct gs_ynode *v)
{
    static const char *const values[] = { "", "queues", "^kube-system$" };
    bool same = false;

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]) && !same; i++)
        same = v->kind == GS_YSCALAR && strcmp(v->text, values[i]) == 0;
    return same;
}

/* Settings of YuniKorn beside its queues that change decisions. */
static void yunikorn_tell(struct kube *k, const struct gs_ynode *data)
{
    static const char *const known[] = { "service.policyGroup",
                                         "admissionController.filtering." };

    for (const struct gs_ynode *v = data; v; v = v->next) {
        for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
            if (strncmp(v->key->text, known[i], strlen(known[i])) == 0
                && !is_default(v))
                kube_conf_ignore(k, v, "'%.80s' of YuniKorn", v->key->text);
        }
    }
}

/* yunikorn-defaults counts where nothing else configures YuniKorn. */
static int defaults_keep(struct kube *k, const struct gs_ynode *data)
{
    k->yunikorn_defaults = kube_yunikorn_copy(k, data);
    k->yunikorn_source = kube_str(k, kube_put(k, k->source));
    return 0;
}

void kube_yunikorn_defaults_finish(struct kube *k)
{
    if (!k->yunikorn_defaults)
        return;
    k->source = k->yunikorn_source;
    if (!k->yunikorn)
        (void)kube_texts_take(k, k->yunikorn_defaults);
    if (k->yunikorn)
        yunikorn_tell(k, k->yunikorn_defaults->child);
    k->source = NULL;
}

int kube_config_map_read(struct kube *k, const struct import_object *o)
{
    const bool had_yunikorn = k->yunikorn != NULL;
    const struct gs_ynode *data = kube_at(o->root, "data");
    const char *name = kube_text(o->root, "metadata.name");
    const bool is_lower = name && strcmp(name, "yunikorn-defaults") == 0;
    int rc = !data      ? 1
             : is_lower ? defaults_keep(k, data)
                        : kube_texts_take(k, data);

    for (const struct gs_ynode *v = kube_map(o->root, "binaryData"); v;
         v = v->next) {
        const size_t len = strlen(v->key->text);

        if (v->kind == GS_YSCALAR && len > 8
            && strcmp(v->key->text + len - 8, ".yaml.gz") == 0)
            note(&rc, packed_take(k, v));
    }
    if (k->yunikorn && !had_yunikorn)
        yunikorn_tell(k, kube_map(o->root, "data"));
    if (is_lower || (name && strcmp(name, "yunikorn-configs") == 0)
        || (k->yunikorn && !had_yunikorn))
        gangs_read(k, data, is_lower);
    return rc;
}
