/* import/kubernetes/object/device.h - which resources of Kubernetes are
 * devices.
 */
#ifndef KUBE_DEVICE_H
#define KUBE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

enum kube_device {
    KUBE_COUNTED, /* no device: a number like any other */
    KUBE_CPU,
    KUBE_RAM,
    KUBE_PODS,
    KUBE_WHOLE,      /* whole devices */
    KUBE_HUNDREDTHS, /* hundredths of devices: 50 is half of one, 200 are two */
    KUBE_PART,       /* memory of a part of one device */
    KUBE_PERCENT,    /* memory of a part, in percent */
    KUBE_CORES,      /* compute of a part: no policy looks at it */
    KUBE_NIC,        /* network cards */
};

/* The names that are known, those that end with '*' among them; NULL at the
 * end.
 */
const char *kube_device_pattern(size_t i);

/* What the resource called `name` is; *unit: bytes of one KUBE_PART. */
enum kube_device kube_device_of(const char *name, int64_t *unit);

/* The name that resources of one sort of device have in common: an old name of
 * a resource is its new one.  "": that of any node (a class of devices).
 */
const char *kube_device_name(const char *name);

/* Thousandths of devices that `milli` of the resource called `name` are; 0 for
 * one that does not count devices.
 */
int64_t kube_device_count(const char *name, int64_t milli);

#endif /* KUBE_DEVICE_H */
