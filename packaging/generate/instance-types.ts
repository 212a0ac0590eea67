import { generatedFile, rowsConstant } from "./generated-file.ts";
import { parseTable } from "./table.ts";
import type { Row } from "./table.ts";

const DOCSTRING = `
EC2 instance types, sorted; one line each, columns separated by a space: type, interfaces on the default network card,
IPv4 addresses per interface, vCPUs, memory in MiB, architecture, hypervisor (nitro, xen, metal), instance store
(COUNTxSIZE in GB, 0 for none). "-" where no source said. Searched, never parsed as a whole: see instance-type-lookup.ts.
`;

/** Text of src/data/instance-types.ts. A type whose interfaces or addresses no source knows is no limit, and left out. */
export function generateInstanceTypes(tsv: string): string {
  const rows = parseTable(tsv).filter(hasLimits).map(line).sort();
  return generatedFile("instance-types.tsv", rowsConstant("INSTANCE_TYPES", DOCSTRING, rows));
}

function hasLimits(row: Row): boolean {
  return Number(row("max_enis_default_card")) > 0 && Number(row("ipv4_per_eni")) > 0;
}

function line(row: Row): string {
  const cells = [
    row("type"),
    row("max_enis_default_card"),
    row("ipv4_per_eni"),
    row("vcpus"),
    row("memory_mib"),
    row("arch"),
    hypervisor(row),
    row("instance_store"),
  ];
  return cells.map((cell) => (cell === "" ? "-" : cell.replaceAll(" ", ""))).join(" ");
}

function hypervisor(row: Row): string {
  if (row("bare_metal") === "yes") return "metal";
  if (row("nitro") === "yes") return "nitro";
  return row("nitro") === "no" ? "xen" : "";
}
