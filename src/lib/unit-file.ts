/** Sections of a systemd unit file, each a list of settings; a setting may occur again. */
export type UnitFile = readonly (readonly [section: string, settings: readonly UnitSetting[]])[];

/** A name and its value, or a line that is already whole, such as a quoted `Environment='…'`. */
export type UnitSetting = readonly [name: string, value: string] | string;

export function printUnitFile(file: UnitFile): string {
  return file.map(([section, settings]) => `[${section}]\n${settings.map(printSetting).join("")}`).join("\n");
}

function printSetting(setting: UnitSetting): string {
  return typeof setting === "string" ? `${setting}\n` : `${setting[0]}=${setting[1]}\n`;
}
