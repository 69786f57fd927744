/* policies/profile/plugin.c - opens and checks modules in shared objects.
 *
 * The file is checked before the dynamic linker loads it, so that a bad file
 * gives an error message, not a crash.
 */
#define _GNU_SOURCE /* dladdr1 */
#include "policies/profile/plugin.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/filehead.h"
#include "base/text.h"
#include "policies/policy.h"

#define SYMBOL "gsp_module"
#define HEAD_MAX (1u << 16) /* bytes of a file that are checked */
#define SHOWN_MAX 120       /* bytes of a path in a message */

/* The first fields of struct gsp_module, the same in all ABI versions. */
struct abi_head {
    uint16_t abi_major, abi_minor;
    uint32_t size;
};

_Static_assert(offsetof(struct gsp_module, size)
                       == offsetof(struct abi_head, size)
                   && offsetof(struct gsp_module, abi_minor)
                          == offsetof(struct abi_head, abi_minor),
               "the head of struct gsp_module has moved");

/* Context of opening one shared object. */
struct opening {
    const char *path;  /* for the linker: contains a slash */
    const char *shown; /* for messages: its tail if too long */
    struct gs_mark at;
    struct gs_arena *arena;
    struct gs_err *err;
};

bool gsched_plugin_is_path(const char *name, size_t len)
{
    return len > 3 && memcmp(name + len - 3, ".so", 3) == 0;
}

bool gsched_plugin_owns(const void *p)
{
    Dl_info info;

    return p && dladdr(p, &info) != 0;
}

/* --- the file ------------------------------------------------------------- */

/* True when all segments are within the file.  The linker would map the missing
 * part and crash when touching it.
 */
static bool is_whole(const char *data, size_t size, uint64_t file_size)
{
    const unsigned char native = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    ElfW(Ehdr) head;

    if (size < sizeof(head))
        return true; /* left to the linker */
    memcpy(&head, data, sizeof(head));
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0
        || head.e_ident[EI_CLASS] != native)
        return true; /* too */
    for (uint64_t i = 0; i < head.e_phnum; i++) {
        const uint64_t from = head.e_phoff + i * sizeof(ElfW(Phdr));
        ElfW(Phdr) segment;

        if (from > size - sizeof(segment))
            return false;
        memcpy(&segment, data + from, sizeof(segment));
        if (segment.p_offset > file_size
            || segment.p_filesz > file_size - segment.p_offset)
            return false;
    }
    return true;
}

