/* import/recognise.c - files of objects, told by their first bytes. */
#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "base/yamltop.h"
#include "import/formats.h"
#include "import/source.h"

static bool has_text(const char *head, size_t size, const char *text)
{
    const size_t len = strlen(text);
    const char *end = head + size;

    while (head < end && (size_t)(end - head) >= len) {
        if (memcmp(head, text, len) == 0)
            return true;
        head = memchr(head + 1, text[0], (size_t)(end - head) - 1);
        if (!head)
            return false;
    }
    return false;
}

/* Is the first line that of columns, "NAME  READY  STATUS"? */
static bool has_columns(const char *head, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-() \t\r";
    const char *lf = memchr(head, '\n', size);
    const size_t len = lf ? (size_t)(lf - head) : size;

    if (len < 10
        || (memcmp(head, "NAME ", 5) != 0
            && memcmp(head, "NAMESPACE ", 10) != 0))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (head[i] == '\0' || !strchr(letters, head[i]))
            return false;
    }
    return true;
}

const char *import_printed(const char *head, size_t size)
{
    static const char *const commands[] = { "$ ", "kubectl ", "cat <<" };

    assert(head);
    if (has_columns(head, size))
        return "a table that kubectl printed";
    if (size > 7 && memcmp(head, "Name:  ", 7) == 0
        && (has_text(head, size, "\nLabels:")
            || has_text(head, size, "\nNamespace:")))
        return "a description that kubectl printed";
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        const size_t len = strlen(commands[i]);

        if (size > len && memcmp(head, commands[i], len) == 0)
            return "a copy of a terminal";
    }
    return NULL;
}

/* With the key whose value the head does not hold to its end. */
static bool has_key(const struct gs_ytop *top, const char *key, bool is_text)
{
    for (uint32_t i = 0; i <= top->count && i < GS_YTOP_KEYS_MAX; i++) {
        if (strcmp(top->key[i].key, key) == 0)
            return !is_text || top->key[i].kind == GS_YSCALAR;
    }
    return false;
}

/* A dump may tell its kind behind its items only. */
static bool is_object(const struct gs_ytop *top)
{
    const bool has_version = has_key(top, "apiVersion", true);
    const bool has_kind = has_key(top, "kind", true);

    if (top->is_list)
        return strcmp(top->key[0].first, "apiVersion") == 0
               || strcmp(top->key[0].first, "kind") == 0;
    return (has_version && has_kind)
           || ((has_version || has_kind)
               && (has_key(top, "items", false)
                   || has_key(top, "metadata", false)));
}

/* Series of Prometheus, in its answer or bare. */
static bool is_answer(const struct gs_ytop *top)
{
    if (top->is_list)
        return strcmp(top->key[0].first, "metric") == 0
               || strcmp(top->key[0].first, "status") == 0
               || strcmp(top->key[0].first, "resultType") == 0;
    return (has_key(top, "status", true) && has_key(top, "data", false))
           || has_key(top, "errorType", true)
           || has_key(top, "resultType", true)
           || (has_key(top, "metric", false)
               && (has_key(top, "values", false)
                   || has_key(top, "value", false)));
}

/* Is any text there that such files have? */
static bool has_texts(const char *head, size_t size)
{
    static const char *const texts[] = { "apiVersion", "kind", "\"metric\"",
                                         "\"resultType\"", "\"errorType\"" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (has_text(head, size, texts[i]))
            return true;
    }
    return false;
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
    return is_object(&top) || is_answer(&top);
}
