/* policies/modules/fair_share.h - fair-share factors of users in a tree of
 * accounts, by their shares and their usage, for fairshare.c.
 *
 *   tree     Slurm's Fair Tree: siblings are ranked by shares / usage at each
 *            level; a user's factor is its rank among all users
 *   classic  2^-(effective usage / shares), where a part of the usage of an
 *            account counts for each of its users
 *   depth-oblivious
 *            the same, in which the depth of a user does not weaken its factor
 *
 * Usage of an entry includes that of all below it.  The fair-share parent of an
 * entry is the first above it whose shares are not `parent`.
 */
#ifndef GSP_FAIR_SHARE_H
#define GSP_FAIR_SHARE_H

#include <assert.h>
#include <math.h>
#include <string.h>

#include "policies/modules/exact_math.h"
#include "policies/policy.h"

enum { FAIR_TREE, FAIR_CLASSIC, FAIR_OBLIVIOUS };

/* The level of an account with `shares: parent`, whose children are elsewhere.
 */
#define FAIR_NO_LEVEL 4294967294.0

struct fair_entry {
    uint32_t parent;      /* in the tree of accounts; GSP_NONE of the root */
    uint32_t fair_parent; /* the first above it with shares of its own */
    uint32_t shares;      /* GSP_NONE: `parent` */
    uint32_t first;       /* its fair-share children, in fair_share.child */
    uint32_t children;
    bool is_user;
    double level_shares; /* of its fair-share children */
    double used;         /* it and all below it */
    double level;        /* FAIR_TREE: shares / usage among its siblings */
    double norm, eff;    /* otherwise: shares of the cluster; effective usage */
    double factor;       /* of a user, 0 to 1 */
};

/* A level of the tree that is being ranked. */
struct fair_frame {
    uint32_t entry, next; /* the next child of the entry */
    double before;        /* level of the child before it */
    bool is_tied;         /* the entry was tied with its sibling before it */
};

struct fair_share {
    uint32_t count, users;
    int mode;
    double dampening;
    struct fair_entry *entry;
    uint32_t *child, *sorted; /* [count] */
    struct fair_frame *frame; /* [count] */
};

static inline void fair_children_open(struct fair_share *f)
{
    uint32_t at = 0;

    for (uint32_t i = 1; i < f->count; i++) {
        struct fair_entry *e = &f->entry[i];
        struct fair_entry *up = &f->entry[e->fair_parent];

        up->children++;
        if (e->shares != GSP_NONE)
            up->level_shares += (double)e->shares;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        f->entry[i].first = at;
        at += f->entry[i].children;
        f->entry[i].children = 0;
    }
    for (uint32_t i = 1; i < f->count; i++) {
        struct fair_entry *up = &f->entry[f->entry[i].fair_parent];

        f->child[up->first + up->children++] = i;
    }
}

static inline void fair_open(struct fair_share *f, const struct gsp_host *host,
                             void *ctx, int mode, double dampening)
{
    f->count = host->accounts(ctx);
    f->mode = mode;
    f->dampening = dampening;
    f->entry = host->keep(ctx, f->count * sizeof(*f->entry));
    f->child = host->keep(ctx, f->count * sizeof(*f->child));
    f->sorted = host->keep(ctx, f->count * sizeof(*f->sorted));
    f->frame = host->keep(ctx, f->count * sizeof(*f->frame));
    for (uint32_t i = 0; i < f->count; i++) {
        struct fair_entry *e = &f->entry[i];

        e->parent = host->account_parent(ctx, i);
        e->shares = host->account_shares(ctx, i);
        e->is_user = host->account_is_user(ctx, i);
        f->users += e->is_user;
        assert(i == 0 || e->parent < i);
        if (i > 0) {
            const struct fair_entry *up = &f->entry[e->parent];

            e->fair_parent = e->parent > 0 && up->shares == GSP_NONE
                                 ? up->fair_parent
                                 : e->parent;
        }
    }
    fair_children_open(f);
}

/* Add the usage of all entries to those above them. */
static inline void fair_usage_sum(struct fair_share *f)
{
    for (uint32_t i = f->count; i-- > 1;)
        f->entry[f->entry[i].parent].used += f->entry[i].used;
}

/* --- Fair Tree ------------------------------------------------------------ */

static inline void fair_levels(struct fair_share *f)
{
    for (uint32_t i = 1; i < f->count; i++) {
        struct fair_entry *e = &f->entry[i];
        const struct fair_entry *up = &f->entry[e->fair_parent];
        const double usage = up->used > 0 ? e->used / up->used : 0;

        if (e->shares == GSP_NONE)
            e->level = e->is_user ? (double)INFINITY : FAIR_NO_LEVEL;
        else if (e->shares == 0)
            e->level = 0;
        else
            e->level = usage > 0 ? (double)e->shares / up->level_shares / usage
                                 : (double)INFINITY;
    }
}

/* A higher level first; of equal ones users, then the first in the tree. */
static inline bool fair_before(const struct fair_share *f, uint32_t a,
                               uint32_t b)
{
    const struct fair_entry *x = &f->entry[a], *y = &f->entry[b];

    if (x->level > y->level || x->level < y->level)
        return x->level > y->level;
    return x->is_user != y->is_user ? x->is_user : a < b;
}

