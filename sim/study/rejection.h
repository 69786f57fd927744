/* sim/study/rejection.h - texts for rejected jobs: the amount or property that
 * no node has.
 */
#ifndef STUDY_REJECTION_H
#define STUDY_REJECTION_H

#include <stddef.h>
#include <stdint.h>

#include "sim/replay/observer.h"

struct topo;
struct trace_workload;

/* Why the job can never run on the empty cluster: "asks for 9 GPUs a task, the
 * largest node has 8". `cause` is its wait reason. Returns buf.
 */
const char *study_rejection_text(const struct topo *t,
                                 const struct trace_workload *w, uint32_t job,
                                 enum report_cause cause, char *buf,
                                 size_t size);

#endif /* STUDY_REJECTION_H */
