/* policies/placement/choice_blocks.c - nodes of one block, see node_choice.h.
 *
 * The domains of the innermost tier are the base blocks; each tier above joins
 * some of them.  A gang is within one block of the lowest tier that has room
 * for so many nodes, of the lowest weight and with the fewest nodes; there in
 * as few blocks of the next lower tier as can hold it.  A gang with slices is
 * so many gangs of their size.  As eval_nodes_block() of Slurm.
 */
#include <assert.h>

#include "base/heap.h"
#include "policies/placement/candidates.h"
#include "policies/placement/node_choice.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "traces/workload/slices.h"

/* What is asked, in blocks. */
struct block_ask {
    uint32_t level;  /* of the block that holds it; 0: the cluster */
    uint32_t nodes;  /* that it needs */
    uint32_t parts;  /* blocks of the next lower tier that it may use */
    bool is_limited; /* these may be fewer than a block has */
};

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* The nodes of the largest domain at the level. */
static uint32_t size_at(const struct gsched *s, uint32_t level)
{
    uint32_t most = 1;

    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        if (s->topo->domain[d].level == level
            && s->topo->domain[d].node_count > most)
            most = s->topo->domain[d].node_count;
    }
    return most;
}

/* The most tasks of the group on an empty node. */
static uint32_t most_on_empty(struct gsched *s, const struct choice_ask *ask)
{
    const uint32_t shape = gsched_group(s, ask->job, ask->group)->shape;
    const struct shape_view *sv = gsched_shape(s, shape);
    const uint32_t limit = gsched_most_on_node(s, ask->job, ask->group);
    uint32_t most = 1;

    for (uint32_t k = 0; k < s->topo->class_count; k++) {
        const uint32_t fits = class_set_has(&sv->suits, k) ? topo_class_fit(
                                  s->topo, k, &s->work->shape[shape])
                                                           : 0;

        most = fits > most ? fits : most;
    }
    return most < limit ? most : limit;
}

static struct block_ask block_ask_of(struct gsched *s,
                                     const struct choice_ask *ask)
{
    struct block_ask b = { .level = s->topo->tier_count };

    b.nodes = divide_up(ask->need, most_on_empty(s, ask));
    while (b.level > 0 && size_at(s, b.level) < b.nodes)
        b.level--;
    if (b.level < s->topo->tier_count) {
        const uint32_t part = size_at(s, b.level + 1);

        b.parts = divide_up(b.nodes, part);
        b.is_limited = b.parts < divide_up(size_at(s, b.level), part);
    }
    return b;
}

/* --- the block ------------------------------------------------------------ */

/* Count the nodes of each block that a gang may use: in its largest parts. */
static void usable_count(struct gsched *s, const struct block_ask *b)
{
    struct node_choice *c = s->choice;
    uint32_t count = 0, parts = 0;
    int64_t block = -1;

    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        const struct topo_domain *t = &s->topo->domain[d];

        if (!b->is_limited)
            c->domain[d].usable = c->domain[d].nodes;
        else if (t->level == b->level + 1 && c->domain[d].nodes)
            c->idle[count++] = (struct idle_node){ .weight = t->parent,
                                                   .free = c->domain[d].nodes,
                                                   .all = 1 };
    }
    gs_heap_build(&gsched_idle_first, c->idle, count);
    while (count > 0) { /* by blocks, the largest part first */
        parts = c->idle[0].weight == block ? parts + 1 : 1;
        block = c->idle[0].weight;
        if (parts <= b->parts)
            c->domain[block].usable += (uint64_t)c->idle[0].free;
        c->idle[0] = c->idle[--count];
        (void)gs_heap_sink(&gsched_idle_first, c->idle, count, 0);
    }
}

/* The block with the lowest weight and the fewest nodes of those that are
 * enough, of equals the last; NONE.
 */
static uint32_t block_find(struct gsched *s, const struct choice_ask *ask,
                           const struct block_ask *b)
{
    const struct chosen_domain *of = s->choice->domain;
    uint32_t best = NONE;

    gsched_domains_count(s, ask, INT64_MAX);
    usable_count(s, b);
    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        if (s->topo->domain[d].level != b->level || of[d].tasks < ask->need
            || of[d].usable < b->nodes)
            continue;
        if (best == NONE || of[d].weight < of[best].weight
            || (of[d].weight == of[best].weight
                && of[d].nodes <= of[best].nodes))
            best = d;
    }
    return best;
}

/* --- base blocks ---------------------------------------------------------- */

/* The part of the block that holds the base block. */
static uint32_t part_of(const struct gsched *s, const struct block_ask *b,
                        uint32_t base)
{
    while (s->topo->domain[base].level > b->level + 1)
        base = s->topo->domain[base].parent;
    return base;
}

