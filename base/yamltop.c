/* base/yamltop.c - the top-level keys of a YAML file, see yamltop.h.
 *
 * Events of libyaml are followed by depth, without a tree, so a file with
 * mistakes is recognised by the keys before them.
 */
#include "base/yamltop.h"

#include <assert.h>
#include <string.h>
#include <yaml.h>

#include "base/err.h"
#include "base/yamlevent.h"

#define EVENTS_MAX 100000u /* about 1 MiB */

struct scan {
    struct gs_ytop *top;
    int depth;
    bool is_value;   /* at depth 1 of a mapping: the next node is a value */
    bool wants_text; /* the first scalar of the value is still to come */
};

static void text_keep(char *to, const yaml_event_t *e)
{
    const size_t len = e->data.scalar.length;
    const size_t n = len < GS_YTOP_TEXT_MAX ? len : GS_YTOP_TEXT_MAX - 1;

    memcpy(to, e->data.scalar.value, n);
    to[n] = '\0';
}

/* A scalar, an alias, or the start or end of a collection of the document. */
static void node_take(struct scan *s, const yaml_event_t *e)
{
    struct gs_ytop *top = s->top;
    struct gs_ytop_key *k = &top->key[top->count];
    const bool is_start = e->type == YAML_MAPPING_START_EVENT
                          || e->type == YAML_SEQUENCE_START_EVENT;
    const bool is_end = e->type == YAML_MAPPING_END_EVENT
                        || e->type == YAML_SEQUENCE_END_EVENT;

    if (s->depth == 0 && e->type == YAML_SEQUENCE_START_EVENT)
        top->is_list = s->wants_text = true;
    if (s->depth == 1 && !top->is_list && !is_end && s->is_value) {
        k->kind = e->type == YAML_MAPPING_START_EVENT    ? GS_YMAP
                  : e->type == YAML_SEQUENCE_START_EVENT ? GS_YSEQ
                                                         : GS_YSCALAR;
        s->wants_text = true;
    }
    if (e->type == YAML_SCALAR_EVENT) {
        if (s->depth == 1 && !top->is_list && !s->is_value)
            text_keep(k->key, e);
        else if (s->wants_text && s->depth > 0)
            text_keep(k->first, e);
        s->wants_text = s->wants_text && s->depth == 0;
    }
    assert(s->depth >= is_end && top->count < GS_YTOP_KEYS_MAX);
    s->depth += is_start - is_end;
    if (s->depth != 1 || top->is_list || (is_start && s->depth == 1))
        return;
    /* a key or a value is complete */
    top->count += s->is_value;
    s->wants_text = false;
    s->is_value = !s->is_value;
}

/* Is it the value of a document that holds nothing? */
static bool is_nothing(const struct scan *s, const yaml_event_t *e)
{
    return s->depth == 0 && e->type == YAML_SCALAR_EVENT
           && e->data.scalar.length == 0
           && e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

int gs_yaml_top(struct gs_input *in, struct gs_ytop *top, struct gs_err *err)
{
    struct gs_yevents events;
    struct scan s = { .top = top };
    bool done = false;
    int rc = 0;

    assert(in && top);
    *top = (struct gs_ytop){ .is_empty = true };
    if (gs_yevents_open(&events, in, err) < 0)
        return -1;
    for (uint32_t i = 0; !done && i < EVENTS_MAX; i++) {
        const yaml_event_t *e;

        rc = gs_yevents_next(&events, &e);
        if (rc < 0)
            break;
        switch (e->type) {
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_START_EVENT:
            break;
        case YAML_STREAM_END_EVENT:
            done = true;
            break;
        case YAML_DOCUMENT_END_EVENT:
            done = !top->is_empty;
            break;
        default:
            if (is_nothing(&s, e))
                break;
            top->is_empty = false;
            node_take(&s, e);
            done = top->count == GS_YTOP_KEYS_MAX;
        }
    }
    gs_yevents_close(&events);
    return rc;
}

const struct gs_ytop_key *gs_ytop_find(const struct gs_ytop *top,
                                       const char *key)
{
    for (uint32_t i = 0; i <= top->count && i < GS_YTOP_KEYS_MAX; i++) {
        if (strcmp(top->key[i].key, key) == 0)
            return &top->key[i];
    }
    return NULL;
}
