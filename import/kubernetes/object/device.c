/* import/kubernetes/object/device.c - which resources of Kubernetes are
 * devices.
 *
 * Source: the documents of the device plugins of each vendor.
 */
#include "import/kubernetes/object/device.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)

/* '*' stands for any text. */
static const struct row {
    const char *name;
    enum kube_device device;
    int64_t unit;
} rows[] = {
    { "cpu", KUBE_CPU, 0 },
    { "memory", KUBE_RAM, 0 },
    { "pods", KUBE_PODS, 0 },
    { "gpu", KUBE_WHOLE, 0 }, /* of quotas, and of Workloads of tests */
    { "nvidia.com/gpu", KUBE_WHOLE, 0 },
    { "alpha.kubernetes.io/nvidia-gpu", KUBE_WHOLE, 0 }, /* before v1.10 */
    { "deviceclass.resource.kubernetes.io/gpu.*", KUBE_WHOLE, 0 },
    { "nvidia.com/gpu.shared", KUBE_WHOLE, 0 },
    { "nvidia.com/pgpu", KUBE_WHOLE, 0 },
    { "amd.com/gpu", KUBE_WHOLE, 0 },
    { "gpu.intel.com/i915", KUBE_WHOLE, 0 },
    { "gpu.intel.com/xe", KUBE_WHOLE, 0 },
    { "habana.ai/gaudi", KUBE_WHOLE, 0 },
    { "huawei.com/npu", KUBE_WHOLE, 0 },
    { "huawei.com/Ascend*-memory", KUBE_PART, MIB },
    { "huawei.com/Ascend*-core", KUBE_CORES, 0 },
    { "huawei.com/Ascend*", KUBE_WHOLE, 0 },
    { "google.com/tpu", KUBE_WHOLE, 0 },
    { "aws.amazon.com/neuron", KUBE_WHOLE, 0 },
    { "aws.amazon.com/neurondevice", KUBE_WHOLE, 0 },
    { "cambricon.com/mlu", KUBE_WHOLE, 0 },
    { "cambricon.com/vmlu", KUBE_WHOLE, 0 },
    { "hygon.com/dcu", KUBE_WHOLE, 0 },
    { "hygon.com/dcunum", KUBE_WHOLE, 0 },
    { "metax-tech.com/gpu", KUBE_WHOLE, 0 },
    { "metax-tech.com/sgpu", KUBE_WHOLE, 0 },
    { "iluvatar.ai/gpu", KUBE_WHOLE, 0 },
    { "iluvatar.ai/vgpu", KUBE_WHOLE, 0 },
    { "iluvatar.ai/*-vgpu", KUBE_WHOLE, 0 },
    { "enflame.com/gcu", KUBE_WHOLE, 0 },
    { "enflame.com/vgcu", KUBE_WHOLE, 0 },
    { "kunlunxin.com/xpu", KUBE_WHOLE, 0 },
    { "kunlunxin.com/vxpu", KUBE_WHOLE, 0 },
    { "vastaitech.com/va", KUBE_WHOLE, 0 },
    { "nvidia.com/vgpu", KUBE_WHOLE, 0 },
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
    { "hygon.com/dcumem", KUBE_PART, MIB },
    { "metax-tech.com/vmemory", KUBE_PART, GIB },
    { "kunlunxin.com/vxpu-memory", KUBE_PART, MIB },
    { "mthreads.com/sgpu-memory", KUBE_PART, 512 * MIB },
    { "iluvatar.ai/vcuda-memory", KUBE_PART, 256 * MIB },
    { "iluvatar.ai/*.vMem", KUBE_PART, 256 * MIB },
    { "tencent.com/vcuda-memory", KUBE_PART, 256 * MIB },
    { "tke.cloud.tencent.com/qgpu-memory", KUBE_PART, GIB },
    { "tencent.com/vcuda-core", KUBE_HUNDREDTHS, 0 },
    { "tke.cloud.tencent.com/qgpu-core", KUBE_HUNDREDTHS, 0 },
    { "koordinator.sh/gpu", KUBE_HUNDREDTHS, 0 },
    { "koordinator.sh/gpu-memory-ratio", KUBE_HUNDREDTHS, 0 },
    { "enflame.com/vgcu-percentage", KUBE_PERCENT, 0 },
    { "nvidia.com/gpumem-percentage", KUBE_PERCENT, 0 },
    { "volcano.sh/vgpu-memory-percentage", KUBE_PERCENT, 0 },
    { "nvidia.com/gpucores", KUBE_CORES, 0 },
    { "volcano.sh/vgpu-cores", KUBE_CORES, 0 },
    { "hygon.com/dcucores", KUBE_CORES, 0 },
    { "metax-tech.com/vcore", KUBE_CORES, 0 },
    { "mthreads.com/sgpu-core", KUBE_CORES, 0 },
    { "iluvatar.ai/vcuda-core", KUBE_CORES, 0 },
    { "iluvatar.ai/*.vCore", KUBE_CORES, 0 },
    { "koordinator.sh/gpu-core", KUBE_CORES, 0 },
    { "aliyun.com/gpu-core.percentage", KUBE_CORES, 0 },
    { "alibabacloud.com/gpu-milli", KUBE_CORES, 0 },
    { "rdma/*", KUBE_NIC, 0 },
    { "vke.volcengine.com/rdma", KUBE_NIC, 0 },
    { "vpc.amazonaws.com/efa", KUBE_NIC, 0 },
    { "nvidia.com/hostdev", KUBE_NIC, 0 },
};

static bool matches(const char *name, const char *pattern)
{
    const size_t head = strcspn(pattern, "*"), len = strlen(name);
    size_t tail;

    if (pattern[head] == '\0')
        return strcmp(name, pattern) == 0;
    tail = strlen(pattern + head + 1);
    return len >= head + tail && memcmp(name, pattern, head) == 0
           && strcmp(name + len - tail, pattern + head + 1) == 0;
}

const char *kube_device_pattern(size_t i)
{
    return i < sizeof(rows) / sizeof(rows[0]) ? rows[i].name : NULL;
}

enum kube_device kube_device_of(const char *name, int64_t *unit)
{
    const char *slash = strchr(name, '/');

    assert(name && unit);
    *unit = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (matches(name, rows[i].name)) {
            *unit = rows[i].unit;
            return rows[i].device;
        }
    }
    return slash && strcmp(slash, "/gpu") == 0 ? KUBE_WHOLE : KUBE_COUNTED;
}

const char *kube_device_name(const char *name)
{
    assert(name);
    if (strncmp(name, "deviceclass.", 12) == 0)
        return "";
    return strcmp(name, "alpha.kubernetes.io/nvidia-gpu") == 0
               ? "nvidia.com/gpu"
           : strcmp(name, "aws.amazon.com/neurondevice") == 0
               ? "aws.amazon.com/neuron"
               : name;
}

int64_t kube_device_count(const char *name, int64_t milli)
{
    int64_t unit;
    const enum kube_device device = kube_device_of(name, &unit);

    return device == KUBE_WHOLE        ? milli
           : device == KUBE_HUNDREDTHS ? milli / 100
                                       : 0;
}
