/* sim/study/cause.h - what reports call a cause of the scheduler. */
#ifndef SIM_STUDY_CAUSE_H
#define SIM_STUDY_CAUSE_H

#include "policies/scheduler.h"
#include "reports/glossary/cause_info.h"
#include "sim/replay/replay.h"

/* The static entry of the cause; of GSCHED_NO_CAUSE, that of none. */
static inline const struct report_cause_info *study_cause(enum gsched_cause c)
{
    return report_cause_info(c == GSCHED_NO_CAUSE ? REPORT_NO_CAUSE
                                                  : sim_cause_of(c));
}

#endif /* SIM_STUDY_CAUSE_H */
