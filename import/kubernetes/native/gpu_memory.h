/* import/kubernetes/native/gpu_memory.h - the memory of GPUs, and parts of
 * them that pods ask for by their memory.
 */
#ifndef KUBE_GPU_MEMORY_H
#define KUBE_GPU_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_conditions;
struct kube_gpu_sizes;
struct kube_node;
struct kube_template;
struct topo_request;

/* MiB of a GPU, a label of nodes where parts of GPUs of several sizes suit. */
#define KUBE_MEMORY_LABEL "gpu-memory"

/* Bytes of one of the node's `gpus` devices: what the plugin, a label or a
 * driver says, or, where pods ask for parts by their memory, the name of the
 * model; 0: unknown.
 */
int64_t kube_gpu_memory(struct kube *k, const struct kube_node *n,
                        uint32_t gpus);

/* A part of `bytes` of one GPU becomes `r`: by its memory where all GPUs that
 * suit have one size, else, told, as a share of the smallest of them.  `nodes`
 * are conditions beside those of `t`; what keeps it from smaller GPUs is added.
 */
void kube_gpu_part(struct kube *k, const struct kube_template *t, int64_t bytes,
                   struct topo_request *r, struct kube_conditions *nodes);

/* Does a pod need KUBE_MEMORY_LABEL? */
bool kube_gpu_label_needed(const struct kube *k);

void kube_gpu_sizes_free(struct kube_gpu_sizes *s); /* NULL is fine */

#endif /* KUBE_GPU_MEMORY_H */
