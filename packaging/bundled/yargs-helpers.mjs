// Stands in for yargs's helpers, of which the agent has the parser: they bring yargs's whole platform with them, and Node.js's assert.
export { default as Parser } from "yargs-parser";
