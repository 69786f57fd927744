/* topology/groups.c - the table of state groups, see groups_private.h. */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "topology/groups_private.h"

static uint64_t state_hash(const struct topo_state *s, uint32_t dims)
{
    uint64_t h = gs_hash_mix(s->klass, s->gpus_free | (uint64_t)s->kinds << 32);

    for (uint32_t d = 0; d < dims; d++)
        h = gs_hash_mix(h, (uint64_t)s->free[d]);
    for (uint32_t i = 0; i < s->part_count; i++)
        h = gs_hash_mix(h, s->part[i] | (uint64_t)s->room[i] << 16);
    return h;
}

struct sought_state {
    const struct topo_group_table *t;
    const struct topo_state *s;
};

static bool is_same(const void *of, uint32_t g)
{
    const struct topo_group_table *t = ((const struct sought_state *)of)->t;
    const struct topo_state *s = ((const struct sought_state *)of)->s;

    if (t->klass[g] != s->klass || t->gpus_free[g] != s->gpus_free
        || t->part_count[g] != s->part_count || t->kinds[g] != s->kinds)
        return false;
    for (uint32_t d = 0; d < t->topo->dims->count; d++) {
        if (t->free[d][g] != s->free[d])
            return false;
    }
    return s->part_count == 0
           || (memcmp(t->part + t->part_at[g], s->part,
                      s->part_count * sizeof(s->part[0]))
                   == 0
               && memcmp(t->room + t->part_at[g], s->room, s->part_count) == 0);
}

void topo_groups_init(struct topo_group_table *t, const struct topo *topo)
{
    assert(topo->node_count > 0);
    *t = (struct topo_group_table){
        .topo = topo,
        .news = gs_array_new(TOPO_NEWS, sizeof(*t->news)),
    };
    t->newest = gs_array_new(topo->class_count, sizeof(*t->newest));
    memset(t->newest, 0xff, topo->class_count * sizeof(*t->newest));
    t->view.newest = t->newest;
    t->view.news = t->news;
    gs_bitsets_init(&t->members, topo->node_count);
}

void topo_groups_fini(struct topo_group_table *t)
{
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++) {
        gs_array_free(t->free[d]);
        gs_array_free(t->capacity[d]);
    }
    gs_array_free(t->nodes);
    gs_array_free(t->klass);
    gs_array_free(t->gpus_free);
    gs_array_free(t->share_max);
    gs_array_free(t->first);
    gs_array_free(t->older);
    gs_array_free(t->newest);
    gs_array_free(t->live);
    gs_array_free(t->live_at);
    gs_array_free(t->news);
    gs_array_free(t->map);
    gs_array_free(t->kinds);
    gs_array_free(t->hash);
    gs_array_free(t->part_at);
    gs_array_free(t->part_count);
    gs_array_free(t->part);
    gs_array_free(t->room);
    gs_hash_free(&t->groups);
    gs_bitsets_fini(&t->members);
}

static void *column_grow(void *column, uint32_t had, uint32_t need, size_t size)
{
    return gs_array_grow(column, &had, need, size);
}

