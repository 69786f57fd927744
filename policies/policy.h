/* policies/policy.h - the contract between a scheduler and its modules.
 *
 * This is the only header a module may include besides the C library.  It names
 * no simulator type: the host may be gsim or a live scheduler.  Its parts are
 * in policy/: values, settings of actions, what the host shows (view.h), its
 * services (host.h), and the module.
 *
 * Rules for a module:
 *   - no writable globals, no I/O, no clock, no rand();
 *     its only inputs are the host's table, the views and its own
 *     `self`;
 *   - memory from host->keep() lives until close() and is freed by the host;
 *   - the same inputs give the same answers, bit for bit.
 */
#ifndef POLICIES_POLICY_H
#define POLICIES_POLICY_H

#define GSP_ABI_MAJOR 3  /* bumped when an existing field changes */
#define GSP_ABI_MINOR 15 /* bumped when a field is appended */

#include "policy/host.h"
#include "policy/module.h"
#include "policy/settings.h"
#include "policy/values.h"
#include "policy/view.h"

#endif /* POLICIES_POLICY_H */
