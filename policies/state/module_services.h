/* policies/state/module_services.h - the services that modules get. */
#ifndef POLICIES_STATE_MODULE_SERVICES_H
#define POLICIES_STATE_MODULE_SERVICES_H

#include "policies/state/state.h"

extern const struct gsp_host gsched_host;

#endif /* POLICIES_STATE_MODULE_SERVICES_H */
