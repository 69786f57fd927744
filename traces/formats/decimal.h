/* traces/formats/decimal.h - decimal numbers of foreign traces, exactly. */
#ifndef TRACES_FORMATS_DECIMAL_H
#define TRACES_FORMATS_DECIMAL_H

#include <stdint.h>

/* Read a number with an optional sign and fraction at *p, and go past it.
 * *out is the number times `scale` (a power of ten up to 10^6), digits beyond
 * it cut off; its size is at most 2^60.  Returns 0, or -1 with *p and *out as
 * they were.
 */
int trace_decimal_parse(const char **p, int64_t scale, int64_t *out);

#endif /* TRACES_FORMATS_DECIMAL_H */
