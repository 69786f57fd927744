/* traces/workload/records.c - recorded runs, see records.h. */
#include "traces/workload/records.h"

#include <assert.h>

#include "base/far.h"

uint32_t trace_workload_record(struct trace_workload *w,
                               const struct trace_record *record)
{
    struct trace_records *all = w->records;

    assert(record && record->wait >= 0 && record->length >= 0);
    assert(record->first_spot + record->spot_count <= all->spot_count);
    all->record = gs_far_grow(w->far, all->record, &all->record_cap,
                              all->record_count + 1, sizeof(*all->record));
    all->record[all->record_count] = *record;
    return all->record_count++;
}

uint32_t trace_workload_spot(struct trace_workload *w, uint32_t node,
                             uint32_t tasks)
{
    struct trace_records *all = w->records;

    assert(tasks > 0);
    all->spot = gs_far_grow(w->far, all->spot, &all->spot_cap,
                            all->spot_count + 1, sizeof(*all->spot));
    all->spot[all->spot_count] = (struct trace_spot){ node, tasks };
    return all->spot_count++;
}

void trace_records_free(struct trace_workload *w)
{
    gs_far_free(w->far, w->records->record);
    gs_far_free(w->far, w->records->spot);
}
