/* base/arena.c - a list of blocks, filled from the first. */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pages.h"

struct block {
    struct block *next;
    size_t size, used; /* with this head */
    max_align_t data[];
};

struct gs_arena {
    size_t block_size;
    struct block *first, *current, *last;
};

/* A block with room for `size` bytes; a large one is made of large pages. */
static struct block *block_create(size_t size)
{
    const size_t page = GS_PAGES_LARGE;
    struct block *b;

    if (size > SIZE_MAX - sizeof(*b) - page)
        gs_no_memory();
    size += sizeof(*b);
    if (size > page / 2)
        size = (size + page - 1) / page * page;
    b = size < page ? malloc(size) : gs_pages_new(size);
    if (!b)
        gs_no_memory();
    b->next = NULL;
    b->size = size;
    b->used = sizeof(*b);
    return b;
}

static void block_free(struct block *b)
{
    if (b->size < GS_PAGES_LARGE)
        free(b);
    else
        gs_pages_free(b, b->size);
}

/* Add a block for `need` bytes or more.  Blocks double until they are large. */
static struct block *block_add(struct gs_arena *a, size_t need)
{
    struct block *b = block_create(need > a->block_size ? need : a->block_size);

    if (a->block_size < GS_PAGES_LARGE / 2)
        a->block_size *= 2;
    return a->last = a->last->next = b;
}

struct gs_arena *gs_arena_create(size_t block_size)
{
    struct gs_arena *a = malloc(sizeof(*a));

    assert(block_size > 0);
    if (!a)
        gs_no_memory();
    a->block_size = block_size;
    a->first = a->current = a->last = block_create(block_size);
    return a;
}

void gs_arena_destroy(struct gs_arena *a)
{
    struct block *next;

    if (!a)
        return;
    for (struct block *b = a->first; b; b = next) {
        next = b->next;
        block_free(b);
    }
    free(a);
}

void gs_arena_rewind(struct gs_arena *a)
{
    assert(a && a->first);
    for (struct block *b = a->first; b; b = b->next)
        b->used = sizeof(*b);
    a->current = a->first;
}

/* Where the block has `need` bytes at a multiple of `align`; 0: nowhere. */
static size_t room_at(const struct block *b, size_t need, size_t align)
{
    const size_t at = (b->used + align - 1) & ~(align - 1);

    return at <= b->size && need <= b->size - at ? at : 0;
}

/* `need` bytes at a multiple of `align`, as they are: of the present block, or
 * of one after it, which is then the present one if more of it is left.
 */
static void *take(struct gs_arena *a, size_t need, size_t align)
{
    struct block *b = a->current;
    size_t at;

    assert(need <= SIZE_MAX - align);
    while (b && !room_at(b, need, align))
        b = b->next;
    if (!b)
        b = block_add(a, need);
    at = room_at(b, need, align);
    assert(at);
    b->used = at + need;
    if (b->size - b->used >= a->current->size - a->current->used)
        a->current = b;
    return (unsigned char *)b + at;
}

void *gs_arena_alloc(struct gs_arena *a, size_t count, size_t size)
{
    const size_t align = alignof(max_align_t);
    void *p;

    assert(a && size > 0);
    if (size && count > (SIZE_MAX - align) / size)
        gs_no_memory();
    p = take(a, count * size, align);
    assert((uintptr_t)p % align == 0);
    return memset(p, 0, count * size);
}

/* Texts stand side by side. */
char *gs_arena_strndup(struct gs_arena *a, const char *s, size_t len)
{
    char *copy;

    assert(a && (s || len == 0) && len < SIZE_MAX - alignof(max_align_t));
    copy = take(a, len + 1, 1);
    if (len)
        memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}

void *gs_arena_memdup(struct gs_arena *a, const void *p, size_t size)
{
    void *copy = gs_arena_alloc(a, size, 1);

    assert(a && (p || size == 0));
    return size ? memcpy(copy, p, size) : copy;
}

void *gs_arena_grow(struct gs_arena *a, void *p, uint32_t *cap, uint32_t count,
                    size_t size)
{
    void *grown;

    assert(a && cap && count <= *cap && (p || count == 0));
    if (count < *cap)
        return p;
    *cap = *cap * 2 + 8;
    grown = gs_arena_alloc(a, *cap, size);
    return count ? memcpy(grown, p, count * size) : grown;
}

char *gs_arena_printf(struct gs_arena *a, const char *fmt, ...)
{
    va_list args, again;
    char *text;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    assert(a && len >= 0);
    text = gs_arena_alloc(a, (size_t)len + 1, 1);
    vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    va_end(args);
    return text;
}