/* All columns grow together. */
static void columns_grow(struct topo_group_table *t, uint32_t need)
{
    const uint32_t had = t->cap;
    const uint32_t cap = need + need / 2 + 64;

    if (need <= had)
        return;
    t->nodes = column_grow(t->nodes, had, cap, sizeof(*t->nodes));
    t->klass = column_grow(t->klass, had, cap, sizeof(*t->klass));
    t->gpus_free = column_grow(t->gpus_free, had, cap, sizeof(*t->gpus_free));
    t->share_max = column_grow(t->share_max, had, cap, sizeof(*t->share_max));
    t->first = column_grow(t->first, had, cap, sizeof(*t->first));
    t->older = column_grow(t->older, had, cap, sizeof(*t->older));
    t->live = column_grow(t->live, had, cap, sizeof(*t->live));
    t->live_at = column_grow(t->live_at, had, cap, sizeof(*t->live_at));
    t->kinds = column_grow(t->kinds, had, cap, sizeof(*t->kinds));
    t->hash = column_grow(t->hash, had, cap, sizeof(*t->hash));
    t->part_at = column_grow(t->part_at, had, cap, sizeof(*t->part_at));
    t->part_count = column_grow(t->part_count, had, cap,
                                sizeof(*t->part_count));
    for (uint32_t d = 0; d < t->topo->dims->count; d++) {
        t->free[d] = column_grow(t->free[d], had, cap, sizeof(int64_t));
        t->capacity[d] = column_grow(t->capacity[d], had, cap, sizeof(int64_t));
        t->view.free[d] = t->free[d];
        t->view.capacity[d] = t->capacity[d];
    }
    t->view.nodes = t->nodes;
    t->view.klass = t->klass;
    t->view.gpus_free = t->gpus_free;
    t->view.share_max = t->share_max;
    t->view.kinds = t->kinds;
    t->view.first = t->first;
    t->view.older = t->older;
    t->view.live = t->live;
    t->cap = cap;
}

uint32_t topo_groups_shares(const struct topo_group_table *t, uint32_t group)
{
    uint32_t n = t->part_count[group];

    assert(group < t->view.count || t->part_count);
    while (n && t->part[t->part_at[group] + n - 1] > TOPO_PART_CUT)
        n--;
    return n;
}

/* The group is the newest of its class. */
static void group_chain(struct topo_group_table *t, uint32_t group)
{
    uint32_t *newest = &t->newest[t->klass[group]];

    assert(*newest == UINT32_MAX || *newest < group);
    t->older[group] = *newest;
    *newest = group;
}

static uint32_t group_make(struct topo_group_table *t,
                           const struct topo_state *s, uint64_t hash)
{
    const uint32_t g = t->view.count;
    uint32_t shares;

    assert(g < UINT32_MAX - 1);
    assert(s->klass < t->topo->class_count);
    assert(s->part_count + s->gpus_free <= t->topo->klass[s->klass].gpus);
    columns_grow(t, g + 1);
    t->part = gs_array_grow(t->part, &t->part_cap, t->part_used + s->part_count,
                            sizeof(*t->part));
    t->room = gs_array_grow(t->room, &t->room_cap, t->part_used + s->part_count,
                            sizeof(*t->room));
    t->nodes[g] = 0;
    t->first[g] = UINT32_MAX;
    t->klass[g] = s->klass;
    t->gpus_free[g] = s->gpus_free;
    t->kinds[g] = s->kinds;
    t->hash[g] = hash;
    t->part_at[g] = t->part_used;
    t->part_count[g] = s->part_count;
    for (uint32_t i = 0; i < s->part_count; i++) {
        t->room[t->part_used] = s->room[i];
        t->part[t->part_used++] = s->part[i];
    }
    shares = topo_groups_shares(t, g);
    t->share_max[g] = s->gpus_free ? TOPO_SHARE_ONE
                      : shares     ? s->part[shares - 1]
                                   : 0;
    for (uint32_t d = 0; d < t->topo->dims->count; d++) {
        t->free[d][g] = s->free[d];
        t->capacity[d][g] = t->topo->klass[s->klass].capacity[d];
    }
    group_chain(t, g);
    gs_bitsets_make(&t->members, g);
    t->view.count++;
    gs_hash_put(&t->groups, hash, g);
    return g;
}

uint32_t topo_groups_find(struct topo_group_table *t,
                          const struct topo_state *s)
{
    const uint64_t hash = state_hash(s, t->topo->dims->count);
    const struct sought_state k = { t, s };
    const uint32_t g = gs_hash_find(&t->groups, hash, is_same, &k);

    return g == GS_HASH_NONE ? group_make(t, s, hash) : g;
}

