/* tests/lib/rig.h - a small run, reported to the observers by hand.
 *
 * Two racks of two nodes of 8 GPUs, 40 seconds:
 *
 *   job  queue  submit  asks for      what becomes of it
 *   0    a      0       1 x 8, 10 s   0-10 on n1
 *   1    b      0       2 x 4, 20 s   5-25 on n2 and n3; evicted at 8 for
 *                                job 0, and at 9
 *   2    b      10      8 x 8, 40 s   rejected at 10
 *   3    a      10      1 x 1, 5 s    waits; deadlocked from 30 on, they say
 *   4    a      20      1 x 1, ever   from 20 on, on n4
 */
#ifndef TEST_RIG_H
#define TEST_RIG_H

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "reports/measure/log.h"
#include "reports/measure/metrics.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define RIG_SECOND INT64_C(1000000)

struct rig {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct topo *topo;
    struct trace_workload *work;
    struct topo_cluster *cluster;
    struct report_log *log;
    struct report_metrics *metrics;
    struct report_instant now;
};

uint32_t rig_name(struct rig *r, const char *s);

/* `seconds` -1 is for ever. */
void rig_job(struct rig *r, const char *queue, int64_t submit, int64_t seconds,
             uint32_t replicas, uint32_t gpus);

void rig_init(struct rig *r);

/* The jobs are all there: the run begins. */
void rig_begin(struct rig *r, bool keeps_events);

void rig_fini(struct rig *r);

/* Place one task of a job that runs. */
struct report_allocation rig_place(struct rig *r, int64_t at, uint32_t job,
                                   uint32_t node, uint32_t task);

void rig_ended(struct rig *r, int64_t now, struct report_job j);

void rig_instant(struct rig *r, int64_t at);

void rig_finished(struct rig *r, int64_t at);

/* The run above. */
void rig_run(struct rig *r);

#endif /* TEST_RIG_H */
