/* sim/cli/probe_print.h - prints the answer of gsim probe. */
#ifndef CLI_PROBE_PRINT_H
#define CLI_PROBE_PRINT_H

#include <stdio.h>

struct inputs;
struct json_t;
struct study_probe;
struct study_probe_answer;

/* As lines of at most 80 columns where names allow it; as JSON. */
void probe_print(const struct study_probe *p, FILE *out);
void probe_print_json(const struct study_probe *p, FILE *out);

/* The amounts of queues that a job would exceed, a line each. */
void probe_print_excesses(const struct inputs *in,
                          const struct study_probe_answer *a, FILE *out);
struct json_t *probe_excesses_json(const struct inputs *in,
                                   const struct study_probe_answer *a);

#endif /* CLI_PROBE_PRINT_H */
