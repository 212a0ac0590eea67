import type { Clock } from "../../../src/io/retry.ts";
import type { Api } from "./api.ts";

/** What a program that joins a node has to do with. */
export type Node = {
  readonly clock: Clock;
  readonly ec2: Api;
  /** Absent when the user data says what the cluster is, so that EKS need not be asked. */
  readonly eks: Api | undefined;
};

/** A program that joins nodes, reduced to when it asks AWS. */
export type Program = {
  readonly name: string;
  /** Whether the node can join; false when the program gave up for good. */
  readonly join: (node: Node) => Promise<boolean>;
  /** nodeadm alone cannot ask EKS. */
  readonly asksEks: boolean;
};
