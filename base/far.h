/* base/far.h - large arrays that lie in files, so that the memory of a process
 * does not grow with them.
 *
 * An array of at least `least` bytes is a mapped file of its own without a
 * name.  What of it is in memory can be given back at any time, by any thread:
 * it is read again from the file when it is used.  Smaller arrays are on the
 * heap.
 *
 * With a NULL `far` each function does what that of base/array.h does: code
 * that holds an array with an entry for each job is the same with files and
 * without.  An array belongs to the `far` that it was made with.
 */
#ifndef GS_FAR_H
#define GS_FAR_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct gs_far; /* opaque */

/* Files in `folder`.  Space of the file system is taken before it is used: when
 * there is none left, the process ends with a message and status 4, as it does
 * without memory.  NULL on failure: GS_INPUT when no file can be made there.
 */
struct gs_far *gs_far_open(const char *folder, size_t least,
                           struct gs_err *err);
/* All arrays are freed; NULL is fine. */
void gs_far_close(struct gs_far *far);

/* `count` zeroed elements. */
void *gs_far_new(struct gs_far *far, size_t count, size_t size);
void gs_far_free(struct gs_far *far, void *p); /* NULL is fine */

/* As gs_array_grow and gs_array_trim. */
void *gs_far_more(struct gs_far *far, void *p, uint32_t *cap, uint32_t need,
                  size_t size);
static inline void *gs_far_grow(struct gs_far *far, void *p, uint32_t *cap,
                                uint32_t need, size_t size)
{
    return need <= *cap ? p : gs_far_more(far, p, cap, need, size);
}
void *gs_far_trim(struct gs_far *far, void *p, uint32_t *cap, uint32_t count,
                  size_t size);

/* Give back the memory of all arrays; they stay what they are. */
void gs_far_leave(struct gs_far *far);

/* Bytes of the files. */
uint64_t gs_far_size(struct gs_far *far);

struct gs_far_keeper; /* opaque */

/* Start a thread that calls gs_far_leave() whenever more than `limit` bytes of
 * files are in the memory of the process, code among them; where the system
 * does not tell, or has no thread left, memory is not given back.  `far` stays
 * open until the keeper is stopped.
 */
struct gs_far_keeper *gs_far_keeper_start(struct gs_far *far, size_t limit);
void gs_far_keeper_stop(struct gs_far_keeper *k); /* NULL is fine */

#endif /* GS_FAR_H */
