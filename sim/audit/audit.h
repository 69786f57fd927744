/* sim/audit/audit.h - what would a policy have decided, where the trace
 * recorded what another scheduler did?
 *
 * A decision point is a moment at which a recorded run started or ended, or a
 * job was submitted.  The recorded state is imposed up to it: jobs are
 * submitted to a scheduler, adopt the nodes of their runs and end as recorded.
 * Then a cycle tells what the policy would start and evict; all of that is
 * taken back, and the record goes on.
 *
 * A real scheduler needs time to start a job, and may look only at intervals,
 * at moments that the record does not tell.  So the policy is asked at each
 * point for all that any of its passes would start, and decisions are equal
 * when they are at most `tolerance` and the longest interval of the policy
 * apart: a start that the policy wants is right when the record has it within
 * that time, or when the policy stops wanting it by then; a recorded start is
 * right when the policy wants it then or wanted it at most that long before.
 */
#ifndef SIM_AUDIT_AUDIT_H
#define SIM_AUDIT_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "policies/scheduler.h"

struct gs_err;
struct gsched_profile;
struct topo;
struct trace_workload;

enum audit_kind {
    AUDIT_EARLY,   /* the policy starts it earlier than recorded */
    AUDIT_LATE,    /* recorded as started, when the policy does not */
    AUDIT_NODES,   /* both start it, on other nodes */
    AUDIT_EVICTS,  /* the policy evicts it; it was not */
    AUDIT_SPARES,  /* recorded as evicted, when the policy does not */
    AUDIT_REJECTS, /* the policy would never run it */
    AUDIT_KINDS
};

struct audit_difference {
    enum audit_kind kind;
    uint32_t job;
    int64_t at;       /* us; the first decision point concerned */
    int64_t until;    /* ... when the policy no longer wanted it, or it was
                                recorded; else `at` */
    bool is_recorded; /* it was recorded at `until` */
    enum gsched_cause cause; /* of AUDIT_LATE: why it waits there */
    uint32_t node;           /* the first node that the policy takes, and that
                                of the record; UINT32_MAX: none */
    uint32_t recorded_node;
    uint32_t by; /* of AUDIT_EVICTS: the job that needs the room;
                                UINT32_MAX: none */
};

struct audit {
    int64_t apart;          /* us; decisions so far apart are equal */
    uint32_t points, equal; /* decision points, and those without a difference
                               of starts or evictions */
    uint32_t starts, equal_starts; /* recorded; started by the policy then */
    uint32_t placed, equal_nodes;  /* of these with nodes on record; on these
                                      nodes */
    uint32_t evictions, equal_evictions; /* recorded */
    uint32_t unrecorded;                 /* jobs without a recorded run */
    uint32_t elsewhere; /* runs whose nodes had no room: put on others */
    uint32_t nowhere;   /* runs that had no room at all: not imposed */
    uint32_t unknown;   /* runs whose nodes are not on record */
    uint32_t kinds[AUDIT_KINDS];
    uint32_t causes[GSCHED_CAUSES];      /* of AUDIT_LATE */
    struct audit_difference *difference; /* by time */
    uint32_t count, cap;
};

struct audit_options {
    const char *source; /* of the trace, for messages; NULL */
    uint64_t seed;
    int64_t tolerance; /* us */
    void (*progress)(void *ctx, uint32_t done, uint32_t points);
    void *progress_ctx;
};

/* Audit the profile.  -1 when it does not suit the cluster, or the trace has no
 * recorded run.
 */
int audit_run(const struct topo *t, const struct trace_workload *w,
              const struct gsched_profile *p, const struct audit_options *o,
              struct audit *out, struct gs_err *err);
void audit_free(struct audit *a);

#endif /* SIM_AUDIT_AUDIT_H */
