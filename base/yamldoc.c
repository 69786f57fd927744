/* base/yamldoc.c - libyaml's events into a checked tree, see yamldoc.h. */
#include "base/yamldoc.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/input.h"
#include "base/yamlevent.h"

/* Keys of a map are compared pair by pair up to here, by hash beyond. */
#define FEW_KEYS 16u

struct anchor {
    const char *name;
    const struct gs_ynode *node;
    bool is_item; /* defined within the streamed item */
};

struct reader {
    struct gs_yevents events;
    struct gs_input *in;
    struct gs_arena *arena; /* where nodes go now */
    struct gs_arena *doc;   /* of the whole document */
    struct gs_arena *item;  /* of one streamed item */
    const struct gs_ystream *stream;
    struct gs_err *err;
    struct anchor *anchor;
    uint32_t anchor_count, anchor_cap;
    uint32_t nodes, copied;
};

static struct gs_mark mark_of(const struct reader *r, const yaml_mark_t *m)
{
    return (struct gs_mark){ gs_input_name(r->in), (int)m->line + 1,
                             (int)m->column + 1 };
}

static struct gs_mark mark_node(const struct reader *r,
                                const struct gs_ynode *n)
{
    return (struct gs_mark){ gs_input_name(r->in), n->line, n->column };
}

/* --- nodes ------------------------------------------------------------------ */

static struct gs_ynode *node_make(struct reader *r, enum gs_ykind kind,
                                  const yaml_mark_t *m)
{
    struct gs_ynode *n;

    assert(kind <= GS_YSEQ);
    if (++r->nodes > GS_YAML_NODES_MAX) {
        gs_fail(r->err, GS_LIMIT, mark_of(r, m),
                "more than %d values in one document", GS_YAML_NODES_MAX);
        return NULL;
    }
    n = gs_arena_alloc(r->arena, 1, sizeof(*n));
    n->kind = kind;
    n->line = (int)m->line + 1;
    n->column = (int)m->column + 1;
    return n;
}

static int anchor_put(struct reader *r, const yaml_char_t *name,
                      const struct gs_ynode *node)
{
    const char *s = (const char *)name;

    if (!s)
        return 0;
    if (r->anchor_count == GS_YAML_ALIASES_MAX)
        return gs_fail(r->err, GS_LIMIT, mark_node(r, node),
                       "more than %d anchors", GS_YAML_ALIASES_MAX);
    r->anchor = gs_array_grow(r->anchor, &r->anchor_cap, r->anchor_count + 1,
                              sizeof(*r->anchor));
    r->anchor[r->anchor_count++] = (struct anchor){
        gs_arena_strndup(r->arena, s, strlen(s)), node, r->arena == r->item
    };
    return 0;
}

