/** All limits of a run in one table: timeouts, sizes and retries. */
export const runtimeLimits = {
  /** Default timeout of a tool call in milliseconds. */
  toolMs: 120_000,
  /** Default timeout in milliseconds for connecting to a server or remote agent, and for listing tools. */
  connectMs: 30_000,
  /** Default timeout of a model answer in milliseconds. */
  modelMs: 300_000,
  /** Default number of retries of a model call. */
  modelRetries: 3,
  /** Milliseconds before the first retry; doubled for each further retry. */
  modelFirstWaitMs: 500,
  /** Maximum delay before a retry, in milliseconds. */
  modelLongestWaitMs: 30_000,
  /** Maximum `retry-after` of a provider in milliseconds; a longer delay ends the retries. */
  modelAskedWaitMs: 120_000,
  /** Milliseconds that a probe waits for an error of a model; a model that is still silent counts as available. */
  modelRefusalMs: 30_000,
  /** Characters shown of an invalid model response. */
  modelShownCharacters: 200,
  /** Steps of `agf.react` without `max_steps`. */
  reactSteps: 10,
  /** Default number of concurrent calls in one model answer. */
  callConcurrency: 8,
  /** Iterations of `agf.loop` without `max_iterations`. */
  loopIterations: 10,
  /** Characters of an observation that are passed to a model. */
  observationCharacters: 100_000,
  /** Characters of a value shown in an approval message. */
  approvalCharacters: 400,
  /** Argument problems reported to a model. */
  argumentProblems: 5,
  /** Default number of turns that the in-process memory keeps for a scope. */
  memoryTurns: 100,
  /** Maximum size of a memory file in bytes. */
  memoryFileBytes: 64 * 1024 * 1024,
  /** Milliseconds that a write to a memory file waits for the lock. */
  memoryLockMs: 10_000,
  /** Milliseconds between two attempts to lock a memory file. */
  memoryLockPollMs: 10,
  /** Maximum number of turns that wait beside a locked memory file. */
  memoryWaitingTurns: 1000,
  /** Maximum size of a governance policy in bytes. */
  policyBytes: 1024 * 1024,
  /** Policies in a folder of a governance registry. */
  policyFiles: 1000,
  /** Maximum size of the journal of a run in bytes. */
  journalBytes: 512 * 1024 * 1024,
  /** Maximum size of the lock file of a journal in bytes. */
  journalLockBytes: 4096,
  /** Nesting depth of a value from a host or a peer. */
  valueDepth: 512,
  /** Parts of a value from a host or a peer. */
  valueParts: 1_000_000,
  /** Maximum value of `timeout_seconds` in a bindings file. */
  bindingSeconds: 86_400,
  /** Bytes of one response, event or line of a server or remote agent. */
  peerBytes: 10 * 1024 * 1024,
  /** Default timeout of a request to an MCP server in milliseconds. */
  mcpRequestMs: 60_000,
  /** Timeout of each step of closing an MCP server in milliseconds. */
  mcpCloseMs: 1000,
  /** Pages read from one list of an MCP server. */
  mcpPages: 20,
  /** Tools that an MCP server may list. */
  mcpTools: 2000,
  /** Pending requests of one MCP server to the client. */
  mcpQuestions: 8,
  /** Queued messages for an MCP server that does not read. */
  mcpUnread: 2000,
  /** Queued bytes for an MCP server that does not read. */
  mcpUnreadBytes: 16 * 1024 * 1024,
  /** Characters kept of the standard error of an MCP server process. */
  mcpErrorCharacters: 2000,
  /** Characters kept of the first invalid line of an MCP server. */
  mcpNoiseCharacters: 200,
  /** Default timeout of a message to a remote agent in milliseconds. */
  remoteRequestMs: 120_000,
  /** Milliseconds before the first poll of a remote task; the delay doubles with each further poll. */
  remoteFirstPollMs: 200,
  /** Maximum interval between two polls of a remote task, in milliseconds. */
  remoteLongestPollMs: 5000,
  /** Timeout of a cancel request to a remote agent in milliseconds. */
  remoteCancelMs: 2000,
  /** Characters of one answer from a remote agent, all parts together. */
  remoteCharacters: 10 * 1024 * 1024,
  /** Skills read from the card of a remote agent. */
  remoteSkills: 500,
  /** Characters of an error message from a server or remote agent that are passed on. */
  peerMessageCharacters: 1000,
  /** Default maximum size of a request body for a served agent in bytes. */
  bodyBytes: 4 * 1024 * 1024,
  /** Connections that wait to be accepted by a served agent; the system may have a lower limit. */
  waitingConnections: 4096,
  /** Timeout for receiving a request to a served agent in milliseconds. */
  receiveMs: 60_000,
  /** Milliseconds for open responses to end when a served agent stops. */
  stopMs: 2000,
  /** Queued bytes for a client that does not read its event stream. */
  unreadEventBytes: 16 * 1024 * 1024,
  /** Default timeout of a request to an OpenTelemetry collector in milliseconds. */
  exportMs: 10_000,
  /** Spans buffered until the end of their run. */
  bufferedSpans: 20_000,
  /** Concurrent requests to an OpenTelemetry collector. */
  exportRequests: 16,
  /** Tasks that an agent served over A2A keeps. */
  tasks: 500,
  /** Default timeout in milliseconds for the client's answer to an approval request of a served agent. */
  approvalMs: 300_000,
  /** Runs of a served agent that wait for an approval of their client; further requests are denied. */
  heldRuns: 1000,
  /** Sessions that an agent served over MCP keeps; the least recently used one is dropped first. */
  sessions: 200,
} as const
