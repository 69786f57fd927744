/* import/yunikorn/values.h - values of a configuration of YuniKorn.  A value of
 * another kind is a mistake in r->err, and as if it were not there.
 */
#ifndef YUNIKORN_VALUES_H
#define YUNIKORN_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "import/yunikorn/yunikorn.h"

struct gs_arena;
struct gs_err;
struct gs_ynode;

struct yunikorn_reader {
    struct gs_arena *arena;
    const char *source;
    struct gs_err *err, *unknown;
    struct yunikorn_names {
        const char *at[YUNIKORN_RESOURCES];
        uint32_t count;
    } * resources;
};

/* The value under `key`; NULL, also for a mapping that is NULL. */
const struct gs_ynode *yunikorn_value(const struct gs_ynode *map,
                                      const char *key);
/* The mapping `n`; NULL when it is null or none.  Keys beside `known`, which
 * NULL ends (NULL: all are), are told in r->unknown.
 */
const struct gs_ynode *yunikorn_map_of(const struct yunikorn_reader *r,
                                       const struct gs_ynode *n,
                                       const char *what,
                                       const char *const *known);
/* The *count items of a list; NULL when it is null or empty. */
const struct gs_ynode *yunikorn_list_of(const struct yunikorn_reader *r,
                                        const struct gs_ynode *map,
                                        const char *key, uint32_t *count);
/* "" when it is not there. */
const char *yunikorn_text_of(const struct yunikorn_reader *r,
                             const struct gs_ynode *map, const char *key);
/* A copy in lower case. */
const char *yunikorn_lower_of(const struct yunikorn_reader *r,
                              const char *text);
bool yunikorn_flag_of(const struct yunikorn_reader *r,
                      const struct gs_ynode *map, const char *key,
                      bool fallback);
uint64_t yunikorn_number_of(const struct yunikorn_reader *r,
                            const struct gs_ynode *map, const char *key);
struct yunikorn_words yunikorn_words_of(const struct yunikorn_reader *r,
                                        const struct gs_ynode *map,
                                        const char *key);
struct yunikorn_amounts yunikorn_amounts_of(const struct yunikorn_reader *r,
                                            const struct gs_ynode *map,
                                            const char *key);
struct yunikorn_properties yunikorn_properties_of(
    const struct yunikorn_reader *r, const struct gs_ynode *map);

#endif /* YUNIKORN_VALUES_H */
