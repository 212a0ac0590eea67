import { generatedFile, rowsConstant } from "./generated-file.ts";
import { minorOf } from "./table.ts";

type Field = {
  readonly path: string;
  readonly type: string;
  readonly added: string;
  readonly removed: string | null;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly default_changes?: readonly { readonly from: string; readonly value: unknown }[];
  readonly type_changes?: readonly { readonly from: string; readonly type: string }[];
};

const DOCSTRING = `
Fields of KubeletConfiguration 1.20 to 1.36 in the order of its definition; one line each, columns separated by a tab: path
("[]" for the items of a list), types by the minor that brought them ("20:bool"), added, removed (the first minor of 1.x without
it), "pointer" if an explicit zero differs from an absent key, and kubelet's default as JSON by minor. See kubelet-field-lookup.ts.
`;

/** Text of src/data/kubelet-config-fields.ts. */
export function generateKubeletConfigFields(json: string): string {
  const { fields } = JSON.parse(json) as { readonly fields: readonly Field[] };
  return generatedFile("kubelet-config-fields.json", rowsConstant("KUBELET_CONFIG_FIELDS", DOCSTRING, fields.map(line)));
}

function line(field: Field): string {
  const added = minorOf(field.added);
  return [
    field.path,
    typesOf(field, added),
    added,
    minorOf(field.removed ?? ""),
    field.nullable === true ? "pointer" : "",
    defaultsOf(field, added),
  ].join("\t");
}

function typesOf(field: Field, added: string): string {
  const changes = field.type_changes ?? [{ from: `1.${added}`, type: field.type }];
  return changes.map((change) => `${minorOf(change.from)}:${change.type.replace(/ \(.*/, "")}`).join(";");
}

/** The history of evictionHard's default is prose in the table; nothing here reads a map's default. */
function defaultsOf(field: Field, added: string): string {
  if (field.default === undefined || field.path === "evictionHard") return "";
  const changes = field.default_changes ?? [{ from: `1.${added}`, value: field.default }];
  return changes.map((change) => `${minorOf(change.from)}:${JSON.stringify(change.value)}`).join(";");
}
