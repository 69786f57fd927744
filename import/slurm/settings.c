/* import/slurm/settings.c - see settings.h. */
#include "import/slurm/settings.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/err.h"
#include "import/slurm/conf_lines.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

/* Parameters that change decisions, with the values by which they do not; those
 * marked are modelled, or told, by profile.c.
 */
static const struct decisive {
    const char *key;
    const char *neutral; /* comma list; NULL: none */
    bool is_modelled;
} decisive[] = {
    { "SchedulerType", NULL, true },
    { "SLURM_VERSION", NULL, true },
    { "SchedulerParameters", NULL, true },
    { "SelectType", NULL, true },
    { "SelectTypeParameters", NULL, true },
    { "PriorityType", NULL, true },
    { "PriorityWeightAge", "0", true },
    { "PriorityWeightAssoc", "0", true },
    { "PriorityWeightFairshare", "0", true },
    { "PriorityWeightJobSize", "0", true },
    { "PriorityWeightPartition", "0", true },
    { "PriorityWeightQOS", "0", true },
    { "PriorityWeightTRES", "", true },
    { "PriorityDecayHalfLife", NULL, true },
    { "PriorityCalcPeriod", NULL, true },
    { "PriorityMaxAge", NULL, true },
    { "PriorityUsageResetPeriod", "NONE", true },
    { "PriorityFavorSmall", "NO,0,FALSE", true },
    { "PriorityFlags", "", true },
    { "FairShareDampeningFactor", "1", true },
    { "PreemptType", "preempt/none", true },
    { "PreemptMode", "OFF", true },
    { "PreemptParameters", "", true },
    { "PreemptExemptTime", "0,00:00:00,-1", true },
    { "PrioritySiteFactorPlugin", "site_factor/none", false },
    { "SchedulerTimeSlice", NULL, true },
    { "OverTimeLimit", "0", false },
    { "CompleteWait", "0", false },
    { "MaxJobCount", NULL, true },
    { "Licenses", "", true },
    { "AccountingStorageEnforce", "0,none", true },
    { "EnforcePartLimits", "NO,0", true },
    { "TopologyPlugin", NULL, true },
    { "TopologyParam",
      "SwitchAsNodeRank,BlockAsNodeRank,RouteTree,RoutePart,TopoOptional",
      false },
    { "JobRequeue", "1", true },
    { "DefMemPerCPU", "0,UNLIMITED", true },
    { "DefMemPerNode", "0,UNLIMITED", true },
    { "DefMemPerGPU", "0,UNLIMITED", true },
    { "MaxMemPerCPU", "0,UNLIMITED", true },
    { "MaxMemPerNode", "0,UNLIMITED", true },
    { "DefCpuPerGPU", "0", true },
    { "SuspendTime", "-1,INFINITE,NONE", false },
    { "ResumeTimeout", NULL, true },
    { "SuspendTimeout", NULL, true },
    { "ReconfigFlags", NULL, true },
    { "BurstBufferType", "burst_buffer/none", false },
    { "JobSubmitPlugins", NULL, true },
    { "GresTypes", NULL, true },
};

#define DECISIVE (sizeof(decisive) / sizeof(decisive[0]))

