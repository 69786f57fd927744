/* policies/modules/waterfill.h - one amount shared out by weight.
 *
 * What Volcano's proportion does to one resource.  In its first round each
 * cup gets weight / sum of weights of the total, at most what it can take, at
 * least what it is guaranteed.  In every later round the cups that could take
 * more get what is left in the same way, until nothing is left or all are
 * full.  A cup whose guarantee was more than its part goes on from there.
 *
 * Where guarantees make the first round give out more than there is (Volcano
 * then fails an assertion), everyone gets weight x level instead, between
 * guarantee and capacity, with the level at which it comes to the total.
 *
 * Volcano keeps a cup in the sum of weights while the queue lacks any other
 * resource, so that it needs rounds without end to come to the same result.
 */
#ifndef MODULE_WATERFILL_H
#define MODULE_WATERFILL_H

#include <stdbool.h>
#include <stdint.h>

struct cup {
    double weight;      /* > 0 */
    double least, most; /* guaranteed; that it can take, >= least */
    double got;
    bool settled;
};

static inline double cup_clamp(const struct cup *c, double amount)
{
    if (amount > c->most)
        amount = c->most;
    return amount < c->least ? c->least : amount;
}

/* Of `left`, its part among cups whose weights come to `weights`. */
static inline double cup_part(const struct cup *c, double left, double weights)
{
    return left * c->weight / weights;
}

/* Give the parts of `left` to cups that are not settled; what bounds made
 * them get too much in all (< 0: too little).
 */
static inline double cups_give(struct cup *c, uint32_t count, double left,
                               double weights)
{
    double over = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!c[i].settled) {
            const double part = cup_part(&c[i], left, weights);

            c[i].got = cup_clamp(&c[i], part);
            over += c[i].got - part;
        }
    }
    return over;
}

/* weight x level, within the bounds, so that it comes to the total: as long
 * as bounds make it too much, those with a guarantee above their part are
 * done; while too little, those that are full.
 */
static inline void cups_level(struct cup *c, uint32_t count, double total)
{
    double weights = 0;
    bool again = true;

    for (uint32_t i = 0; i < count; i++) {
        c[i].settled = false;
        weights += c[i].weight;
    }
    while (again && weights > 0) {
        const double left = total, all = weights;
        const double over = cups_give(c, count, left, all);

        again = false;
        for (uint32_t i = 0; i < count; i++) {
            const double part = cup_part(&c[i], left, all);

            if (!c[i].settled
                && ((over > 0 && c[i].got > part)
                    || (over < 0 && c[i].got < part))) {
                c[i].settled = again = true;
                weights -= c[i].weight;
                total -= c[i].got;
            }
        }
    }
}

/* One round; what is left after it. */
static inline double cups_round(struct cup *c, uint32_t count, double left)
{
    double weights = 0, given = 0;
    bool filled = false;

    for (uint32_t i = 0; i < count; i++)
        weights += c[i].got < c[i].most ? c[i].weight : 0;
    for (uint32_t i = 0; i < count; i++) {
        double more;

        if (c[i].got >= c[i].most)
            continue;
        more = cup_part(&c[i], left, weights);
        if (c[i].got + more >= c[i].most) {
            more = c[i].most - c[i].got;
            filled = true;
            c[i].got = c[i].most;
        } else {
            c[i].got += more;
        }
        given += more;
    }
    return filled ? left - given : 0; /* nobody full: all was given */
}

/* Share `total` out: sets `got` of every cup. */
static inline void waterfill(struct cup *c, uint32_t count, double total)
{
    double weights = 0, given = 0;

    for (uint32_t i = 0; i < count; i++)
        weights += c[i].weight;
    for (uint32_t i = 0; i < count; i++) {
        c[i].got = cup_clamp(&c[i], cup_part(&c[i], total, weights));
        given += c[i].got;
    }
    if (given > total) {
        cups_level(c, count, total);
        return;
    }
    /* every round fills a cup or is the last */
    for (double left = total - given; left > 0;)
        left = cups_round(c, count, left);
}

#endif /* MODULE_WATERFILL_H */
