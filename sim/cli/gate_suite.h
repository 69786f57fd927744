/* sim/cli/gate_suite.h - small replays whose metrics are gated together.
 *
 * A suite is a folder with suite.yaml and baseline.json:
 *
 *     runs:
 *       - name: fragmentation-binpack
 *         trace: ../../traces/samples/fragmentation.yaml  # from the folder
 *         policy: binpack
 *         world: ../../sim/samples/outages.yaml           # if it has one
 *         rules:
 *           wait.max: {max: 0s}
 */
#ifndef CLI_GATE_SUITE_H
#define CLI_GATE_SUITE_H

#include <stdint.h>

#include "reports/gate/gate_rules.h"
#include "reports/store/figures.h"

struct gate_suite {
    struct report_figure_set now; /* one for each of the runs */
    struct report_rules *rules;   /* as many */
    const char *baseline;         /* path */
};

/* Replay all runs of the suite.  Results are in `arena`. */
int gate_suite_replay(const char *dir, struct gs_arena *arena,
                      struct gate_suite *out, struct gs_err *err);

/* Check the file of a suite and all inputs of its runs, without replaying. */
int gate_suite_check(const char *path, struct gs_arena *arena,
                     struct gs_err *err);

#endif /* CLI_GATE_SUITE_H */
