/* traces/workload/reservations.h - nodes that are kept for some jobs from one
 * time to another: advance reservations.
 */
#ifndef TRACES_WORKLOAD_RESERVATIONS_H
#define TRACES_WORKLOAD_RESERVATIONS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

struct trace_workload;

/* A time of a reservation; one that repeats has several. */
struct trace_reservation {
    uint32_t name;                   /* string id; jobs name it */
    uint32_t line;                   /* of the trace file; 0: none */
    int64_t start, end;              /* us; start < end */
    uint32_t first_node, node_count; /* into reserved_node[] */
    bool is_flexible; /* its jobs may run at other times and nodes, too */
};

/* All of a workload. */
struct trace_reservations {
    struct trace_reservation *reservation;
    uint32_t *reserved_node; /* string ids */
    uint32_t reservation_count, reservation_cap;
    uint32_t reserved_nodes, reserved_node_cap;
};

/* Append a time, whose nodes (string ids) are appended with it; the index. */
uint32_t trace_reservation_add(struct trace_workload *w,
                               const struct trace_reservation *r,
                               const uint32_t *node, uint32_t count);
/* Has one of them the name? */
bool trace_reservation_is(const struct trace_workload *w, uint32_t name);
void trace_reservations_free(struct trace_workload *w);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_RESERVATIONS_H */
