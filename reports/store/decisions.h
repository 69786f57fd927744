/* reports/store/decisions.h - the placements of a run in order, and their
 * digest, by which a later run finds the first that moved.
 *
 * A digest is a text, "COUNT:STRIDE:" and two characters for every STRIDE
 * placements: 12 bits of a running hash, so that all that follow a placement
 * that moved differ, one in 4,096 by chance excepted.
 */
#ifndef REPORTS_STORE_DECISIONS_H
#define REPORTS_STORE_DECISIONS_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct report_log;
struct topo;
struct trace_workload;

/* Texts are clean (base/text.h). */
struct report_decided {
    int64_t at; /* us */
    int64_t tasks;
    uint64_t devices;
    uint32_t job, group;
    int64_t first_task;
    const char *name, *node; /* of the job, of the node */
};

struct report_decisions {
    struct report_decided *at;
    uint32_t count;
};

/* Read those of a stored run, or of a log; in `arena`. */
int report_decisions_read(const char *path, const char *run,
                          struct gs_arena *arena, struct report_decisions *out,
                          struct gs_err *err);
void report_decisions_take(const struct report_log *log, const struct topo *t,
                           const struct trace_workload *w,
                           struct gs_arena *arena,
                           struct report_decisions *out);

/* The digest, in `arena`. */
const char *report_decisions_digest(const struct report_decisions *d,
                                    struct gs_arena *arena);

/* Find the placements [*from, *to) of which the first one that is not as in the
 * digest is one; *from may be d->count, when they are fewer.  False: all are as
 * there, or it is no digest.
 */
bool report_decisions_moved(const struct report_decisions *d,
                            const char *digest, uint32_t *from, uint32_t *to);

#endif /* REPORTS_STORE_DECISIONS_H */
