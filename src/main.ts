import { main } from "./cli/main.ts";

// Not awaited here: the executable's bundle is no module. main() reports every failure itself.
void main();
