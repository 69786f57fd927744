/* policies/state/module_services.h - the services that modules get. */
#ifndef POLICIES_STATE_MODULE_SERVICES_H
#define POLICIES_STATE_MODULE_SERVICES_H

#include "policies/state/state.h"

extern const struct gsp_host gsched_host;
/* enum gsp_input: what the modules asked for so far. */
uint32_t gsched_services_asked(const struct gsched *s);
/* State groups [first, first + states), of which a task may use those with `room`
 * now and those of the right `hardware` ever [states].
 */
struct gsp_view gsched_view(const struct gsched *s, uint32_t first,
                            uint32_t states, const uint8_t *room,
                            const uint8_t *hardware);
void gsched_services_open(struct gsched *s);

#endif /* POLICIES_STATE_MODULE_SERVICES_H */
