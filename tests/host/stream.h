/* tests/host/stream.h - recordings of calls and decisions of a scheduler in the
 * simulator (written by record.c), played on the live host.
 *
 * A recording is lines of words.  First the cluster, its queues and classes;
 * then the profile; then what happens, instant by instant, each `cycle`
 * followed by the decisions taken, one a line that starts with a blank. Amounts
 * are numbers joined by ',', one for each dimension; '-' is no name.
 *
 *   dim NAME                        declared beyond the fixed ones
 *   tier NAME
 *   class TYPE MODEL GPUS AMOUNTS
 *   node NAME CLASS PATH...
 *   queue NAME WEIGHT PRIORITY CLOSED KEEPS GUARANTEE LIMIT USER-LIMIT
 *   priority NAME VALUE PREEMPTS
 *   profile PRESET SETTING
 *   submit US JOB QUEUE USER PRIORITY GANG ESTIMATE INTERVAL CREATED WITHIN
 *          TIER CHECKPOINT RETRIES RESUMES FIXED, then for each group:
 *   group NAME REPLICAS MIN GPUS SHARE MODEL AMOUNTS
 *   created US JOB TASKS
 *   end US JOB                      it has run
 *   cycle US
 *    place JOB GROUP TASK+TASKS NODE DEVICES
 *    evict, shrink: the same and REASON BY
 *    return JOB REASON BY
 *    reject JOB
 *   fail US JOB                     the host gave it up in that cycle
 *   left JOBS                       neither over nor rejected at the end
 */
#ifndef TEST_STREAM_H
#define TEST_STREAM_H

#include "tests/lib/live_host.h"

/* Play it; `differs` counts decisions other than the recorded ones.  NULL when
 * it cannot be read.
 */
struct live *stream_play(const char *path, unsigned *differs,
                         unsigned *decisions);

#endif /* TEST_STREAM_H */