/* The best base block so far. */
struct best_base {
    uint32_t base; /* NONE */
    bool fits, in_used_part;
};

/* > 0: base block `d` is better by its part, < 0: worse; 0: see the blocks. */
static int part_compare(const struct gsched *s, const struct block_ask *b,
                        const struct best_base *best, uint32_t d,
                        uint32_t nodes)
{
    const struct chosen_domain *of = s->choice->domain;
    const uint32_t part = part_of(s, b, d);
    const uint32_t other = best->base == NONE ? NONE
                                              : part_of(s, b, best->base);
    bool fits, other_fits;

    if (!b->is_limited || part == other)
        return 0;
    if (other == NONE)
        return 1;
    if (of[part].is_used != best->in_used_part)
        return of[part].is_used ? 1 : -1;
    fits = of[part].nodes >= nodes;
    other_fits = of[other].nodes >= nodes;
    if (fits != other_fits)
        return fits ? 1 : -1;
    if (of[part].nodes == of[other].nodes)
        return 0;
    return (of[part].nodes < of[other].nodes) == fits ? 1 : -1;
}

/* The base block to use next for so many nodes: in a part that is used, in the
 * part that fits best; the smallest that is enough, else the largest.
 */
static struct best_base base_best(const struct gsched *s,
                                  const struct choice_ask *in,
                                  const struct block_ask *b, uint32_t nodes)
{
    const struct chosen_domain *of = s->choice->domain;
    struct best_base best = { NONE, false, true };

    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        const struct topo_domain *t = &s->topo->domain[d];
        const bool fits = of[d].nodes >= nodes;
        int better;

        if (t->level != s->topo->tier_count || of[d].is_used || of[d].nodes == 0
            || t->first_node < in->from || t->first_node >= in->end)
            continue;
        better = part_compare(s, b, &best, d, nodes);
        if (better == 0)
            better = best.base == NONE || (fits && !best.fits)
                     || (fits == best.fits
                         && (fits ? of[d].nodes <= of[best.base].nodes
                                  : of[d].nodes >= of[best.base].nodes));
        if (better > 0)
            best = (struct best_base){
                d, fits, !b->is_limited || of[part_of(s, b, d)].is_used
            };
    }
    return best;
}

/* Note the parts in which nodes are used.  Returns their number. */
static uint32_t parts_note(struct gsched *s, const struct block_ask *b)
{
    struct chosen_domain *of = s->choice->domain;
    uint32_t parts = 0;

    for (uint32_t d = 0; b->is_limited && d < s->topo->domain_count; d++) {
        if (s->topo->domain[d].level == s->topo->tier_count && of[d].is_used) {
            const uint32_t part = part_of(s, b, d);

            parts += part == d || !of[part].is_used;
            of[part].is_used = true;
        }
    }
    return parts;
}

static bool block_choose(struct gsched *s, const struct choice_ask *ask)
{
    const struct block_ask b = block_ask_of(s, ask);
    const uint32_t block = block_find(s, ask, &b);
    struct chosen_domain *of = s->choice->domain;
    struct choice_ask in;
    uint32_t need, parts, taken;
    int64_t limit;

    if (block == NONE)
        return false;
    in = gsched_ask_within(s, ask, block);
    if (!gsched_choice_limit(s, &in, &limit))
        return false;
    gsched_domains_count(s, &in, limit);
    taken = of[block].nodes;
    need = gsched_domains_begin(s, &in, limit);
    parts = parts_note(s, &b);
    while (need > 0) {
        const uint32_t used = taken - of[block].nodes;
        const struct best_base best = base_best(
            s, &in, &b, b.nodes > used ? b.nodes - used : 1);

        if (best.base == NONE
            || (b.is_limited && !best.in_used_part && parts++ >= b.parts))
            return false;
        of[part_of(s, &b, best.base)].is_used |= b.is_limited;
        need = gsched_domain_take(s, &in, best.base, limit, need);
    }
    return parts <= b.parts || !b.is_limited;
}

/* Slices are chosen one after the other, each with a block of its own.  A job
 * of fewer tasks has none; one of another multiple is placed nowhere.
 */
bool gsched_choose_blocks(struct gsched *s, const struct choice_ask *ask)
{
    const struct trace_slices *slices = trace_job_slices(
        s->work, &s->work->job[ask->job]);
    const uint32_t size = slices ? slices->layer[0].size : ask->need;
    struct choice_ask part = *ask;

    if (size >= ask->need)
        return block_choose(s, ask);
    if (ask->need % size != 0)
        return false;
    part.need = size;
    for (uint32_t left = ask->need; left > 0; left -= size) {
        if (!block_choose(s, &part))
            return false;
    }
    return true;
}
