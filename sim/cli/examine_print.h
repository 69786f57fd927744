/* sim/cli/examine_print.h - prints the table of filters and scores. */
#ifndef CLI_EXAMINE_PRINT_H
#define CLI_EXAMINE_PRINT_H

#include <stdio.h>

struct study_examined;

/* In lines of at most 80 columns where names allow it; as JSON. */
void examine_print(const struct study_examined *e, const char *run, FILE *out);
void examine_print_json(const struct study_examined *e, const char *run,
                        FILE *out);

#endif /* CLI_EXAMINE_PRINT_H */
