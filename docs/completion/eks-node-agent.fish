# Completion of eks-node-agent for fish: made from its table of options.

# The command that the words before the cursor name; "none" if there is none yet.
function __eks_node_agent_command
    set -l words (commandline -opc)
    set -l index 2
    while test $index -le (count $words)
        switch $words[$index]
            case --apiserver-endpoint --b64-cluster-ca --cluster-id --dns-cluster-ip --ip-family --service-ipv4-cidr --service-ipv6-cidr --enable-local-outpost --kubelet-extra-args --use-max-pods --aws-api-retry-attempts --container-runtime --containerd-config-file --pause-container-account --pause-container-version --local-disks --mount-bpf-fs --docker-config-json --enable-docker-bridge --output --facts --config-source --kubelet-config-file --node-name --node-name-source --reserve-for --authenticator --preflight --wait --wait-timeout --deadline --user-data --eksctl --cluster --region --instance-type --cni-version --cni-max-eni --profile --log-level --root
                set index (math $index + 1)
            case '-*'
            case bootstrap facts check report migrate token imds max-pods pull-sandbox-image completion
                echo $words[$index]
                return
            case '*'
                echo bootstrap
                return
        end
        set index (math $index + 1)
    end
    echo none
end

# Whether it is one of these.
function __eks_node_agent_in
    contains -- (__eks_node_agent_command) $argv
end

