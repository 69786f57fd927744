/* base/yamldoc.c - reads a native document as a tree, see yamldoc.h. */
#include "base/yamldoc.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/input.h"
#include "base/yamlreader.h"

/* Limits of native files. */
static const struct gs_ylimits own_limits = { GS_YAML_DEPTH_MAX,
                                              GS_YAML_NODES_MAX,
                                              GS_YAML_SCALAR_MAX,
                                              GS_YAML_ALIASES_MAX, UINT64_MAX };

/* Read the first node of the document; NULL node at the end of the file. */
static struct gs_ynode *root_read(struct gs_yreader *r)
{
    struct gs_ynode *root = NULL;
    const yaml_event_t *e;
    bool done = false;

    while (!done) {
        if (gs_yevents_next(&r->events, &e) < 0)
            return NULL;
        done = e->type == YAML_STREAM_END_EVENT;
        if (done) {
            gs_fail(r->err, GS_INPUT,
                    (struct gs_mark){ gs_input_name(r->in), 1, 1 },
                    "the file is empty");
        } else if (e->type != YAML_STREAM_START_EVENT
                   && e->type != YAML_DOCUMENT_START_EVENT) {
            done = true;
            root = gs_yreader_node(r, e, 0);
        }
    }
    return root;
}

static int tail_check(struct gs_yreader *r)
{
    const yaml_event_t *e;
    int rc = 0;
    bool done = false;

    while (rc == 0 && !done) {
        if (gs_yevents_next(&r->events, &e) < 0)
            return -1;
        done = e->type == YAML_STREAM_END_EVENT;
        if (e->type == YAML_DOCUMENT_START_EVENT)
            rc = gs_fail(r->err, GS_INPUT,
                         (struct gs_mark){ gs_input_name(r->in),
                                           (int)e->start_mark.line + 1,
                                           (int)e->start_mark.column + 1 },
                         "a second document in one file");
    }
    return rc;
}

const struct gs_ynode *gs_yaml_read(struct gs_input *in, struct gs_arena *arena,
                                    const struct gs_ystream *stream,
                                    struct gs_err *err)
{
    struct gs_yreader r = {
        .in = in,
        .arena = arena,
        .doc = arena,
        .stream = stream,
        .limits = &own_limits,
        .err = err,
        .path_from = 1,
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
