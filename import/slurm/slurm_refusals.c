/* import/slurm/slurm_refusals.c - partitions that do not take a job, see
 * slurm_making.h.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/strtab.h"
#include "import/slurm/slurm_making.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

/* May jobs of the account, or of one above it, or of the QOS use a partition
 * with these lists?  NULL: it has none, and a name that is not known is on all.
 */
static bool is_on(const struct slurm *s, const char *list, uint32_t name)
{
    return list && name && slurm_list_has(list, slurm_str(s, name));
}

static bool account_is_on(const struct slurm *s, const char *list,
                          uint32_t name)
{
    bool found = false;

    for (uint32_t depth = 0; list && name && !found && depth < 16; depth++) {
        uint32_t above = 0;

        found = is_on(s, list, name);
        for (uint32_t i = 0; i < s->accounts && !above; i++) {
            if (s->user_account[i].name == name && !s->user_account[i].user)
                above = s->user_account[i].parent;
        }
        name = above;
    }
    return found;
}

static bool is_list(const char *list)
{
    return list && strcasecmp(list, "ALL") != 0;
}

static bool has_flag(const struct slurm *s, uint32_t qos, const char *flag)
{
    for (uint32_t i = 0; qos && i < s->qoses; i++) {
        if (s->qos[i].name == qos)
            return s->qos[i].flags && slurm_list_has(s->qos[i].flags, flag);
    }
    return false;
}

/* Why jobs of the partition do not start, as Slurm tells it; NULL: they may. */
static const char *refusal_of(const struct slurm *s,
                              const struct slurm_partition *q,
                              const struct slurm_job *j)
{
    if (q->state && strcasecmp(q->state, "DOWN") == 0)
        return "PartitionDown";
    if (q->state && strcasecmp(q->state, "INACTIVE") == 0)
        return "PartitionInactive";
    if ((q->max_nodes && j->nodes > q->max_nodes
         && !has_flag(s, j->qos, "PartitionMaxNodes"))
        || (j->nodes < q->min_nodes
            && !has_flag(s, j->qos, "PartitionMinNodes")))
        return "PartitionNodeLimit";
    if (j->account
        && (is_list(q->allowed_accounts)
                ? !account_is_on(s, q->allowed_accounts, j->account)
                : is_on(s, q->denied_accounts, j->account)))
        return "AccountNotAllowed";
    if (j->qos
        && (is_list(q->allowed_qos) ? !is_on(s, q->allowed_qos, j->qos)
                                    : is_on(s, q->denied_qos, j->qos)))
        return "QOSNotAllowed";
    return NULL;
}

/* The partitions of the job that take it, of those that it names. */
static void partitions_filter(struct slurm *s, struct slurm_job *j)
{
    const char *list = slurm_str(s, j->partition), *part;
    const char *p = list, *end = p + strlen(p), *why = NULL;
    char left[1024] = "";
    size_t len, n = 0;
    bool any = false;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const uint32_t id = gs_strtab_find(s->names, part, len);
        const uint32_t at = id == GS_STRTAB_NONE ? UINT32_MAX
                                                 : slurm_partition_find(s, id);
        const char *refusal = at == UINT32_MAX
                                  ? NULL
                                  : refusal_of(s, &s->partition[at], j);

        if (refusal) {
            why = why ? why : refusal;
            continue;
        }
        any = true;
        if (n + len + 2 < sizeof(left))
            n += (size_t)snprintf(left + n, sizeof(left) - n, "%s%.*s",
                                  n ? "," : "", (int)len, part);
    }
    if (!why)
        return;
    if (any) {
        j->partition = slurm_put_text(s, left);
        return;
    }
    j->refusal = slurm_put_text(s, why);
    slurm_tell(s, IMPORT_ASSUMED, NULL,
               "jobs that their partition does not take now (%s) wait for ever",
               why);
}

void slurm_refusals_make(struct slurm *s)
{
    uint32_t standard = 0;

    for (uint32_t i = 0; i < s->partitions; i++) {
        const char *v = s->partition[i].is_default;

        if (v
            && (strcasecmp(v, "YES") == 0 || strcasecmp(v, "TRUE") == 0
                || strcmp(v, "1") == 0))
            standard = s->partition[i].name;
    }
    for (uint32_t i = 0; s->partitions && i < s->jobs; i++) {
        struct slurm_job *j = &s->job[i];

        if (!j->partition && standard) {
            j->partition = standard;
            slurm_tell(
                s, IMPORT_ASSUMED, NULL,
                "jobs without a partition are in the default one, '%.60s'",
                slurm_str(s, standard));
        }
        if (j->partition)
            partitions_filter(s, j);
    }
}
