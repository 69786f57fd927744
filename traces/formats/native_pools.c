/* traces/formats/native_pools.c - pools of tokens of a native trace, and what
 * jobs take of them: reading and writing.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"
#include "traces/formats/terms.h"
#include "traces/formats/writing.h"
#include "traces/workload/pools.h"

#define POOLS_ALLOWED \
    "the name of a pool, or a mapping of at most 32 to numbers of tokens"

/* --- of a job ------------------------------------------------------------- */

/* The pool called as the text at `v`, which it may be defined by later. */
static int pool_of(struct trace_native *l, const struct gs_ynode *v,
                   uint32_t *pool, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;

    if (v->kind != GS_YSCALAR || v->len == 0
        || !gs_text_is_clean(v->text, v->len))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'pools' must be " POOLS_ALLOWED);
    *pool = trace_pool_put(w, gs_strtab_put(w->names, v->text, v->len));
    l->pool = gs_array_grow(l->pool, &l->pool_cap, *pool + 1, sizeof(*l->pool));
    if (l->pool[*pool].line == 0) {
        l->pool[*pool].line = v->line;
        l->pool[*pool].column = v->column;
    }
    return 0;
}

static int tokens_of(const struct trace_native *l, const struct gs_ynode *v,
                     uint32_t *count, struct gs_err *err)
{
    if (gs_yread_u32(&l->c, v, count, err) < 0)
        return -1;
    return *count >= 1 && *count <= TRACE_TOKENS_MAX
               ? 0
               : gs_yread_refuse(&l->c, v,
                                 "a whole number from 1 to 1000000000", err);
}

int trace_read_pools(struct trace_native *l, const struct gs_ynode *v,
                     struct trace_job *job, struct gs_err *err)
{
    struct trace_tokens tokens[TRACE_POOLS_MAX];
    uint32_t n = 0;

    assert(l && job);
    if (!v)
        return 0;
    if (v->kind == GS_YSCALAR) {
        tokens[n++].count = 1;
        if (gs_ynode_is_null(v))
            return gs_yread_refuse(&l->c, v, POOLS_ALLOWED, err);
        if (pool_of(l, v, &tokens[0].pool, err) < 0)
            return -1;
    } else if (v->kind != GS_YMAP || v->len == 0 || v->len > TRACE_POOLS_MAX) {
        return gs_yread_refuse(&l->c, v, POOLS_ALLOWED, err);
    }
    for (const struct gs_ynode *x = v->kind == GS_YMAP ? v->child : NULL; x;
         x = x->next, n++) {
        if (pool_of(l, x->key, &tokens[n].pool, err) < 0
            || tokens_of(l, x, &tokens[n].count, err) < 0)
            return -1;
    }
    job->aside->pools = trace_pool_set_put(l->r->w, tokens, n);
    return 0;
}

/* --- definitions ---------------------------------------------------------- */

struct pool_in {
    uint32_t size;
    const char *reason;
};

int trace_pool_terms(const struct gs_yctx *c, const struct gs_ynode *v,
                     struct trace_pool *p, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "size", gs_yread_u32, offsetof(struct pool_in, size), false },
        { "reason", gs_yread_text, offsetof(struct pool_in, reason), false },
    };
    struct trace_workload *w = c->user;
    struct pool_in in = { .size = p->size };

    if (v->kind == GS_YMAP
            ? gs_ynode_fields(c, v, "pool", fields, 2, &in, err) < 0
            : gs_yread_u32(c, v, &in.size, err) < 0)
        return -1;
    if (in.size > TRACE_TOKENS_MAX)
        return gs_yread_refuse(c, v, "at most 1000000000 tokens", err);
    p->size = in.size;
    if (in.reason)
        p->reason = gs_strtab_put(w->names, in.reason, strlen(in.reason));
    return 0;
}

static int take_entry(struct trace_native *l, const struct gs_ynode *v,
                      struct gs_err *err)
{
    const struct gs_ynode *key = v->key;
    struct trace_workload *w = l->r->w;
    uint32_t i;

    if (key->len == 0 || !gs_text_is_clean(key->text, key->len))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, key),
                       "a pool needs a printable name");
    if (v->kind == GS_YMAP && !gs_ynode_find(v, "size"))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "pool needs 'size'");
    i = trace_pool_put(w, gs_strtab_put(w->names, key->text, key->len));
    l->pool = gs_array_grow(l->pool, &l->pool_cap, i + 1, sizeof(*l->pool));
    l->pool[i].defined = true;
    w->pools->pool[i].line = (uint32_t)key->line;
    return trace_pool_terms(&l->c, v, &w->pools->pool[i], err);
}

int trace_native_pools(struct trace_native *l, const struct gs_ynode *map,
                       struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    int rc = 0;

    if (map && map->kind != GS_YMAP)
        return gs_yread_refuse(&l->c, map,
                               "a mapping of pools, such as {matlab: 10}", err);
    for (const struct gs_ynode *v = map ? map->child : NULL; v; v = v->next) {
        if (take_entry(l, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    for (uint32_t i = 0; i < w->pools->pool_count; i++) {
        if (l->pool[i].defined)
            continue;
        rc = gs_fail(
            err, GS_INPUT,
            trace_reading_mark(l->r, l->pool[i].line, l->pool[i].column),
            "no entry of 'pools' is called '%s'",
            gs_strtab_str(w->names, w->pools->pool[i].name));
        if (!gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* --- writing -------------------------------------------------------------- */

void trace_put_pools(FILE *out, const struct trace_workload *w)
{
    if (w->pools->pool_count)
        fputs("pools:\n", out);
    for (uint32_t i = 0; i < w->pools->pool_count; i++) {
        const struct trace_pool *p = &w->pools->pool[i];

        fputs("  ", out);
        trace_put_id(out, w, p->name);
        fprintf(out,
                p->reason ? ": {size: %" PRIu32 ", reason: " : ": %" PRIu32,
                p->size);
        if (p->reason)
            trace_put_id(out, w, p->reason);
        fputs(p->reason ? "}\n" : "\n", out);
    }
}

void trace_put_tokens(FILE *out, const struct trace_workload *w, uint32_t pools)
{
    uint32_t n;
    const struct trace_tokens *t = trace_pool_tokens(w, pools, &n);
    const bool is_one = n == 1 && t[0].count == 1;

    for (uint32_t i = 0; i < n; i++) {
        fputs(i ? ", " : is_one ? ", pools: " : ", pools: {", out);
        trace_put_id(out, w, w->pools->pool[t[i].pool].name);
        if (!is_one)
            fprintf(out, ": %" PRIu32, t[i].count);
    }
    if (n && !is_one)
        putc('}', out);
}
