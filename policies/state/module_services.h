/* policies/state/module_services.h - the functions that the host offers to
 * modules.
 */
#ifndef POLICIES_STATE_MODULE_SERVICES_H
#define POLICIES_STATE_MODULE_SERVICES_H

#include "policies/state/state.h"

extern const struct gsp_host gsched_host;
/* The settings (enum gsp_input) that modules have read so far. */
uint32_t gsched_services_asked(const struct gsched *s);
/* A view of the state groups [first, first + states); `room` and `hardware`
 * have [states] elements, as in struct gsp_view.
 */
struct gsp_view gsched_view(const struct gsched *s, uint32_t first,
                            uint32_t states, const uint8_t *room,
                            const uint8_t *hardware);
void gsched_services_open(struct gsched *s);

#endif /* POLICIES_STATE_MODULE_SERVICES_H */
