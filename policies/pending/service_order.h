/* policies/pending/service_order.h - whose turn it is. */
#ifndef POLICIES_PENDING_SERVICE_ORDER_H
#define POLICIES_PENDING_SERVICE_ORDER_H

#include "policies/state/state.h"

/* Bins that may be served, the one with the first item on top. */
struct line {
    uint32_t *bin;
    uint32_t count, cap;
};

enum { LINE_ENTER, LINE_GANGS, LINE_ELASTIC, LINES };

struct queue {
    uint32_t parent;                   /* the root has none */
    uint32_t first_child, child_count; /* in s->child_slot */
    uint32_t active;                   /* of them: with work in this pass */
    bool is_active, is_over;           /* in this pass */
    struct line line[LINES];
    uint32_t *waiting; /* bins with items, those to enter and elastic aside */
    uint32_t waiting_count, waiting_cap;
    uint32_t front; /* of them the one whose first item goes first; NONE: not
                       known */
};

/* The tree of queues, its root last, and what waits in each. */
struct gsched_order {
    uint32_t lined;  /* bins in lines */
    uint32_t *aside; /* bins taken out of line until the next cycle */
    uint32_t aside_count, aside_cap;
    struct queue *queue; /* the root last */
    uint32_t *child_slot;
};

void gsched_line_add(struct gsched *s, uint32_t bin);
void gsched_line_drop(struct gsched *s, uint32_t bin);
void gsched_line_moved(struct gsched *s, uint32_t bin);
/* Out of line until the next cycle; `why` holds it meanwhile. */
void gsched_line_aside(struct gsched *s, uint32_t bin, uint8_t gate);
void gsched_line_rejoin(struct gsched *s);
/* Queues with work in `line` take turns: begin; whose turn it is (the bin, or
 * NONE when all are through); what was served or dropped since.
 */
void gsched_turn_begin(struct gsched *s, int line);
uint32_t gsched_turn_next(struct gsched *s, int line);
void gsched_turn_taken(struct gsched *s, uint32_t queue, int line);
/* < 0: queue `a` is served before `b`. */
int gsched_queue_compare(const struct gsched *s, uint32_t a, uint32_t b);
/* < 0: bin `a`'s first item goes before that of `b`. */
int gsched_bin_compare(const struct gsched *s, uint32_t a, uint32_t b);
/* The tree of queues; one queue when no module tells queues apart. */
void gsched_order_open(struct gsched *s);
void gsched_order_close(struct gsched *s);

#endif /* POLICIES_PENDING_SERVICE_ORDER_H */
