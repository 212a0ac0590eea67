#!/bin/bash
# User data of the AL2 image, as CloudFormation templates have it: a script that calls /etc/eks/bootstrap.sh.
set -o errexit

B64_CLUSTER_CA=LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJnakNDQVNlZ0F3SUJBZ0lVQmFFdENSejBESDZnMG9sQ0pkY1BsNkhIUmhJd0NnWUlLb1pJemowRUF3SXcKRlRFVE1CRUdBMVVFQXd3S2EzVmlaWEp1WlhSbGN6QWdGdzB5TmpFeE16QXhOVEk1TURCYUdBOHlNVEkyTVRFdwpOakUxTWprd01Gb3dGVEVUTUJFR0ExVUVBd3dLYTNWaVpYSnVaWFJsY3pCWk1CTUdCeXFHU000OUFnRUdDQ3FHClNNNDlBd0VIQTBJQUJIejVhZFJaNjB0SW42Zm9IbWJGalpMejFhNWZHeTRkSFdFSERzUG0xbWJQSmNkeDMrMjkKOE5CbEZvem5xT1NROGprOWFYMFFoQnRMTXl1RGMvcGJkSjZqVXpCUk1CMEdBMVVkRGdRV0JCUURQZnpaaEhjOApzZGxqZEJKa21CMkgvZzMvbGpBZkJnTlZIU01FR0RBV2dCUURQZnpaaEhjOHNkbGpkQkprbUIySC9nMy9sakFQCkJnTlZIUk1CQWY4RUJUQURBUUgvTUFvR0NDcUdTTTQ5QkFNQ0Ewa0FNRVlDSVFEcUpZREZKUkp6amVlK004Mm4KQ29BUHBFY1phVWxtVUwxWVdoSi9jd2t3TEFJaEFJYUpjY1A5c0MwMnZYcGZudWIyakEwQ2Y0NEcrdmNERGtsbApTc0Z3ZGRsTQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==
API_SERVER_URL=https://0123456789ABCDEF0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com

/etc/eks/bootstrap.sh my-cluster \
  --apiserver-endpoint "$API_SERVER_URL" \
  --b64-cluster-ca "$B64_CLUSTER_CA" \
  --service-ipv4-cidr 172.20.0.0/16 \
  --use-max-pods false \
  --kubelet-extra-args '--node-labels=team=a,node.kubernetes.io/lifecycle=normal --register-with-taints=dedicated=batch:NoSchedule --max-pods=58'