/* Parameters that no decision depends on. */
static const char *const indifferent[] = {
    "AccountingStorageBackupHost",
    "AccountingStorageExternalHost",
    "AccountingStorageHost",
    "AccountingStorageLoc",
    "AccountingStorageParameters",
    "AccountingStoragePass",
    "AccountingStoragePassword",
    "AccountingStoragePort",
    "AccountingStorageTRES",
    "AccountingStorageType",
    "AccountingStorageUser",
    "AccountingStoreFlags",
    "AccountingStoreJobComment",
    "AcctGatherEnergyType",
    "AcctGatherFilesystemType",
    "AcctGatherInfinibandType",
    "AcctGatherInterconnectType",
    "AcctGatherNodeFreq",
    "AcctGatherProfileType",
    "AllowSpecResourcesUsage",
    "AuthAltParameters",
    "AuthAltTypes",
    "AuthInfo",
    "AuthType",
    "BackupAddr",
    "BackupController",
    "BatchStartTimeout",
    "BcastExclude",
    "BcastParameters",
    "CacheGroups",
    "CertmgrParameters",
    "CertmgrType",
    "CheckpointType",
    "CliFilterPlugins",
    "CliFilterParameters",
    "ClusterName",
    "CommunicationParameters",
    "ControlAddr",
    "ControlMachine",
    "CoreSpecPlugin",
    "CpuFreqDef",
    "CpuFreqGovernors",
    "CredType",
    "CryptoType",
    "DebugFlags",
    "DataParserParameters",
    "DefaultStorageHost",
    "DefaultStorageLoc",
    "DefaultStoragePass",
    "DefaultStoragePort",
    "DefaultStorageType",
    "DefaultStorageUser",
    "DependencyParameters",
    "DisableRootJobs",
    "EioTimeout",
    "Epilog",
    "EpilogMsgTime",
    "EpilogSlurmctld",
    "EpilogTimeout",
    "ExtSensorsFreq",
    "ExtSensorsType",
    "FastSchedule",
    "FederationParameters",
    "FirstJobId",
    "GetEnvTimeout",
    "GpuFreqDef",
    "GroupUpdateForce",
    "GroupUpdateTime",
    "HashPlugin",
    "HealthCheckInterval",
    "HealthCheckNodeState",
    "HealthCheckProgram",
    "HttpParserType",
    "InactiveLimit",
    "InteractiveStepOptions",
    "JobAcctGatherFrequency",
    "JobAcctGatherParams",
    "JobAcctGatherType",
    "JobCheckpointDir",
    "JobCompHost",
    "JobCompLoc",
    "JobCompParams",
    "JobCompPass",
    "JobCompPort",
    "JobCompType",
    "JobCompUser",
    "JobContainerPlugin",
    "JobContainerType",
    "JobCredentialPrivateKey",
    "JobCredentialPublicCertificate",
    "JobFileAppend",
    "KeepAliveTime",
    "KillOnBadExit",
    "KillWait",
    "LaunchParameters",
    "LaunchType",
    "LogTimeFormat",
    "MailDomain",
    "MailProg",
    "MaxArraySize",
    "MaxBatchRequeue",
    "MaxDBDMsgs",
    "MaxJobId",
    "MaxNodeCount",
    "MaxStepCount",
    "MaxTasksPerNode",
    "MCSParameters",
    "MCSPlugin",
    "MemLimitEnforce",
    "MessageTimeout",
    "MetricsType",
    "MinJobAge",
    "MpiDefault",
    "MpiParams",
    "MsgAggregationParams",
    "NamespaceType",
    "NodeFeaturesPlugins",
    "PlugStackConfig",
    "PluginDir",
    "PowerParameters",
    "PowerPlugin",
    "PrEpParameters",
    "PrEpPlugins",
    "PreemptParameters",
    "PrioritySiteFactorParameters",
    "PrivateData",
    "ProctrackType",
    "Prolog",
    "PrologEpilogTimeout",
    "PrologFlags",
    "PrologSlurmctld",
    "PrologTimeout",
    "PropagatePrioProcess",
    "PropagateResourceLimits",
    "PropagateResourceLimitsExcept",
    "RebootProgram",
    "RequeueExit",
    "RequeueExitHold",
    "ResourceLimits",
    "ResumeFailProgram",
    "ResumeProgram",
    "ResumeRate",
    "ResvEpilog",
    "ResvOverRun",
    "ResvProlog",
    "ReturnToService",
    "RoutePlugin",
    "SallocDefaultCommand",
    "SbcastParameters",
    "SchedulerAuth",
    "SchedulerPort",
    "SchedulerRootFilter",
    "ScronParameters",
    "SlurmUser",
    "SlurmctldAddr",
    "SlurmctldDebug",
    "SlurmctldHost",
    "SlurmctldLogFile",
    "SlurmctldParameters",
    "SlurmctldPidFile",
    "SlurmctldPlugstack",
    "SlurmctldPort",
    "SlurmctldPrimaryOffProg",
    "SlurmctldPrimaryOnProg",
    "SlurmctldSyslogDebug",
    "SlurmctldTimeout",
    "SlurmdDebug",
    "SlurmdLogFile",
    "SlurmdParameters",
    "SlurmdPidFile",
    "SlurmdPort",
    "SlurmdSpoolDir",
    "SlurmdSyslogDebug",
    "SlurmdTimeout",
    "SlurmdUser",
    "SlurmSchedLogFile",
    "SlurmSchedLogLevel",
    "SrunEpilog",
    "SrunPortRange",
    "SrunProlog",
    "StateSaveLocation",
    "SuspendExcNodes",
    "SuspendExcParts",
    "SuspendExcStates",
    "SuspendProgram",
    "SuspendRate",
    "SwitchParameters",
    "SwitchType",
    "TaskEpilog",
    "TaskPlugin",
    "TaskPluginParam",
    "TaskProlog",
    "TCPTimeout",
    "TLSParameters",
    "TLSType",
    "TmpFS",
    "TrackWCKey",
    "TreeWidth",
    "UnkillableStepProgram",
    "UnkillableStepTimeout",
    "UrlParserType",
    "UsePAM",
    "UseSPANK",
    "VSizeFactor",
    "WaitTime",
    "X11Parameters",
    "RestdUser",
    "EnableConfigless",
    "FrontendName",
    "NodeName",
    "PartitionName",
    "NodeSet",
    "DownNodes",
};

