/* reports/gate/gate.h - checks of the metrics of runs against rules. */
#ifndef REPORTS_GATE_GATE_H
#define REPORTS_GATE_GATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/gate/gate_rules.h"
#include "reports/store/figures.h"

struct gs_arena;

enum report_verdict {
    REPORT_HOLDS,
    REPORT_BROKEN,
    REPORT_NO_BASELINE, /* the baseline lacks the metric that the rule needs */
    REPORT_ABSENT,      /* the run has no such metric */
    REPORT_NO_RUN,      /* the run is only in the baseline */
    REPORT_VERDICTS
};

struct report_finding {
    const char *run;
    const char *source; /* of the rule */
    const struct report_rule *rule;
    const char *near; /* absent: the nearest key, or NULL */
    bool has_base, has_now;
    unsigned inputs; /* inputs in which the baseline differs, see
                        run_inputs.h */
    double base, now;
    /* For a rule on the length of deadlocks: the number of endless ones, and
     * how many of these break the rule.
     */
    double endless_now, endless;
    double limit; /* limit set by the rule */
    enum report_verdict verdict;
};

struct report_gate {
    struct gs_arena *arena;
    struct report_finding *finding; /* grouped by run */
    uint32_t count, cap;
    uint32_t broken; /* findings that do not hold */
    bool is_short;   /* tables omit findings that hold */
};

/* Judge one run; `base` may be NULL. */
void report_gate_judge(struct report_gate *g, const struct report_rules *rules,
                       const struct report_figures *now,
                       const struct report_figures *base);

/* Record that `run` of the baseline is missing; its message needs one rule. */
void report_gate_missing(struct report_gate *g, const struct report_rules *rule,
                         const char *run);

/* Make a new baseline: for each judged run the figures that rules name; and the
 * runs of `old` (may be NULL) that were not judged.
 */
void report_gate_accept(const struct report_gate *g,
                        const struct report_figure_set *now,
                        const struct report_figure_set *old,
                        struct report_figure_set *out);

#define REPORT_MESSAGE 1024u /* bytes of a message */

/* The message of a finding that does not hold: the value, the limit, the
 * difference, the remedy.  Returns buf of REPORT_MESSAGE bytes.
 */
const char *report_gate_message(const struct report_finding *f, char *buf);

enum report_gate_format {
    REPORT_GATE_TABLE,
    REPORT_GATE_MARKDOWN,
    REPORT_GATE_GITHUB, /* workflow commands */
    REPORT_GATE_FORMATS
};

/* "table", "markdown", "github"; REPORT_GATE_FORMATS when unknown. */
enum report_gate_format report_gate_format_find(const char *name);

void report_gate_table(const struct report_gate *g, uint32_t width,
                       bool has_colour, FILE *out);
void report_gate_markdown(const struct report_gate *g, FILE *out);
void report_gate_github(const struct report_gate *g, FILE *out);
void report_gate_junit(const struct report_gate *g, FILE *out);

#endif /* REPORTS_GATE_GATE_H */
