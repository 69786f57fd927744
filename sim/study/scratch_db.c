/* sim/study/scratch_db.c - see scratch_db.h.
 *
 * It needs a folder of its own, since SQLite makes files beside it.
 */
#include "sim/study/scratch_db.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/output.h"

const char *study_scratch_db(struct gs_arena *arena, struct gs_err *err)
{
    char *folder = gs_output_scratch_folder(err);
    const char *path = folder ? gs_arena_printf(arena, "%s/results.db", folder)
                              : NULL;

    gs_array_free(folder);
    return path;
}

void study_scratch_db_remove(const char *path)
{
    static const char *const end[] = { "", "-journal", "-wal", "-shm" };
    const size_t size = path ? strlen(path) + sizeof("-journal") : 0;
    char *file = path ? gs_array_new(size, 1) : NULL;

    if (!file)
        return;
    for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++) {
        snprintf(file, size, "%s%s", path, end[i]);
        (void)unlink(file); /* not all are there */
    }
    *strrchr(file, '/') = '\0';
    (void)rmdir(file);
    gs_array_free(file);
}
