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

/* Record that a module reads one of these settings of the trace; some module of
 * the profile must have stated it in `reads`.
 */
void gsched_services_ask(const struct gsched *s, uint32_t inputs);

/* The level of the tier that string id `name` names; GSP_NONE. */
uint32_t gsched_level_named(const struct topo *t, uint32_t name);

/* Members of struct gsp_host: module_preferences.c. */
uint32_t gsched_host_job_rules(const struct gsp_job *j, uint32_t group);
struct gsp_rule gsched_host_job_rule(const struct gsp_job *j, uint32_t group,
                                     uint32_t i);
uint32_t gsched_host_job_soft_rules(const struct gsp_job *j, uint32_t group);
struct gsp_soft_rule gsched_host_job_soft_rule(const struct gsp_job *j,
                                               uint32_t group, uint32_t i);
bool gsched_host_job_selects(const struct gsp_job *j, uint32_t group,
                             uint32_t node);
uint32_t gsched_host_job_prefers(const struct gsp_job *j, uint32_t group);
uint32_t gsched_host_job_points(const struct gsp_job *j, uint32_t group,
                                uint32_t node);
uint32_t gsched_host_soft_taints(void *ctx);
uint32_t gsched_host_job_soft_taints(const struct gsp_job *j, uint32_t group,
                                     uint32_t node);

#endif /* POLICIES_STATE_MODULE_SERVICES_H */
