/* import/kubernetes/series/series_rows.h - the readers of series, for the table
 * in kube_series.c.  `what` tells apart series that one of them reads.
 */
#ifndef KUBE_SERIES_ROWS_H
#define KUBE_SERIES_ROWS_H

#include <stdint.h>

struct kube;
struct series;

typedef void (*series_fn)(struct kube *k, const struct series *s,
                          const char *what);

void past_pod_take_info(struct kube *k, const struct series *s,
                        const char *what);
void past_pod_take_owner(struct kube *k, const struct series *s,
                         const char *what);
void past_pod_take_time(struct kube *k, const struct series *s,
                        const char *what);
void past_pod_take_phase(struct kube *k, const struct series *s,
                         const char *what);
void past_pod_take_bound(struct kube *k, const struct series *s,
                         const char *what);
void past_pod_take_labels(struct kube *k, const struct series *s,
                          const char *what);
void past_pod_take_toleration(struct kube *k, const struct series *s,
                              const char *what);
void past_pod_take_scheduler(struct kube *k, const struct series *s,
                             const char *what);
void past_pod_take_overhead(struct kube *k, const struct series *s,
                            const char *what);
void past_pod_take_request(struct kube *k, const struct series *s,
                           const char *what);
void past_pod_take_limit(struct kube *k, const struct series *s,
                         const char *what);
void past_pod_take_init_request(struct kube *k, const struct series *s,
                                const char *what);
void past_pod_take_init_limit(struct kube *k, const struct series *s,
                              const char *what);
void past_pod_take_init(struct kube *k, const struct series *s,
                        const char *what);

void past_job_take(struct kube *k, const struct series *s, const char *what);
void past_job_take_labels(struct kube *k, const struct series *s,
                          const char *what);

void past_node_take(struct kube *k, const struct series *s, const char *what);
void past_node_take_amount(struct kube *k, const struct series *s,
                           const char *what);
void past_node_take_capacity(struct kube *k, const struct series *s,
                             const char *what);
void past_node_take_labels(struct kube *k, const struct series *s,
                           const char *what);
void past_node_take_taint(struct kube *k, const struct series *s,
                          const char *what);
void past_node_take_cordon(struct kube *k, const struct series *s,
                           const char *what);
void past_node_take_condition(struct kube *k, const struct series *s,
                              const char *what);
void past_quota_take(struct kube *k, const struct series *s, const char *what);

/* "namespace/name" */
uint32_t past_full_name(const struct kube *k, uint32_t space, uint32_t name);

/* kube-state-metrics names a uid in all series since v2, in kube_pod_info only
 * before: what series say that name no uid goes to the pods of that name.
 * is_joined: [pod] that it has no uid and was joined with one.
 */
void past_names_join(struct kube *k, uint8_t *is_joined);

/* The objects that were there; daemons only, no nodes, as the series were
 * taken.
 */
void past_nodes_make(struct kube *k);
void past_quotas_make(struct kube *k);
void past_pods_make(struct kube *k); /* and Jobs */

#endif /* KUBE_SERIES_ROWS_H */