/* A copy of `n` and all below it, counted against the bound. */
static struct gs_ynode *node_copy(struct reader *r, const struct gs_ynode *n,
                                  int depth, const yaml_mark_t *at)
{
    const struct gs_ynode **end;
    struct gs_ynode *copy;

    if (++r->copied > GS_YAML_ALIASES_MAX || depth > GS_YAML_DEPTH_MAX) {
        gs_fail(r->err, GS_LIMIT, mark_of(r, at),
                "aliases add more than %d values", GS_YAML_ALIASES_MAX);
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

static struct gs_ynode *alias(struct reader *r, const yaml_event_t *e)
{
    const char *name = (const char *)e->data.alias.anchor;

    for (uint32_t i = r->anchor_count; i-- > 0;) {
        struct gs_ynode *copy;

        if (strcmp(r->anchor[i].name, name) != 0)
            continue;
        copy = node_copy(r, r->anchor[i].node, 0, &e->start_mark);
        if (copy) {
            copy->line = (int)e->start_mark.line + 1;
            copy->column = (int)e->start_mark.column + 1;
        }
        return copy;
    }
    gs_fail(r->err, GS_INPUT, mark_of(r, &e->start_mark),
            "no anchor is called '%s'", name);
    return NULL;
}

static struct gs_ynode *node_read(struct reader *r, yaml_event_t *e, int depth);

static struct gs_ynode *scalar(struct reader *r, const yaml_event_t *e)
{
    const size_t len = e->data.scalar.length;
    const char *text = (const char *)e->data.scalar.value;
    struct gs_ynode *n;

    if (len > GS_YAML_SCALAR_MAX || memchr(text, '\0', len)) {
        gs_fail(r->err, len > GS_YAML_SCALAR_MAX ? GS_LIMIT : GS_INPUT,
                mark_of(r, &e->start_mark),
                len > GS_YAML_SCALAR_MAX ? "a text may hold at most %d bytes"
                                         : "a text may not hold a NUL byte",
                GS_YAML_SCALAR_MAX);
        return NULL;
    }
    n = node_make(r, GS_YSCALAR, &e->start_mark);
    if (!n)
        return NULL;
    n->text = gs_arena_strndup(r->arena, text, len);
    n->len = (uint32_t)len;
    n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (anchor_put(r, e->data.scalar.anchor, n) < 0)
        return NULL;
    return n;
}

/* --- maps ------------------------------------------------------------------- */

static int duplicate(const struct reader *r, const struct gs_ynode *key,
                     const struct gs_ynode *first)
{
    return gs_fail(r->err, GS_INPUT, mark_node(r, key),
                   "duplicate key '%s' (first at line %d)", key->text,
                   first->line);
}

static uint32_t key_hash(const struct gs_ynode *key)
{
    uint32_t h = 2166136261u;

    for (const char *s = key->text; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

/* The keys of a large map, by hash; the first duplicate is reported. */
static int keys_check(const struct reader *r, const struct gs_ynode *map)
{
    uint32_t slots = 64;
    const struct gs_ynode **slot;
    int rc = 0;

    while (slots < map->len * 2)
        slots *= 2;
    slot = gs_array_new(slots, sizeof(*slot));
    for (const struct gs_ynode *v = map->child; v && rc == 0; v = v->next) {
        uint32_t i = key_hash(v->key) & (slots - 1);

        while (slot[i] && strcmp(slot[i]->text, v->key->text) != 0)
            i = (i + 1) & (slots - 1);
        if (slot[i])
            rc = duplicate(r, v->key, slot[i]);
        slot[i] = v->key;
    }
    gs_array_free(slot);
    return rc;
}

static int key_check(const struct reader *r, const struct gs_ynode *map,
                     const struct gs_ynode *key)
{
    if (key->kind != GS_YSCALAR)
        return gs_fail(r->err, GS_INPUT, mark_node(r, key),
                       "a key must be a plain text");
    if (!key->quoted && strcmp(key->text, "<<") == 0)
        return gs_fail(r->err, GS_INPUT, mark_node(r, key),
                       "merge keys ('<<') are not supported");
    if (map->len >= FEW_KEYS)
        return 0;
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        if (strcmp(v->key->text, key->text) == 0)
            return duplicate(r, key, v->key);
    }
    return 0;
}

static int stream_items(struct reader *r, yaml_event_t *e,
                        struct gs_ynode *seq);

/* The value of `key`: read into the tree, or streamed. */
static struct gs_ynode *value_read(struct reader *r, const struct gs_ynode *key,
                                   int depth)
{
    yaml_event_t e;
    struct gs_ynode *n;

    if (gs_yevents_next(&r->events, &e) < 0)
        return NULL;
    if (depth == 1 && r->stream && e.type == YAML_SEQUENCE_START_EVENT
        && strcmp(r->stream->key, key->text) == 0) {
        n = node_make(r, GS_YSEQ, &e.start_mark);
        if (n && stream_items(r, &e, n) < 0)
            n = NULL;
        return n;
    }
    n = node_read(r, &e, depth);
    yaml_event_delete(&e);
    return n;
}

static int map_read(struct reader *r, struct gs_ynode *map, int depth)
{
    const struct gs_ynode **end = &map->child;

    for (;;) {
        struct gs_ynode *key, *value;
        yaml_event_t e;
        bool last;

        if (gs_yevents_next(&r->events, &e) < 0)
            return -1;
        last = e.type == YAML_MAPPING_END_EVENT;
        key = last ? NULL : node_read(r, &e, depth + 1);
        yaml_event_delete(&e);
        if (last)
            return map->len > FEW_KEYS ? keys_check(r, map) : 0;
        if (!key || key_check(r, map, key) < 0)
            return -1;
        value = value_read(r, key, depth);
        if (!value)
            return -1;
        value->key = key;
        *end = value;
        end = &value->next;
        map->len++;
    }
}

/* --- sequences -------------------------------------------------------------- */

static int seq_read(struct reader *r, struct gs_ynode *seq, int depth)
{
    const struct gs_ynode **end = &seq->child;

    for (;;) {
        struct gs_ynode *n;
        yaml_event_t e;
        bool last;

        if (gs_yevents_next(&r->events, &e) < 0)
            return -1;
        last = e.type == YAML_SEQUENCE_END_EVENT;
        n = last ? NULL : node_read(r, &e, depth);
        yaml_event_delete(&e);
        if (last)
            return 0;
        if (!n)
            return -1;
        *end = n;
        end = &n->next;
        seq->len++;
    }
}

static void item_forget(struct reader *r)
{
    while (r->anchor_count && r->anchor[r->anchor_count - 1].is_item)
        r->anchor_count--;
    r->copied = 0;
    gs_arena_rewind(r->item);
}

/* Hand over the items one by one.  Takes the sequence's first event. */
static int stream_items(struct reader *r, yaml_event_t *e, struct gs_ynode *seq)
{
    const uint32_t nodes = r->nodes;
    int rc = 0;

    yaml_event_delete(e);
    r->arena = r->item;
    while (rc == 0) {
        const struct gs_ynode *n;
        bool last;

        if (gs_yevents_next(&r->events, e) < 0) {
            rc = -1;
            break;
        }
        last = e->type == YAML_SEQUENCE_END_EVENT;
        n = last ? NULL : node_read(r, e, 2);
        yaml_event_delete(e);
        if (last)
            break;
        if (!n
            || (r->stream->item(r->stream->ctx, n, r->err) < 0
                && !gs_err_wants_more(r->err)))
            rc = -1;
        seq->len++;
        r->nodes = nodes;
        item_forget(r);
    }
    r->arena = r->doc;
    return rc;
}

/* --- any node --------------------------------------------------------------- */

static bool has_tag(const yaml_event_t *e)
{
    return (e->type == YAML_SCALAR_EVENT && e->data.scalar.tag)
           || (e->type == YAML_SEQUENCE_START_EVENT
               && e->data.sequence_start.tag)
           || (e->type == YAML_MAPPING_START_EVENT
               && e->data.mapping_start.tag);
}

static struct gs_ynode *collection(struct reader *r, const yaml_event_t *e,
                                   int depth)
{
    const bool is_map = e->type == YAML_MAPPING_START_EVENT;
    struct gs_ynode *n = node_make(r, is_map ? GS_YMAP : GS_YSEQ,
                                   &e->start_mark);

    if (!n
        || (is_map ? map_read(r, n, depth + 1) : seq_read(r, n, depth + 1)) < 0
        || anchor_put(r,
                      is_map ? e->data.mapping_start.anchor
                             : e->data.sequence_start.anchor,
                      n)
               < 0)
        return NULL;
    return n;
}

/* The node that begins with event `e`, `depth` collections deep. */
static struct gs_ynode *node_read(struct reader *r, yaml_event_t *e, int depth)
{
    assert(depth >= 0);
    if (has_tag(e)) {
        gs_fail(r->err, GS_INPUT, mark_of(r, &e->start_mark),
                "tags ('!...') are not supported");
        return NULL;
    }
    if (depth > GS_YAML_DEPTH_MAX) {
        gs_fail(r->err, GS_LIMIT, mark_of(r, &e->start_mark),
                "nested more than %d deep", GS_YAML_DEPTH_MAX);
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

/* --- documents -------------------------------------------------------------- */

/* The first event that is not a start of something; NULL node at the end. */
static struct gs_ynode *root_read(struct reader *r)
{
    struct gs_ynode *root = NULL;
    yaml_event_t e;
    bool done = false;

    while (!done) {
        if (gs_yevents_next(&r->events, &e) < 0)
            return NULL;
        done = e.type == YAML_STREAM_END_EVENT;
        if (done) {
            gs_fail(r->err, GS_INPUT,
                    (struct gs_mark){ gs_input_name(r->in), 1, 1 },
                    "the file is empty");
        } else if (e.type != YAML_STREAM_START_EVENT
                   && e.type != YAML_DOCUMENT_START_EVENT) {
            done = true;
            root = node_read(r, &e, 0);
        }
        yaml_event_delete(&e);
    }
    return root;
}

static int tail_check(struct reader *r)
{
    yaml_event_t e;
    int rc = 0;
    bool done = false;

    while (rc == 0 && !done) {
        if (gs_yevents_next(&r->events, &e) < 0)
            return -1;
        done = e.type == YAML_STREAM_END_EVENT;
        if (e.type == YAML_DOCUMENT_START_EVENT)
            rc = gs_fail(r->err, GS_INPUT, mark_of(r, &e.start_mark),
                         "a second document in one file");
        yaml_event_delete(&e);
    }
    return rc;
}

const struct gs_ynode *gs_yaml_read(struct gs_input *in, struct gs_arena *arena,
                                    const struct gs_ystream *stream,
                                    struct gs_err *err)
{
    struct reader r = {
        .in = in, .arena = arena, .doc = arena, .stream = stream, .err = err
    };
    struct gs_err own = { 0 };
    const struct gs_ynode *root = NULL;
    unsigned before;

    assert(in && arena && (!stream || (stream->key && stream->item)));
    if (!err)
        r.err = &own;
    before = r.err->count;
    if (gs_yevents_open(&r.events, in, r.err) < 0)
        return NULL;
    r.item = gs_arena_create(1 << 14);
    root = root_read(&r);
    if (root && tail_check(&r) < 0)
        root = NULL;
    gs_yevents_close(&r.events);
    gs_arena_destroy(r.item);
    gs_array_free(r.anchor);
    return r.err->count == before ? root : NULL;
}

const struct gs_ynode *gs_yaml_parse(const char *name, const char *text,
                                     struct gs_arena *arena, struct gs_err *err)
{
    struct gs_input *in = gs_input_open_memory(name, text, strlen(text));
    const struct gs_ynode *root = gs_yaml_read(in, arena, NULL, err);

    assert(name && text && arena);
    gs_input_close(in);
    return root;
}
