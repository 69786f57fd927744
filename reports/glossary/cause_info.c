/* reports/glossary/cause_info.c - the list of causes. */
#include "reports/glossary/cause_info.h"

#include "reports/glossary/metric_names.h"

#include <assert.h>
#include <stddef.h>

#define CAUSE(name) name, METRIC_WAIT_BY_CAUSE name

static const struct report_cause_info causes[REPORT_CAUSES] = {
    [REPORT_NO_CAUSE] = { "", NULL, "", '?' },
    [REPORT_QUOTA] = { CAUSE("quota"), "its queue or user may not hold more",
                       'q' },
    [REPORT_CAPACITY] = { CAUSE("capacity"), "less was free than it asks for",
                          'c' },
    [REPORT_FRAGMENTATION] = { CAUSE("fragmentation"),
                               "enough was free, but no set of nodes fitted",
                               'f' },
    [REPORT_TOPOLOGY] = { CAUSE("topology"),
                          "it fitted, but not within the tier that it asks for",
                          't' },
    [REPORT_CONSTRAINT] = { CAUSE("constraint"),
                            "no node that meets its constraints took tasks",
                            'n' },
    [REPORT_HOARDING] = { CAUSE("hoarding"),
                          "partially allocated jobs held what it lacks", 'h' },
    [REPORT_ORDER] = { CAUSE("order"), "jobs ahead of it went first", 'o' },
    [REPORT_LATENCY] = { CAUSE("latency"),
                         "its tasks were not created yet, or its start was not yet in effect",
                         'l' },
};

const struct report_cause_info *report_cause_info(enum report_cause c)
{
    assert((unsigned)c < REPORT_CAUSES);
    return &causes[c];
}
