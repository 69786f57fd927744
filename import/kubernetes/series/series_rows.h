/* import/kubernetes/series/series_rows.h - the readers of series, for the table
 * in kube_series.c.  `what` tells apart series that one of them reads.
 */
#ifndef KUBE_SERIES_ROWS_H
#define KUBE_SERIES_ROWS_H

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

/* The objects that were there; daemons only, no nodes, as the series were
 * taken.
 */
void past_nodes_make(struct kube *k);
void past_quotas_make(struct kube *k);
void past_pods_make(struct kube *k); /* and Jobs */

#endif /* KUBE_SERIES_ROWS_H */
