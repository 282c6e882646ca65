/** The limits of a run: timeouts, sizes and retries. */
export const runtimeLimits = {
  /** Default timeout of a tool call in milliseconds. */
  toolMs: 120_000,
  /** Default timeout in milliseconds for connecting to a server or remote agent, and for listing tools. */
  connectMs: 30_000,
  /** Default timeout of a model call in milliseconds. */
  modelMs: 300_000,
  /** Default number of retries per model call. */
  modelRetries: 3,
  /** Milliseconds before the first retry; doubled for each further retry. */
  modelFirstWaitMs: 500,
  /** Maximum delay before a retry, in milliseconds. */
  modelLongestWaitMs: 30_000,
  /** Maximum `retry-after` accepted from a provider, in milliseconds; longer delays end the retries. */
  modelAskedWaitMs: 120_000,
  /** Milliseconds that a probe waits for a model error; a model that is silent for that long counts as available. */
  modelRefusalMs: 30_000,
  /** Maximum length of an invalid model response in a message, in characters. */
  modelShownCharacters: 200,
  /** Maximum number of steps in `agf.react` if `max_steps` is not set. */
  reactSteps: 10,
  /** Default number of concurrent tool calls per model answer. */
  callConcurrency: 8,
  /** Maximum number of iterations in `agf.loop` if `max_iterations` is not set. */
  loopIterations: 10,
  /** Maximum length of an observation for a model, in characters. */
  observationCharacters: 100_000,
  /** Maximum length of a value in an approval message, in characters. */
  approvalCharacters: 400,
  /** Maximum number of argument problems reported to a model. */
  argumentProblems: 5,
  /** Default number of turns per scope in memory. */
  memoryTurns: 100,
  /** Maximum size of a memory file in bytes. */
  memoryFileBytes: 64 * 1024 * 1024,
  /** Milliseconds that a write to a memory file waits for the lock. */
  memoryLockMs: 10_000,
  /** Milliseconds between two attempts to lock a memory file. */
  memoryLockPollMs: 10,
  /** Maximum number of pending turns of a locked memory file. */
  memoryWaitingTurns: 1000,
  /** Maximum size of a governance policy in bytes. */
  policyBytes: 1024 * 1024,
  /** Maximum number of policies in a registry folder. */
  policyFiles: 1000,
  /** Maximum size of a run journal in bytes. */
  journalBytes: 512 * 1024 * 1024,
  /** Maximum size of a lock file in bytes. */
  journalLockBytes: 4096,
  /** Maximum nesting depth of a value from a host or peer. */
  valueDepth: 512,
  /** Maximum number of nested values in a value from a host or peer. */
  valueParts: 1_000_000,
  /** Maximum value of `timeout_seconds` in a bindings file. */
  bindingSeconds: 86_400,
  /** Maximum size of a response, event or line from a server or remote agent, in bytes. */
  peerBytes: 10 * 1024 * 1024,
  /** Default timeout of a request to an MCP server in milliseconds. */
  mcpRequestMs: 60_000,
  /** Timeout of each step when closing an MCP server, in milliseconds. */
  mcpCloseMs: 1000,
  /** Maximum number of pages read from an MCP server list. */
  mcpPages: 20,
  /** Maximum number of tools listed by an MCP server. */
  mcpTools: 2000,
  /** Maximum number of pending requests from one MCP server to the client. */
  mcpQuestions: 8,
  /** Maximum number of queued messages for an MCP server that does not read its input. */
  mcpUnread: 2000,
  /** Maximum number of queued bytes for an MCP server that does not read its input. */
  mcpUnreadBytes: 16 * 1024 * 1024,
  /** Maximum number of characters kept from an MCP server's standard error. */
  mcpErrorCharacters: 2000,
  /** Maximum number of characters kept from an MCP server's first invalid line. */
  mcpNoiseCharacters: 200,
  /** Default timeout of a message to a remote agent in milliseconds. */
  remoteRequestMs: 120_000,
  /** Milliseconds before the first poll of a remote task; doubled for each further poll. */
  remoteFirstPollMs: 200,
  /** Maximum interval between two polls of a remote task, in milliseconds. */
  remoteLongestPollMs: 5000,
  /** Timeout of a cancel request to a remote agent in milliseconds. */
  remoteCancelMs: 2000,
  /** Maximum total length of a response from a remote agent, in characters. */
  remoteCharacters: 10 * 1024 * 1024,
  /** Maximum number of skills read from an agent card. */
  remoteSkills: 500,
  /** Maximum length of an error message from a server or remote agent, in characters. */
  peerMessageCharacters: 1000,
  /** Default maximum size of a request body for a served agent in bytes. */
  bodyBytes: 4 * 1024 * 1024,
  /** Maximum number of connections that wait to be accepted by a served agent; the system may have a lower limit. */
  waitingConnections: 4096,
  /** Timeout for receiving a request, in milliseconds. */
  receiveMs: 60_000,
  /** Milliseconds that a stopping server waits for open responses to end. */
  stopMs: 2000,
  /** Maximum number of queued bytes for a client that does not read its event stream. */
  unreadEventBytes: 16 * 1024 * 1024,
  /** Default timeout of a request to an OpenTelemetry collector in milliseconds. */
  exportMs: 10_000,
  /** Maximum number of spans buffered until their run ends. */
  bufferedSpans: 20_000,
  /** Maximum number of concurrent requests to an OpenTelemetry collector. */
  exportRequests: 16,
  /** Maximum number of tasks kept by an agent served over A2A. */
  tasks: 500,
  /** Default timeout of an approval request to a client, in milliseconds. */
  approvalMs: 300_000,
  /** Maximum number of runs that wait for approval from their client; further requests are denied. */
  heldRuns: 1000,
  /** Maximum number of sessions kept by an agent served over MCP; the least recently used is dropped first. */
  sessions: 200,
} as const
