/* sim/replay/nodes.h - states of nodes, shared by nodes.c, failures.c and
 * autoscaler.c.
 */
#ifndef SIM_REPLAY_NODES_H
#define SIM_REPLAY_NODES_H

#include "base/rng.h"
#include "sim/replay/replay_private.h"
#include "sim/scenario/scenario.h"

#define NONE UINT32_MAX

enum node_event_kind {
    NODE_INSTANT,  /* no change; only a cycle is due */
    NODE_NOTICE,   /* notice of event `index` */
    NODE_SCENARIO, /* event `index` begins; `serial` is that of its notice */
    NODE_OVER,     /* event `index` ends; `serial` is that of its begin */
    NODE_FAILS,    /* a failure of stream `index` */
    NODE_REPAIRED, /* its repair; `serial` is that of the failure */
    NODE_ARRIVES,  /* node `index` */
    NODE_IDLE,     /* node `index` is idle since `serial` */
};

#define NODE_EVENT_KINDS (NODE_IDLE + 1)

struct node_event {
    uint64_t serial;
    enum node_event_kind kind;
    uint32_t index;
    uint32_t next; /* free; NONE */
};

struct node_now {
    uint64_t cleared; /* outages of lower serial numbers are over */
    uint64_t left;    /* serial number of when it last went */
    uint64_t idle;    /* goes up when its first task comes or last goes */
    uint32_t drains, failures; /* outages */
    uint32_t lasting;          /* of those: without a known end */
    bool is_gone;              /* absent without a known end */
    uint32_t tasks;            /* tasks on the node; only with an autoscaler */
    uint32_t scale;            /* index in sim_nodes.scale; NONE */
    bool is_absent, is_parked; /* parked: removed by the autoscaler */
    bool is_arriving;
    bool is_expected; /* parked, but it is arriving or the autoscaler may add
                         it */
    bool is_kept;     /* idle for long, but kept because of `min` */
    bool is_spare;    /* open, idle and without failed GPUs: counted in
                         scale_now.spare */
    uint8_t state;    /* enum report_node_state, as last reported */
};

struct gpu_now {
    uint64_t cleared;
    uint32_t failures;
    uint32_t lasting; /* of those: without a known end */
    bool is_failed;
};

/* Random failures of one unit. */
struct stream {
    struct gs_rng rng;
    uint32_t first, count, device;
    uint32_t failures; /* in the scenario */
};

/* Nodes of a type that is scaled. */
struct scale_now {
    uint32_t open, arriving, spare, kept; /* nodes */
    uint32_t first; /* no earlier node is parked and not arriving */
    bool is_stale;  /* is_expected of its nodes is out of date */
};

struct sim_nodes {
    const struct sim_scenario *scenario;
    struct node_now *node;
    struct gpu_now *gpu; /* [first_device of node + i] */
    struct node_event *event;
    uint32_t event_count, event_cap, free_event;
    uint32_t pending[NODE_EVENT_KINDS]; /* events to come */
    uint64_t serial;                    /* events so far */
    struct stream *stream;
    uint32_t stream_count, stream_cap;
    struct scale_now *scale;
};

/* The nodes, or the device, of an event. */
struct sim_target {
    uint32_t first, count; /* nodes */
    uint32_t device;       /* or SIM_WHOLE */
};

void sim_node_event_push(struct sim *s, int64_t at, enum node_event_kind kind,
                         uint32_t index, uint64_t serial);
/* True when the end of each outage and absence of the node is known.  Absence
 * due to the autoscaler does not count.
 */
bool sim_outages_end(const struct sim *s, uint32_t node);
/* Set the state of the node from its outages and absences, and report a change;
 * `is_scaled`: because of the autoscaler.
 */
void sim_node_update(struct sim *s, uint32_t node, bool is_scaled);

/* An outage (SIM_DRAIN or SIM_FAIL) begins (by 1), or the one with this serial
 * number ends (by -1).
 */
void sim_nodes_out(struct sim *s, const struct sim_target *t,
                   enum sim_what what, uint64_t serial, int by);

/* failures.c: failures at random */
void sim_streams_open(struct sim *s);
void sim_stream_fails(struct sim *s, uint32_t index);
void sim_stream_repaired(struct sim *s, uint32_t index, uint64_t serial);

/* autoscaler.c */
void sim_scale_open(struct sim *s);
void sim_scale_arrived(struct sim *s, uint32_t node);
void sim_scale_idle(struct sim *s, uint32_t node, uint64_t since);
/* The node's state or the number of its failed GPUs changed. */
void sim_scale_changed(struct sim *s, uint32_t node);
/* The nodes that the autoscaler may add have changed. */
void sim_scale_stale(struct sim *s);

#endif /* SIM_REPLAY_NODES_H */