void topo_groups_state(const struct topo_group_table *t, uint32_t group,
                       struct topo_state *s)
{
    assert(group < t->view.count);
    s->klass = t->klass[group];
    s->gpus_free = t->gpus_free[group];
    s->kinds = t->kinds[group];
    s->part_count = t->part_count[group];
    for (uint32_t i = 0; i < s->part_count; i++) {
        s->part[i] = t->part[t->part_at[group] + i];
        s->room[i] = t->room[t->part_at[group] + i];
    }
    for (uint32_t d = 0; d < t->topo->dims->count; d++)
        s->free[d] = t->free[d][group];
}

void topo_groups_add(struct topo_group_table *t, uint32_t group, uint32_t node)
{
    assert(group < t->view.count && node < t->topo->node_count);
    assert(t->topo->node_class[node] == t->klass[group]);
    assert(t->nodes[group] < t->topo->node_count);
    if (t->nodes[group]++ == 0)
        t->live[t->live_at[group] = t->view.live_count++] = group;
    gs_bitsets_add(&t->members, group, node);
    if (node < t->first[group]) {
        t->first[group] = node;
        t->news[t->view.news_count++ % TOPO_NEWS] = group;
    }
}

void topo_groups_remove(struct topo_group_table *t, uint32_t group,
                        uint32_t node)
{
    assert(group < t->view.count && t->nodes[group] > 0);
    assert(node >= t->first[group] && node < t->topo->node_count);
    if (--t->nodes[group] == 0) {
        const uint32_t last = t->live[--t->view.live_count];

        t->live[t->live_at[group]] = last;
        t->live_at[last] = t->live_at[group];
    }
    gs_bitsets_remove(&t->members, group, node);
    if (node == t->first[group])
        t->first[group] = gs_bitsets_first(&t->members, group, node,
                                           t->topo->node_count);
}

/* --- forgetting ----------------------------------------------------------- */

/* Move group `from`, which has nodes, to the number `to` <= from. */
static void group_move(struct topo_group_table *t, uint32_t from, uint32_t to,
                       uint32_t *part_used)
{
    assert(to <= from && t->nodes[from] > 0);
    assert(*part_used <= t->part_at[from]);
    t->nodes[to] = t->nodes[from];
    t->klass[to] = t->klass[from];
    t->gpus_free[to] = t->gpus_free[from];
    t->share_max[to] = t->share_max[from];
    t->first[to] = t->first[from];
    t->kinds[to] = t->kinds[from];
    t->hash[to] = t->hash[from];
    for (uint32_t d = 0; d < t->topo->dims->count; d++) {
        t->free[d][to] = t->free[d][from];
        t->capacity[d][to] = t->capacity[d][from];
    }
    if (t->part_count[from]) {
        memmove(t->part + *part_used, t->part + t->part_at[from],
                t->part_count[from] * sizeof(*t->part));
        memmove(t->room + *part_used, t->room + t->part_at[from],
                t->part_count[from] * sizeof(*t->room));
    }
    t->part_at[to] = *part_used;
    t->part_count[to] = t->part_count[from];
    *part_used += t->part_count[from];
    gs_bitsets_move(&t->members, from, to);
}

void topo_groups_compact(struct topo_group_table *t, uint32_t *node_group)
{
    const uint32_t count = t->view.count;
    uint32_t kept = 0, part_used = 0;

    t->map = gs_array_grow(t->map, &t->map_cap, count, sizeof(*t->map));
    for (uint32_t g = 0; g < count; g++) {
        t->map[g] = t->nodes[g] ? kept++ : UINT32_MAX;
        if (t->nodes[g])
            group_move(t, g, t->map[g], &part_used);
    }
    t->view.count = t->view.live_count = kept;
    memset(t->newest, 0xff, t->topo->class_count * sizeof(*t->newest));
    for (uint32_t g = 0; g < kept; g++) {
        t->live[g] = t->live_at[g] = g;
        group_chain(t, g);
    }
    t->part_used = part_used;
    gs_hash_clear(&t->groups);
    for (uint32_t g = 0; g < kept; g++)
        gs_hash_put(&t->groups, t->hash[g], g);
    for (uint32_t n = 0; n < t->topo->node_count; n++)
        node_group[n] = t->map[node_group[n]];
    t->view.sweep++;
}
