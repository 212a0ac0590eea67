/**
 * Programs that the pages call besides the agent. Each knows only the words that it is called with there: that `systemctl` has no verb
 * "enabel" is found, what it would do with a verb is not.
 */
export const STUBS: Readonly<Record<string, string>> = {
  "/usr/bin/sudo": 'exec "$@"',
  "/usr/bin/aws": knows("aws", '"$1 $2"', [
    "eks describe-cluster", "eks create-access-entry", "eks describe-access-entry", "eks list-access-entries", "ec2 describe-instances", "ec2 modify-instance-metadata-options",
    "iam attach-role-policy", "iam list-attached-role-policies", "sts get-caller-identity", "ssm get-parameter", "ec2 get-console-output",
  ]),
  "/usr/bin/kubectl": knows("kubectl", '"$1"', ["get", "describe", "auth", "certificate"]),
  "/usr/bin/ctr": knows("ctr", '"$*"', ["--namespace k8s.io images ls"]),
  "/usr/bin/crictl": knows("crictl", '"$1"', ["info", "images", "pods", "pull"]),
  "/usr/bin/dnf": knows("dnf", '"$1 $2"', ["install -y", "clean all"]),
  "/opt/aws/bin/cfn-signal": 'echo "$*" >>/root/signals',
  "/usr/bin/findmnt": "exit 0",
  "/usr/bin/swapon": "exit 0",
  "/usr/bin/sysctl": "exit 0",
  "/usr/bin/chronyc": knows("chronyc", '"$1"', ["tracking"]),
  "/usr/bin/openssl": knows("openssl", '"$1"', ["s_client", "x509"]),
  "/usr/bin/getent": knows("getent", '"$1"', ["hosts", "ahosts"]),
  "/usr/bin/cloud-init": knows("cloud-init", '"$1"', ["status", "query"]),
  // Before the stubs of the tests of the agent, which know only what the agent calls.
  "/usr/local/bin/systemctl": [
    'case $1 in -*) exec /usr/bin/systemctl "$@";; status) exit 0;; cat) exec cat "/etc/systemd/system/$2.service" /etc/systemd/system/"$2".service.d/*.conf;; esac',
    "verb=$1; shift",
    // systemd takes "kubelet" for kubelet.service.
    'exec /usr/bin/systemctl "$verb" $(for unit; do case $unit in -* | *.*) echo "$unit";; *) echo "$unit.service";; esac; done)',
  ].join("\n"),
  "/usr/local/bin/journalctl": 'case $1 in -b | -u | MESSAGE_ID=*) exit 0;; esac\nexec /usr/bin/journalctl "$@"',
};

function knows(program: string, words: string, known: readonly string[]): string {
  return `case ${words} in ${known.map((each) => `"${each}"`).join(" | ")}) ;; *) echo "${program}: "${words}" is not known here" >&2; exit 2 ;; esac`;
}
