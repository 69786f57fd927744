/* base/duration.h - spans of time and civil dates, in microseconds.
 *
 * Civil arithmetic only: no time zone and no locale is ever consulted.
 */
#ifndef GS_DURATION_H
#define GS_DURATION_H

#include <stddef.h>
#include <stdint.h>

#define GS_SECOND INT64_C(1000000)
#define GS_TIME_MAX (INT64_C(1) << 60) /* about 36,500 years */

/* "90", "90s", "1.5h", "15m", "1h30m", "2d", "250ms", "10us": a number without
 * a unit is in seconds.  Units: d h m s ms us, each once and in falling order.
 * 0 to GS_TIME_MAX.  Returns 0, or -1 and leaves *us alone.
 */
int gs_duration_parse(const char *s, size_t len, int64_t *us);

/* ISO 8601: "2017-10-09", "2017-10-09 07:01:55", with T or a blank between,
 * a fraction of a second, and Z or +hh:mm at the end.  Microseconds since
 * 1970-01-01 00:00 (an offset is subtracted; none means UTC); years 1 to
 * 9999.  Returns 0, or -1 and leaves *us alone.
 */
int gs_date_parse(const char *s, size_t len, int64_t *us);

/* The civil date of a day, counted from 1970-01-01: *m 1..12, *d 1..31. */
void gs_date_civil(int64_t days, int *y, int *m, int *d);
/* "2017-10-09 07:01:55.000000", in 32 bytes.  Returns buf. */
const char *gs_date_format(int64_t us, char *buf, size_t size);

/* Shortest exact form that gs_duration_parse reads back: "1h30m", "0s",
 * "1.5s", "250us"; negative ones with '-'.  At most 32 bytes.  Returns buf.
 */
const char *gs_duration_format(int64_t us, char *buf, size_t size);

/* A time of a trace.  Below ten years: as gs_duration_format.  From ten years
 * on, which only Unix times reach: the UTC date "2025-11-21 00:20:00", which
 * gs_date_parse reads back.  At most 32 bytes.  Returns buf.
 */
const char *gs_instant_format(int64_t us, char *buf, size_t size);

/* For people: two leading units, rounded: "3d4h", "2m10s", "1.2s". */
const char *gs_duration_human(int64_t us, char *buf, size_t size);

/* The same for a time of a trace; a date from ten years on, as
 * gs_instant_format writes it.
 */
const char *gs_instant_human(int64_t us, char *buf, size_t size);

#endif /* GS_DURATION_H */
