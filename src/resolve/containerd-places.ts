/** Plugins of containerd that read what kubelet's runtime interface is set up with. */
export const CRI = "io.containerd.grpc.v1.cri";
export const CRI_IMAGES = "io.containerd.cri.v1.images";
export const CRI_RUNTIME = "io.containerd.cri.v1.runtime";

/** What version 3 of containerd's config has of version 2's table of the plugin CRI: a key, or one of the table "containerd" in it. */
export type Place = { readonly key: string; readonly plugin: string; /** Where in the plugin's table; under the same key unless given. */ readonly path?: string };

/** Source: containerd's documents on the plugin's configuration, and what its own `config migrate` does. */
export const PLACES: readonly Place[] = [
  { key: "sandbox_image", plugin: CRI_IMAGES, path: "pinned_images.sandbox" },
  { key: "containerd.snapshotter", plugin: CRI_IMAGES, path: "snapshotter" },
  { key: "containerd.disable_snapshot_annotations", plugin: CRI_IMAGES, path: "disable_snapshot_annotations" },
  { key: "containerd.discard_unpacked_layers", plugin: CRI_IMAGES, path: "discard_unpacked_layers" },
  ...inPlugin(CRI_IMAGES, ["registry", "image_decryption", "max_concurrent_downloads", "image_pull_progress_timeout", "image_pull_with_sync_fs", "stats_collect_period"]),
  ...inPlugin(CRI, ["disable_tcp_service", "stream_server_address", "stream_server_port", "stream_idle_timeout", "enable_tls_streaming", "x509_key_pair_streaming"]),
  ...inPlugin(CRI_RUNTIME, [
    "cni", "containerd.default_runtime_name", "containerd.runtimes", "containerd.ignore_blockio_not_enabled_errors", "containerd.ignore_rdt_not_enabled_errors",
    "enable_selinux", "selinux_category_range", "max_container_log_line_size", "disable_apparmor", "disable_cgroup", "restrict_oom_score_adj", "disable_proc_mount",
    "unset_seccomp_profile", "tolerate_missing_hugetlb_controller", "disable_hugetlb_controller", "device_ownership_from_security_context", "ignore_image_defined_volumes",
    "netns_mounts_under_state_dir", "enable_unprivileged_ports", "enable_unprivileged_icmp", "enable_cdi", "cdi_spec_dirs", "drain_exec_sync_io_timeout", "ignore_deprecation_warnings",
  ]),
];

/** Other plugins of version 2 that have another name in version 3. */
export const RENAMED_PLUGINS: Readonly<Record<string, string>> = {
  "io.containerd.internal.v1.restart": "io.containerd.monitor.container.v1.restart",
  "io.containerd.monitor.v1.cgroups": "io.containerd.monitor.task.v1.cgroups",
};

function inPlugin(plugin: string, keys: readonly string[]): readonly Place[] {
  return keys.map((key) => ({ key, plugin }));
}
