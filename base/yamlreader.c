/* base/yamlreader.c - builds a checked tree from events of libyaml, see
 * yamlreader.h.
 */
#include "base/yamlreader.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/input.h"

struct gs_yanchor {
    const char *name;
    const struct gs_ynode *node;
    bool is_item; /* defined within the streamed item */
};

static struct gs_mark mark_of(const struct gs_yreader *r, const yaml_mark_t *m)
{
    return (struct gs_mark){ gs_input_name(r->in), (int)m->line + 1,
                             (int)m->column + 1 };
}

struct gs_mark gs_yreader_mark(const struct gs_yreader *r,
                               const struct gs_ynode *n)
{
    return (struct gs_mark){ gs_input_name(r->in), n->line, n->column };
}

/* --- nodes ---------------------------------------------------------------- */

static struct gs_ynode *node_make(struct gs_yreader *r, enum gs_ykind kind,
                                  const yaml_mark_t *m)
{
    struct gs_ynode *n;

    assert(kind <= GS_YSEQ);
    if (++r->nodes > r->limits->nodes) {
        gs_fail(r->err, GS_LIMIT, mark_of(r, m),
                "more than %u values in one document", r->limits->nodes);
        return NULL;
    }
    n = gs_arena_alloc(r->arena, 1, sizeof(*n));
    n->kind = kind;
    n->line = (int)m->line + 1;
    n->column = (int)m->column + 1;
    return n;
}

/* The name of an anchor, for the time when its event is gone; NULL. */
static const char *anchor_keep(struct gs_yreader *r, const yaml_char_t *name)
{
    const char *s = (const char *)name;

    return s ? gs_arena_strndup(r->arena, s, strlen(s)) : NULL;
}

static int anchor_put(struct gs_yreader *r, const char *name,
                      const struct gs_ynode *node)
{
    if (!name)
        return 0;
    if (r->anchor_count == GS_YAML_ALIASES_MAX)
        return gs_fail(r->err, GS_LIMIT, gs_yreader_mark(r, node),
                       "more than %d anchors", GS_YAML_ALIASES_MAX);
    r->anchor = gs_array_grow(r->anchor, &r->anchor_cap, r->anchor_count + 1,
                              sizeof(*r->anchor));
    r->anchor[r->anchor_count++] = (struct gs_yanchor){ name, node,
                                                        r->arena == r->item };
    return 0;
}

/* A copy of `n` and all below it, counted against the bound. */
static struct gs_ynode *node_copy(struct gs_yreader *r,
                                  const struct gs_ynode *n, int depth,
                                  const yaml_mark_t *at)
{
    const struct gs_ynode **end;
    struct gs_ynode *copy;

    if (++r->copied > r->limits->aliases || depth > r->limits->depth) {
        gs_fail(r->err, GS_LIMIT, mark_of(r, at),
                "aliases add more than %u values", r->limits->aliases);
        return NULL;
    }
    copy = gs_arena_memdup(r->arena, n, sizeof(*n));
    copy->next = copy->child = NULL;
    end = &copy->child;
    for (const struct gs_ynode *c = n->child; c; c = c->next) {
        struct gs_ynode *k = node_copy(r, c, depth + 1, at);

        if (!k)
            return NULL;
        *end = k;
        end = &k->next;
    }
    return copy;
}

static struct gs_ynode *alias(struct gs_yreader *r, const yaml_event_t *e)
{
    const char *name = (const char *)e->data.alias.anchor;

    for (uint32_t i = r->anchor_count; i-- > 0;) {
        struct gs_ynode *copy;

        if (strcmp(r->anchor[i].name, name) != 0)
            continue;
        copy = node_copy(r, r->anchor[i].node, 0, &e->start_mark);
        if (copy) {
            copy->key = NULL;
            copy->line = (int)e->start_mark.line + 1;
            copy->column = (int)e->start_mark.column + 1;
        }
        return copy;
    }
    gs_fail(r->err, GS_INPUT, mark_of(r, &e->start_mark),
            "no anchor is called '%s'", name);
    return NULL;
}

/* True for a scalar in quotes, or with a tag that makes it a text ("!", "!!str
 * ...").
 */
static bool is_text(const yaml_event_t *e)
{
    const char *tag = (const char *)e->data.scalar.tag;

    return e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE
           || (tag
               && (strcmp(tag, "!") == 0 || strcmp(tag, YAML_STR_TAG) == 0
                   || strcmp(tag, "tag:yaml.org,2002:binary") == 0));
}

static struct gs_ynode *scalar(struct gs_yreader *r, const yaml_event_t *e)
{
    const size_t len = e->data.scalar.length;
    const char *text = (const char *)e->data.scalar.value;
    struct gs_ynode *n;

