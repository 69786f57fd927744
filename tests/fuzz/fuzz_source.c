/* tests/fuzz/fuzz_source.c - files of other systems: JSON, YAML, tar. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "import/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a reader of objects relies on. */
static void check(const struct gs_ynode *n, bool is_value)
{
    uint32_t count = 0;

    if (n->line < 1 || n->column < 1 || is_value != (n->key != NULL))
        __builtin_trap();
    if (n->kind == GS_YSCALAR && (n->child || strlen(n->text) != n->len))
        __builtin_trap();
    for (const struct gs_ynode *c = n->child; c; c = c->next, count++) {
        check(c, n->kind == GS_YMAP);
        if (c->key && strlen(c->key->text) != c->key->len)
            __builtin_trap();
    }
    if (n->kind != GS_YSCALAR && count != n->len)
        __builtin_trap();
}

static int take(void *ctx, const struct import_object *o, struct gs_err *err)
{
    uint32_t *taken = ctx;

    if (o->root->kind != GS_YMAP || !o->api_version || !o->kind)
        __builtin_trap();
    for (const struct gs_ynode *c = o->root->child; c; c = c->next)
        check(c, true);
    if (++*taken % 5 == 0)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ 0 }, "enough");
    return 0;
}

static void skip(void *ctx, const struct gs_err *why)
{
    (void)ctx;
    if (why->count != 1)
        __builtin_trap();
}

static void replaced(void *ctx, const char *source, const struct gs_ynode *key)
{
    (void)ctx;
    if (!source || !key->text)
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct gs_ypath unread[] = { { { "a", "b" } }, { { "c" } } };
    const bool is_odd = size % 2;
    uint32_t taken = 0;
    const struct import_taker taker = {
        .take = take,
        .skip = is_odd ? skip : NULL,
        .replaced = is_odd ? replaced : NULL,
        .ctx = &taken,
        .unread = unread,
        .unread_count = is_odd ? 2 : 0,
    };
    struct gs_err err = { .limit = is_odd ? 1 : GS_ERR_MAX };
    struct gs_input *in = gs_input_open_memory("fuzz", data, size);
    const int rc = import_source_read_input(in, &taker, &err);

    if (rc < 0 && err.count == 0)
        __builtin_trap(); /* a failure without a reason */
    gs_input_close(in);
    return 0;
}
