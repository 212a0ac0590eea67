// Stands in for the SDK's whole client of EKS: of its 60 commands the agent has one.
export { EKSClient } from "@aws-sdk/client-eks/dist-es/EKSClient.js";
export { DescribeClusterCommand } from "@aws-sdk/client-eks/dist-es/commands/DescribeClusterCommand.js";
