/* policies/modules/gang-quota.c - gangs exist as a whole or not at all.
 *
 * Without it tasks are created one by one while their quotas have room, so two
 * gangs that exist in parts can keep each other waiting.  As with the plugin
 * resourcequota of Volcano, a job has no tasks until its quotas have room for
 * its minimum.
 */
#include "policies/policy.h"

extern const struct gsp_module gsp_module_gang_quota;
const struct gsp_module gsp_module_gang_quota = {
    GSP_ABI,
    .name = "gang-quota",
    .summary = "a job has no tasks until its quotas have room for its gang",
    .promises = GSP_WHOLE_GANGS,
};
