// Stands in for undici's client of HTTP/2, which the agent does not allow: it loads Node.js's HTTP/2 and TLS, where IMDS needs neither.
"use strict";
module.exports = () => {
  throw new Error("HTTP/2 is not allowed");
};
