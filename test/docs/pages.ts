import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Page = {
  /** Commands that are run on the node before the first block. */
  readonly before?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Commands that are tasks of the project and not for a node: `npm run build`. */
  readonly tasks?: Readonly<Record<string, Task>>;
};

/** The file of the test that runs it with test/task.ts, or why there is none. */
export type Task = { readonly runBy: string } | { readonly notRun: string };

const example = (name: string): string => readFileSync(join(import.meta.dirname, "../../docs/examples", name), "utf8");

const DEMO: Task = { runBy: "test/packaging/demo.test.ts" };
const SUITE: Task = { notRun: "it is what runs the tests" };

const CONFIGURED = { before: "eks-node-agent my-cluster" };
const NODE_YAML = `cat > node.yaml <<'EOT'\n${example("node-config.yaml")}EOT`;

/** The value of B64_CLUSTER_CA in the examples. */
export const EXAMPLE_CA = /^B64_CLUSTER_CA=(\S+)$/m.exec(example("bootstrap-sh.sh"))?.[1] ?? "";

/**
 * Every page with blocks that are run. By the language of a block:
 *
 *   sh       with bash on a node of its page, in order; each command must exit 0
 *   console  each command after "$ ": what is printed must be what is shown, whatever the exit status
 *   yaml, hcl, json   parsed and looked through; the user data in it boots a node (documents.ts)
 *   text     not run: what the agent prints, which other tests compare
 *
 * A page that is not here fails the test, and so does a block in another language.
 */
export const PAGES: Readonly<Record<string, Page>> = {
  "README.md": { before: `mkdir -p docs/facts docs/examples\ncat > docs/facts/m5.large.json <<'EOT'\n${example("../facts/m5.large.json")}EOT\ncat > docs/examples/node-config.yaml <<'EOT'\n${example("node-config.yaml")}EOT`, environment: { B64_CLUSTER_CA: EXAMPLE_CA }, tasks: { "npm run demo": DEMO, "npm test": SUITE, "npm run build": { runBy: "test/packaging/build.test.ts" }, "npm run rpm": { runBy: "test/rpm/rpm.test.ts" } } },
  "CONTRIBUTING.md": {
    tasks: {
      "npm test": SUITE,
      "npm run check": { notRun: "it runs the tests" },
      "npm run demo": DEMO,
      "npm run bench": { notRun: "it needs a machine that does nothing else" },
      "npm run generate": { notRun: "it writes to the sources; test/docs/generated.test.ts and test/data compare what it makes" },
      "npm run simulate": { runBy: "test/simulator/main.test.ts" },
    },
  },
  "docs/dry-run.md": { before: `${NODE_YAML}\neks-node-agent facts my-cluster > m5.json` },
  "docs/iam.md": {},
  "docs/journal.md": {},
  "docs/local-disks.md": {},
  "docs/report.md": CONFIGURED,
  "docs/troubleshooting.md": CONFIGURED,
  "docs/guides/cloudformation.md": {},
  "docs/guides/eksctl.md": {},
  "docs/guides/karpenter.md": {},
  "docs/guides/migrate-from-al2-bootstrap-sh.md": { before: `cat > user-data.sh <<'EOT'\n${example("bootstrap-sh.sh")}EOT` },
  "docs/guides/migrate-from-nodeadm.md": { before: NODE_YAML },
  "docs/guides/packer-ami.md": {},
  "docs/guides/terraform.md": { before: `cat > launch-template.txt <<'EOT'\n${example("mime-node-config.txt")}EOT\nterraform() { jq -n --arg data "$(base64 -w0 launch-template.txt)" '{planned_values: {root_module: {resources: [{type: "aws_launch_template", values: {user_data: $data}}]}}}'; }` },
};

/** Pages that have no blocks to run, and why. */
export const WITHOUT_BLOCKS: Readonly<Record<string, string>> = {
  "CHANGELOG.md": "it has none",
  "docs/containerd.md": "it has none",
  "docs/errors.md": "errors.test.ts provokes each of its errors",
  "docs/files.md": "it has none",
  "docs/fleet.md": "it has none",
  "docs/performance.md": "it has none; the bench makes it",
  "docs/systemctl-status.md": "it shows what the tests of the unit saw",
};
