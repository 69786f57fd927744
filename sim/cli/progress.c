/* sim/cli/progress.c - the line of progress, see progress.h. */
#include "sim/cli/progress.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/duration.h"
#include "sim/cli/terminal.h"

#define FIRST_US 500000
#define EVERY_US 200000

static int64_t clock_us(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t progress_clock_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

int64_t progress_processor_us(void)
{
    return clock_us(CLOCK_THREAD_CPUTIME_ID);
}

void progress_begin(struct progress *p, const char *unit, bool quiet)
{
    *p = (struct progress){ .is_on = !quiet && isatty(STDERR_FILENO),
                            .unit = unit,
                            .began = progress_clock_us() };
}

void progress_restart(struct progress *p, uint64_t done)
{
    p->began = progress_clock_us();
    p->before = done;
}

static bool is_due(struct progress *p)
{
    const int64_t now = p->is_on ? progress_clock_us() : 0;

    if (!p->is_on
        || (p->is_drawn ? now - p->drawn < EVERY_US
                        : now - p->began < FIRST_US))
        return false;
    p->drawn = now;
    p->is_drawn = true;
    return true;
}

void progress_show(struct progress *p, const char *label, uint64_t done,
                   uint64_t total)
{
    char text[256], of[32] = "", left[48] = "", human[32];
    const int width = (int)terminal_error_width() - 1;
    double spent, rate;

    assert(total == 0 || done <= total);
    if (!is_due(p))
        return;
    spent = (double)(p->drawn - p->began) / 1e6;
    rate = (double)(done - p->before) / (spent > 1e-6 ? spent : 1e-6);
    if (total && rate > 0)
        snprintf(left, sizeof(left), ", %s left",
                 gs_duration_human((int64_t)((double)(total - done) / rate)
                                       * 1000000,
                                   human, sizeof(human)));
    if (total)
        snprintf(of, sizeof(of), " of %" PRIu64, total);
    snprintf(text, sizeof(text), "%s%s%" PRIu64 "%s %s, %.*f %s/s%s",
             label ? label : "", label ? ": " : "", done, of, p->unit,
             rate < 10 ? 1 : 0, rate, p->unit, left);
    fprintf(stderr, "\r%.*s\033[K", width, text);
}

void progress_count(void *line, uint32_t done, uint32_t total)
{
    const struct progress *p = line;

    progress_show(line, p->label, done, total);
}

void progress_end(struct progress *p)
{
    if (p->is_drawn)
        fputs("\r\033[K", stderr);
    p->is_drawn = false;
}
