import { EXIT_STATUS, type ErrorCode } from "../../src/errors.ts";

export type ErrorRow = {
  /** A sentence, or a few. */
  readonly means: string;
  /** The agent's own words, from "error:" to its remedy. A test provokes the error and compares. */
  readonly example: string;
  /** What to do beyond the remedy that the message names. */
  readonly advice: string;
};

/** What is said of each error, in the order of the exit statuses. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = {
  usage: {
    means: "The command line is not understood. Nothing was asked and nothing was written.",
    example: `error: There is no option --b64-cluster-cert; did you mean --b64-cluster-ca?
remedy: Run \`eks-node-agent --help\` for the options.`,
    advice: "Correct the word that it names. A flag of kubelet goes inside `--kubelet-extra-args`, and an option of the agent stands outside it.",
  },
  "last-run-broken": {
    means: "The record of the last run is not one.",
    example: `error: Cannot use /var/lib/eks-node-agent/last-run.json as the record of a run: it is not JSON: Expected property name or '}' in JSON at position 2 (line 2 column 1)
remedy: The next bootstrap writes it anew. What the log says of the last one: journalctl -u eks-node-agent.`,
    advice: "Something else wrote to the file, or the disk was full. The journal has the same run in words.",
  },
  "no-config": {
    means: "No source of configuration says anything, and the node was never configured before.",
    example: `error: Nothing says which cluster this node shall join: there is no cluster on the command line and no document in any source of configuration
remedy: Name the cluster, as in \`eks-node-agent bootstrap my-cluster\`, or give a NodeConfig in user data or as a file in /etc/eks/node-agent.d.`,
    advice: "See what the instance was launched with: `imds user-data`, or `eks-node-agent imds user-data`. User data that is a shell script is no configuration by itself: the script must call the agent.",
  },
  "no-last-run": {
    means: "`report` has nothing to report: no bootstrap has run on this machine.",
    example: `error: There is no run to report: /var/lib/eks-node-agent/last-run.json does not exist
remedy: It is written by every bootstrap that is no dry run. Whether one was tried: journalctl -u eks-node-agent, and the log of cloud-init.`,
    advice: "Look whether anything was to start the agent: `systemctl is-enabled eks-node-agent`, or /var/log/cloud-init-output.log for user data that calls it.",
  },
  "unit-not-up": {
    means: "kubelet or containerd did not come up. All files are written; the unit's last journal lines are part of the message.",
    example: `error: kubelet.service exited twice, the last time with exit status 1
  E0101 kubelet: failed to run Kubelet: no such plugin
remedy: See why: journalctl -u kubelet.service.`,
    advice: "Read the lines. systemd goes on starting the unit, so a cause that passes by itself cures it without the agent.",
  },
  "disks-failed": {
    means: "A program that makes arrays or file systems of the local disks, or copies to them, failed. Its last words are part of the message.",
    example: `error: "mdadm --create /dev/md/kubernetes --force --level=0 --name=kubernetes --homehost=any --data-offset=16M --raid-devices=1 /dev/nvme1n1" failed with status 1
  mdadm: RUN_ARRAY failed: Invalid argument
remedy: See the state of the disks (lsblk --fs, cat /proc/mdstat, journalctl -k), then run eks-node-agent again: it goes on where it was.`,
    advice: "A disk that is broken is replaced when the instance is stopped and started, or with the instance. kubelet does not run without its directories in the meantime: see [local-disks.md](local-disks.md).",
  },
  bug: {
    means: "A fault of the agent, with the place where it happened. It never means that your configuration is wrong.",
    example: `error: This is a bug in eks-node-agent: TypeError: Cannot read properties of undefined (reading 'version')`,
    advice: "Report it with all lines. They hold no secrets that the agent knows of; look through them all the same.",
  },
  "program-missing": {
    means: "A program that the node cannot do without is not in the image: kubelet, flock, systemctl, or the authenticator that was asked for.",
    example: `error: Cannot find out kubelet's version: there is no kubelet at /usr/bin/kubelet
remedy: Install kubelet as /usr/bin/kubelet, or write its version to /etc/eks/kubelet-version.txt when the image is built.`,
    advice: "Correct the image.",
  },
  "write-failed": {
    means: "A file could not be written: the disk is full or read-only, or something else is at the path. Files are whole, old or new.",
    example: `error: Cannot write "/etc/kubernetes/pki/ca.crt": there is a directory at that path
remedy: Move it away, then run eks-node-agent again.`,
    advice: "Run it again after that: it completes what was begun.",
  },
  unreachable: {
    means: "IMDS, EKS or EC2 did not answer within `--deadline`.",
    example: `error: Cannot get a token from IMDS at http://169.254.169.254: connection refused (31 tries in 600 s)
remedy: Check that the instance's metadata options have HttpEndpoint=enabled, that nothing here blocks the way to it, and in a container that HttpPutResponseHopLimit is at least 2.`,
    advice: "For EKS and EC2 look at routes, security groups, VPC endpoints, the DNS of the VPC and the proxy. The unit tries again by itself.",
  },
  throttled: {
    means: "AWS answered, but only that there are too many requests, until `--deadline`.",
    example: `error: Cannot describe EKS cluster "my-cluster" in us-west-2 (account 111122223333): it is throttled (ThrottlingException: Rate exceeded) (31 tries in 600 s)
remedy: The account makes more calls than AWS allows: start fewer nodes at once; the agent's unit tries again.`,
    advice: "With `--apiserver-endpoint`, `--b64-cluster-ca` and `--service-ipv4-cidr` given EKS is not asked at all, and with `--node-name instance-id` neither is EC2: see [iam.md](iam.md).",
  },
  "cluster-not-ready": {
    means: "The cluster is still being made, and was not ready within `--deadline`.",
    example: `error: Cannot describe EKS cluster "my-cluster" in us-west-2 (account 111122223333): it is CREATING
remedy: Wait until it is ACTIVE: aws eks wait cluster-active --name my-cluster --region us-west-2; the agent's unit tries again.`,
    advice: "Nothing, if the cluster is on its way.",
  },
  "lock-busy": {
    means: "Another run of the agent is at work on this node, longer than `--deadline`.",
    example: `error: Another run of eks-node-agent holds /run/eks-node-agent/lock for more than 600 s
remedy: Wait for it to end, or see what it waits for: journalctl -u eks-node-agent.`,
    advice: "User data and the unit may both start the agent: let one of them do it.",
  },
  "remote-nonsense": {
    means: "Something answered in the place of AWS, and not as AWS does.",
    example: `error: Cannot read "meta-data/mac" from IMDS at http://169.254.169.254: the answer is a page of HTML (5 tries in 10 s)
remedy: Something other than IMDS answers at this address: look for a proxy or a redirection of it on this instance.`,
    advice: "Look for transparent proxies, and for endpoints set by `AWS_ENDPOINT_URL` and the like.",
  },
  "access-denied": {
    means: "AWS refused the node's role. A few tries were made, since new roles are refused for some seconds.",
    example: `error: Cannot describe EKS cluster "my-cluster" in us-west-2 (account 111122223333): the node's credentials do not allow eks:DescribeCluster (AccessDeniedException: User: arn:aws:sts::111122223333:assumed-role/demo-node-role/i-0123456789abcdef0 is not authorized to perform: eks:DescribeCluster on resource: arn:aws:eks:us-west-2:111122223333:cluster/my-cluster) (5 tries in 10 s)
remedy: Allow eks:DescribeCluster on cluster "my-cluster" to the instance's role (AmazonEKSWorkerNodePolicy does), or give --apiserver-endpoint, --b64-cluster-ca and --service-ipv4-cidr, for which EKS is not asked.`,
    advice: "[iam.md](iam.md) has the policies, and the ways to do without.",
  },
  "no-instance-profile": {
    means: "The instance has no IAM role, so that it can ask nothing of AWS and kubelet could not authenticate either.",
    example: `error: Cannot get the credentials of the instance's role from IMDS: the instance has no instance profile (66 tries in 120 s)
remedy: Attach an instance profile whose role has the policy AmazonEKSWorkerNodePolicy: aws ec2 associate-iam-instance-profile --instance-id ID --iam-instance-profile Name=NAME.`,
    advice: "Correct the launch template, too.",
  },
  "not-root": {
    means: "An ordinary user cannot configure a node.",
    example: `error: Cannot configure this node as an ordinary user: its files and units belong to root
remedy: Run it as root, or add --dry-run to see what it would do.`,
    advice: "A dry run needs no root.",
  },
  "source-unreadable": {
    means: "A file that was named cannot be read.",
    example: `error: Cannot read /etc/kubelet.yaml (option --kubelet-config-file): there is no such file
remedy: Correct the path or the file's permissions; write_files in user data comes before runcmd.`,
    advice: "Nothing was written.",
  },
  "cluster-not-found": {
    means: "EKS knows no cluster of that name in the region and account of the instance.",
    example: `error: Cannot describe EKS cluster "my-clustre" in us-west-2 (account 111122223333): there is no such cluster (ResourceNotFoundException)
remedy: Check the name, and that the cluster is in this region and account: aws eks list-clusters --region us-west-2.`,
    advice: "For a cluster of another account give `--apiserver-endpoint` and `--b64-cluster-ca`.",
  },
  "cluster-unusable": {
    means: "The cluster is failed, or is being deleted.",
    example: `error: Cannot describe EKS cluster "my-cluster" in us-west-2 (account 111122223333): it is FAILED
remedy: Look at why: aws eks describe-cluster --name my-cluster --region us-west-2; no node can join it in this state.`,
    advice: "No node can join it.",
  },
  "config-invalid": {
    means: "The configuration is wrong. All problems of all sources are listed at once, each with its source, path and line.",
    example: `error: Cannot use the configuration: 1 problem
  option --apiserver-endpoint: Cannot use "https://https://a": the scheme is there twice.
remedy: Correct what is listed; \`eks-node-agent --dry-run\` with the same words checks it again and changes nothing.`,
    advice: "`eks-node-agent check FILE` finds the same at a desk, before an instance is launched.",
  },
  "disks-in-use": {
    means: "The local disks, or the directories that are to move to them, hold something that the agent has not made. Nothing was changed.",
    example: `error: Cannot make an array of the local disks: /dev/nvme1n1 holds a file system (ext4, data), mounted at /data
remedy: Nothing was changed. If nobody needs that, unmount it and clear it (wipefs --all /dev/nvme1n1), then run eks-node-agent again; else ask for mount, which leaves such disks alone, or for none.`,
    advice: "Disks of a new instance are blank: find out what came before the agent, such as user data or a service of the image. See [local-disks.md](local-disks.md).",
  },
  "preflight-failed": {
    means: "kubelet would refuse to start with this configuration on this host. Nothing was written. All findings are listed at once.",
    example: `error: Kubelet would not start with a setting of this node, so nothing was written
  kubelet 1.29 does not know --network-plugin: it was removed in 1.24 (option --kubelet-extra-args).
    Remove --network-plugin: containerd always uses CNI.
remedy: Correct it, or run with --preflight warn to go on regardless.`,
    advice: "`--preflight warn` goes on regardless. If it proves kubelet wrong, please report it.",
  },
};

/** Every code with its exit status, by the latter. */
export function errorCodes(): readonly (readonly [code: ErrorCode, exitStatus: number])[] {
  return (Object.keys(EXIT_STATUS) as ErrorCode[]).map((code) => [code, EXIT_STATUS[code]] as const);
}

/** What a program or unit that only sees the number can take from it. */
export const EXIT_STATUSES: readonly (readonly [status: number, means: string, advice: string])[] = [
  [0, "the node is configured, and kubelet is healthy (healthy is not yet joined: the API server decides that)", ""],
  [2, "with --dry-run and --detailed-exit-code: something would change; from migrate: something could not be carried over", ""],
  [64, "the command line is not understood", "correct the option it names"],
  [65, "the record that report is to show is broken", "the next bootstrap writes it anew"],
  [66, "no configuration anywhere, or no run to report", "name the cluster"],
  [69, "kubelet, or another unit, is not up", "read the journal lines it shows"],
  [70, "a bug in eks-node-agent", "report it"],
  [72, "a program is missing, such as kubelet", "correct the image"],
  [73, "a file could not be written", "free space, or correct the mount it names"],
  [75, "IMDS, EKS or EC2 did not answer in time, or another run holds the lock", "try again: the unit does"],
  [76, "something answered in the place of AWS", "look at proxies and endpoints"],
  [77, "access denied, no instance profile, or not root", "it names the IAM action"],
  [78, "the configuration is wrong, or kubelet would refuse it", "correct what it lists"],
];
