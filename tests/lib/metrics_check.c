#include "tests/lib/metrics_check.h"

static const struct report_metric *find(const struct report_metric *row,
                                        uint32_t count,
                                        const struct expected_metric *e)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(row[i].name, e->name) == 0
            && strcmp(row[i].scope, e->scope) == 0
            && strcmp(row[i].label, e->label) == 0)
            return &row[i];
    }
    return NULL;
}

void metrics_check(struct rig *r, uint32_t large,
                   const struct expected_metric *e, size_t n)
{
    uint32_t count;
    const struct report_metric *row = report_metrics_rows(
        r->metrics, r->log, large, r->arena, &count);

    for (size_t i = 0; i < n; i++) {
        const struct report_metric *m = find(row, count, &e[i]);
        const bool is_right = m ? fabs(m->value - e[i].value) < 1e-12
                                : isnan(e[i].value);

        if (!is_right)
            printf("\n%s [%s]: %.17g, not %.17g", e[i].name, e[i].label,
                   m ? m->value : ABSENT, e[i].value);
        CU_ASSERT(is_right);
    }
}
