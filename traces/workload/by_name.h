/* traces/workload/by_name.h - tables that find things of a workload by their
 * names.
 */
#ifndef TRACES_WORKLOAD_BY_NAME_H
#define TRACES_WORKLOAD_BY_NAME_H

#include <stdint.h>

#include "base/array.h"
#include "traces/workload/workload.h"

/* by[string id], for ids below `cap`, is the number of the thing of that name +
 * 1; 0: there is none.  Returns the number; TRACE_NONE.
 */
static inline uint32_t trace_by_name(const uint32_t *by, uint32_t cap,
                                     uint32_t name)
{
    return name < cap && by[name] ? by[name] - 1 : TRACE_NONE;
}

/* From now on the thing of that name has number `at`; the table grows in
 * memory.
 */
static inline void trace_by_name_put(uint32_t **by, uint32_t *cap,
                                     uint32_t name, uint32_t at)
{
    *by = gs_array_grow(*by, cap, name + 1, sizeof(**by));
    (*by)[name] = at + 1;
}

#endif /* TRACES_WORKLOAD_BY_NAME_H */
