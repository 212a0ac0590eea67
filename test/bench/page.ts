import { DESCRIBE_CLUSTER, FACTS, GET_TOKEN, ratioOf, TOKEN, type AwsCliComparison } from "./aws-cli.ts";
import type { Counts } from "./counts.ts";
import { fleetSummary } from "./fleet/summary.ts";
import type { Report } from "./report.ts";
import type { Sizes } from "./sizes.ts";
import { asMarkdown, asText, awsCliTable, countsTable, sizesTable, timesTable } from "./tables.ts";
import { NOT_MEASURED, TRIED } from "./tried.ts";

/** For a terminal. */
export function showReport(report: Report): string {
  const { counts, awsCli, sizes } = report;
  const tables = [timesTable(report), countsTable(counts), ...(awsCli === undefined ? [] : [awsCliTable(awsCli)]), sizesTable(sizes)];
  return `Median of ${report.runs} runs, ${report.node} on ${report.arch}\n${tables.map(asText).join("\n")}`;
}

/** docs/performance.md, with a part of docs/fleet.md, whose text is given. */
export function showPage(report: Report, fleetPage: string): string {
  return `# Performance

What a run of the executable costs, as \`npm run bench -- --page\` measured it: medians of ${report.runs} runs of the whole process with its children, with Node.js ${report.node} on
${report.arch}, the scenarios taking turns with an executable that does nothing. Each run has a root directory of its
own with stubs for systemctl, kubelet and containerd, and \`--wait none\`; IMDS, EKS and EC2 are simulated over real HTTP, with the latencies
of the second column added to every answer. Wall time depends on what else the machine does; compare it with the first row.

${asMarkdown(timesTable(report))}
"Depth" is the longest chain of requests each of which waited for the one before, "at once" the most that were unanswered at one time.

${countsSection(report.counts)}
${awsCliSection(report.awsCli)}
${sizesSection(report.sizes)}
## Where the time goes

One run with the endpoint given, at 2 ms for IMDS and 80 ms for AWS:

![The requests, phases and steps of one run over time](performance.svg)

The way to EC2's answer is as short as the protocol lets it be: a token, then everything of IMDS at once with the name of the role, its credentials, the
call, whose connection is opened while the credentials come. While EC2 answers the lock is taken, the host and the machine's files and units are looked at, and
everything is prepared by the name that EC2 will most likely give, up to what containerd says of its configuration and to files that lie beside their
places, whole and on the disk: when the answer is there they are renamed. If EC2 gives another name, or takes more
than three seconds, it is all done anew by the answer.

${fleetSummary(fleetPage)}
## What makes it start quickly

- One bundle in parts, in packs by what is needed together, each with the code that V8 compiled when the build trained it: in a root directory of its own, so that
  units are started as well. \`--version\` reads the code of the command line, \`token\` that and the signer, and the SDK's client of EKS is read when
  DescribeCluster is called, the parsers of MIME and YAML where there is user data. The sources of a run are in one string outside of V8's heap, where they bring no garbage collections with them.
- V8 starts with a seed by which it finds the random primes that it hashes strings with at once: by another it looks for them for 3 ms. What must not be foreseen,
  the pauses between tries above all, is of OpenSSL's chance.
- Of Node.js's own modules what the run uses, when it uses it: signatures are made without OpenSSL, output is written without streams, and the
  cluster's certificate is found whole without X.509. \`performance\` is a clock of two lines.
- Of undici the pool and what it tells of an answer, without the streams, signals and kinds of body of its other interfaces, and without Node.js's own HTTP and
  HTTP/2. Its parser is WebAssembly, and is compiled once: V8 would compile it a second
  time after a few answers, for 60 ms of CPU and 20 MB. It reads an answer of our own while IMDS's first is on its way, and so does the parser of EC2's XML:
  what V8 does when a function is called for the first time is then done.
- Of what the SDK's packages have in common the signer brings 11 functions, and not the protocols and codecs of its clients, 100 KB.
- Where there is a NodeConfig in user data, credentials are fetched while it is read: most often it says what EKS would, and EC2 is asked.
- While the token is on its way connections are opened for all who wait for it, and the signer is loaded when they have asked.
- Of the machine's certificate authorities Amazon's are read first: OpenSSL takes 10 to 20 ms for all of them.
- yargs without its tables of wide characters, translations and search for a package.json.
- Programs are started by an addon, on threads beside the main one, with posix_spawn(3): Node.js would load its child_process, make sockets and streams for
  each, and copy the page tables of 70 MB, which is 3 to 4 ms each. Seven are started by a first run, where there were twelve: units are observed with their commands by one call of systemctl, and enabled by one, which ends with
  the reload that systemd needs anyway; the last two are started together.
- Calls that only hand something to the kernel are not waited for in another thread, nor are small files of this machine that are read; files go to the disk
  together, and each directory once.
- IMDS's connections are closed while EC2 answers, EC2's when systemd starts a unit, and nobody waits for that.

## What was tried and did not help

${listOf(TRIED)}
## To repeat it

\`npm run bench -- --runs 15\` as root on a machine that does nothing else prints these tables and writes build/bench.json; strace, valgrind,
awscli and rpm, as Debian's packages are called, each add what is measured with them. \`eks-node-agent report --output svg\` draws
the last run of a real node.
`;
}

function countsSection(counts: readonly Counts[]): string {
  return `## What it asks of the kernel and the processor

By a few in a hundred they differ from run to run, whatever else the machine does. System calls are those of one run with all the programs that it runs, stubs here, at 2 ms for IMDS and
80 ms for AWS; instructions are those in user mode, where nobody is asked.

${asMarkdown(countsTable(counts))}
Without strace and valgrind the bench leaves them out. What does not work:

${listOf(NOT_MEASURED)}`;
}

function awsCliSection(comparison: AwsCliComparison | undefined): string {
  if (comparison === undefined) return "## Beside the AWS CLI\n\nThere was none where this was measured.\n";
  const times = (slower: string, faster: string): string => ratioOf(comparison, slower, faster).toFixed(1);
  return `## Beside the AWS CLI

What bootstrap.sh and old kubeconfigs call it for. \`token\` is ${times(GET_TOKEN, TOKEN)} times as fast as \`${GET_TOKEN}\`, in whose place kubelet runs it whenever its
credentials expire; both only sign. \`facts\` asks IMDS, EKS and EC2, and is ${times(DESCRIBE_CLUSTER, FACTS)} times as fast as \`${DESCRIBE_CLUSTER}\`, which asks EKS alone.

${asMarkdown(awsCliTable(comparison))}
The AWS CLI is ${comparison.version}.
`;
}

function sizesSection(sizes: Sizes): string {
  return `## How large it is

${asMarkdown(sizesTable(sizes))}
Node.js comes with its symbols, and is stripped before the agent goes into it: it runs as before, and what a program needs of it by name, as the addons do, stays. The
finished executable must not be stripped, and the package keeps rpmbuild from it: strip moves what the agent is found by, and the program no longer starts.
`;
}

function listOf(items: readonly string[]): string {
  return items.map((item) => `- ${item}\n`).join("");
}