/* Sort the children of an entry by merging. */
static inline void fair_sort(struct fair_share *f, const struct fair_entry *e)
{
    uint32_t *from = f->child + e->first, *to = f->sorted;
    const uint32_t n = e->children;

    for (uint32_t width = 1; width < n; width *= 2) {
        uint32_t *done = to;

        for (uint32_t lo = 0; lo < n; lo += 2 * width) {
            const uint32_t mid = n - lo > width ? lo + width : n;
            const uint32_t hi = n - mid > width ? mid + width : n;
            uint32_t l = lo, r = mid;

            for (uint32_t i = lo; i < hi; i++)
                to[i] = l < mid && (r == hi || fair_before(f, from[l], from[r]))
                            ? from[l++]
                            : from[r++];
        }
        to = from;
        from = done;
    }
    if (n && from != f->child + e->first)
        memcpy(f->child + e->first, from, n * sizeof(*from));
}

static inline void fair_frame_put(struct fair_share *f, uint32_t depth,
                                  uint32_t entry, bool is_tied)
{
    fair_sort(f, &f->entry[entry]);
    f->frame[depth] = (struct fair_frame){ .entry = entry,
                                           .before = FAIR_NO_LEVEL,
                                           .is_tied = is_tied };
}

/* Number the users from the first to the last; those that are tied with the one
 * before them have its rank.  Accounts with equal levels follow one another and
 * are not merged.
 */
static inline void fair_rank(struct fair_share *f)
{
    uint32_t rank = f->users, next = f->users, depth = 0;

    fair_frame_put(f, 0, 0, false);
    for (;;) {
        struct fair_frame *at = &f->frame[depth];
        const struct fair_entry *up = &f->entry[at->entry];
        struct fair_entry *e;
        uint32_t i;
        bool is_tied;

        if (at->next == up->children) {
            if (depth-- == 0)
                return;
            continue;
        }
        i = f->child[up->first + at->next];
        e = &f->entry[i];
        is_tied = (at->next == 0 && at->is_tied)
                  || !(e->level > at->before || e->level < at->before);
        at->before = e->level;
        at->next++;
        if (!e->is_user) {
            fair_frame_put(f, ++depth, i, is_tied);
            continue;
        }
        rank = is_tied ? rank : next;
        e->factor = (double)rank / (double)f->users;
        next--;
    }
}

/* --- classic -------------------------------------------------------------- */

static inline double fair_usage_norm(const struct fair_share *f, uint32_t i)
{
    return f->entry[0].used > 0 ? f->entry[i].used / f->entry[0].used : 0;
}

/* R = R of the parent x (usage / shares among siblings)^k, where k falls from 1
 * as the parent is off its shares in the other direction.
 */
static inline double fair_oblivious(const struct fair_share *f, uint32_t i)
{
    const struct fair_entry *e = &f->entry[i], *up = &f->entry[e->fair_parent];
    const double usage = fair_usage_norm(f, i);
    double above, own, siblings = 0, a, b, k = 1;

    if (!(e->norm > 0 && up->norm > 0 && up->eff > 0 && usage > 0))
        return usage;
    for (uint32_t c = 0; c < up->children; c++) {
        if (f->entry[f->child[up->first + c]].shares != GSP_NONE)
            siblings += fair_usage_norm(f, f->child[up->first + c]);
    }
    above = up->eff / up->norm;
    own = usage / e->norm / (siblings / up->norm);
    a = exact_log2(above) * EXACT_LN2;
    b = exact_log2(own);
    if ((a > 0 && b < 0) || (a < 0 && b > 0))
        k = 1 / (1 + 5 * a * (5 * a));
    return above * exact_exp2(k * b) * e->norm;
}

static inline void fair_factors(struct fair_share *f)
{
    f->entry[0].norm = f->entry[0].eff = 1;
    for (uint32_t i = 1; i < f->count; i++) {
        struct fair_entry *e = &f->entry[i];
        const struct fair_entry *up = &f->entry[e->fair_parent];
        const double usage = fair_usage_norm(f, i);
        const double part = e->shares != GSP_NONE && up->level_shares > 0
                                ? (double)e->shares / up->level_shares
                                : 0;

        e->norm = e->shares == GSP_NONE ? up->norm : up->norm * part;
        if (e->shares == GSP_NONE)
            e->eff = up->eff;
        else if (f->mode == FAIR_OBLIVIOUS)
            e->eff = fair_oblivious(f, i);
        else if (e->fair_parent == 0)
            e->eff = usage;
        else
            e->eff = up->level_shares > 0 ? usage + (up->eff - usage) * part
                                          : up->eff;
        e->factor = e->norm > 0 ? exact_exp2(-e->eff / e->norm / f->dampening)
                                : 0;
    }
}

/* Compute all factors from the usage of each entry without those below it,
 * which the caller has set.
 */
static inline void fair_compute(struct fair_share *f)
{
    fair_usage_sum(f);
    if (f->mode == FAIR_TREE) {
        fair_levels(f);
        fair_rank(f);
    } else {
        fair_factors(f);
    }
}

/* The factor of an entry; 0: it is no user. */
static inline double fair_factor(const struct fair_share *f, uint32_t account)
{
    assert(account < f->count);
    return f->entry[account].is_user ? f->entry[account].factor : 0;
}

#endif /* GSP_FAIR_SHARE_H */
