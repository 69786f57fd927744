/* sim/study/known_names.c - see known_names.h. */
#include "sim/study/known_names.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "topology/topology.h"

#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

static bool is_among(const char *s, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(s, list[i]) == 0)
            return true;
    }
    return false;
}

bool known_key(const char *key)
{
    static const char *const domains[] = { "kubernetes.io",
                                           "k8s.io",
                                           "k8s.aws",
                                           "karpenter.sh",
                                           "nvidia.com",
                                           "amd.com",
                                           "intel.com",
                                           "huawei.com",
                                           "habana.ai",
                                           "volcano.sh",
                                           "kubeflow.org",
                                           "kai.scheduler",
                                           "run.ai",
                                           "ray.io",
                                           "google.com",
                                           "amazonaws.com",
                                           "azure.com",
                                           "aliyun.com",
                                           "aliyun.accelerator",
                                           "alibabacloud.com",
                                           "oraclecloud.com",
                                           "openshift.io",
                                           "coreweave.com" };
    static const char *const words[] = { "node",   "device", "model", "class",
                                         "region", "zone",   "rack",  "gpu",
                                         "app",    "pods",   "role",  "type" };
    const size_t len = strcspn(key, "/");

    if (!key[len])
        return is_among(key, words, N_ELEMENTS(words));
    for (size_t i = 0; i < N_ELEMENTS(domains); i++) {
        const size_t n = strlen(domains[i]);

        if (len >= n && memcmp(key + len - n, domains[i], n) == 0
            && (len == n || key[len - n - 1] == '.'))
            return true;
    }
    return false;
}

bool known_value(const char *value)
{
    static const char *const words[] = { "true", "false", "none",  "yes",
                                         "no",   "linux", "amd64", "arm64" };

    return is_among(value, words, N_ELEMENTS(words));
}

bool known_number(const char *s)
{
    int64_t number;

    return topo_label_number(s, &number);
}

bool known_class(const char *s)
{
    return strncmp(s, "system-", 7) == 0 || known_number(s);
}
