/* policies/pending/service_order.h - whose turn it is. */
#ifndef POLICIES_PENDING_SERVICE_ORDER_H
#define POLICIES_PENDING_SERVICE_ORDER_H

#include "policies/state/state.h"

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

#endif /* POLICIES_PENDING_SERVICE_ORDER_H */
