/* import/slurm/sacct_resources.c - resources of a row of accounting, see
 * sacct_cells.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "import/slurm/sacct_cells.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/workload.h"

#define NODES_MAX TRACE_REPLICAS_MAX

struct tres {
    int64_t cpus, memory, nodes, gpus; /* 0: not stated */
    uint32_t type;                     /* of GPUs; 0 */
    uint32_t gres;  /* string id of others, "name=n,..."; 0 */
    bool has_types; /* of more than one type */
};

/* A text that was read, and what it says: few texts serve most jobs. */
struct sacct_tres {
    struct tres tres;
    uint32_t len; /* 0: none */
    char text[112];
};

#define KEPT 1024 /* of them */

static void gpu_add(struct sacct_row *r, struct tres *t, const char *type,
                    size_t len, int64_t count)
{
    const uint32_t id = len ? slurm_put(r->s, type, len) : 0;

    if (!id) {
        if (count > t->gpus)
            t->gpus = count;
        return;
    }
    t->has_types = t->has_types || (t->type && t->type != id);
    t->type = id;
}

static void gres_add(struct sacct_row *r, struct tres *t, const char *name,
                     size_t len, int64_t count)
{
    const char *colon = memchr(name, ':', len);
    char text[240];

    if (colon)
        len = (size_t)(colon - name);
    if (len == 0 || len >= 64 || count <= 0)
        return;
    (void)snprintf(text, sizeof(text), "%.150s%s%.*s=%" PRId64,
                   slurm_str(r->s, t->gres), t->gres ? "," : "", (int)len, name,
                   count);
    t->gres = slurm_put_text(r->s, text);
}

/* "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1" */
static void tres_parse(struct sacct_row *r, const struct sacct_cell *c,
                       struct tres *t)
{
    const char *end, *p = sacct_cell_begin(c, &end), *part;
    int64_t typed = 0, count;
    size_t len, used;
    char of;

    *t = (struct tres){ 0 };
    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const char *equals = memchr(part, '=', len);
        const size_t key = equals ? (size_t)(equals - part) : len;
        const char *v = part + key + 1;
        const size_t v_len = equals ? len - key - 1 : 0;

        if (v_len == 0)
            continue;
        if (slurm_is_word(part, key, "mem")) {
            if (slurm_memory_read(v, v_len, &count, &of) == 0)
                t->memory = count;
            continue;
        }
        if (slurm_count_read(v, v_len, 1000, 1, &count, &used) < 0)
            continue;
        if (slurm_is_word(part, key, "cpu")) {
            t->cpus = count;
        } else if (slurm_is_word(part, key, "node")) {
            t->nodes = count;
        } else if (slurm_is_word(part, key, "gres/gpu")) {
            gpu_add(r, t, NULL, 0, count);
        } else if (sacct_text_begins(part, key, "gres/gpu:")) {
            typed += count;
            gpu_add(r, t, part + 9, key - 9, count);
        } else if (sacct_text_begins(part, key, "gres/")) {
            gres_add(r, t, part + 5, key - 5, count);
        }
    }
    if (t->gpus < typed)
        t->gpus = typed;
}

/* The place of a text among those that are kept. */
static uint32_t place_of(const char *text, uint32_t len)
{
    uint64_t hash = len, part;

    for (; len >= 8; text += 8, len -= 8) {
        memcpy(&part, text, sizeof(part));
        hash = gs_hash_mix(hash, part);
    }
    for (; len; len--)
        hash = hash * 31 + (unsigned char)*text++;
    return (uint32_t)(gs_hash_mix(hash, 1) % KEPT);
}

static void tres_read(struct sacct_row *r, enum sacct_field f, struct tres *t)
{
    const struct sacct_cell *c = &r->cell[f];
    struct sacct_tres *kept;

    *t = (struct tres){ 0 };
    if (sacct_cell_is_empty(c))
        return;
    if (c->len > sizeof(kept->text)) {
        tres_parse(r, c, t);
        return;
    }
    if (!r->s->tres)
        r->s->tres = gs_array_new(KEPT, sizeof(*r->s->tres));
    kept = &r->s->tres[place_of(c->text, c->len)];
    if (kept->len != c->len || memcmp(kept->text, c->text, c->len) != 0) {
        tres_parse(r, c, &kept->tres);
        kept->len = c->len;
        memcpy(kept->text, c->text, c->len);
    }
    *t = kept->tres;
}

