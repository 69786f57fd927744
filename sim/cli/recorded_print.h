/* sim/cli/recorded_print.h - what a replay of a record could not repeat. */
#ifndef CLI_RECORDED_PRINT_H
#define CLI_RECORDED_PRINT_H

struct sim_recorded_stats;

/* Print on standard error how far a replay of the record did not follow it. */
void recorded_print(const char *run, const struct sim_recorded_stats *s);

#endif /* CLI_RECORDED_PRINT_H */
