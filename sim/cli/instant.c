/* sim/cli/instant.c - the time of a run that an option names, see instant.h. */
#include "sim/cli/instant.h"

#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "sim/study/inputs.h"
#include "traces/workload/workload.h"

int cmd_instant_parse(const char *text, const struct inputs *in, int64_t *us,
                      struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const int64_t epoch = in->work->epoch;
    int64_t date;

    if (gs_duration_parse(text, strlen(text), us) == 0)
        return 0;
    if (gs_date_parse(text, strlen(text), &date) < 0)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--at' must be a time such as 2h, or a date (got "
                       "'%.60s')",
                       text);
    if (epoch == 0)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--at' is a date, but no 'epoch' of the trace says "
                       "which date time 0 is");
    if (date < epoch)
        return gs_fail(err, GS_USAGE, nowhere, "'--at' is before time 0");
    *us = date - epoch;
    return 0;
}