/* "gpu:2", "gpu:a100:2", "PER_NODE:gpu:4", "gres:gpu:1", "7696487:2": of each
 * node.
 */
static void gres_read(struct sacct_row *r, enum sacct_field f, int64_t nodes,
                      struct tres *t)
{
    const struct sacct_cell *c = &r->cell[f];
    const char *end, *p = sacct_cell_begin(c, &end), *part;
    size_t len;

    while (!sacct_cell_is_empty(c)
           && (part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const char *q = part, *stop = part + len, *word;
        bool is_gpu = false;
        int64_t count = 1;
        size_t size, used, type_len = 0;
        const char *type = NULL;

        while ((word = slurm_part_next(&q, stop, ':', &size)) != NULL) {
            if (slurm_is_word(word, size, "gpu")
                || slurm_is_word(word, size, "7696487"))
                is_gpu = true;
            else if (is_gpu && word[0] >= '0' && word[0] <= '9' && q >= stop) {
                if (slurm_count_read(word, size, 1000, 1, &count, &used) < 0)
                    count = 1;
            } else if (is_gpu) {
                type = word;
                type_len = size;
            }
        }
        if (is_gpu && count * nodes > t->gpus)
            t->gpus = count * nodes;
        if (is_gpu && type)
            gpu_add(r, t, type, type_len, count);
    }
}

static int64_t number_of(const struct sacct_row *r, enum sacct_field f)
{
    const struct sacct_cell *c = &r->cell[f];
    int64_t v = 0;
    size_t used;

    return !sacct_cell_is_empty(c)
                   && slurm_count_read(c->text, c->len, 1000, 1, &v, &used) == 0
               ? v
               : 0;
}

static int64_t first_of(int64_t a, int64_t b, int64_t c)
{
    return a > 0 ? a : b > 0 ? b : c > 0 ? c : 0;
}

static int64_t memory_asked(struct sacct_row *r, int64_t nodes, int64_t cpus)
{
    const struct sacct_cell *c = &r->cell[SACCT_REQ_MEMORY];
    int64_t bytes = 0, times;
    char of = '\0';

    if (sacct_cell_is_empty(c)
        || slurm_memory_read(c->text, c->len, &bytes, &of) < 0)
        return 0;
    times = of == 'n' ? nodes : of == 'c' ? (cpus > 0 ? cpus : 1) : 1;
    return bytes > (INT64_C(1) << 60) / times ? 0 : bytes * times;
}

static bool is_same(const struct sacct_cell *a, const struct sacct_cell *b)
{
    return a->text && b->text && a->len == b->len
           && memcmp(a->text, b->text, a->len) == 0;
}

int sacct_resources_read(struct sacct_row *r)
{
    struct slurm_job *j = &r->job;
    struct tres held, asked;
    int64_t nodes, cpus, gpus;

    tres_read(r, SACCT_ALLOC_TRES, &held);
    if (is_same(&r->cell[SACCT_ALLOC_TRES], &r->cell[SACCT_REQ_TRES]))
        asked = held;
    else
        tres_read(r, SACCT_REQ_TRES, &asked);
    nodes = first_of(held.nodes, number_of(r, SACCT_NODES),
                     number_of(r, SACCT_ALLOC_NODES));
    nodes = first_of(nodes, asked.nodes, number_of(r, SACCT_REQ_NODES));
    if (nodes == 0) {
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "jobs that state no nodes are on one");
        nodes = 1;
    }
    gres_read(r, SACCT_ALLOC_GRES, nodes, &held);
    gres_read(r, SACCT_REQ_GRES, nodes, &asked);
    cpus = first_of(held.cpus, number_of(r, SACCT_ALLOC_CPUS),
                    number_of(r, SACCT_CPUS));
    cpus = first_of(cpus, asked.cpus, number_of(r, SACCT_REQ_CPUS));
    gpus = first_of(held.gpus, asked.gpus, 0);
    j->memory = first_of(held.memory, asked.memory,
                         memory_asked(r, nodes, cpus));
    if (nodes > NODES_MAX || cpus > INT64_C(1) << 30
        || gpus > nodes * TOPO_DEVICES_MAX) {
        sacct_row_left(r, "with more nodes, CPUs or GPUs than gsim has",
                       SACCT_FIELDS);
        return -1;
    }
    j->nodes = (uint32_t)nodes;
    j->cpus = (uint32_t)cpus;
    j->asked_cpus = (uint32_t)first_of(asked.cpus, number_of(r, SACCT_REQ_CPUS),
                                       cpus);
    if (j->asked_cpus == 0 || j->asked_cpus > (1u << 30))
        j->asked_cpus = j->cpus;
    j->gpus = (uint32_t)gpus;
    if (asked.has_types)
        slurm_tell(r->s, IMPORT_IGNORED, &r->at,
                   "GPUs of two types in a job: any GPUs will do");
    else if (asked.gpus || asked.type)
        j->type = asked.type;
    j->gres = held.gres ? held.gres : asked.gres;
    return 0;
}