static int file_check(const struct opening *o)
{
    struct stat st;
    size_t size = 0;
    char *head;

    if (stat(o->path, &st) < 0)
        return gs_fail(o->err, GS_INPUT, o->at, "'%s': cannot open: %s",
                       o->shown, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return gs_fail(o->err, GS_INPUT, o->at, "'%s' is not a file", o->shown);
    head = gs_arena_alloc(o->arena, HEAD_MAX, 1);
    if (gs_file_head(o->path, head, HEAD_MAX, &size, o->err) < 0)
        return -1;
    return is_whole(head, size, (uint64_t)st.st_size)
               ? 0
               : gs_fail(o->err, GS_INPUT, o->at,
                         "'%s' is damaged or cut short", o->shown);
}

static void *object_open(const struct opening *o)
{
    const size_t len = strlen(o->path);
    const char *why;
    void *handle;

    if (file_check(o) < 0)
        return NULL;
    handle = dlopen(o->path, RTLD_NOW | RTLD_LOCAL);
    if (handle)
        return handle;
    why = dlerror(); /* usually begins with the path */
    if (why && strncmp(why, o->path, len) == 0
        && strncmp(why + len, ": ", 2) == 0)
        why += len + 2;
    gs_fail(o->err, GS_INPUT, o->at, "'%s' is no module: %s", o->shown,
            why ? why : "it cannot be loaded");
    return NULL;
}

/* --- the symbol ----------------------------------------------------------- */

static int abi_check(const struct opening *o, const struct abi_head *h)
{
    if (h->abi_major != GSP_ABI_MAJOR)
        return gs_fail(o->err, GS_INPUT, o->at,
                       "'%s' is built for ABI %d.%d, this program has %d.%d: "
                       "build it with this policy.h",
                       o->shown, h->abi_major, h->abi_minor, GSP_ABI_MAJOR,
                       GSP_ABI_MINOR);
    if (h->abi_minor > GSP_ABI_MINOR)
        return gs_fail(o->err, GS_INPUT, o->at,
                       "'%s' needs ABI %d.%d, this program has %d.%d: it is "
                       "too old for it",
                       o->shown, h->abi_major, h->abi_minor, GSP_ABI_MAJOR,
                       GSP_ABI_MINOR);
    return 0;
}

/* Fields are only appended, so the struct of an older module is shorter; every
 * version has at least the fields before the extension points.
 */
static int size_check(const struct opening *o, const struct abi_head *h,
                      uint64_t symbol_size)
{
    const size_t ours = sizeof(struct gsp_module);
    const bool fits = h->abi_minor == GSP_ABI_MINOR
                          ? h->size == ours
                          : h->size <= ours
                                && h->size >= offsetof(struct gsp_module,
                                                       job_order);

    if (!fits)
        return gs_fail(o->err, GS_INPUT, o->at,
                       "'%s' says that its struct gsp_module has %u bytes, "
                       "ABI %d.%d has %zu",
                       o->shown, h->size, GSP_ABI_MAJOR, GSP_ABI_MINOR, ours);
    if (h->size > symbol_size)
        return gs_fail(o->err, GS_INPUT, o->at,
                       "'%s' says that its struct gsp_module has %u bytes, "
                       "but it has %llu",
                       o->shown, h->size, (unsigned long long)symbol_size);
    return 0;
}

/* A copy of the struct of the module in the present size: fields that it lacks
 * are NULL.
 */
static const struct gsp_module *module_copy(const struct opening *o,
                                            void *handle)
{
    const void *at = dlsym(handle, SYMBOL);
    const ElfW(Sym) *symbol = NULL;
    void *entry = NULL;
    struct gsp_module *m;
    struct abi_head head;
    Dl_info info;

    if (!at) {
        gs_fail(o->err, GS_INPUT, o->at,
                "'%s' is no module: it exports no '%s'", o->shown, SYMBOL);
        return NULL;
    }
    if (dladdr1(at, &info, &entry, RTLD_DL_SYMENT) != 0)
        symbol = entry;
    if (!symbol || ELF32_ST_TYPE(symbol->st_info) != STT_OBJECT
        || symbol->st_size < sizeof(head)) {
        gs_fail(o->err, GS_INPUT, o->at,
                "'%s' is no module: its '%s' is not a struct gsp_module",
                o->shown, SYMBOL);
        return NULL;
    }
    memcpy(&head, at, sizeof(head));
    if (abi_check(o, &head) < 0 || size_check(o, &head, symbol->st_size) < 0)
        return NULL;
    m = gs_arena_alloc(o->arena, 1, sizeof(*m));
    memcpy(m, at, head.size);
    return m;
}

/* --- the list ------------------------------------------------------------- */

static const char *tail(struct gs_arena *arena, const char *path)
{
    const size_t len = strlen(path);

    return len <= SHOWN_MAX ? path
                            : gs_arena_printf(arena, "%s%s", "...",
                                              path + (len - SHOWN_MAX));
}

const struct gsp_module *gsched_plugin_open(struct gsched_plugin **list,
                                            const char *folder,
                                            const char *path, struct gs_mark at,
                                            struct gs_arena *arena,
                                            struct gs_err *err)
{
    struct opening o = { .at = at, .arena = arena, .err = err };
    const struct gsp_module *m;
    struct gsched_plugin *p;
    void *handle;

    o.path = gs_arena_printf(arena, "%s%s", path[0] == '/' ? "" : folder, path);
    if (!strchr(o.path, '/')) /* otherwise the linker would search for it */
        o.path = gs_arena_printf(arena, "%s%s", "./", o.path);
    o.shown = tail(arena, o.path);
    if (!gs_text_is_clean(path, strlen(path))) {
        gs_fail(err, GS_INPUT, at, "'%s' must be printable UTF-8", o.shown);
        return NULL;
    }
    handle = object_open(&o);
    if (!handle)
        return NULL;
    m = module_copy(&o, handle);
    if (!m || gsched_plugin_check(m, o.shown, at, arena, err) < 0) {
        dlclose(handle);
        return NULL;
    }
    p = gs_arena_alloc(arena, 1, sizeof(*p));
    *p = (struct gsched_plugin){ handle, o.path, *list };
    *list = p;
    return m;
}

void gsched_plugins_close(struct gsched_plugin **list)
{
    for (struct gsched_plugin *p = *list; p; p = p->next)
        dlclose(p->handle);
    *list = NULL;
}
