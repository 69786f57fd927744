/* sim/cli/process.h - settings of the process for all commands. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

/* Call it first.  A write beyond the file size limit then fails instead of
 * ending the process; no opened file takes the place of a standard stream that
 * the caller closed; lack of memory in libraries ends the process as
 * gs_no_memory does; freed memory is kept.
 */
void process_prepare(void);

#endif /* CLI_PROCESS_H */