/* --- GPUs by options ------------------------------------------------------ */

/* "gpu", "gpu:2", "gres:gpu:a100:2", "gres/gpu:2"; without names "a100:2". */
static void gpus_one(struct sacct_row *r, enum sacct_part of, bool has_names,
                     const char *text, size_t len)
{
    const char *slash = memchr(text, '/', len), *end = text + len, *word;
    const char *p = slash ? slash + 1 : text, *type = NULL;
    size_t size, used, type_len = 0;
    bool is_gpu = !has_names;
    int64_t count = 1;

    while ((word = slurm_part_next(&p, end, ':', &size)) != NULL) {
        const bool is_number = word[0] >= '0' && word[0] <= '9' && p >= end;

        if (slurm_is_word(word, size, "gres"))
            continue;
        if (!is_gpu && !slurm_is_word(word, size, "gpu"))
            return; /* another gres */
        if (!is_gpu) {
            is_gpu = true;
        } else if (is_number) {
            if (slurm_count_read(word, size, 1000, 1, &count, &used) < 0)
                return;
        } else {
            type = word;
            type_len = size;
        }
    }
    if (!is_gpu || count > TOPO_DEVICES_MAX * (int64_t)NODES_MAX)
        return;
    r->asked[of].gpus += count;
    r->asked[of].type = type ? slurm_put(r->s, type, type_len) : 0;
}

void sacct_gpus_ask(struct sacct_row *r, enum sacct_part of, bool has_names,
                    const char *text, size_t len)
{
    const char *end = text + len, *part;
    size_t size;

    r->asked[of].gpus = 0;
    while (len && (part = slurm_part_next(&text, end, ',', &size)) != NULL)
        gpus_one(r, of, has_names, part, size);
}

void sacct_gpus_settle(struct sacct_row *r)
{
    static const enum sacct_field cells[SACCT_PARTS] = {
        [SACCT_OF_NODE] = SACCT_PER_NODE,
        [SACCT_OF_JOB] = SACCT_PER_JOB,
        [SACCT_OF_TASK] = SACCT_PER_TASK,
    };
    struct slurm_job *j = &r->job;
    const int64_t tasks = first_of(number_of(r, SACCT_TASKS),
                                   r->asked[SACCT_OF_TASK].tasks, j->nodes);
    const int64_t times[SACCT_PARTS] = { j->nodes, 1, tasks };

    for (int i = 0; i < SACCT_PARTS && j->gpus == 0; i++) {
        const struct sacct_cell *c = &r->cell[cells[i]];

        if (!sacct_cell_is_empty(c))
            sacct_gpus_ask(r, (enum sacct_part)i, true, c->text, c->len);
        if (r->asked[i].gpus == 0
            || r->asked[i].gpus > j->nodes * (int64_t)TOPO_DEVICES_MAX
                                      / (times[i] ? times[i] : 1))
            continue;
        j->gpus = (uint32_t)(r->asked[i].gpus * times[i]);
        j->type = r->asked[i].type;
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "GPUs of jobs are those of their options (--gres, --gpus "
                   "...) where no column tells any");
    }
}