#define INDIFFERENT (sizeof(indifferent) / sizeof(indifferent[0]))

/* --- keys ----------------------------------------------------------------- */

static const char *key_find(const char *key)
{
    for (size_t i = 0; i < DECISIVE; i++) {
        if (strcasecmp(decisive[i].key, key) == 0)
            return decisive[i].key;
    }
    for (size_t i = 0; i < INDIFFERENT; i++) {
        if (strcasecmp(indifferent[i], key) == 0)
            return indifferent[i];
    }
    return NULL;
}

static const char *key_nearest(const char *key)
{
    const char *known[DECISIVE + INDIFFERENT];
    size_t n = 0;

    for (size_t i = 0; i < DECISIVE; i++)
        known[n++] = decisive[i].key;
    for (size_t i = 0; i < INDIFFERENT; i++)
        known[n++] = indifferent[i];
    return gs_nearest(key, known, n);
}

void slurm_settings_take(struct slurm *s, const struct slurm_pair *p)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);
    const char *key = key_find(p->key), *nearest;

    if (!key) {
        nearest = key_nearest(p->key);
        slurm_tell(s, IMPORT_LEFT, &at, "unknown parameter '%.60s'%s%s%s",
                   p->key, nearest ? " (did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?)" : "");
        import_account_count(s->account, "parameter", IMPORT_UNKNOWN);
        return;
    }
    import_account_count(s->account, "parameter", IMPORT_USED);
    s->option = gs_array_grow(s->option, &s->option_cap, s->options + 1,
                              sizeof(*s->option));
    s->option[s->options++] = (struct slurm_option){
        .key = key, .value = slurm_copy(s, p->value), .at = at
    };
}

/* --- words of SchedulerParameters ----------------------------------------- */

