/* sim/cli/audit_print.h - an audit as text, as JSON, as a row of a table. */
#ifndef CLI_AUDIT_PRINT_H
#define CLI_AUDIT_PRINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/audit/audit.h"
#include "sim/study/rerun.h"

struct inputs;

struct audit_shown {
    const char *recording; /* of a folder; NULL */
    const char *policy;
    const char *fitted;      /* settings, see audit_fit; NULL: none */
    const struct inputs *in; /* for the names; of a row of a table NULL */
    struct audit audit;      /* of a row without differences */
    struct study_rerun rerun;
    bool has_rerun;
    uint64_t list; /* differences to show */
};

/* The part of the decision points without a difference. */
double audit_share(const struct audit *a);

void audit_print(const struct audit_shown *u);
json_t *audit_json(const struct audit_shown *u);
void audit_rows_print(const struct audit_shown *row, uint32_t rows);

#endif /* CLI_AUDIT_PRINT_H */
