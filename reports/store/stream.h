/* reports/store/stream.h - rows that are stored while the run goes on.
 *
 * The run hands over each job that has ended, with its placements, in blocks;
 * a thread inserts them.  report_stream_open before the run,
 * report_stream_over after it, report_stream_write when its metrics are known,
 * report_stream_close in any case.
 *
 * All is in one transaction, as of report_store_write, and the rows are the
 * same: what differs is when they are inserted.  The transaction begins so late
 * that it is open about three times as long as storing takes, so that other
 * writers do not wait for a long replay.  When a million rows wait for it, it
 * begins in any case: their memory does not grow with the trace.
 */
#ifndef REPORTS_STORE_STREAM_H
#define REPORTS_STORE_STREAM_H

#include <stdint.h>

#include "reports/store/store.h"

struct report_stream; /* opaque */

/* Start to store `run` in `s`, which the caller leaves alone until
 * report_stream_close; name, `replaces` and `place` (NULL) of the run count.
 * `log` is an observer that is called before the stream; its placements may
 * leave.  The workload and its strings do not change until the end.  `clock`:
 * microseconds of processor time of this thread; NULL: the transaction begins
 * with the first rows.
 */
struct report_stream *report_stream_open(struct report_store *s,
                                         const struct report_run *run,
                                         const struct topo *t,
                                         const struct trace_workload *w,
                                         const struct report_log *log,
                                         int64_t (*clock)(void));
/* An observer of the run. */
const struct report_observer *report_stream_observer(
    const struct report_stream *st);
/* The run is over, and `log` is complete: hand over the jobs that have not
 * ended, or were rejected.  From here on nothing changes `log`: while its
 * metrics are computed, all rows of jobs are inserted.  Comes before
 * report_stream_write.
 */
void report_stream_over(struct report_stream *st);
/* Store all other rows of the run, and commit.  Fails as report_store_write. */
int report_stream_write(struct report_stream *st, const struct report_run *run,
                        const struct report_metric *metric, uint32_t metrics,
                        const struct report_samples *samples,
                        struct gs_err *err);
/* Roll back what is not committed; NULL is fine. */
void report_stream_close(struct report_stream *st);

#endif /* REPORTS_STORE_STREAM_H */
