/* import/recognise.c - files of objects, told by their first bytes. */
#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "base/yamltop.h"
#include "import/formats.h"
#include "import/source.h"

/* A dump may tell its kind behind its items only. */
static bool is_object(const struct gs_ytop *top)
{
    const bool has_version = import_has_key(top, "apiVersion", true);
    const bool has_kind = import_has_key(top, "kind", true);

    if (top->is_list)
        return strcmp(top->key[0].first, "apiVersion") == 0
               || strcmp(top->key[0].first, "kind") == 0;
    return (has_version && has_kind)
           || ((has_version || has_kind)
               && (import_has_key(top, "items", false)
                   || import_has_key(top, "metadata", false)));
}

/* Series of Prometheus, in its answer or bare. */
static bool is_answer(const struct gs_ytop *top)
{
    if (top->is_list)
        return strcmp(top->key[0].first, "metric") == 0
               || strcmp(top->key[0].first, "status") == 0
               || strcmp(top->key[0].first, "resultType") == 0;
    return (import_has_key(top, "status", true)
            && import_has_key(top, "data", false))
           || import_has_key(top, "errorType", true)
           || import_has_key(top, "resultType", true)
           || (import_has_key(top, "metric", false)
               && (import_has_key(top, "values", false)
                   || import_has_key(top, "value", false)));
}

/* What configures a scheduler without being an object: the name of its kind. */
static const char *settings_of(const struct gs_ytop *top, const char *head,
                               size_t size)
{
    const struct gs_ytop_key *p = gs_ytop_find(top, "partitions");

    if (top->is_list || import_has_key(top, "jobs", false))
        return NULL;
    if ((p && p->kind == GS_YSEQ)
        || (import_has_text(head, size, "partitions:")
            && (import_has_text(head, size, "queues.yaml:")
                || import_has_key(top, "configuration", true))))
        return "configuration of YuniKorn";
    if (import_has_key(top, "modules", false)
        || import_has_key(top, "apiVersion", false))
        return NULL;
    if (import_has_key(top, "managerConfig", false)
        && import_has_text(head, size, "config.kueue.x-k8s.io/"))
        return "values of Kueue's chart";
    if (import_has_key(top, "scheduler", false)
        && (import_has_text(head, size, "placementStrategy:")
            || import_has_text(head, size, "proportion:")
            || import_has_text(head, size, "consolidation:")))
        return "values of KAI's chart";
    return NULL;
}

/* The load of a scalability test of Kueue. */
static bool is_load(const struct gs_ytop *top, const char *head, size_t size)
{
    const struct gs_ytop_key *c = gs_ytop_find(top, "cohorts");

    return !top->is_list && c && c->kind == GS_YSEQ
           && import_has_text(head, size, "queuesSets");
}

/* Is any text there that such files have? */
static bool has_texts(const char *head, size_t size)
{
    static const char *const texts[] = { "apiVersion",    "kind",
                                         "\"metric\"",    "\"resultType\"",
                                         "\"errorType\"", "partitions",
                                         "queuesSets",    "scheduler" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (import_has_text(head, size, texts[i]))
            return true;
    }
    return false;
}

const char *import_settings_begin(struct gs_input *in)
{
    struct gs_err cut = { 0 };
    size_t size = 0;
    const char *head = gs_input_head(in, &size, &cut);
    struct gs_input *first;
    struct gs_ytop top;

    if (!head || import_tar_is(head, size) || !has_texts(head, size))
        return NULL;
    first = gs_input_open_memory(gs_input_name(in), head, size);
    (void)gs_yaml_top(first, &top, &cut);
    gs_input_close(first);
    return is_object(&top) ? NULL : settings_of(&top, head, size);
}

int import_objects_begin(struct gs_input *in, struct gs_err *err)
{
    size_t size = 0;
    struct gs_err cut = { 0 }; /* the head may end anywhere */
    const char *head = gs_input_head(in, &size, err);
    struct gs_input *first;
    struct gs_ytop top;

    assert(in);
    if (!head)
        return -1;
    if (import_tar_is(head, size))
        return 1;
    if (!has_texts(head, size))
        return 0;
    first = gs_input_open_memory(gs_input_name(in), head, size);
    (void)gs_yaml_top(first, &top, &cut);
    gs_input_close(first);
    return is_object(&top) || is_answer(&top) || is_load(&top, head, size)
           || settings_of(&top, head, size);
}
