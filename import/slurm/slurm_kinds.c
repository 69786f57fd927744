/* import/slurm/slurm_kinds.c - see slurm_kinds.h. */
#include "import/slurm/slurm_kinds.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "import/slurm/recording.h"
#include "import/slurm/sacct.h"
#include "import/slurm/sacctmgr.h"
#include "import/slurm/slurm_values.h"

/* Does a line begin with the word, behind blanks and in letters of either case;
 * with `also` (NULL: nothing more) somewhere in it?
 */
static bool has_line(const char *p, size_t size, const char *word,
                     const char *also)
{
    const size_t len = strlen(word);
    const char *end = p + size;

    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        const char *stop = lf ? lf : end;

        while (p < stop && (*p == ' ' || *p == '\t'))
            p++;
        if ((size_t)(stop - p) >= len && strncasecmp(p, word, len) == 0) {
            const char *rest = p + len;

            while (rest < stop && (*rest == ' ' || *rest == '\t'))
                rest++;
            if (rest < stop && *rest == '='
                && (!also || slurm_text_has(rest, (size_t)(stop - rest), also)))
                return true;
        }
        p = stop < end ? stop + 1 : end;
    }
    return false;
}

/* Whether the text begins with `word`; the text has no end but its size. */
static bool begins(const char *p, size_t size, const char *word)
{
    const size_t len = strlen(word);

    return size >= len && memcmp(p, word, len) == 0;
}

static bool any_line(const char *p, size_t size, const char *const *word)
{
    for (; *word; word++) {
        if (has_line(p, size, *word, NULL))
            return true;
    }
    return false;
}

/* The first line that is neither blank nor a comment. */
static const char *first_line(const char *p, size_t size, size_t *len)
{
    const char *end = p + size;

    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        const char *stop = lf ? lf : end;

        while (p < stop && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p < stop && *p != '#' && !begins(p, (size_t)(stop - p), "---")) {
            *len = (size_t)(stop - p);
            return p;
        }
        p = stop < end ? stop + 1 : end;
    }
    *len = 0;
    return p;
}

static bool is_topology_yaml(const char *head, size_t size)
{
    size_t len;
    const char *line = first_line(head, size, &len);

    return begins(line, len, "- topology:")
           || (begins(line, len, "topology:")
               && slurm_text_has(head, size, "cluster_default:"));
}

enum slurm_kind slurm_kind_of(const char *head, size_t size)
{
    static const char *const conf[] = { "ClusterName",
                                        "SlurmctldHost",
                                        "ControlMachine",
                                        "SchedulerType",
                                        "SelectType",
                                        "PartitionName",
                                        "SlurmctldPort",
                                        "ProctrackType",
                                        "AccountingStorageType",
                                        NULL };
    static const char *const switches[] = { "SwitchName", "BlockName",
                                            "BlockSizes", NULL };
    static const char *const gres[] = { "AutoDetect", NULL };
    static const char *const nothing[] = {
        "ConstrainCores",   "ConstrainRAMSpace",
        "ConstrainDevices", "CgroupAutomount",
        "CgroupMountpoint", "CgroupPlugin",
        "AllowedRAMSpace",  NULL
    };

    if (slurm_json_is(head, size))
        return SLURM_JSON;
    if (slurm_recording_is(head, size))
        return SLURM_RECORDING;
    if (sacctmgr_is_assoc(head, size))
        return SLURM_ASSOC;
    if (sacctmgr_is_qos(head, size))
        return SLURM_QOS;
    if (sacct_recognise(head, size) != SACCT_NONE)
        return SLURM_SACCT;
    if (is_topology_yaml(head, size))
        return SLURM_TOPOLOGY_YAML;
    if (any_line(head, size, conf))
        return SLURM_CONF;
    if (any_line(head, size, switches))
        return SLURM_TOPOLOGY_CONF;
    if (has_line(head, size, "ReservationName", NULL))
        return SLURM_RESERVATIONS;
    if (has_line(head, size, "NodeName", "CPUAlloc=")
        || (has_line(head, size, "NodeName", "CoresPerSocket=")
            && has_line(head, size, "CPUAlloc", NULL)))
        return SLURM_SCONTROL;
    if (any_line(head, size, gres) || has_line(head, size, "NodeName", " Name=")
        || has_line(head, size, "Name", "File=")
        || has_line(head, size, "Name", "Count="))
        return SLURM_GRES_CONF;
    if (has_line(head, size, "NodeName", NULL)
        || has_line(head, size, "NodeSet", NULL))
        return SLURM_CONF;
    return any_line(head, size, nothing) ? SLURM_NOTHING : SLURM_KINDS;
}

const char *slurm_kind_name(enum slurm_kind k)
{
    static const char *const names[] = {
        [SLURM_CONF] = "configuration of Slurm",
        [SLURM_GRES_CONF] = "gres.conf of Slurm",
        [SLURM_TOPOLOGY_CONF] = "topology.conf of Slurm",
        [SLURM_TOPOLOGY_YAML] = "topology.yaml of Slurm",
        [SLURM_SCONTROL] = "nodes of Slurm (scontrol)",
        [SLURM_RESERVATIONS] = "reservations of Slurm (scontrol)",
        [SLURM_ASSOC] = "accounts of Slurm (sacctmgr)",
        [SLURM_QOS] = "QOS of Slurm (sacctmgr)",
        [SLURM_RECORDING] = "recording of slurmctld",
        [SLURM_SACCT] = "accounting of Slurm (sacct)",
        [SLURM_JSON] = "JSON of Slurm",
        [SLURM_NOTHING] = "cgroup.conf of Slurm",
        [SLURM_KINDS] = NULL,
    };

    return names[k];
}
