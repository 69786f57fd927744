/* import/kubernetes/object/device.c - which resources of Kubernetes are
 * devices.
 *
 * Source: the documents of the device plugins of each vendor.
 */
#include "import/kubernetes/object/device.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)

/* A name that ends with '*' stands for all that begin so. */
static const struct row {
    const char *name;
    enum kube_device device;
    int64_t unit;
} rows[] = {
    { "cpu", KUBE_CPU, 0 },
    { "memory", KUBE_RAM, 0 },
    { "pods", KUBE_PODS, 0 },
    { "nvidia.com/gpu", KUBE_WHOLE, 0 },
    { "nvidia.com/gpu.shared", KUBE_WHOLE, 0 },
    { "nvidia.com/pgpu", KUBE_WHOLE, 0 },
    { "amd.com/gpu", KUBE_WHOLE, 0 },
    { "gpu.intel.com/i915", KUBE_WHOLE, 0 },
    { "gpu.intel.com/xe", KUBE_WHOLE, 0 },
    { "habana.ai/gaudi", KUBE_WHOLE, 0 },
    { "huawei.com/npu", KUBE_WHOLE, 0 },
    { "huawei.com/Ascend*", KUBE_WHOLE, 0 },
    { "google.com/tpu", KUBE_WHOLE, 0 },
    { "aws.amazon.com/neuron", KUBE_WHOLE, 0 },
    { "aws.amazon.com/neurondevice", KUBE_WHOLE, 0 },
    { "cambricon.com/mlu", KUBE_WHOLE, 0 },
    { "cambricon.com/vmlu", KUBE_WHOLE, 0 },
    { "hygon.com/dcu", KUBE_WHOLE, 0 },
    { "hygon.com/dcunum", KUBE_WHOLE, 0 },
    { "metax-tech.com/gpu", KUBE_WHOLE, 0 },
    { "iluvatar.ai/gpu", KUBE_WHOLE, 0 },
    { "iluvatar.ai/vgpu", KUBE_WHOLE, 0 },
    { "enflame.com/gcu", KUBE_WHOLE, 0 },
    { "kunlunxin.com/xpu", KUBE_WHOLE, 0 },
    { "mthreads.com/gpu", KUBE_WHOLE, 0 },
    { "mthreads.com/vgpu", KUBE_WHOLE, 0 },
    { "furiosa.ai/npu", KUBE_WHOLE, 0 },
    { "rebellions.ai/*", KUBE_WHOLE, 0 },
    { "volcano.sh/gpu-number", KUBE_WHOLE, 0 },
    { "volcano.sh/vgpu-number", KUBE_WHOLE, 0 },
    { "aliyun.com/gpu-count", KUBE_WHOLE, 0 },
    { "alibabacloud.com/gpu-count", KUBE_WHOLE, 0 },
    { "volcano.sh/gpu-memory", KUBE_PART, MIB },
    { "volcano.sh/vgpu-memory", KUBE_PART, MIB },
    { "nvidia.com/gpumem", KUBE_PART, MIB },
    { "aliyun.com/gpu-mem", KUBE_PART, GIB },
    { "alibabacloud.com/gpu-mem", KUBE_PART, 1 },
    { "nvidia.com/gpumem-percentage", KUBE_PERCENT, 0 },
    { "volcano.sh/vgpu-memory-percentage", KUBE_PERCENT, 0 },
    { "nvidia.com/gpucores", KUBE_CORES, 0 },
    { "volcano.sh/vgpu-cores", KUBE_CORES, 0 },
    { "aliyun.com/gpu-core.percentage", KUBE_CORES, 0 },
    { "rdma/*", KUBE_NIC, 0 },
    { "vpc.amazonaws.com/efa", KUBE_NIC, 0 },
    { "nvidia.com/hostdev", KUBE_NIC, 0 },
};

const char *kube_device_name(size_t i)
{
    return i < sizeof(rows) / sizeof(rows[0]) ? rows[i].name : NULL;
}

enum kube_device kube_device_of(const char *name, int64_t *unit)
{
    const char *slash = strchr(name, '/');

    assert(name && unit);
    *unit = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *pattern = rows[i].name;
        const size_t len = strcspn(pattern, "*");

        if (strncmp(name, pattern, len) != 0
            || (pattern[len] == '\0' && name[len] != '\0'))
            continue;
        *unit = rows[i].unit;
        return rows[i].device;
    }
    return slash && strcmp(slash, "/gpu") == 0 ? KUBE_WHOLE : KUBE_COUNTED;
}
