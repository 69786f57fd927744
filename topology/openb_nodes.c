/* topology/openb_nodes.c - Alibaba's node list (cluster-trace-gpu-v2023):
 * sn,cpu_milli,memory_mib,gpu,model.
 */
#include <string.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/text.h"
#include "topology/native_topology.h"
#include "topology/topology.h"

enum column { SN, CPU_MILLI, MEMORY_MIB, GPU, MODEL, COLUMNS };

static const char *const column_names[COLUMNS] = {
    [SN] = "sn",   [CPU_MILLI] = "cpu_milli", [MEMORY_MIB] = "memory_mib",
    [GPU] = "gpu", [MODEL] = "model",
};

static int columns_find(const struct gs_csv *csv, int *column,
                        struct gs_err *err)
{
    const struct gs_mark at = { gs_input_name(csv->in), 1, 1 };

    for (int i = 0; i < COLUMNS; i++) {
        column[i] = gs_csv_column(csv, column_names[i]);
        if (column[i] < 0)
            return gs_fail(err, GS_INPUT, at,
                           "the header has no column '%s' (a node list has "
                           "sn, cpu_milli, memory_mib, gpu, model)",
                           column_names[i]);
    }
    return 0;
}

static int number(const struct gs_csv *csv, const int *column, enum column c,
                  uint64_t max, uint64_t *out, struct gs_err *err)
{
    const struct gs_csv_field *f = &csv->field[column[c]];

    if (gs_quantity_parse_u64(f->text, f->len, out) < 0 || *out > max)
        return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)column[c]),
                       "'%s' must be a whole number from 0 to %llu (got "
                       "'%.60s')",
                       column_names[c], (unsigned long long)max, f->text);
    return 0;
}

/* Check a name, which may be printed on a terminal. */
static int name_check(const struct gs_csv *csv, const int *column,
                      enum column c, struct gs_err *err)
{
    const struct gs_csv_field *f = &csv->field[column[c]];

    if (!gs_text_is_clean(f->text, f->len))
        return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)column[c]),
                       "'%s' must be printable text (got '%.60s')",
                       column_names[c], f->text);
    return 0;
}

static int node_read(const struct gs_csv *csv, const int *column,
                     struct topo *t, struct gs_err *err)
{
    const struct gs_csv_field *sn = &csv->field[column[SN]];
    const struct gs_csv_field *model = &csv->field[column[MODEL]];
    struct topo_class k = { 0 };
    struct gs_err inner = { 0 };
    uint64_t cpu, mib, gpus;

    if (number(csv, column, CPU_MILLI, UINT32_MAX, &cpu, err) < 0
        || number(csv, column, MEMORY_MIB, UINT32_MAX, &mib, err) < 0
        || number(csv, column, GPU, TOPO_DEVICES_MAX, &gpus, err) < 0
        || name_check(csv, column, SN, err) < 0
        || name_check(csv, column, MODEL, err) < 0)
        return -1;
    if (sn->len == 0)
        return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)column[SN]),
                       "a node needs a name in 'sn'");
    k.type = gs_strtab_put(t->names, gpus ? model->text : "cpu",
                           gpus ? model->len : 3);
    k.model = gpus ? k.type : 0;
    k.gpus = (uint32_t)gpus;
    k.capacity[TOPO_CPU] = (int64_t)cpu;
    k.capacity[TOPO_MEMORY] = (int64_t)(mib << 20);
    k.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
    k.capacity[TOPO_GPU] = (int64_t)gpus * TOPO_SHARE_ONE;
    if (topo_add_node(t, gs_strtab_put(t->names, sn->text, sn->len),
                      topo_add_class(t, &k), NULL, &inner)
        < 0)
        return gs_fail(err, inner.code, gs_csv_mark(csv, (uint32_t)column[SN]),
                       "%s", inner.problem[0].text);
    return 0;
}

int topo_openb_read(struct gs_input *in, struct topo *t, struct gs_err *err)
{
    struct gs_csv csv;
    int column[COLUMNS];
    int rc;

    if (gs_csv_open(&csv, in, err) < 0)
        return -1;
    rc = columns_find(&csv, column, err);
    if (rc == 0)
        rc = gs_csv_next(&csv, err);
    while (rc > 0) {
        rc = node_read(&csv, column, t, err);
        if (rc == 0 || gs_err_wants_more(err))
            rc = gs_csv_next(&csv, err);
    }
    gs_csv_close(&csv);
    return rc < 0 || (err && err->count) ? -1 : 0;
}