    if (len > r->limits->scalar || memchr(text, '\0', len)) {
        gs_fail(r->err, len > r->limits->scalar ? GS_LIMIT : GS_INPUT,
                mark_of(r, &e->start_mark),
                len > r->limits->scalar ? "a text may hold at most %u bytes"
                                        : "a text may not hold a NUL byte",
                r->limits->scalar);
        return NULL;
    }
    r->bytes += len;
    if (r->bytes > r->limits->bytes) {
        gs_fail(r->err, GS_LIMIT, mark_of(r, &e->start_mark),
                "more than %llu bytes in the texts of one document",
                (unsigned long long)r->limits->bytes);
        return NULL;
    }
    n = node_make(r, GS_YSCALAR, &e->start_mark);
    if (!n)
        return NULL;
    n->text = gs_arena_strndup(r->arena, text, len);
    n->len = (uint32_t)len;
    n->quoted = is_text(e);
    if (anchor_put(r, anchor_keep(r, e->data.scalar.anchor), n) < 0)
        return NULL;
    return n;
}

/* --- maps ----------------------------------------------------------------- */

static int stream_items(struct gs_yreader *r, struct gs_ynode *seq);

/* Record the key on the path at `depth`. */
static void path_put(struct gs_yreader *r, int depth, const char *key)
{
    const int level = depth - r->path_from;

    if (level >= 0 && level < GS_YPATH_MAX)
        r->path[level] = key;
}

/* True when the value of the key recorded last at `depth` is skipped. */
static bool is_unread(const struct gs_yreader *r, int depth)
{
    const int level = depth - r->path_from;

    if (level < 0 || level >= GS_YPATH_MAX)
        return false;
    for (size_t i = 0; i < r->unread_count; i++) {
        const char *const *key = r->unread[i].key;
        int k = 0;

        while (k <= level && key[k] && r->path[k]
               && strcmp(key[k], r->path[k]) == 0)
            k++;
        if (k > level && (k == GS_YPATH_MAX || !key[k]))
            return true;
    }
    return false;
}

/* Skip the events of a value. */
static int value_drop(struct gs_yreader *r)
{
    int depth = 0;

    do {
        const yaml_event_t *e;

        if (gs_yevents_next(&r->events, &e) < 0)
            return -1;
        depth += (e->type == YAML_SEQUENCE_START_EVENT
                  || e->type == YAML_MAPPING_START_EVENT)
                 - (e->type == YAML_SEQUENCE_END_EVENT
                    || e->type == YAML_MAPPING_END_EVENT);
    } while (depth > 0);
    return 0;
}

static bool is_streamed(const struct gs_yreader *r, const yaml_event_t *e,
                        const struct gs_ynode *key, int depth)
{
    return depth == 1 && r->stream && e->type == YAML_SEQUENCE_START_EVENT
           && strcmp(r->stream->key, key->text) == 0
           && (!r->wants || r->wants(r->docs_ctx, r->root));
}

/* Read the value of `key` into the tree, or stream it. */
static struct gs_ynode *value_read(struct gs_yreader *r,
                                   const struct gs_ynode *key, int depth)
{
    const yaml_event_t *e;
    struct gs_ynode *n;

    if (gs_yevents_next(&r->events, &e) < 0)
        return NULL;
    if (is_streamed(r, e, key, depth)) {
        n = node_make(r, GS_YSEQ, &e->start_mark);
        if (n && stream_items(r, n) < 0)
            n = NULL;
        return n;
    }
    return gs_yreader_node(r, e, depth);
}

/* The next key; NULL without a problem at the end of the mapping. */
static int key_read(struct gs_yreader *r, int depth, struct gs_ynode **key)
{
    const yaml_event_t *e;
    bool last;

    if (gs_yevents_next(&r->events, &e) < 0)
        return -1;
    last = e->type == YAML_MAPPING_END_EVENT;
    *key = last ? NULL : gs_yreader_node(r, e, depth + 1);
    return last || *key ? 0 : -1;
}

static int map_read(struct gs_yreader *r, struct gs_ynode *map, int depth)
{
    const struct gs_ynode **end = &map->child, *merged = NULL;

    for (;;) {
        struct gs_ynode *key, *value;

        path_put(r, depth, NULL);
        if (key_read(r, depth, &key) < 0)
            return -1;
        if (!key)
            return gs_ykeys_end(r, map, end, merged);
        if (gs_ykey_check(r, map, key) < 0)
            return -1;
        path_put(r, depth, key->text);
        if (is_unread(r, depth)) {
            if (value_drop(r) < 0)
                return -1;
            continue;
        }
        value = value_read(r, key, depth);
        if (!value)
            return -1;
        if (!merged && gs_ykey_merges(r, key)) {
            merged = value;
            continue;
        }
        value->key = key;
        *end = value;
        end = &value->next;
        map->len++;
    }
}

