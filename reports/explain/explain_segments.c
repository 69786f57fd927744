/* reports/explain/explain_segments.c - prints the speeds of a job. */
#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "base/text.h"
#include "reports/explain/explain_private.h"

#define SEGMENTS_SHOWN 20u
#define MILLION 1000000

/* Print the factors that differ from 1: "all-reduce 0.25, its nodes 0.5, 2 of 8
 * tasks".
 */
static void why_print(const struct report_explained *e,
                      const struct report_explained_segment *l, FILE *out)
{
    const bool has_tasks = l->tasks != e->tasks;
    const char *between = "  ";

    if (strcmp(l->source, "nodes") != 0) {
        fprintf(out, "%s%s %.6g", between, l->source, (double)l->model / 1e6);
        between = ", ";
    }
    if (l->nodes != MILLION) {
        fprintf(out, "%sits nodes %.6g", between, (double)l->nodes / 1e6);
        between = ", ";
    }
    if (has_tasks)
        fprintf(out, "%s%" PRId64 " of %" PRId64 " tasks", between, l->tasks,
                e->tasks);
}

void explain_segments_print(const struct report_explained *e, bool has_colour,
                            FILE *out)
{
    const uint32_t shown = e->segments < SEGMENTS_SHOWN ? e->segments
                                                        : SEGMENTS_SHOWN;
    char from[EXPLAIN_CELL], us[EXPLAIN_CELL];
    int width = 4;

    if (shown == 0)
        return;
    for (uint32_t i = 0; i < shown; i++) {
        const int n = (int)gs_text_length(e->segment[i].tier);

        width = n > width ? n : width;
    }
    width = width > 40 ? 40 : width;
    fprintf(out, "\n%sRan%s\n", has_colour ? "\033[1m" : "",
            has_colour ? "\033[0m" : "");
    fprintf(out, "  %-11s  %-11s  %-*s  speed   by\n", "from", "for", width,
            "tier");
    for (uint32_t i = 0; i < shown; i++) {
        const struct report_explained_segment *l = &e->segment[i];
        const int blanks = width - (int)gs_text_length(l->tier);

        fprintf(out, "  %-11s  %-11s  %s%*s  %.4f",
                gs_instant_human(l->start, from, sizeof(from)),
                gs_duration_human(l->us, us, sizeof(us)), l->tier,
                blanks > 0 ? blanks : 0, "", (double)l->speed / 1e6);
        why_print(e, l, out);
        fputc('\n', out);
    }
    if (shown < e->segments)
        fprintf(out, "  ... and %u more (all with --format json)\n",
                e->segments - shown);
}
