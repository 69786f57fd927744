/* reports/page/page_map.c - the map of nodes over time, in the time in which
 * most GPUs were hoarded or, in a run without hoarding, most were scattered
 * while jobs waited.
 *
 * Runs of one trace and cluster show the same time, that of the first.
 *
 * Each column is an instant, the middle of its span; many nodes are sampled
 * evenly.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/csv_write.h"
#include "base/err.h"
#include "reports/page/page_private.h"
#include "reports/store/store_private.h"
#include "share/share.h"

static int window_read(const struct page_run *r, struct page_map *m)
{
    sqlite3_stmt *st = store_ask(r->store, share_sql_map_window, r->id,
                                 r->from_us, r->to_us);

    m->start = m->from = r->from_us;
    m->to = r->to_us;
    if (st && sqlite3_step(st) == SQLITE_ROW) {
        m->from = sqlite3_column_int64(st, 0);
        m->to = sqlite3_column_int64(st, 1);
        m->why = (enum page_window)sqlite3_column_int(st, 2);
    }
    if (m->from < r->from_us || m->to > r->to_us) {
        m->from = r->from_us;
        m->to = r->to_us;
        m->why = PAGE_ALL;
    }
    return store_answered(st);
}

static int nodes_read(const struct report_page *p, const struct page_run *r,
                      struct page_map *m)
{
    sqlite3_stmt *st = store_ask(r->store, share_sql_map_nodes, r->id, 0, 0);
    uint32_t seen = 0;

    m->node = gs_arena_alloc(p->arena, PAGE_NODES, sizeof(*m->node));
    for (; st && sqlite3_step(st) == SQLITE_ROW; seen++) {
        const int gpus = sqlite3_column_int(st, 2);
        struct page_node *n = &m->node[m->nodes];

        m->of = (uint32_t)sqlite3_column_int64(st, 3);
        /* sample PAGE_NODES nodes evenly */
        if (m->nodes == PAGE_NODES
            || (m->of > PAGE_NODES
                && seen < (uint64_t)m->nodes * m->of / PAGE_NODES))
            continue;
        n->node = sqlite3_column_int64(st, 0);
        n->name = store_clean_text(st, 1, p->arena);
        n->gpus = gpus < 64 ? gpus : 64;
        m->gpus = n->gpus > m->gpus ? n->gpus : m->gpus;
        m->nodes++;
    }
    return store_answered(st);
}

/* Of a node's id and a node. */
static int node_compare(const void *id, const void *node)
{
    const int64_t x = *(const int64_t *)id;
    const int64_t y = ((const struct page_node *)node)->node;

    return (x > y) - (x < y);
}

static struct page_node *node_find(const struct page_map *m, int64_t node)
{
    return bsearch(&node, m->node, m->nodes, sizeof(*m->node), node_compare);
}

/* Mark `devices` of a node as held from `from` to `to`, and as hoarded until
 * `start`.
 */
static void hold(const struct page_map *m, struct page_node *n,
                 uint64_t devices, int64_t from, int64_t to, int64_t start)
{
    const double span = (double)(m->to - m->from) / PAGE_INSTANTS;

    for (int i = 0; i < PAGE_INSTANTS; i++) {
        const int64_t at = m->from + (int64_t)((i + 0.5) * span);

        if (at >= to)
            break;
        if (at < from)
            continue;
        n->held[i] |= devices;
        if (at < start)
            n->hoarded[i] |= devices;
    }
}

static int placements_read(const struct page_run *r, const struct page_map *m)
{
    sqlite3_stmt *st = store_ask(r->store, share_sql_map_placements, r->id,
                                 m->from, m->to);

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        struct page_node *n = node_find(m, sqlite3_column_int64(st, 0));

        if (n)
            hold(m, n, (uint64_t)sqlite3_column_int64(st, 1),
                 sqlite3_column_int64(st, 2), sqlite3_column_int64(st, 3),
                 sqlite3_column_int64(st, 4));
    }
    return store_answered(st);
}

/* The first run with the inputs of `run`, by which its time is chosen. */
static uint32_t window_of(const struct report_page *p, uint32_t run)
{
    const struct page_run *r = &p->run[run];

    for (uint32_t i = 0; i < run; i++) {
        if (strcmp(p->run[i].trace_hash, r->trace_hash) == 0
            && strcmp(p->run[i].topology_hash, r->topology_hash) == 0
            && p->run[i].from_us == r->from_us && p->run[i].to_us <= r->to_us)
            return i;
    }
    return run;
}

int page_map_read(const struct report_page *p, uint32_t run, struct page_map *m,
                  struct gs_err *err)
{
    const struct page_run *r = &p->run[run];

    *m = (struct page_map){ .chosen_by = window_of(p, run) };
    if (window_read(&p->run[m->chosen_by], m) < 0 || nodes_read(p, r, m) < 0
        || placements_read(r, m) < 0)
        return store_fail(r->store, "cannot read the placements", err);
    return 0;
}

static int bits(uint64_t x)
{
    int n = 0;

    for (; x; x &= x - 1)
        n++;
    return n;
}

int page_map_free(const struct page_node *n, int instant)
{
    const int held = bits(n->held[instant]);

    return held < n->gpus ? n->gpus - held : 0;
}

void page_map_csv(const struct page_map *m, FILE *out)
{
    const double span = (double)(m->to - m->from) / PAGE_INSTANTS;

    fputs("node,gpus", out);
    for (int i = 0; i < PAGE_INSTANTS; i++)
        fprintf(out, ",%.0f s",
                ((double)(m->from - m->start) + (i + 0.5) * span) / 1e6);
    fputc('\n', out);
    for (uint32_t k = 0; k < m->nodes; k++) {
        const struct page_node *n = &m->node[k];
        bool has_hoarded = false;

        gs_csv_put_cell(n->name, out);
        fputs(",free", out);
        for (int i = 0; i < PAGE_INSTANTS; i++) {
            has_hoarded = has_hoarded || n->hoarded[i];
            fprintf(out, ",%d", page_map_free(n, i));
        }
        fputc('\n', out);
        if (!has_hoarded)
            continue;
        gs_csv_put_cell(n->name, out);
        fputs(",hoarded", out);
        for (int i = 0; i < PAGE_INSTANTS; i++)
            fprintf(out, ",%d", bits(n->hoarded[i]));
        fputc('\n', out);
    }
}
