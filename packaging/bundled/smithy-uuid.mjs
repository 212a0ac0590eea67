// Stands in for the SDK's way to random names of requests, which asks for Node.js's crypto when it is loaded; none of the agent's requests has one.
export const bindV4 = () => () => crypto.randomUUID();
