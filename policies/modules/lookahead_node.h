/* policies/modules/lookahead_node.h - a node as lookahead fills it, and a table
 * of results by node state.
 */
#ifndef GSP_LOOKAHEAD_NODE_H
#define GSP_LOOKAHEAD_NODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "policies/policy.h"

#define DEVICES 64u
#define DIMS 16u

/* What limits a node: its free GPUs, its largest part of one in thousandths,
 * and from OTHERS on the dimensions that kinds ask for.
 */
enum { GPUS, PART, OTHERS, LIMITS = OTHERS + DIMS };

/* A node to which lookahead adds tasks. */
struct filled_node {
    int64_t free[LIMITS];
    uint32_t klass, count;
    uint16_t left[DEVICES]; /* thousandths left on partly used devices,
                               ascending */
};

static inline int64_t milli_of(uint32_t gpus, uint32_t share)
{
    return (int64_t)gpus * 1000 + share;
}

/* Take a share of a device with `left` thousandths left (1,000: a free device).
 */
static inline void share_put(struct filled_node *n, uint32_t left,
                             uint32_t share)
{
    const uint16_t rest = (uint16_t)(left - share);
    uint32_t i = 0;

    if (left == 1000) {
        n->free[GPUS]--;
        i = n->count++;
    } else {
        while (n->left[i] != left)
            i++;
    }
    for (; i > 0 && n->left[i - 1] > rest; i--)
        n->left[i] = n->left[i - 1];
    n->left[i] = rest;
    if (n->left[0] == 0) {
        n->count--;
        memmove(n->left, n->left + 1, n->count * sizeof(n->left[0]));
    }
}

/* Thousandths left on the fullest device that has room for the share; 1,000: a
 * free device.
 */
static inline uint32_t tightest(const struct filled_node *n, uint32_t share)
{
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->left[i] >= share)
            return n->left[i];
    }
    return 1000;
}

/* The largest part of a device that the node has left. */
static inline int64_t part_of(const struct filled_node *n)
{
    return n->free[GPUS] ? 1000 : n->count ? n->left[n->count - 1] : 0;
}

static inline int64_t left_on(const struct filled_node *n)
{
    int64_t sum = n->free[GPUS] * 1000;

    for (uint32_t i = 0; i < n->count; i++)
        sum += n->left[i];
    return sum;
}

/* --- table of results --- */

struct known {
    uint64_t key; /* 0: free */
    int64_t waste;
};

/* Open addressing by key. */
struct known_table {
    struct known *known;
    uint32_t count, slots; /* a power of two, or 0: not allocated */
};

static inline uint64_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t key_of(const struct filled_node *n, uint32_t limits)
{
    uint64_t h = scramble(n->klass * UINT64_C(65) + (uint64_t)n->free[GPUS]
                          + 1);

    for (uint32_t i = OTHERS; i < limits; i++)
        h = scramble(h + (uint64_t)n->free[i]);
    for (uint32_t i = 0; i < n->count; i++)
        h = scramble(h + n->left[i]);
    return h | 1;
}

/* The slot of the key, or the free one for it. */
static inline struct known *known_of(const struct known_table *t, uint64_t key)
{
    uint32_t at = (uint32_t)(key >> 20) & (t->slots - 1);

    while (t->known[at].key && t->known[at].key != key)
        at = (at + 1) & (t->slots - 1);
    return &t->known[at];
}

static inline void known_grow(struct known_table *t, uint32_t slots,
                              const struct gsp_host *host, void *ctx)
{
    const struct known_table old = *t;

    t->known = host->keep(ctx, slots * sizeof(*t->known));
    t->slots = slots;
    for (uint32_t i = 0; i < old.slots; i++) {
        if (old.known[i].key)
            *known_of(t, old.known[i].key) = old.known[i];
    }
}

#endif /* GSP_LOOKAHEAD_NODE_H */
