/* reports/glossary/cause_info.h - name, metric and meaning of each cause of
 * waiting.
 */
#ifndef REPORTS_GLOSSARY_CAUSE_INFO_H
#define REPORTS_GLOSSARY_CAUSE_INFO_H

#include "sim/replay/observer.h"

struct report_cause_info {
    const char *name;   /* "quota" */
    const char *metric; /* "wait.by_cause.quota" */
    const char *text;   /* meaning: "less was free than it asks for" */
    char letter;        /* fills the time line of gsim explain */
};

/* The static entry of a cause.  REPORT_NO_CAUSE has the name "" and the metric
 * NULL.
 */
const struct report_cause_info *report_cause_info(enum report_cause c);

#endif /* REPORTS_GLOSSARY_CAUSE_INFO_H */