/* Words, with the values by which they change nothing here. */
static const struct decisive words[] = {
    { "bf_interval", NULL, true },
    { "bf_window", NULL, true },
    { "bf_resolution", NULL, true },
    { "bf_max_job_test", NULL, true },
    { "bf_node_space_size", NULL, true },
    { "bf_max_job_start", NULL, true },
    { "bf_max_job_part", NULL, true },
    { "bf_max_job_user", NULL, true },
    { "bf_max_job_user_part", NULL, true },
    { "bf_max_job_assoc", NULL, true },
    { "bf_max_job_array_resv", NULL, false },
    { "bf_job_part_count_reserve", NULL, true },
    { "bf_min_age_reserve", NULL, true },
    { "bf_min_prio_reserve", NULL, true },
    { "bf_one_resv_per_job", NULL, true },
    { "bf_running_job_reserve", NULL, true },
    { "bf_licenses", NULL, false },
    { "bf_allow_magnetic_slot", NULL, false },
    { "bf_busy_nodes", NULL, true },
    { "bf_hetjob_immediate", NULL, false },
    { "bf_hetjob_prio", NULL, false },
    { "bf_topopt_enable", NULL, false },
    { "bf_topopt_iterations", NULL, false },
    { "bf_window_linear", NULL, true },
    { "bf_ignore_newly_avail_nodes", NULL, false },
    { "default_queue_depth", NULL, true },
    { "partition_job_depth", NULL, true },
    { "sched_interval", NULL, true },
    { "sched_min_interval", "2", false },
    { "sched_max_job_start", NULL, true },
    { "batch_sched_delay", NULL, true },
    { "defer", NULL, false },
    { "defer_batch", NULL, false },
    { "assoc_limit_stop", NULL, true },
    { "max_switch_wait", NULL, false },
    { "pack_serial_at_end", NULL, true },
    { "reduce_completing_frag", NULL, false },
    { "time_min_as_soft_limit", NULL, false },
    { "whole_hetjob", NULL, false },
    { "whole_pack", NULL, false },
    { "preempt_reorder_count", NULL, true },
    { "preempt_strict_order", NULL, true },
    { "preempt_youngest_first", NULL, true },
    { "nohold_on_prolog_fail", NULL, true },
    { "permit_job_expansion", NULL, true },
    { "enable_user_top", NULL, true },
    { "extra_constraints", NULL, false },
    { "salloc_wait_nodes", NULL, true },
    { "sbatch_wait_nodes", NULL, true },
    { "spec_cores_first", NULL, true },
    { "step_retry_count", NULL, true },
    { "step_retry_time", NULL, true },
    { "requeue_setup_env_fail", NULL, true },
    { "requeue_delay", NULL, false },
    { "bf_continue", NULL, true },
    { "bf_max_time", NULL, true },
    { "bf_yield_interval", NULL, true },
    { "bf_yield_sleep", NULL, true },
    { "bf_yield_rpc_cnt", NULL, true },
    { "build_queue_timeout", NULL, true },
    { "correspond_after_task_cnt", NULL, true },
    { "delay_boot", NULL, true },
    { "disable_user_top", NULL, true },
    { "disable_hetjob_steps", NULL, true },
    { "enable_hetjob_steps", NULL, true },
    { "enable_job_state_cache", NULL, true },
    { "Ignore_NUMA", NULL, true },
    { "ignore_prefer_validation", NULL, true },
    { "allow_zero_lic", NULL, true },
    { "max_array_tasks", NULL, true },
    { "max_depend_depth", NULL, true },
    { "max_rpc_cnt", NULL, true },
    { "max_sched_time", NULL, true },
    { "max_script_size", NULL, true },
    { "max_submit_line_size", NULL, true },
    { "no_backup_scheduling", NULL, true },
    { "no_env_cache", NULL, true },
    { "preempt_send_user_signal", NULL, true },
    { "enable_stepmgr", NULL, true },
};

#define WORDS (sizeof(words) / sizeof(words[0]))

static void word_tell(struct slurm *s, const struct slurm_option *o,
                      const char *part, size_t len)
{
    const char *known[WORDS], *nearest, *value;
    char word[80];
    size_t i = 0;

    if (len >= sizeof(word))
        len = sizeof(word) - 1;
    memcpy(word, part, len);
    word[len] = '\0';
    value = strchr(word, '=');
    while (i < WORDS
           && !slurm_is_word(word, value ? (size_t)(value - word) : len,
                             words[i].key))
        i++;
    if (i < WORDS) {
        if (!words[i].is_modelled
            && (!value || !words[i].neutral
                || strcmp(value + 1, words[i].neutral) != 0))
            slurm_tell(s, IMPORT_IGNORED, &o->at, "SchedulerParameters: %s",
                       word);
        return;
    }
    for (i = 0; i < WORDS; i++)
        known[i] = words[i].key;
    if (value)
        word[value - word] = '\0';
    nearest = gs_nearest(word, known, WORDS);
    slurm_tell(s, IMPORT_LEFT, &o->at,
               "SchedulerParameters: unknown word '%s'%s%s%s", word,
               nearest ? " (did you mean '" : "", nearest ? nearest : "",
               nearest ? "'?)" : "");
}

static void words_tell(struct slurm *s, const struct slurm_option *o)
{
    const char *p = o->value, *end = p + strlen(p), *part;
    size_t len;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL)
        word_tell(s, o, part, len);
}

static bool is_neutral(const struct decisive *d, const char *value)
{
    return d->neutral && (!*value || slurm_list_has(d->neutral, value));
}

void slurm_settings_tell(struct slurm *s)
{
    const struct slurm_option *o = slurm_option_find(s, "SchedulerParameters");

    if (o)
        words_tell(s, o);
    for (size_t i = 0; i < DECISIVE; i++) {
        o = decisive[i].is_modelled ? NULL
                                    : slurm_option_find(s, decisive[i].key);
        if (o && !is_neutral(&decisive[i], o->value))
            slurm_tell(s, IMPORT_IGNORED, &o->at, "%s=%.100s", o->key,
                       o->value);
    }
}
