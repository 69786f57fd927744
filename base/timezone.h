/* base/timezone.h - local times of a time zone as UTC.
 *
 * A zone is an offset ("+01:00"), a rule of POSIX
 * ("CET-1CEST,M3.5.0,M10.5.0/3") or a name of the time zone database
 * ("Europe/Berlin"), whose file is read.  The process' own zone is never
 * consulted.
 */
#ifndef GS_TIMEZONE_H
#define GS_TIMEZONE_H

#include <stdint.h>

struct gs_err;
struct gs_zone; /* opaque */

/* NULL when `spec` is no zone (GS_USAGE). */
struct gs_zone *gs_zone_open(const char *spec, struct gs_err *err);
void gs_zone_close(struct gs_zone *z); /* NULL is fine */

enum gs_zone_hour {
    GS_ZONE_PLAIN,
    GS_ZONE_TWICE,   /* clocks were set back: the first of the two */
    GS_ZONE_SKIPPED, /* clocks were set forward: as if they had not been */
};

/* Seconds since 1970 UTC of the local civil time `local`, which counts as if it
 * were UTC.  *hour (may be NULL) tells whether there are two such times, or
 * none.
 */
int64_t gs_zone_utc(const struct gs_zone *z, int64_t local,
                    enum gs_zone_hour *hour);

#endif /* GS_TIMEZONE_H */
