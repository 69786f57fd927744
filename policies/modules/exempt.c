/* policies/modules/exempt.c - jobs of some priority classes or users are never
 * evicted: by default those that Kubernetes counts as its own, as with the
 * plugin conformance of Volcano.  (Imported jobs have their namespace as user.)
 */
#include <string.h>

#include "policies/policy.h"

enum { CLASSES, USERS };

static const struct gsp_param params[] = {
    { "classes", GSP_TEXT, "\"system-cluster-critical,system-node-critical\"",
      0, 0, "priority classes whose jobs are not evicted", NULL },
    { "users", GSP_TEXT, "kube-system", 0, 0,
      "users whose jobs are not evicted", NULL },
};

/* Is `name` among the names in `list`, separated by commas? */
static bool is_among(const char *list, const char *name)
{
    const size_t len = strlen(name);

    for (const char *s = list; len > 0; s += strcspn(s, ",") + 1) {
        if (strcspn(s, ",") == len && memcmp(s, name, len) == 0)
            return true;
        if (s[strcspn(s, ",")] == '\0')
            break;
    }
    return false;
}

static bool exempt_victims(void *self, enum gsp_why why,
                           const struct gsp_job *j, const struct gsp_victims *v,
                           uint8_t *spared)
{
    const struct gsp_self *m = self;

    (void)why; /* the same for both kinds */
    (void)j;   /* and for every preemptor */
    for (uint32_t i = 0; i < v->count; i++) {
        const struct gsp_job *of = v->at[i].job;

        if (is_among(m->value[CLASSES].text, m->host->job_class(of))
            || is_among(m->value[USERS].text, m->host->job_user(of)))
            spared[i] = 1;
    }
    return true;
}

extern const struct gsp_module gsp_module_exempt;
const struct gsp_module gsp_module_exempt = {
    GSP_ABI,
    .name = "exempt",
    .summary = "jobs of certain priority classes or users are not evicted",
    GSP_PARAMS(params),
    .promises = GSP_VICTIMS_ARE_SPARED,
    .victims = exempt_victims,
    .gang_victims = exempt_victims,
};
