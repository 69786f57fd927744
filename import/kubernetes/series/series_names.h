/* import/kubernetes/series/series_names.h - names of resources and labels, of
 * which Prometheus keeps letters and digits only: "nvidia_com_gpu".
 */
#ifndef KUBE_SERIES_NAMES_H
#define KUBE_SERIES_NAMES_H

#include <stdint.h>

struct kube;

/* The resource, or the key of a label, that the text stands for, as a string
 * id: one that a node has which was read as an object, else a known one; else a
 * guess from the text, of keys the text itself.
 */
uint32_t kube_series_resource(struct kube *k, const char *text);
uint32_t kube_series_key(struct kube *k, const char *text);

/* Remember the names that the nodes which were read have. */
void kube_series_names_see(struct kube *k);

#endif /* KUBE_SERIES_NAMES_H */
