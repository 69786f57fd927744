/* sim/study/keeper.c - keeping a database open, see keeper.h. */
#include "sim/study/keeper.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/store/store.h"

pid_t study_keeper_begin(const char *db)
{
    const pid_t parent = getpid(), pid = fork();
    sigset_t all;

    if (pid != 0)
        return pid < 0 ? 0 : pid;
    /* it ends when it is told to, or with its parent: nothing else may */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent
        && report_store_open(db, NULL))
        pause();
    _exit(0);
}

void study_keeper_end(pid_t keeper)
{
    if (keeper == 0)
        return;
    kill(keeper, SIGKILL);
    waitpid(keeper, NULL, 0);
}
