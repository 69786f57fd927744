/* sim/cli/process.h - what every command relies on of its process. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

/* Before anything else: a file that may not grow further fails a write instead
 * of ending the process; no file that is opened becomes a standard stream that
 * the caller closed; lack of memory in libraries ends as gs_no_memory does.
 */
void process_prepare(void);

#endif /* CLI_PROCESS_H */
