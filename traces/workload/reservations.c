/* traces/workload/reservations.c - see reservations.h. */
#include "traces/workload/reservations.h"

#include <assert.h>

#include "base/array.h"
#include "traces/workload/workload.h"

uint32_t trace_reservation_add(struct trace_workload *w,
                               const struct trace_reservation *r,
                               const uint32_t *node, uint32_t count)
{
    struct trace_reservation *to;

    assert(r->start < r->end);
    w->reserved_node = gs_array_grow(w->reserved_node, &w->reserved_node_cap,
                                     w->reserved_nodes + count,
                                     sizeof(*w->reserved_node));
    w->reservation = gs_array_grow(w->reservation, &w->reservation_cap,
                                   w->reservation_count + 1,
                                   sizeof(*w->reservation));
    to = &w->reservation[w->reservation_count];
    *to = *r;
    to->first_node = w->reserved_nodes;
    to->node_count = count;
    for (uint32_t i = 0; i < count; i++)
        w->reserved_node[w->reserved_nodes++] = node[i];
    return w->reservation_count++;
}

bool trace_reservation_is(const struct trace_workload *w, uint32_t name)
{
    bool found = false;

    for (uint32_t i = 0; i < w->reservation_count && !found; i++)
        found = w->reservation[i].name == name;
    return found;
}

void trace_reservations_free(struct trace_workload *w)
{
    gs_array_free(w->reservation);
    gs_array_free(w->reserved_node);
}
