/* reports/glossary/cause_info.h - the causes of waiting: names, metrics,
 * meanings.
 */
#ifndef REPORTS_GLOSSARY_CAUSE_INFO_H
#define REPORTS_GLOSSARY_CAUSE_INFO_H

#include "sim/replay/observer.h"

struct report_cause_info {
    const char *name;   /* "quota" */
    const char *metric; /* "wait.by_cause.quota" */
    const char *text;   /* the reason in a few words */
    char letter;        /* in the time line of explain */
};

/* The entry of a cause; the one of REPORT_NO_CAUSE has the name "" and no
 * metric (NULL).
 */
const struct report_cause_info *report_cause_info(enum report_cause c);

#endif /* REPORTS_GLOSSARY_CAUSE_INFO_H */
