/* base/arena.h - memory that is freed all at once.
 *
 * Arenas nest by lifetime: `run` (topology and trace; freed at exit) and the
 * shorter-lived arenas that a loader or a scheduling cycle creates and rewinds.
 * Memory of an arena must not point into an arena with a shorter life.
 */
#ifndef GS_ARENA_H
#define GS_ARENA_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

struct gs_arena; /* opaque */

struct gs_arena *gs_arena_create(size_t block_size);
void gs_arena_destroy(struct gs_arena *a); /* NULL is fine */
void gs_arena_rewind(struct gs_arena *a);  /* keeps its blocks */

/* Zeroed memory, aligned for any type.  Never NULL: without memory the process
 * ends (gs_no_memory).
 */
void *gs_arena_alloc(struct gs_arena *a, size_t count, size_t size);
char *gs_arena_strndup(struct gs_arena *a, const char *s, size_t len);
void *gs_arena_memdup(struct gs_arena *a, const void *p, size_t size);
/* Makes room for one more entry of `size` bytes behind the `count` entries of
 * the array `p`, which has room for *cap.  Returns the array, moved or not;
 * when it moves, its old memory stays in use until the arena is destroyed or
 * rewound.
 */
void *gs_arena_grow(struct gs_arena *a, void *p, uint32_t *cap, uint32_t count,
                    size_t size);
/* The text that printf would write. */
char *gs_arena_printf(struct gs_arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#pragma GCC visibility pop

#endif /* GS_ARENA_H */
