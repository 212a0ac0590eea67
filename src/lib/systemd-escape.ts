/** The name of the mount unit for a path, as `systemd-escape --path --suffix=mount` prints it. */
export function mountUnitName(path: string): string {
  return `${escapePath(path)}.mount`;
}

function escapePath(path: string): string {
  const inner = path.split("/").filter((part) => part !== "").join("/");
  if (inner === "") return "-";
  return [...Buffer.from(inner)].map((byte, index) => escapeByte(String.fromCharCode(byte), index === 0)).join("");
}

/** A dot at the beginning would make a hidden file of the unit. */
function escapeByte(character: string, isFirst: boolean): string {
  if (character === "/") return "-";
  if (/[A-Za-z0-9:_.]/.test(character) && !(isFirst && character === ".")) return character;
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
