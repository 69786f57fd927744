/* policies/state/fragmentation.h - devices and fragmentation, for module_services.c. */
#ifndef POLICIES_STATE_FRAGMENTATION_H
#define POLICIES_STATE_FRAGMENTATION_H

#include "policies/state/state.h"

uint32_t gsched_host_parts(const struct gsp_view *v, uint32_t i,
                           const uint16_t **left);
const uint8_t *gsched_host_kinds(const struct gsp_view *v);
int64_t gsched_host_fragment(void *ctx, const struct gsp_view *v, uint32_t i);
int64_t gsched_host_fragment_with(void *ctx, const struct gsp_view *v,
                                  uint32_t i, const struct gsp_task *t,
                                  uint32_t left);
int64_t gsched_host_mix_weight(void *ctx);
uint32_t gsched_host_mix_kinds(void *ctx);
const struct gsp_task *gsched_host_mix_kind(void *ctx, uint32_t kind,
                                            int64_t *weight);
bool gsched_host_mix_suits(void *ctx, uint32_t kind, uint32_t klass);
uint32_t gsched_host_classes(void *ctx);
int64_t gsched_host_class_gpus(void *ctx, uint32_t klass);
const uint32_t *gsched_host_klass(const struct gsp_view *v);

/* State groups were renumbered. */
void gsched_fragment_forget(struct gsched *s);
void gsched_fragment_open(struct gsched *s);
void gsched_fragment_free(struct gsched *s);

#endif /* POLICIES_STATE_FRAGMENTATION_H */
