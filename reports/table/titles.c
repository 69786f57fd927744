/* reports/table/titles.c - shortens titles by their common parts, see titles.h.
 */
#include "reports/table/titles.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

/* Length of the common prefix; words are kept whole unless `tears`. */
static size_t common_head(const char *const *title, uint32_t count, bool tears)
{
    size_t n = strlen(title[0]), word = 0;

    for (uint32_t i = 1; i < count; i++) {
        size_t k = 0;

        while (k < n && title[i][k] == title[0][k])
            k++;
        n = k;
    }
    while (n && ((unsigned char)title[0][n] & 0xc0) == 0x80)
        n--; /* inside a character */
    for (size_t k = 0; k < n; k++) {
        if (strchr("/-_@, ", title[0][k]))
            word = k + 1;
    }
    return tears ? n : word;
}

/* Length of the common suffix after the first `head` bytes. */
static size_t common_tail(const char *const *title, uint32_t count, size_t head,
                          bool tears)
{
    const size_t first = strlen(title[0]);
    size_t n = first - head, word = 0;

    for (uint32_t i = 1; i < count; i++) {
        const size_t len = strlen(title[i]);
        size_t k = 0;

        while (k < n && k < len - head
               && title[i][len - 1 - k] == title[0][first - 1 - k])
            k++;
        n = k;
    }
    while (n && ((unsigned char)title[0][first - n] & 0xc0) == 0x80)
        n--;
    for (size_t k = 1; k <= n; k++) {
        if (strchr("/-_@, ", title[0][first - k]))
            word = k;
    }
    return tears ? n : word;
}

/* `s` without its middle. */
static char *middle_cut(const char *s, size_t room, struct gs_arena *arena)
{
    const size_t length = gs_text_length(s);
    const size_t front = gs_text_bytes(s, room / 2);
    const size_t back = gs_text_bytes(s, length - (room - 1 - room / 2));
    const size_t size = front + 1 + strlen(s + back) + 1;
    char *cut = gs_arena_alloc(arena, size, 1);

    assert(length > room);
    snprintf(cut, size, "%.*s~%s", (int)front, s, s + back);
    return cut;
}

/* The part of the title between `head` and `tail`, with marks for these. */
static char *own_part(const char *title, size_t head, size_t tail,
                      struct gs_arena *arena)
{
    const int len = (int)(strlen(title) - head - tail);
    const size_t size = (size_t)len + 3;
    char *part = gs_arena_alloc(arena, size, 1);

    snprintf(part, size, "%s%.*s%s", head ? "~" : "", len, title + head,
             tail ? "~" : "");
    return part;
}

static const char *fit(const char *const *title, uint32_t count, uint32_t i,
                       uint32_t room, struct gs_arena *arena)
{
    char *part = NULL;

    if (gs_text_length(title[i]) <= room)
        return title[i];
    for (int tears = 0; tears < 2 && count > 1; tears++) {
        const size_t head = common_head(title, count, tears);

        part = own_part(title[i], head, common_tail(title, count, head, tears),
                        arena);
        if (gs_text_length(part) <= room)
            return part;
    }
    return middle_cut(part ? part : title[i], room, arena);
}

/* "abc~12" */
static const char *numbered(const char *title, uint32_t i, uint32_t room,
                            struct gs_arena *arena)
{
    char end[16];
    size_t n, kept, size;
    char *text;

    n = (size_t)snprintf(end, sizeof(end), "~%u", (unsigned)i + 1);
    kept = n < room ? gs_text_bytes(title, room - n) : 0;
    size = kept + n + 1;
    text = gs_arena_alloc(arena, size, 1);
    snprintf(text, size, "%.*s%s", (int)kept, title, end);
    return text;
}

const char *const *report_titles_fit(const char *const *title,
                                     const uint32_t *room, uint32_t count,
                                     struct gs_arena *arena, bool *is_numbered)
{
    const char **text = gs_arena_alloc(arena, count + 1, sizeof(*text));
    bool *has_number = gs_arena_alloc(arena, count + 1, sizeof(*has_number));
    bool any = false, changed = true;

    for (uint32_t i = 0; i < count; i++) {
        assert(room[i] >= 4);
        text[i] = fit(title, count, i, room[i], arena);
    }
    while (changed) { /* a number may make it equal to another title */
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t k = 0; k < count && !has_number[i]; k++)
                has_number[i] = k != i && strcmp(text[i], text[k]) == 0;
        }
        for (uint32_t i = 0; i < count; i++) {
            const char *was = text[i];

            if (has_number[i])
                text[i] = numbered(title[i], i, room[i], arena);
            changed = changed || strcmp(was, text[i]) != 0;
            any = any || has_number[i];
        }
    }
    if (is_numbered)
        *is_numbered = any;
    return text;
}
