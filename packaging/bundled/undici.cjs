// Stands in for undici's own index, which also loads fetch, its caches, mocks and interceptors: 20 ms of CPU that the agent has no use for.
"use strict";
const Dispatcher = require("undici/lib/dispatcher/dispatcher.js");

// As the index does with its whole API.
Dispatcher.prototype.request = require("undici/lib/api/api-request.js");

module.exports = {
  Agent: require("undici/lib/dispatcher/agent.js"),
  // Behind a proxy only.
  get EnvHttpProxyAgent() {
    return require("undici/lib/dispatcher/env-http-proxy-agent.js");
  },
};
