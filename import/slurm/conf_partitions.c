/* import/slurm/conf_partitions.c - the records PartitionName, see conf_nodes.h.
 */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "import/slurm/conf_lines.h"
#include "import/slurm/conf_nodes.h"
#include "import/slurm/conf_records.h"

struct partition_texts {
    const char *shared, *exclusive;
};

#define PARTITION(name, form, member)                        \
    {                                                        \
        name, form, offsetof(struct slurm_partition, member) \
    }

static const struct conf_field partition_fields[] = {
    PARTITION("Nodes", CONF_TEXT, nodes),
    PARTITION("MaxTime", CONF_SPAN, max_time),
    PARTITION("DefaultTime", CONF_SPAN, default_time),
    PARTITION("DefTime", CONF_SPAN, default_time),
    PARTITION("PriorityTier", CONF_WHOLE, tier),
    PARTITION("PriorityJobFactor", CONF_WHOLE, factor),
    PARTITION("State", CONF_TEXT, state),
    PARTITION("PreemptMode", CONF_TEXT, preempt_mode),
    PARTITION("Default", CONF_TEXT, is_default),
    PARTITION("MinNodes", CONF_WHOLE, min_nodes),
    PARTITION("MaxNodes", CONF_WHOLE, max_nodes),
    PARTITION("AllowQos", CONF_TEXT, allowed_qos),
    PARTITION("DenyQos", CONF_TEXT, denied_qos),
    PARTITION("AllowAccounts", CONF_TEXT, allowed_accounts),
    PARTITION("DenyAccounts", CONF_TEXT, denied_accounts),
    PARTITION("QOS", CONF_TEXT, qos),
    PARTITION("DefMemPerNode", CONF_TEXT, memory[SLURM_OF_NODE]),
    PARTITION("DefMemPerCPU", CONF_TEXT, memory[SLURM_OF_CPU]),
    PARTITION("DefaultMemPerCPU", CONF_TEXT, memory[SLURM_OF_CPU]),
    PARTITION("DefMemPerGPU", CONF_TEXT, memory[SLURM_OF_GPU]),
    PARTITION("GraceTime", CONF_WHOLE, grace),
    PARTITION("TRESBillingWeights", CONF_TEXT, billing),
};

/* Those that decide nothing here: what they change is in the trace, or told. */
static const char *const partition_others[] = {
    "Hidden",          "RootOnly",      "AllocNodes",     "DisableRootJobs",
    "DefCpuPerGPU",    "MaxMemPerCPU",  "MaxMemPerNode",  "CpuBind",
    "JobDefaults",     "SuspendTime",   "SuspendTimeout", "ResumeTimeout",
    "PowerDownOnIdle", "OverTimeLimit", "Alternate",      "PartitionName",
};

static const char *const partition_decisive[] = {
    "AllowGroups",
    "DenyGroups",
    "LLN",
    "ReqResv",
    "MaxCPUsPerNode",
    "MaxCPUsPerSocket",
    "SelectTypeParameters",
    "ExclusiveUser",
    "ExclusiveTopo",
    "Topology",
};

static bool is_among(const char *key, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(key, list[i]) == 0)
            return true;
    }
    return false;
}

static bool is_no(const char *value)
{
    return strcasecmp(value, "NO") == 0 || strcasecmp(value, "FALSE") == 0
           || strcmp(value, "0") == 0 || strcasecmp(value, "UNLIMITED") == 0
           || strcasecmp(value, "N/A") == 0 || strcasecmp(value, "NONE") == 0
           || strcasecmp(value, "ALL") == 0;
}

static void sharing_take(struct slurm *s, struct slurm_partition *q,
                         const struct slurm_pair *p)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);

    if (strncasecmp(p->value, "EXCLUSIVE", 9) == 0) {
        q->sharing = SLURM_WHOLE_NODES;
    } else if (strncasecmp(p->value, "FORCE", 5) == 0
               || strncasecmp(p->value, "YES", 3) == 0) {
        if (strcmp(strchr(p->value, ':') ? strchr(p->value, ':') : "", ":1")
            != 0)
            slurm_tell(s, IMPORT_IGNORED, &at, "%s=%.40s: CPUs have one job",
                       p->key, p->value);
        q->sharing = SLURM_OVERSUBSCRIBES;
    } else {
        q->sharing = SLURM_SHARES;
    }
}

