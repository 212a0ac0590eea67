// Generated from packaging/facts/kubelet-flags.tsv by `npm run generate`. Do not edit.

/**
 * Flags of kubelet 1.20 to 1.36, sorted; one line each, columns separated by a tab: name, type, what a repeated flag does,
 * operating system, and minors of 1.x: added, deprecated from, no longer deprecated from, removed in (the first without
 * it); then the KubeletConfiguration path of the same setting and the minor that brought that field. See kubelet-flag-lookup.ts.
 */
export const KUBELET_FLAGS = `
add-dir-header	bool	last-wins	all	20	23		26		
address	ip	last-wins	all	20	21			address	20
allowed-unsafe-sysctls	list<string>	appends	all	20	21			allowedUnsafeSysctls	20
alsologtostderr	bool	last-wins	all	20	23		26		
anonymous-auth	bool	last-wins	all	20	21			authentication.anonymous.enabled	20
application-metrics-count-limit	int	last-wins	linux	20	21				
authentication-token-webhook	bool	last-wins	all	20	21			authentication.webhook.enabled	20
authentication-token-webhook-cache-ttl	duration	last-wins	all	20	21			authentication.webhook.cacheTTL	20
authorization-mode	string	last-wins	all	20	21			authorization.mode	20
authorization-webhook-cache-authorized-ttl	duration	last-wins	all	20	21			authorization.webhook.cacheAuthorizedTTL	20
authorization-webhook-cache-unauthorized-ttl	duration	last-wins	all	20	21			authorization.webhook.cacheUnauthorizedTTL	20
azure-container-registry-config	string	last-wins	all	20	21		30		
boot-id-file	string	last-wins	linux	20	21				
bootstrap-kubeconfig	string	last-wins	all	20					
cert-dir	string	last-wins	all	20					
cgroup-driver	string	last-wins	all	20	21			cgroupDriver	20
cgroup-root	string	last-wins	all	20	21			cgroupRoot	20
cgroups-per-qos	bool	last-wins	all	20	21			cgroupsPerQOS	20
chaos-chance	float64	last-wins	all	20	21		22		
client-ca-file	string	last-wins	all	20	21			authentication.x509.clientCAFile	20
cloud-config	string	last-wins	all	20	21		34		
cloud-provider	string	last-wins	all	20	21	29			
cluster-dns	list<string>	appends	all	20	21			clusterDNS	20
cluster-domain	string	last-wins	all	20	21			clusterDomain	20
cni-bin-dir	string	last-wins	all	20	21		24		
cni-cache-dir	string	last-wins	all	20	21		24		
cni-conf-dir	string	last-wins	all	20	21		24		
config	string	last-wins	all	20					
config-dir	string	last-wins	all	28					
container-hints	string	last-wins	linux	20	21				
container-log-max-files	int32	last-wins	all	20	21			containerLogMaxFiles	20
container-log-max-size	string	last-wins	all	20	21			containerLogMaxSize	20
container-runtime	string	last-wins	all	20	24		27		
container-runtime-endpoint	string	last-wins	all	20	27			containerRuntimeEndpoint	27
containerd	string	last-wins	linux	20	21				
containerd-namespace	string	last-wins	linux	20	21				
contention-profiling	bool	last-wins	all	20	21			enableContentionProfiling	20
cpu-cfs-quota	bool	last-wins	all	20	21			cpuCFSQuota	20
cpu-cfs-quota-period	duration	last-wins	all	20	21			cpuCFSQuotaPeriod	20
cpu-manager-policy	string	last-wins	all	20	21			cpuManagerPolicy	20
cpu-manager-policy-options	map<string,string> (one k=v per occurrence)	merges	all	22	22			cpuManagerPolicyOptions	22
cpu-manager-reconcile-period	duration	last-wins	all	20	21			cpuManagerReconcilePeriod	20
docker	string	last-wins	linux	20	21		24		
docker-endpoint	string	last-wins	all	20	21		24		
docker-env-metadata-whitelist	string	last-wins	linux	20	21		24		
docker-only	bool	last-wins	linux	20	21		24		
docker-root	string	last-wins	linux	20			24		
docker-tls	bool	last-wins	linux	20	21		24		
docker-tls-ca	string	last-wins	linux	20	21		24		
docker-tls-cert	string	last-wins	linux	20	21		24		
docker-tls-key	string	last-wins	linux	20	21		24		
dynamic-config-dir	string	last-wins	all	20	22		24		
enable-controller-attach-detach	bool	last-wins	all	20	21			enableControllerAttachDetach	20
enable-debugging-handlers	bool	last-wins	all	20	21			enableDebuggingHandlers	20
enable-load-reader	bool	last-wins	linux	20	21				
enable-server	bool	last-wins	all	20	21			enableServer	20
enforce-node-allocatable	list<string>	appends	all	20	21			enforceNodeAllocatable	20
event-burst	int32	last-wins	all	20	21			eventBurst	20
event-qps	int32	last-wins	all	20	21			eventRecordQPS	20
event-storage-age-limit	string	last-wins	linux	20	21				
event-storage-event-limit	string	last-wins	linux	20	21				
eviction-hard	map<string,string> (k<v)	merges	all	20	21			evictionHard	20
eviction-max-pod-grace-period	int32	last-wins	all	20	21			evictionMaxPodGracePeriod	20
eviction-minimum-reclaim	map<string,string>	merges	all	20	21			evictionMinimumReclaim	20
eviction-pressure-transition-period	duration	last-wins	all	20	21			evictionPressureTransitionPeriod	20
eviction-soft	map<string,string> (k<v)	merges	all	20	21			evictionSoft	20
eviction-soft-grace-period	map<string,string>	merges	all	20	21			evictionSoftGracePeriod	20
exit-on-lock-contention	bool	last-wins	all	20					
experimental-allocatable-ignore-eviction	bool	last-wins	all	20	21				
experimental-bootstrap-kubeconfig	string	last-wins	all	20	21		23		
experimental-check-node-capabilities-before-mount	bool	last-wins	all	20	21		24		
experimental-dockershim-root-directory	string	last-wins	all	20			24		
experimental-kernel-memcg-notification	bool	last-wins	all	20	21		25	kernelMemcgNotification	20
experimental-logging-sanitization	bool	last-wins	all	20	21		24	logging.sanitization	20
experimental-mounter-path	string	last-wins	all	20	21				
fail-cgroupv1	bool	last-wins	all	31				failCgroupV1	31
fail-swap-on	bool	last-wins	all	20	21			failSwapOn	20
feature-gates	map<string,bool>	merges	all	20	21			featureGates	20
file-check-frequency	duration	last-wins	all	20	21			fileCheckFrequency	20
global-housekeeping-interval	duration	last-wins	linux	20	21				
hairpin-mode	string	last-wins	all	20	21			hairpinMode	20
healthz-bind-address	ip	last-wins	all	20	21			healthzBindAddress	20
healthz-port	int32	last-wins	all	20	21			healthzPort	20
help	bool	last-wins	all	20					
hostname-override	string	last-wins	all	20					
housekeeping-interval	duration	last-wins	linux	20					
http-check-frequency	duration	last-wins	all	20	21			httpCheckFrequency	20
image-credential-provider-bin-dir	string	last-wins	all	20					
image-credential-provider-config	string	last-wins	all	20					
image-gc-high-threshold	int32	last-wins	all	20	21			imageGCHighThresholdPercent	20
image-gc-low-threshold	int32	last-wins	all	20	21			imageGCLowThresholdPercent	20
image-pull-progress-deadline	duration	last-wins	all	20	21		24		
image-service-endpoint	string	last-wins	all	20	27			imageServiceEndpoint	27
iptables-drop-bit	int32	last-wins	all	20	21		31	iptablesDropBit	20
iptables-masquerade-bit	int32	last-wins	all	20	21		31	iptablesMasqueradeBit	20
keep-terminated-pod-volumes	bool	last-wins	all	20	21		31		
kernel-memcg-notification	bool	last-wins	all	20	21			kernelMemcgNotification	20
kube-api-burst	int32	last-wins	all	20	21			kubeAPIBurst	20
kube-api-content-type	string	last-wins	all	20	21			contentType	20
kube-api-qps	int32	last-wins	all	20	21			kubeAPIQPS	20
kube-reserved	map<string,string>	merges	all	20	21			kubeReserved	20
kube-reserved-cgroup	string	last-wins	all	20	21			kubeReservedCgroup	20
kubeconfig	string	last-wins	all	20					
kubelet-cgroups	string	last-wins	all	20	21			kubeletCgroups	20
local-storage-capacity-isolation	bool	last-wins	all	25	25			localStorageCapacityIsolation	25
lock-file	string	last-wins	all	20					
log-backtrace-at	file:line	last-wins	all	20	23		26		
log-cadvisor-usage	bool	last-wins	linux	20	21				
log-dir	string	last-wins	all	20	23		26		
log-file	string	last-wins	all	20	23		26		
log-file-max-size	uint64	last-wins	all	20	23		26		
log-flush-frequency	duration	last-wins	all	20				logging.flushFrequency	23
log-json-info-buffer-size	quantity	last-wins	all	23	23			logging.options.json.infoBufferSize	23
log-json-split-stream	bool	last-wins	all	23	23			logging.options.json.splitStream	23
log-text-info-buffer-size	quantity	last-wins	all	30	30			logging.options.text.infoBufferSize	30
log-text-split-stream	bool	last-wins	all	30	30			logging.options.text.splitStream	30
logging-format	string	last-wins	all	20	21			logging.format	20
logtostderr	bool	last-wins	all	20	23		26		
machine-id-file	string	last-wins	linux	20	21				
make-iptables-util-chains	bool	last-wins	all	20	21			makeIPTablesUtilChains	20
manifest-url	string	last-wins	all	20	21			staticPodURL	20
manifest-url-header	map<string,list<string>> (k:v)	merges	all	20	21			staticPodURLHeader	20
master-service-namespace	string	last-wins	all	20	21		27		
max-open-files	int64	last-wins	all	20	21			maxOpenFiles	20
max-pods	int32	last-wins	all	20	21			maxPods	20
maximum-dead-containers	int32	last-wins	all	20	21				
maximum-dead-containers-per-container	int32	last-wins	all	20	21				
memory-manager-policy	string	last-wins	all	21	21			memoryManagerPolicy	21
minimum-container-ttl-duration	duration	last-wins	all	20	21				
minimum-image-ttl-duration	duration	last-wins	all	20	21			imageMinimumGCAge	20
network-plugin	string	last-wins	all	20	21		24		
network-plugin-mtu	int32	last-wins	all	20	21		24		
node-ip	string	last-wins	all	20					
node-labels	map<string,string>	merges	all	20					
node-status-max-images	int32	last-wins	all	20	21			nodeStatusMaxImages	20
node-status-update-frequency	duration	last-wins	all	20	21			nodeStatusUpdateFrequency	20
non-masquerade-cidr	string	last-wins	all	20	21		24		
one-output	bool	last-wins	all	20	23		26		
oom-score-adj	int32	last-wins	all	20	21			oomScoreAdj	20
pod-cidr	string	last-wins	all	20	21			podCIDR	20
pod-infra-container-image	string	last-wins	all	20	24		35		
pod-manifest-path	string	last-wins	all	20	21			staticPodPath	20
pod-max-pids	int64	last-wins	all	20	21			podPidsLimit	20
pods-per-core	int32	last-wins	all	20	21			podsPerCore	20
port	int32	last-wins	all	20	21			port	20
protect-kernel-defaults	bool	last-wins	all	20	21			protectKernelDefaults	20
provider-id	string	last-wins	all	20	21	28		providerID	20
qos-reserved	map<string,string>	merges	all	20	21			qosReserved	20
read-only-port	int32	last-wins	all	20	21			readOnlyPort	20
really-crash-for-testing	bool	last-wins	all	20	21		24		
redirect-container-streaming	bool	last-wins	all	20	21		22		
register-node	bool	last-wins	all	20	23			registerNode	23
register-schedulable	bool	last-wins	all	20	21		34		
register-with-taints	list<taint> (key=value:effect)	last-wins	all	20	23			registerWithTaints	23
registry-burst	int32	last-wins	all	20	21			registryBurst	20
registry-qps	int32	last-wins	all	20	21			registryPullQPS	20
reserved-cpus	string	last-wins	all	20	21			reservedSystemCPUs	20
reserved-memory	list (numa:type=qty[,type=qty][;...])	appends	all	21	21			reservedMemory	21
resolv-conf	string	last-wins	all	20	21			resolvConf	20
root-dir	string	last-wins	all	20					
rotate-certificates	bool	last-wins	all	20	21			rotateCertificates	20
rotate-server-certificates	bool	last-wins	all	20	21			serverTLSBootstrap	20
runonce	bool	last-wins	all	20	21			runOnce	20
runtime-cgroups	string	last-wins	all	20					
runtime-request-timeout	duration	last-wins	all	20	21			runtimeRequestTimeout	20
seccomp-default	bool	last-wins	all	22				seccompDefault	22
seccomp-profile-root	string	last-wins	all	20	21		23		
serialize-image-pulls	bool	last-wins	all	20	21			serializeImagePulls	20
skip-headers	bool	last-wins	all	20	23		26		
skip-log-headers	bool	last-wins	all	20	23		26		
stderrthreshold	int|INFO|WARNING|ERROR|FATAL	last-wins	all	20	23		26		
storage-driver-buffer-duration	duration	last-wins	linux	20	21				
storage-driver-db	string	last-wins	linux	20	21				
storage-driver-host	string	last-wins	linux	20	21				
storage-driver-password	string	last-wins	linux	20	21				
storage-driver-secure	bool	last-wins	linux	20	21				
storage-driver-table	string	last-wins	linux	20	21				
storage-driver-user	string	last-wins	linux	20	21				
streaming-connection-idle-timeout	duration	last-wins	all	20	21			streamingConnectionIdleTimeout	20
sync-frequency	duration	last-wins	all	20	21			syncFrequency	20
system-cgroups	string	last-wins	all	20	21			systemCgroups	20
system-reserved	map<string,string>	merges	all	20	21			systemReserved	20
system-reserved-cgroup	string	last-wins	all	20	21			systemReservedCgroup	20
tls-cert-file	string	last-wins	all	20	21			tlsCertFile	20
tls-cipher-suites	list<string>	appends	all	20	21			tlsCipherSuites	20
tls-min-version	string	last-wins	all	20	21			tlsMinVersion	20
tls-private-key-file	string	last-wins	all	20	21			tlsPrivateKeyFile	20
topology-manager-policy	string	last-wins	all	20	21			topologyManagerPolicy	20
topology-manager-policy-options	map<string,string>	merges	all	26	26			topologyManagerPolicyOptions	26
topology-manager-scope	string	last-wins	all	20	21			topologyManagerScope	20
v	int32 (-v N shorthand)	last-wins	all	20				logging.verbosity	23
version	bool|"raw" (1.28+ also vX.Y.Z)	last-wins	all	20					
vmodule	list (pattern=N,...)	last-wins	all	20				logging.vmodule	23
volume-plugin-dir	string	last-wins	all	20	21			volumePluginDir	20
volume-stats-agg-period	duration	last-wins	all	20	21			volumeStatsAggPeriod	20
windows-priorityclass	string	last-wins	windows	20					
windows-service	bool	last-wins	windows	20					
`;
