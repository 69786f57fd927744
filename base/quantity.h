/* base/quantity.h - amounts as users write them, parsed into integers.
 *
 * All parsers take `len` bytes, fail unless the whole text is a number, refuse
 * negative and overflowing values, and return 0, or -1 and leave *out
 * unchanged.
 */
#ifndef GS_QUANTITY_H
#define GS_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GS_QUANTITY_MAX (INT64_C(1) << 60)

/* Parse the decimal number at the start of `s` (at most `len` bytes; SIZE_MAX:
 * to its NUL) and store it times `unit` in *out, 0 to GS_QUANTITY_MAX, rounded
 * down.  *is_exact (may be NULL): true when nothing was rounded.  Returns the
 * number of bytes parsed, or 0 and leaves both unchanged.
 */
size_t gs_decimal_parse(const char *s, size_t len, int64_t unit, int64_t *out,
                        bool *is_exact);

/* A whole number, decimal digits only. */
int gs_quantity_parse_u64(const char *s, size_t len, uint64_t *out);
/* "4", "1.5", "500m": thousandths, exact (no more than three decimals). */
int gs_quantity_parse_milli(const char *s, size_t len, int64_t *out);
/* "1073741824", "80GiB", "80Gi", "25GB", "1.5TB", "512MiB", "7k": bytes.
 * Ki Mi Gi Ti Pi Ei are powers of 1024; k K M G T P E of 1000; the B may be
 * left out.
 */
int gs_quantity_parse_bytes(const char *s, size_t len, int64_t *out);
/* "25GB/s", "200Gbit/s", "200Gb/s": bytes a second (b and bit are bits). */
int gs_quantity_parse_rate(const char *s, size_t len, int64_t *out);

/* A finite decimal number ("0.5", "-3", "1e6").  Locale free. */
int gs_quantity_parse_double(const char *s, size_t len, double *out);

/* "500m", "1.5", "4": the form that gs_quantity_parse_milli reads.  Returns
 * buf.
 */
const char *gs_quantity_format_milli(int64_t milli, char *buf, size_t size);
/* Largest binary unit that is exact, else decimal: "80GiB".  Returns buf. */
const char *gs_quantity_format_bytes(int64_t bytes, char *buf, size_t size);

#endif /* GS_QUANTITY_H */
