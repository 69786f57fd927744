/* sim/cli/recorded_print.c - what a replay of a record could not repeat, see
 * recorded_print.h.
 */
#include "sim/cli/recorded_print.h"

#include <stdio.h>

#include "base/duration.h"
#include "sim/replay/replay.h"

void recorded_print(const char *run, const struct sim_recorded_stats *s)
{
    char latest[32];

    if (s->late)
        fprintf(stderr,
                "gsim: %s: %u of %u runs started later than recorded, since "
                "nothing had room for them (at most %s later)\n",
                run, s->late, s->runs,
                gs_duration_human(s->latest, latest, sizeof(latest)));
    if (s->elsewhere)
        fprintf(stderr,
                "gsim: %s: the recorded nodes of %u runs had no room: they ran "
                "on others\n",
                run, s->elsewhere);
    if (s->unknown)
        fprintf(stderr,
                "gsim: %s: the nodes of %u runs are not on record: best fit "
                "chose them\n",
                run, s->unknown);
    if (s->without)
        fprintf(stderr,
                "gsim: %s: %u jobs have no recorded run: they never start\n",
                run, s->without);
    if (s->waiting)
        fprintf(stderr, "gsim: %s: %u runs had no room to the end\n", run,
                s->waiting);
}
