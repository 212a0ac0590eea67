#!/usr/bin/env bash
set -o errexit
exec /usr/bin/eks-node-agent bootstrap "$@"