static void unknown_tell(struct slurm *s, const struct slurm_pair *p)
{
    enum {
        FIELDS = sizeof(partition_fields) / sizeof(partition_fields[0]),
        OTHERS = sizeof(partition_others) / sizeof(partition_others[0]),
        DECISIVE = sizeof(partition_decisive) / sizeof(partition_decisive[0])
    };
    const char *known[FIELDS + OTHERS + DECISIVE];

    for (size_t i = 0; i < FIELDS; i++)
        known[i] = partition_fields[i].name;
    memcpy(known + FIELDS, partition_others, sizeof(partition_others));
    memcpy(known + FIELDS + OTHERS, partition_decisive,
           sizeof(partition_decisive));
    slurm_pair_unknown(s, p, "PartitionName", known,
                       FIELDS + OTHERS + DECISIVE);
}

static int partition_pair(struct slurm *s, struct slurm_partition *q,
                          const struct slurm_pair *p, struct gs_err *err)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);
    const struct conf_field *f = slurm_conf_field_find(
        partition_fields,
        sizeof(partition_fields) / sizeof(partition_fields[0]), p->key);

    if (f) {
        if (f->offset == offsetof(struct slurm_partition, nodes))
            q->nodes_at = at;
        if (slurm_conf_field_read(s, f, p, (char *)q, err) < 0)
            return -1;
        return 0;
    }
    if (strcasecmp(p->key, "Priority") == 0) {
        const struct conf_field both[] = { PARTITION("", CONF_WHOLE, tier),
                                           PARTITION("", CONF_WHOLE, factor) };

        return slurm_conf_field_read(s, &both[0], p, (char *)q, err) < 0
                   ? -1
                   : slurm_conf_field_read(s, &both[1], p, (char *)q, err);
    }
    if (strcasecmp(p->key, "OverSubscribe") == 0
        || strcasecmp(p->key, "Shared") == 0) {
        sharing_take(s, q, p);
    } else if (strcasecmp(p->key, "Exclusive") == 0) {
        if (strcasecmp(p->value, "NODE") == 0
            || strcasecmp(p->value, "TOPO") == 0)
            q->sharing = SLURM_WHOLE_NODES;
        if (strcasecmp(p->value, "USER") == 0
            || strcasecmp(p->value, "TOPO") == 0)
            slurm_tell(s, IMPORT_IGNORED, &at, "Exclusive=%.20s", p->value);
    } else if (is_among(p->key, partition_decisive,
                        sizeof(partition_decisive)
                            / sizeof(partition_decisive[0]))) {
        if (!is_no(p->value))
            slurm_tell(s, IMPORT_IGNORED, &at, "%s=%.60s of a partition",
                       p->key, p->value);
    } else if (!is_among(p->key, partition_others,
                         sizeof(partition_others)
                             / sizeof(partition_others[0]))) {
        unknown_tell(s, p);
    }
    return 0;
}

int slurm_conf_partition(struct slurm *s, struct conf_defaults *d,
                         const struct slurm_pair *p, uint32_t n,
                         struct gs_err *err)
{
    struct slurm_partition q = d->partition;

    for (uint32_t i = 1; i < n; i++) {
        if (partition_pair(s, &q, &p[i], err) < 0)
            return -1;
    }
    if (strcasecmp(p->value, "DEFAULT") == 0) {
        d->partition = q;
        return 0;
    }
    q.name = slurm_put_text(s, p->value);
    q.at = slurm_place_at(s, p->line, p->column);
    if (slurm_partition_find(s, q.name) != UINT32_MAX)
        return gs_fail(err, GS_INPUT, slurm_mark(s, &q.at),
                       "partition '%.80s' is described twice", p->value);
    if (s->partitions >= 4096)
        return gs_fail(err, GS_LIMIT, slurm_mark(s, &q.at),
                       "more than 4096 partitions");
    (void)slurm_partition_add(s, &q);
    import_account_count(s->account, "PartitionName", IMPORT_USED);
    return 0;
}
