/* import/slurm/slurm_state.c - see slurm_state.h. */
#include "import/slurm/slurm_state.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/slurm/slurm_values.h"

uint32_t slurm_put(struct slurm *s, const char *text, size_t len)
{
    return gs_strtab_put(s->names, text, len);
}

uint32_t slurm_put_text(struct slurm *s, const char *text)
{
    return slurm_put(s, text, strlen(text));
}

const char *slurm_str(const struct slurm *s, uint32_t id)
{
    return gs_strtab_str(s->names, id);
}

const char *slurm_copy(struct slurm *s, const char *text)
{
    return gs_arena_strndup(s->arena, text, strlen(text));
}

struct slurm_place slurm_place_at(struct slurm *s, int line, int column)
{
    if (s->placed != s->source) {
        s->placed = s->source;
        s->placed_id = s->source ? slurm_put_text(s, s->source) : 0;
    }
    return (struct slurm_place){ s->placed_id, line, column };
}

struct gs_mark slurm_mark(const struct slurm *s, const struct slurm_place *at)
{
    return (struct gs_mark){ at->source ? slurm_str(s, at->source) : NULL,
                             at->line, at->column };
}

void slurm_tell(struct slurm *s, enum import_note note,
                const struct slurm_place *at, const char *fmt, ...)
{
    struct gs_ynode node = { 0 };
    va_list ap;

    if (at) {
        node.line = at->line;
        node.column = at->column;
    }
    va_start(ap, fmt);
    import_account_vtell(s->account, note,
                         at && at->source ? slurm_str(s, at->source) : NULL,
                         at ? &node : NULL, fmt, ap);
    va_end(ap);
}

void slurm_hash_add(struct slurm *s, const struct gs_input *in)
{
    const uint64_t prime = UINT64_C(0x100000001b3); /* of FNV-1a 64 */

    s->hash = s->hash ? (s->hash ^ gs_input_hash(in)) * prime
                      : gs_input_hash(in);
}

const struct slurm_option *slurm_option_find(const struct slurm *s,
                                             const char *key)
{
    for (uint32_t i = s->options; i > 0; i--) {
        if (strcasecmp(s->option[i - 1].key, key) == 0)
            return &s->option[i - 1];
    }
    return NULL;
}

const char *slurm_option_value(const struct slurm *s, const char *key,
                               const char *fallback)
{
    const struct slurm_option *o = slurm_option_find(s, key);

    return o ? o->value : fallback;
}

const struct slurm_place *slurm_option_place(const struct slurm *s,
                                             const char *key)
{
    const struct slurm_option *o = slurm_option_find(s, key);

    return o ? &o->at : NULL;
}

bool slurm_list_has(const char *list, const char *word)
{
    const char *p = list, *end = list + strlen(list), *part;
    size_t len;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        if (slurm_is_word(part, len, word))
            return true;
    }
    return false;
}

bool slurm_option_has(const struct slurm *s, const char *key, const char *word)
{
    const struct slurm_option *o = slurm_option_find(s, key);

    return o && slurm_list_has(o->value, word);
}

bool slurm_enforces_limits(const struct slurm *s)
{
    static const char key[] = "AccountingStorageEnforce";

    return slurm_option_has(s, key, "limits")
           || slurm_option_has(s, key, "safe")
           || slurm_option_has(s, key, "all") || slurm_option_has(s, key, "2");
}

uint32_t slurm_node_find(const struct slurm *s, uint32_t name)
{
    return name < s->node_of_cap && s->node_of[name]
                   && s->node_of[name] <= s->nodes
               ? s->node_of[name] - 1
               : UINT32_MAX;
}

uint32_t slurm_node_put(struct slurm *s, uint32_t name, uint32_t hardware)
{
    uint32_t i = slurm_node_find(s, name);

    if (i == UINT32_MAX) {
        i = s->nodes++;
        s->node = gs_array_grow(s->node, &s->node_cap, s->nodes,
                                sizeof(*s->node));
        s->node[i] = (struct slurm_node){ .name = name };
        s->node_of = gs_array_grow(s->node_of, &s->node_of_cap, name + 1,
                                   sizeof(*s->node_of));
        s->node_of[name] = i + 1;
    }
    s->node[i].hardware = hardware;
    return i;
}

bool slurm_node_is_future(const struct slurm *s, uint32_t node)
{
    return s->node[node].state
           && strcasecmp(s->node[node].state, "FUTURE") == 0;
}

uint32_t slurm_partition_find(const struct slurm *s, uint32_t name)
{
    return name && name < s->partition_of_cap && s->partition_of[name]
                   && s->partition_of[name] <= s->partitions
               ? s->partition_of[name] - 1
               : UINT32_MAX;
}

uint32_t slurm_partition_best(const struct slurm *s, uint32_t names)
{
    const char *p = slurm_str(s, names), *end = p + strlen(p), *part;
    uint32_t best = slurm_partition_find(s, names);
    size_t len;

    if (best != UINT32_MAX) /* one */
        return best;
    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const uint32_t id = gs_strtab_find(s->names, part, len);
        const uint32_t at = id == GS_STRTAB_NONE ? UINT32_MAX
                                                 : slurm_partition_find(s, id);

        if (at != UINT32_MAX
            && (best == UINT32_MAX
                || s->partition[at].tier > s->partition[best].tier
                || (s->partition[at].tier == s->partition[best].tier
                    && s->partition[at].factor > s->partition[best].factor)))
            best = at;
    }
    return best;
}

uint32_t slurm_partition_add(struct slurm *s, const struct slurm_partition *p)
{
    assert(slurm_partition_find(s, p->name) == UINT32_MAX);
    s->partition = gs_array_grow(s->partition, &s->partition_cap,
                                 s->partitions + 1, sizeof(*s->partition));
    s->partition_of = gs_array_grow(s->partition_of, &s->partition_of_cap,
                                    p->name + 1, sizeof(*s->partition_of));
    s->partition[s->partitions] = *p;
    s->partition_of[p->name] = ++s->partitions;
    return s->partitions - 1;
}
