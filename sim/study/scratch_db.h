/* sim/study/scratch_db.h - a database that several processes write and
 * no run keeps.
 */
#ifndef STUDY_SCRATCH_DB_H
#define STUDY_SCRATCH_DB_H

struct gs_arena;
struct gs_err;

/* Make a folder for it in TMPDIR, or /tmp.  The path of the database, which is
 * not yet there, in `arena`; NULL on failure.
 */
const char *study_scratch_db(struct gs_arena *arena, struct gs_err *err);

/* Remove it and its folder.  NULL is fine. */
void study_scratch_db_remove(const char *path);

#endif /* STUDY_SCRATCH_DB_H */
