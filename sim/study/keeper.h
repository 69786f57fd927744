/* sim/study/keeper.h - a process that keeps a database open.
 *
 * The last process to close a database in WAL mode copies the log into it
 * and waits for the disk.  Points that open and close it one after the other
 * would do so every time; while a keeper has it open, none does.
 */
#ifndef STUDY_KEEPER_H
#define STUDY_KEEPER_H

#include <sys/types.h>

/* Its process; 0 when there is none, which costs time and nothing else. */
pid_t study_keeper_begin(const char *db);
void study_keeper_end(pid_t keeper); /* 0 is fine */

#endif /* STUDY_KEEPER_H */
