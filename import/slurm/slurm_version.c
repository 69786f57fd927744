/* import/slurm/slurm_version.c - see slurm_version.h. */
#include "import/slurm/slurm_version.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "import/slurm/slurm_state.h"

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

/* A number of one or two digits at *at; goes on behind it.  -1: none. */
static int number_read(const char **at, const char *end)
{
    int n = 0, digits = 0;

    for (; is_digit(*at, end) && digits < 3; digits++)
        n = n * 10 + *(*at)++ - '0';
    return digits == 1 || digits == 2 ? n : -1;
}

/* The first place of `word`, in letters of either case; NULL. */
static const char *word_find(const char *at, const char *end, const char *word)
{
    const size_t len = strlen(word);

    for (; (size_t)(end - at) >= len; at++) {
        if (strncasecmp(at, word, len) == 0)
            return at;
    }
    return NULL;
}

static void version_set(struct slurm *s, int year, int month)
{
    if (year >= 2 && month >= 0 && month <= 12)
        s->release = (uint32_t)(year * 100 + month);
}

/* "Slurm 22.05.8", "slurm version: 22.05", "SLURM_VERSION = 22.05.8" */
static void line_read(struct slurm *s, const char *at, const char *end)
{
    int year, month;

    at = word_find(at, end, "slurm");
    if (!at)
        return;
    at += strlen("slurm");
    while (at < end && strchr(" \t_-=:vV", *at) && *at)
        at++;
    if (end - at > 6 && strncasecmp(at, "ersion", 6) == 0)
        at += 6;
    while (at < end && strchr(" \t=:", *at) && *at)
        at++;
    year = number_read(&at, end);
    if (year >= 0 && at < end && *at++ == '.') {
        month = number_read(&at, end);
        version_set(s, year, month);
    }
}

void slurm_version_conf(struct slurm *s, const char *head, size_t size)
{
    const char *end = head + size;

    assert(s && head);
    while (head < end && !s->release) {
        const char *stop = memchr(head, '\n', (size_t)(end - head));

        stop = stop ? stop : end;
        if (*head == '#' || word_find(head, stop, "SLURM_VERSION") == head)
            line_read(s, head, stop);
        head = stop < end ? stop + 1 : end;
    }
}

/* The number behind the key, in quotes or not; -1. */
static int key_number(const char *at, const char *end, const char *key)
{
    at = word_find(at, end, key);
    if (!at)
        return -1;
    at += strlen(key);
    while (at < end && strchr(" \t\r\n:\"", *at) && *at)
        at++;
    return number_read(&at, end);
}

void slurm_version_json(struct slurm *s, const char *text, size_t size)
{
    const char *end = text + size;
    const char *at = s->release ? NULL : word_find(text, end, "\"slurm\"");

    assert(s && text);
    if (at && end - at > 300)
        end = at + 300;
    if (at)
        version_set(s, key_number(at, end, "\"major\""),
                    key_number(at, end, "\"minor\""));
}
