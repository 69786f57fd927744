/* tests/fuzz/fuzz_profile.c - policy profiles; what is read prints and reads
 * back as itself.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "policies/profile/profile.h"
#include "policies/profile/profile_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct gsched_profile *profile(const void *data, size_t size,
                                      struct gs_arena *arena)
{
    struct gs_err err = { 0 };
    struct gs_input *in = gs_input_open_memory("fuzz", data, size);
    struct gsched_profile *p = gsched_profile_read(in, arena, &err);

    gs_input_close(in);
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct gsched_profile *p = profile(data, size, arena);

    if (p) {
        const char *text = gsched_profile_text(p, arena);
        struct gsched_profile *again = profile(text, strlen(text), arena);

        if (!again || strcmp(gsched_profile_text(again, arena), text) != 0)
            __builtin_trap();
        gsched_profile_close(again);
    }
    gsched_profile_close(p);
    gs_arena_destroy(arena);
    return 0;
}
