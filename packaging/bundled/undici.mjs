// Stands in for undici's own index, which also loads fetch, its caches, mocks and interceptors: 20 ms of CPU that the agent has no use for.
import request from "undici/lib/api/api-request.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";

// As the index does with its whole API.
Dispatcher.prototype.request = request;

export { Agent, buildConnector };

/** Its class is loaded when there is a proxy, and what it opens a tunnel by. */
export function EnvHttpProxyAgent(options) {
  Dispatcher.prototype.connect = require("undici/lib/api/api-connect.js");
  const Proxied = require("undici/lib/dispatcher/env-http-proxy-agent.js");
  return new Proxied(options);
}
