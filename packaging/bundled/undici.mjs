// Stands in for undici's own index, which also loads fetch, its caches, mocks and interceptors, and its ways to ask by streams: 20 ms of CPU that the agent has
// no use for.
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";

export { Agent, buildConnector };

/** Its class is loaded when there is a proxy, and what it opens a tunnel by, which the index gives to all dispatchers. */
export function EnvHttpProxyAgent(options) {
  Dispatcher.prototype.connect = require("undici/lib/api/api-connect.js");
  const Proxied = require("undici/lib/dispatcher/env-http-proxy-agent.js");
  return new Proxied(options);
}
