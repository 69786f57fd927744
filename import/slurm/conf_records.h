/* import/slurm/conf_records.h - what the records of Slurm's configuration files
 * share.  Private to their readers.
 */
#ifndef SLURM_CONF_RECORDS_H
#define SLURM_CONF_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "import/slurm/slurm_state.h"

struct slurm_pair;

struct conf_defaults {
    struct slurm_hardware hardware;
    struct slurm_partition partition;
};

/* What a value must be: a whole number (int64_t), a text, a span of time
 * (int64_t, us), or what is not kept.
 */
enum conf_form { CONF_WHOLE, CONF_TEXT, CONF_SPAN, CONF_NONE };

/* A key of a record, and where its value is kept. */
struct conf_field {
    const char *name;
    enum conf_form form;
    size_t offset;
};

/* Read the value of a pair into the field of the record `out`. */
int slurm_conf_field_read(struct slurm *s, const struct conf_field *f,
                          const struct slurm_pair *p, char *out,
                          struct gs_err *err);
/* The field of that name, in letters of either case; NULL. */
const struct conf_field *slurm_conf_field_find(const struct conf_field *f,
                                               uint32_t count,
                                               const char *name);

/* -1, with a problem: the text is no list of nodes; lists have too many names.
 */
int slurm_conf_list_refuse(struct slurm *s, const struct slurm_place *at,
                           const char *list, const char *why,
                           struct gs_err *err);
int slurm_conf_list_too_many(struct slurm *s, const struct slurm_place *at,
                             struct gs_err *err);

/* Tell that a record or a file has a key that Slurm does not know, with the
 * nearest of those that it knows (0: none).
 */
void slurm_pair_unknown(struct slurm *s, const struct slurm_pair *p,
                        const char *record, const char *const *known,
                        size_t count);

#endif /* SLURM_CONF_RECORDS_H */
