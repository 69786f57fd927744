/* sim/cli/gate_moved.h - the first decision that moved, for runs that fail. */
#ifndef CLI_GATE_MOVED_H
#define CLI_GATE_MOVED_H

struct gs_arena;
struct report_figure_set;
struct report_gate;

/* Tell on standard error, for the first runs with a metric that fails, their
 * first decision that is not as in the baseline `base`: a database, or digests.
 * Nothing when it has neither.  `path` is the database of the runs; NULL: they
 * are not stored.
 */
void gate_moved_tell(const struct report_gate *g,
                     const struct report_figure_set *now, const char *path,
                     const struct report_figure_set *base, const char *baseline,
                     struct gs_arena *arena);

#endif /* CLI_GATE_MOVED_H */
