/* sim/study/known_names.h - names that tell nothing about a site, since
 * documented conventions fix them: they stay when a trace is made anonymous.
 */
#ifndef STUDY_KNOWN_NAMES_H
#define STUDY_KNOWN_NAMES_H

#include <stdbool.h>

/* A key of labels: of the domain of a known project or vendor, or a common
 * word.
 */
bool known_key(const char *key);
/* A value of labels that says no more than yes, no or an architecture. */
bool known_value(const char *value);
/* A whole number, as labels are compared with. */
bool known_number(const char *s);
/* A priority class of the system, or one that is its value. */
bool known_class(const char *s);

#endif /* STUDY_KNOWN_NAMES_H */
