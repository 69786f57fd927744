/* reports/glossary/cause_info.c - the one list of causes. */
#include "reports/glossary/cause_info.h"

#include "reports/glossary/metric_names.h"

#include <assert.h>
#include <stddef.h>

#define CAUSE(name) name, METRIC_WAIT_BY_CAUSE name

static const struct report_cause_info causes[REPORT_CAUSES] = {
    [REPORT_NO_CAUSE] = { "", NULL, "", '?' },
    [REPORT_QUOTA] = { CAUSE("quota"), "the queue might hold no more", 'q' },
    [REPORT_CAPACITY] = { CAUSE("capacity"),
                          "less was free than the job asks for", 'c' },
    [REPORT_FRAGMENTATION] = { CAUSE("fragmentation"),
                               "enough was free, but no nodes fitted", 'f' },
    [REPORT_TOPOLOGY] = { CAUSE("topology"),
                          "it fitted, but not within the tier asked for", 't' },
    [REPORT_CONSTRAINT] = { CAUSE("constraint"), "no node of its kind was up",
                            'n' },
    [REPORT_HOARDING] = { CAUSE("hoarding"),
                          "partly placed jobs held what it needs", 'h' },
    [REPORT_ORDER] = { CAUSE("order"), "others were ahead of it", 'o' },
    [REPORT_LATENCY] = { CAUSE("latency"),
                         "tasks not created yet, or decided and not in effect",
                         'l' },
};

const struct report_cause_info *report_cause_info(enum report_cause c)
{
    assert((unsigned)c < REPORT_CAUSES);
    return &causes[c];
}
