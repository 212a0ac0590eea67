// Generated from packaging/facts/kubelet-config-fields.json by `npm run generate`. Do not edit.

/**
 * Fields of KubeletConfiguration 1.20 to 1.36 in the order of its definition; one line each, columns separated by a tab: path
 * ("[]" for the items of a list), types by the minor that brought them ("20:bool"), added, removed (the first minor of 1.x without
 * it), "pointer" if an explicit zero differs from an absent key, and kubelet's default as JSON by minor. See kubelet-field-lookup.ts.
 */
export const KUBELET_CONFIG_FIELDS = `
apiVersion	20:string	20			
kind	20:string	20			
enableServer	20:bool	20		pointer	20:true
staticPodPath	20:string	20			
podLogsDir	30:string	30			30:"/var/log/pods"
syncFrequency	20:duration	20			20:"1m0s"
fileCheckFrequency	20:duration	20			20:"20s"
httpCheckFrequency	20:duration	20			20:"20s"
staticPodURL	20:string	20			
staticPodURLHeader	20:map<string,list<string>>	20			
address	20:string	20			20:"0.0.0.0"
port	20:int32	20			20:10250
readOnlyPort	20:int32	20			
tlsCertFile	20:string	20			
tlsPrivateKeyFile	20:string	20			
tlsCipherSuites	20:list<string>	20			
tlsCurvePreferences	36:list<int32>	36			
tlsMinVersion	20:string	20			
rotateCertificates	20:bool	20			
serverTLSBootstrap	20:bool	20			
authentication	20:object	20			
authentication.x509	20:object	20			
authentication.x509.clientCAFile	20:string	20			
authentication.webhook	20:object	20			
authentication.webhook.enabled	20:bool	20		pointer	20:true
authentication.webhook.cacheTTL	20:duration	20			20:"2m0s"
authentication.anonymous	20:object	20			
authentication.anonymous.enabled	20:bool	20		pointer	20:false
authorization	20:object	20			
authorization.mode	20:string	20			20:"Webhook"
authorization.webhook	20:object	20			
authorization.webhook.cacheAuthorizedTTL	20:duration	20			20:"5m0s"
authorization.webhook.cacheUnauthorizedTTL	20:duration	20			20:"30s"
registryPullQPS	20:int32	20		pointer	20:5
registryBurst	20:int32	20			20:10
imagePullCredentialsVerificationPolicy	33:string	33			33:"NeverVerifyPreloadedImages"
preloadedImagesVerificationAllowlist	33:list<string>	33			
eventRecordQPS	20:int32	20		pointer	21:5;27:50
eventBurst	20:int32	20			21:10;27:100
enableDebuggingHandlers	20:bool	20		pointer	20:true
enableContentionProfiling	20:bool	20			
healthzPort	20:int32	20		pointer	20:10248
healthzBindAddress	20:string	20			20:"127.0.0.1"
oomScoreAdj	20:int32	20		pointer	20:-999
clusterDomain	20:string	20			
clusterDNS	20:list<string>	20			
streamingConnectionIdleTimeout	20:duration	20			20:"4h0m0s"
nodeStatusUpdateFrequency	20:duration	20			20:"10s"
nodeStatusReportFrequency	20:duration	20			20:"5m0s"
nodeLeaseDurationSeconds	20:int32	20			20:40
imageMinimumGCAge	20:duration	20			20:"2m0s"
imageMaximumGCAge	29:duration	29			
imageGCHighThresholdPercent	20:int32	20		pointer	20:85
imageGCLowThresholdPercent	20:int32	20		pointer	20:80
volumeStatsAggPeriod	20:duration	20			20:"1m0s"
kubeletCgroups	20:string	20			
systemCgroups	20:string	20			
cgroupRoot	20:string	20			
cgroupsPerQOS	20:bool	20		pointer	20:true
cgroupDriver	20:string	20			20:"cgroupfs"
cpuManagerPolicy	20:string	20			20:"none"
singleProcessOOMKill	32:bool	32		pointer	
cpuManagerPolicyOptions	22:map<string,string>	22			
cpuManagerReconcilePeriod	20:duration	20			20:"10s"
memoryManagerPolicy	21:string	21			21:"None"
topologyManagerPolicy	20:string	20			20:"none"
topologyManagerScope	20:string	20			20:"container"
topologyManagerPolicyOptions	26:map<string,string>	26			
qosReserved	20:map<string,string>	20			
runtimeRequestTimeout	20:duration	20			20:"2m0s"
hairpinMode	20:string	20			20:"promiscuous-bridge"
maxPods	20:int32	20			20:110
podCIDR	20:string	20			
podPidsLimit	20:int64	20		pointer	20:-1
resolvConf	20:string	20		pointer	20:"/etc/resolv.conf"
runOnce	20:bool	20			
cpuCFSQuota	20:bool	20		pointer	20:true
cpuCFSQuotaPeriod	20:duration	20		pointer	20:"100ms"
nodeStatusMaxImages	20:int32	20		pointer	20:50
maxOpenFiles	20:int64	20			20:1000000
contentType	20:string	20			20:"application/vnd.kubernetes.protobuf"
kubeAPIQPS	20:int32	20		pointer	21:5;27:50
kubeAPIBurst	20:int32	20			21:10;27:100
serializeImagePulls	20:bool	20		pointer	20:true
maxParallelImagePulls	27:int32	27		pointer	
evictionHard	20:map<string,string>	20			
evictionSoft	20:map<string,string>	20			
evictionSoftGracePeriod	20:map<string,string>	20			
evictionPressureTransitionPeriod	20:duration	20			20:"5m0s"
evictionMaxPodGracePeriod	20:int32	20			
evictionMinimumReclaim	20:map<string,string>	20			
mergeDefaultEvictionSettings	33:bool	33		pointer	33:false
podsPerCore	20:int32	20			
enableControllerAttachDetach	20:bool	20		pointer	20:true
protectKernelDefaults	20:bool	20			
makeIPTablesUtilChains	20:bool	20		pointer	20:true
iptablesMasqueradeBit	20:int32	20		pointer	20:14
iptablesDropBit	20:int32	20		pointer	20:15
featureGates	20:map<string,bool>	20			
failSwapOn	20:bool	20		pointer	20:true
memorySwap	22:object	22			
memorySwap.swapBehavior	22:string	22			
containerLogMaxSize	20:string	20			20:"10Mi"
containerLogMaxFiles	20:int32	20		pointer	20:5
containerLogMaxWorkers	30:int32	30		pointer	30:1
containerLogMonitorInterval	30:duration	30		pointer	30:"10s"
configMapAndSecretChangeDetectionStrategy	20:string	20			20:"Watch"
systemReserved	20:map<string,string>	20			
kubeReserved	20:map<string,string>	20			
reservedSystemCPUs	20:string	20			
showHiddenMetricsForVersion	20:string	20			
systemReservedCgroup	20:string	20			
kubeReservedCgroup	20:string	20			
enforceNodeAllocatable	20:list<string>	20			20:["pods"]
allowedUnsafeSysctls	20:list<string>	20			
volumePluginDir	20:string	20			20:"/usr/libexec/kubernetes/kubelet-plugins/volume/exec/"
providerID	20:string	20			
kernelMemcgNotification	20:bool	20			
logging	20:object	20			
logging.format	20:string	20			20:"text"
logging.flushFrequency	23:int64-nanoseconds;28:duration|int64-nanoseconds	23			23:"5s"
logging.verbosity	23:uint32	23			23:0
logging.vmodule	23:list<object>	23			
logging.vmodule[].filePattern	23:string	23			
logging.vmodule[].verbosity	23:uint32	23			
logging.options	23:object	23			
logging.options.text	30:object	30			
logging.options.text.splitStream	30:bool	30			
logging.options.text.infoBufferSize	30:quantity	30			
logging.options.json	23:object	23			
logging.options.json.splitStream	23:bool	23			
logging.options.json.infoBufferSize	23:quantity	23			
enableSystemLogHandler	20:bool	20		pointer	20:true
enableSystemLogQuery	27:bool	27		pointer	
shutdownGracePeriod	20:duration	20			
shutdownGracePeriodCriticalPods	20:duration	20			
shutdownGracePeriodByPodPriority	23:list<object>	23			
shutdownGracePeriodByPodPriority[].priority	23:int32	23			
shutdownGracePeriodByPodPriority[].shutdownGracePeriodSeconds	23:int64	23			
crashLoopBackOff	32:object	32			
crashLoopBackOff.maxContainerRestartPeriod	32:duration	32		pointer	32:"5m0s"
reservedMemory	21:list<object>	21			
reservedMemory[].numaNode	21:int32	21			
reservedMemory[].limits	21:map<string,quantity>	21			
enableProfilingHandler	21:bool	21		pointer	21:true
enableDebugFlagsHandler	21:bool	21		pointer	21:true
seccompDefault	22:bool	22		pointer	22:false
memoryThrottlingFactor	22:float64	22		pointer	22:0.8;27:0.9
memoryReservationPolicy	36:string	36			36:"None"
registerWithTaints	23:list<object>	23			
registerWithTaints[].key	23:string	23			
registerWithTaints[].value	23:string	23			
registerWithTaints[].effect	23:string	23			
registerWithTaints[].timeAdded	23:RFC3339 time	23			
registerNode	23:bool	23		pointer	23:true
tracing	25:object	25		pointer	
tracing.endpoint	25:string	25		pointer	
tracing.samplingRatePerMillion	25:int32	25		pointer	
localStorageCapacityIsolation	25:bool	25		pointer	25:true
containerRuntimeEndpoint	27:string	27			27:"unix:///run/containerd/containerd.sock"
imageServiceEndpoint	27:string	27			
failCgroupV1	31:bool	31		pointer	31:false;35:true
userNamespaces	33:object	33		pointer	
userNamespaces.idsPerPod	33:int64	33		pointer	
logging.sanitization	20:bool	20	24		
`;
