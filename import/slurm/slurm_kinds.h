/* import/slurm/slurm_kinds.h - what a file of Slurm is, by its first bytes. */
#ifndef SLURM_SLURM_KINDS_H
#define SLURM_SLURM_KINDS_H

#include <stddef.h>

/* In the order in which files are read. */
enum slurm_kind {
    SLURM_CONF,
    SLURM_GRES_CONF,
    SLURM_TOPOLOGY_CONF,
    SLURM_TOPOLOGY_YAML,
    SLURM_SCONTROL,
    SLURM_RESERVATIONS,
    SLURM_ASSOC,
    SLURM_QOS,
    SLURM_RECORDING,
    SLURM_SACCT,
    SLURM_JSON,
    SLURM_NOTHING, /* a configuration that no decision depends on */
    SLURM_KINDS    /* no file of Slurm */
};

enum slurm_kind slurm_kind_of(const char *head, size_t size);

/* "accounting of Slurm (sacct)" ... */
const char *slurm_kind_name(enum slurm_kind k);

#endif /* SLURM_SLURM_KINDS_H */