/* --- sequences ------------------------------------------------------------ */

static int seq_read(struct gs_yreader *r, struct gs_ynode *seq, int depth)
{
    const struct gs_ynode **end = &seq->child;

    path_put(r, depth, NULL);
    for (;;) {
        struct gs_ynode *n;
        const yaml_event_t *e;
        bool last;

        if (gs_yevents_next(&r->events, &e) < 0)
            return -1;
        last = e->type == YAML_SEQUENCE_END_EVENT;
        n = last ? NULL : gs_yreader_node(r, e, depth);
        if (last)
            return 0;
        if (!n)
            return -1;
        *end = n;
        end = &n->next;
        seq->len++;
    }
}

static void item_forget(struct gs_yreader *r)
{
    while (r->anchor_count && r->anchor[r->anchor_count - 1].is_item)
        r->anchor_count--;
    r->copied = 0;
    gs_arena_rewind(r->item);
}

/* Pass the items to the callback one by one. */
static int stream_items(struct gs_yreader *r, struct gs_ynode *seq)
{
    const uint32_t nodes = r->nodes;
    const uint64_t bytes = r->bytes;
    int rc = 0;

    r->arena = r->item;
    r->path_from = 3;
    while (rc == 0) {
        const struct gs_ynode *n;
        const yaml_event_t *e;
        bool last;

        if (gs_yevents_next(&r->events, &e) < 0) {
            rc = -1;
            break;
        }
        last = e->type == YAML_SEQUENCE_END_EVENT;
        n = last ? NULL : gs_yreader_node(r, e, 2);
        if (last)
            break;
        if (!n
            || (r->stream->item(r->stream->ctx, n, r->err) < 0
                && !gs_err_wants_more(r->err)))
            rc = -1;
        seq->len++;
        r->nodes = nodes;
        r->bytes = bytes;
        item_forget(r);
    }
    r->arena = r->doc;
    r->path_from = 1;
    return rc;
}

/* --- any node ------------------------------------------------------------- */

static bool has_tag(const yaml_event_t *e)
{
    return (e->type == YAML_SCALAR_EVENT && e->data.scalar.tag)
           || (e->type == YAML_SEQUENCE_START_EVENT
               && e->data.sequence_start.tag)
           || (e->type == YAML_MAPPING_START_EVENT
               && e->data.mapping_start.tag);
}

static struct gs_ynode *collection(struct gs_yreader *r, const yaml_event_t *e,
                                   int depth)
{
    const bool is_map = e->type == YAML_MAPPING_START_EVENT;
    const char *anchor = anchor_keep(r, is_map ? e->data.mapping_start.anchor
                                               : e->data.sequence_start.anchor);
    struct gs_ynode *n = node_make(r, is_map ? GS_YMAP : GS_YSEQ,
                                   &e->start_mark);

    if (depth == 0)
        r->root = n;
    if (!n
        || (is_map ? map_read(r, n, depth + 1) : seq_read(r, n, depth + 1)) < 0
        || anchor_put(r, anchor, n) < 0)
        return NULL;
    return n;
}

/* Read the node that begins with event `e`, at nesting depth `depth`. */
struct gs_ynode *gs_yreader_node(struct gs_yreader *r, const yaml_event_t *e,
                                 int depth)
{
    assert(depth >= 0);
    if (!r->is_foreign && has_tag(e)) {
        gs_fail(r->err, GS_INPUT, mark_of(r, &e->start_mark),
                "tags ('!...') are not supported");
        return NULL;
    }
    if (depth > r->limits->depth) {
        gs_fail(r->err, GS_LIMIT, mark_of(r, &e->start_mark),
                "nested more than %d deep", r->limits->depth);
        return NULL;
    }
    switch (e->type) {
    case YAML_ALIAS_EVENT:
        return alias(r, e);
    case YAML_SCALAR_EVENT:
        return scalar(r, e);
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return collection(r, e, depth);
    default:
        gs_fail(r->err, GS_INPUT, mark_of(r, &e->start_mark),
                "a value was expected here");
        return NULL;
    }
}

void gs_yreader_forget(struct gs_yreader *r)
{
    gs_arena_rewind(r->item);
    gs_arena_rewind(r->doc);
    r->arena = r->doc;
    r->root = NULL;
    r->path_from = 1;
    r->anchor_count = 0;
    r->nodes = r->copied = 0;
    r->bytes = 0;
}