complete -c eks-node-agent -f
complete -c eks-node-agent -n '__eks_node_agent_in none' -a bootstrap -d 'Configure this node and start it (the default command)'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a facts -d 'Print what is known of this instance and its cluster, as JSON'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a check -d 'Check NodeConfig documents: those of a run here, or files, without a node'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a report -d 'Show the last run: what it did, when, and how it ended'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a migrate -d 'Print a NodeConfig that does what bootstrap.sh\'s words, old user data or eksctl\'s files do; exit 2 if not all'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a token -d 'Print a token for the cluster, as kubelet\'s kubeconfig asks for it'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a imds -d 'Print a value of the instance metadata, as the program imds of AL2 does'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a max-pods -d 'Print how many pods an instance type can run, as max-pods-calculator.sh does'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a pull-sandbox-image -d 'Pull and pin the sandbox image, as sandbox-image.service does'
complete -c eks-node-agent -n '__eks_node_agent_in none' -a completion -d 'Print the script that completes command lines in a shell'
complete -c eks-node-agent -n '__eks_node_agent_in imds' -a 'token'
complete -c eks-node-agent -n '__eks_node_agent_in completion' -a 'bash zsh fish'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l apiserver-endpoint -x -d 'Address of the API server. With the CA given as well, the EKS API is not asked'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l b64-cluster-ca -x -d 'The cluster\'s certificate authority: PEM, in base64'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l cluster-id -x -d 'Id of a local cluster on Outposts'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l dns-cluster-ip -x -d 'Addresses that pods ask for names, instead of the tenth of the services\' block'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l ip-family -x -d 'Family of the pods\' addresses: ipv4 or ipv6'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l service-ipv4-cidr -x -d 'The services\' IPv4 block'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l service-ipv6-cidr -x -d 'The services\' IPv6 block'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l enable-local-outpost -x -a 'true false' -d 'Whether this is a local cluster on Outposts'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l kubelet-extra-args -x -d 'Flags for kubelet, as one word. They come after those of the variable'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l use-max-pods -x -a 'true false' -d 'Whether to limit pods to the addresses of the instance type'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l aws-api-retry-attempts -x -d 'Tries of the EKS API after the first'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l container-runtime -x -d 'containerd, or below kubelet 1.24 dockerd'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l containerd-config-file -r -F -d 'containerd\'s configuration, used instead of the agent\'s. SANDBOX_IMAGE in it is replaced'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l pause-container-account -x -d 'AWS account that the pause image is pulled from'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l pause-container-version -x -d 'Tag of the pause image'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l local-disks -x -d 'Use of the instance store\'s disks: mount, raid0, raid10 or none'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l mount-bpf-fs -x -a 'true false' -d 'Whether the BPF file system is wanted at /sys/fs/bpf: systemd mounts it, and a note says where it is missing'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l docker-config-json -x -d 'Docker\'s configuration; ignored under containerd'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l enable-docker-bridge -x -a 'true false' -d 'Docker\'s bridge network; ignored under containerd'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap' -l dry-run -d 'Show what would be written and started, and do nothing'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap' -l explain -d 'Show every value with its source'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap check' -l output -x -a 'text json' -d 'text or json'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap' -l detailed-exit-code -d 'With --dry-run: exit 2 if something would change'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap' -l facts -r -F -d 'With --dry-run: facts from this file instead of this machine'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts check' -l config-source -x -a 'imds://user-data file://' -d 'NodeConfig documents: imds://user-data, or file:// with the path of a file or folder. Can be repeated; later ones win'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l kubelet-config-file -r -F -d 'KubeletConfiguration in JSON or YAML, merged over everything else'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l node-name -x -a 'private-dns instance-id' -d 'What the node is called: private-dns or instance-id'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l node-name-source -x -a 'ec2 imds-if-canonical' -d 'Where its private DNS name is from: ec2, or imds-if-canonical, which asks EC2 only where IMDS tells none of the names that EC2 gives by itself; iam.md tells the risk'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l reserve-for -x -a 'peers effective' -d 'Pods that memory is reserved for: peers, as bootstrap.sh counts, or effective, as many as there can be'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l authenticator -x -a 'auto aws-iam-authenticator aws agent' -d 'What gets kubelet\'s credentials: auto, aws-iam-authenticator, aws or agent'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l strict -d 'Treat unknown fields in NodeConfig documents as errors'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap' -l preflight -x -a 'error warn' -d 'What becomes of settings that kubelet would refuse: error or warn'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap' -l wait -x -a 'none active healthy' -d 'What to wait for at the end: none, active or healthy'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap' -l wait-timeout -x -d 'How long, such as 90s or 5m'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts' -l deadline -x -d 'How long to ask the instance metadata, EKS and EC2'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap' -l forget -d 'Forget how the node was configured by command line before'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts check report migrate token imds max-pods pull-sandbox-image completion' -l log-level -x -a 'debug info warn error' -d 'debug, info, warn or error'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts check report' -l root -x -a '(__fish_complete_directories)' -d 'Work on the system below DIR and start nothing, for image builds'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts check report migrate token imds max-pods pull-sandbox-image completion' -l help -d 'Show this text'
complete -c eks-node-agent -n '__eks_node_agent_in none bootstrap facts check report migrate token imds max-pods pull-sandbox-image completion' -l version -d 'Show the version'
complete -c eks-node-agent -n '__eks_node_agent_in report' -l output -x -a 'text json svg' -d 'text, json, or svg: a drawing on a time axis'
complete -c eks-node-agent -n '__eks_node_agent_in migrate' -l user-data -r -F -d 'User data, plain or in MIME, base64 or gzip: a script that calls bootstrap.sh, a cloud-config, or NodeConfigs. - is standard input'
complete -c eks-node-agent -n '__eks_node_agent_in migrate' -l eksctl -x -a '(__fish_complete_directories)' -d 'Folder of eksctl\'s kubelet.env and kubelet-extra.json'
complete -c eks-node-agent -n '__eks_node_agent_in token' -l cluster -x -d 'The cluster\'s name, or its id for a local cluster on Outposts'
complete -c eks-node-agent -n '__eks_node_agent_in token' -l region -x -d 'The cluster\'s region'
complete -c eks-node-agent -n '__eks_node_agent_in max-pods' -l instance-type -x -d 'The instance type, such as m5.large'
complete -c eks-node-agent -n '__eks_node_agent_in max-pods' -l instance-type-from-imds -d 'Take the type of this instance'
complete -c eks-node-agent -n '__eks_node_agent_in max-pods' -l cni-version -x -d 'Version of the VPC CNI, such as 1.18.3. It must be given'
complete -c eks-node-agent -n '__eks_node_agent_in max-pods' -l cni-custom-networking-enabled -d 'The pods have subnets of their own, so that the first interface has no addresses for them'
complete -c eks-node-agent -n '__eks_node_agent_in max-pods' -l cni-prefix-delegation-enabled -d 'Interfaces have prefixes of 16 addresses. Counts for Nitro, from CNI 1.9 on'
complete -c eks-node-agent -n '__eks_node_agent_in max-pods' -l cni-max-eni -x -d 'Most interfaces that the CNI may use'
complete -c eks-node-agent -n '__eks_node_agent_in max-pods' -l show-max-allowed -d 'Leave out the ceiling, which is 110 pods, and 250 above 30 vCPUs'
complete -c eks-node-agent -n '__eks_node_agent_in max-pods' -l profile -x -d 'Taken, and without effect: credentials are the environment\'s or the instance\'s'
