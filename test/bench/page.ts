import { fleetSummary } from "./fleet/summary.ts";
import type { Measurement } from "./measure.ts";

export type Latency = { readonly imdsMs: number; readonly awsMs: number };

export type Result = Measurement & {
  readonly name: string;
  /** Undefined where nobody is asked. */
  readonly latency?: Latency;
  readonly requests: number;
  /** The longest chain of requests, each of which waited for the one before. */
  readonly depth: number;
  /** The most that were unanswered at one time. */
  readonly inFlight: number;
};

export type Report = {
  readonly runs: number;
  readonly node: string;
  readonly arch: string;
  readonly executableBytes: number;
  /** An executable that does nothing. */
  readonly empty: Measurement;
  readonly results: readonly Result[];
};

const HEADINGS = ["scenario", "IMDS/AWS ms", "wall ms", "CPU ms", "peak MiB", "CPU/empty", "requests", "depth", "at once"];

export function showTable(report: Report): string {
  const rows = [HEADINGS, ...rowsOf(report)];
  const line = ([name = "", ...figures]: readonly string[]): string => `${name.padEnd(24)}${figures.map((figure) => figure.padStart(12)).join("")}\n`;
  return `Median of ${report.runs} runs, ${report.node} on ${report.arch}, executable of ${(report.executableBytes / 1e6).toFixed(0)} MB\n${rows.map(line).join("")}`;
}

function rowsOf({ empty, results }: Report): readonly (readonly string[])[] {
  const row = ({ wallMs, cpuMs, peakMiB }: Measurement): readonly string[] => [wallMs.toFixed(0), cpuMs.toFixed(0), peakMiB.toFixed(0), (cpuMs / empty.cpuMs).toFixed(1)];
  return [
    ["nothing at all", "", ...row(empty), "", "", ""],
    ...results.map((result) => [result.name, result.latency === undefined ? "" : `${result.latency.imdsMs}/${result.latency.awsMs}`, ...row(result), String(result.requests), String(result.depth), String(result.inFlight)]),
  ];
}

/** docs/performance.md, with a part of docs/fleet.md, whose text is given. */
export function showPage(report: Report, fleetPage: string): string {
  const table = [HEADINGS, HEADINGS.map(() => "---"), ...rowsOf(report)].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `# Performance

What a run of the executable costs, as \`npm run bench -- --page\` measured it: medians of ${report.runs} runs of the whole process with its children, with Node.js ${report.node} on
${report.arch}, the scenarios taking turns with an executable that does nothing. The executable has ${(report.executableBytes / 1e6).toFixed(0)} MB. Each run has a root directory of its
own with stubs for systemctl, kubelet and containerd, and \`--wait none\`; IMDS, EKS and EC2 are simulated over real HTTP, with the latencies
of the second column added to every answer. Wall time depends on what else the machine does; compare it with the first row.

${table}

"Depth" is the longest chain of requests each of which waited for the one before, "at once" the most that were unanswered at one time.

## Where the time goes

One run with the endpoint given, at 2 ms for IMDS and 80 ms for AWS:

![The requests, phases and steps of one run over time](performance.svg)

The way to EC2's answer is as short as the protocol lets it be: a token, then everything of IMDS at once with the name of the role, its credentials, the
call. The lock, the facts of the host and the versions are looked at beside it, and what comes after the facts is loaded while EC2 answers.

${fleetSummary(fleetPage)}
## What makes it start quickly

- One bundle in parts, each with the code that V8 compiled when the build trained it. A part is read when it is first asked for: \`--version\`
  reads the code of the command line, \`token\` that and the signer, and the SDK's client of EKS is read when DescribeCluster is called.
- Of undici only the pool and the request, without Node.js's own HTTP, HTTP/2 and TLS where nothing is encrypted.
- yargs without its tables of wide characters, translations and search for a package.json.
- Units are enabled by one call of systemctl, since systemd reads all of them again after each; files are written at the same time.
- Signatures are made with OpenSSL's SHA-256.

## What was tried and did not help

- Start-up snapshots of V8: slower without the network libraries in them, and impossible with them.
- V8's flags, 13 of them: any change of flags makes V8 refuse the code cache that Node.js has of itself, which costs 50 to 80 ms.
- The client of EC2 from the SDK: 1.5 MB more of code, and 165 to 215 ms of CPU time more than a request signed by the SDK's signer.
- Loading the signer a moment later, so that the request for the token goes out first: no difference that could be measured.

## To repeat it

\`npm run bench -- --runs 15\` as root on a machine that does nothing else prints this table and writes build/bench.json. \`eks-node-agent report --output svg\` draws
the last run of a real node.
`;
}
