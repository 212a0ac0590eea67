import { showBashCompletion } from "./completion-bash.ts";
import { showFishCompletion } from "./completion-fish.ts";
import { showZshCompletion } from "./completion-zsh.ts";
import type { Shell } from "./completion-shell.ts";

const SCRIPTS: Readonly<Record<Shell, () => string>> = { bash: showBashCompletion, zsh: showZshCompletion, fish: showFishCompletion };

/** The script that teaches a shell the words of this command line. It asks nothing of the executable when it runs. */
export function showCompletion(shell: Shell): string {
  return SCRIPTS[shell]();
}
