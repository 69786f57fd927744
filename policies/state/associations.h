/* policies/state/associations.h - accounts and their users as one numbered
 * tree, as the workload has them when the scheduler is created.
 *
 * Built only for modules that read accounts.  Jobs may name accounts and users
 * that the workload does not define: they have one share each.
 */
#ifndef POLICIES_STATE_ASSOCIATIONS_H
#define POLICIES_STATE_ASSOCIATIONS_H

#include "base/hash.h"
#include "policies/state/state.h"

#define GSCHED_NOBODY UINT32_MAX /* the user of jobs that state none */

struct gsched_association {
    uint32_t name;   /* string id of the account */
    uint32_t user;   /* string id; 0: the account itself; GSCHED_NOBODY */
    uint32_t parent; /* NONE of the root, 0; else a lower number */
    uint32_t shares; /* TRACE_SHARES_PARENT */
    double usage;    /* before time 0 */
};

struct gsched_accounts {
    struct gsched_association *at;
    uint32_t count;
    uint32_t root;        /* string id of the name of the root */
    struct gs_hash index; /* at[] by name and user */
};

void gsched_associations_open(struct gsched *s);
void gsched_associations_free(struct gsched *s);
/* The entry of the job's user in its account; of the account when the user is
 * not known; the root when the account is not known.
 */
uint32_t gsched_association_of(const struct gsched *s, uint32_t job);

#endif /* POLICIES_STATE_ASSOCIATIONS_H */
