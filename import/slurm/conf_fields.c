/* import/slurm/conf_fields.c - values of records, see conf_records.h. */
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/quantity.h"
#include "import/slurm/conf_lines.h"
#include "import/slurm/conf_records.h"
#include "import/slurm/slurm_values.h"

static int field_refuse(const struct slurm *s, const struct slurm_pair *p,
                        const char *allowed, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT,
                   (struct gs_mark){ s->source, p->line, p->column },
                   "'%s' must be %s (got '%.60s')", p->key, allowed, p->value);
}

int slurm_conf_field_read(struct slurm *s, const struct conf_field *f,
                          const struct slurm_pair *p, char *out,
                          struct gs_err *err)
{
    const size_t len = strlen(p->value);
    uint64_t number;

    switch (f->form) {
    case CONF_WHOLE:
        if (slurm_is_word(p->value, len, "UNLIMITED")
            || slurm_is_word(p->value, len, "INFINITE"))
            number = UINT32_MAX;
        else if (gs_quantity_parse_u64(p->value, len, &number) < 0
                 || number > INT64_C(1) << 40)
            return field_refuse(s, p, "a whole number", err);
        *(int64_t *)(void *)(out + f->offset) = (int64_t)number;
        return 0;
    case CONF_TEXT:
        *(const char **)(void *)(out + f->offset) = slurm_copy(s, p->value);
        return 0;
    case CONF_SPAN:
        if (slurm_span_read(p->value, len, (int64_t *)(void *)(out + f->offset))
            < 0)
            return field_refuse(
                s, p, "a time such as 30, 8:00:00, 2-12 or INFINITE", err);
        return 0;
    default:
        return 0;
    }
}

const struct conf_field *slurm_conf_field_find(const struct conf_field *f,
                                               uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcasecmp(f[i].name, name) == 0)
            return &f[i];
    }
    return NULL;
}

void slurm_pair_unknown(struct slurm *s, const struct slurm_pair *p,
                        const char *record, const char *const *known,
                        size_t count)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);
    const char *nearest = count ? gs_nearest(p->key, known, count) : NULL;

    slurm_tell(s, IMPORT_LEFT, &at, "unknown parameter '%.60s' of %s%s%s%s",
               p->key, record, nearest ? " (did you mean '" : "",
               nearest ? nearest : "", nearest ? "'?)" : "");
}
