/* import/kubernetes/object/kueue_gates.h - feature gates of Kueue, as its
 * Configuration states them.  Objects come in any order, so that gates count
 * once all is read.
 */
#ifndef KUBE_KUEUE_GATES_H
#define KUBE_KUEUE_GATES_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;

/* The gates that are followed. */
enum kube_gate {
    KUBE_GATE_TOPOLOGY,    /* topologies of jobs and flavors */
    KUBE_GATE_LAYERS,      /* slices in slices */
    KUBE_GATE_BALANCED,    /* gangs that prefer a level are placed evenly */
    KUBE_GATE_PARTIAL,     /* jobs may be admitted with fewer pods */
    KUBE_GATE_FUNGIBILITY, /* flavorFungibility of queues */
    KUBE_GATE_FAIR_ORDER,  /* admissionFairSharing */
    KUBE_GATE_QUOTA_CHECK, /* quotaCheckStrategy */
    KUBE_GATE_READY_OFF,   /* no waitForPodsReady */
    KUBE_GATE_BOOST,       /* annotation priority-boost */
    KUBE_GATE_GATED,       /* annotation admission-gated-by */
    KUBE_GATE_PRIORITY,    /* priority counts between queues */
    KUBE_GATE_OWN_FIRST,   /* shares: what borrows nothing is first */
    KUBE_GATE_OWN_EVICTS,  /* shares: and evicts whatever they are */
    KUBE_GATES
};

/* What is stated of a gate. */
enum kube_gate_stated { KUBE_GATE_UNSTATED, KUBE_GATE_OPEN, KUBE_GATE_SHUT };

/* Note what `featureGates` of a Configuration, a mapping, says, or
 * controllerManager.featureGates of values of the chart, a list of {name,
 * enabled}; tell gates that change decisions and are not as here.
 */
void kube_gates_read(struct kube *k, const struct gs_ynode *root);

/* As stated; else as Kueue 0.20 has it. */
bool kube_gate_is_open(const struct kube *k, enum kube_gate gate);
bool kube_gate_is_stated(const struct kube *k, enum kube_gate gate);

#endif /* KUBE_KUEUE_GATES_H */
