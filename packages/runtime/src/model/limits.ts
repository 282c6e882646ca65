/** Every bound on what a run waits for, keeps and tries again, in one table. */
export const runtimeLimits = {
  /** Milliseconds of one call of a tool, unless the host says otherwise. */
  toolMs: 120_000,
  /** Milliseconds for a server or remote agent to be connected or to list its tools, unless the host says otherwise. */
  connectMs: 30_000,
  /** Milliseconds of one answer of a model, unless the host says otherwise. */
  modelMs: 300_000,
  /** Times that one call of a model is sent. */
  modelAttempts: 4,
  /** Milliseconds before the second attempt; each further one waits twice as long. */
  modelFirstWaitMs: 500,
  /** The most milliseconds between two attempts. */
  modelLongestWaitMs: 30_000,
  /** Milliseconds that a provider may ask us to wait; more ends the attempts. */
  modelAskedWaitMs: 120_000,
  /** Milliseconds in which a model that is asked for one word has to refuse; after that it may still answer. */
  modelRefusalMs: 30_000,
  /** Characters shown of what a model sent in place of an answer. */
  modelShownCharacters: 200,
  /** Steps of `agf.react` without `max_steps`. */
  reactSteps: 10,
  /** Calls of one answer of a model that run side by side, unless the host says otherwise. */
  callConcurrency: 8,
  /** Iterations of `agf.loop` without `max_iterations`. */
  loopIterations: 10,
  /** Characters of an observation that a model gets to see. */
  observationCharacters: 100_000,
  /** Characters of a value that the message of an approval shows. */
  approvalCharacters: 400,
  /** Problems with the arguments of a call that a model is told of. */
  argumentProblems: 5,
  /** Turns that the memory in this process keeps for a scope, unless the host says otherwise. */
  memoryTurns: 100,
  /** Bytes of the journal of a run that are read. */
  journalBytes: 512 * 1024 * 1024,
  /** Bytes of the file beside a journal that says which process works on it. */
  journalLockBytes: 4096,
  /** Nesting of a value that a host or a peer gives. */
  valueDepth: 512,
  /** Parts of a value that a host or a peer gives. */
  valueParts: 1_000_000,
  /** Seconds of `timeout_seconds` in a file of bindings. */
  bindingSeconds: 86_400,
  /** Bytes of one answer, event or line of a server or remote agent. */
  peerBytes: 10 * 1024 * 1024,
  /** Milliseconds of one request to an MCP server, unless its binding says otherwise. */
  mcpRequestMs: 60_000,
  /** Milliseconds that each step of closing an MCP server may take. */
  mcpCloseMs: 1000,
  /** Pages of a list of an MCP server. */
  mcpPages: 20,
  /** Tools that an MCP server may list. */
  mcpTools: 2000,
  /** Questions of one MCP server that may wait for an answer. */
  mcpQuestions: 8,
  /** Messages that may wait for an MCP server that does not read. */
  mcpUnread: 2000,
  /** Bytes that may wait for an MCP server that does not read. */
  mcpUnreadBytes: 16 * 1024 * 1024,
  /** Characters kept of what the process of an MCP server writes to its standard error. */
  mcpErrorCharacters: 2000,
  /** Characters kept of the first line of an MCP server that is not a message. */
  mcpNoiseCharacters: 200,
  /** Milliseconds of one message to a remote agent, unless its binding says otherwise. */
  remoteRequestMs: 120_000,
  /** Milliseconds before a remote agent is asked about a task; each further question waits twice as long. */
  remoteFirstPollMs: 200,
  /** The most milliseconds between two questions about a task. */
  remoteLongestPollMs: 5000,
  /** Milliseconds for a remote agent to hear that a task is cancelled. */
  remoteCancelMs: 2000,
  /** Characters of one answer of a remote agent, all its parts together. */
  remoteCharacters: 10 * 1024 * 1024,
  /** Skills of a remote agent that are read. */
  remoteSkills: 500,
  /** Characters of an error of a server or remote agent that are passed on. */
  peerMessageCharacters: 1000,
  /** Bytes of the body of a request to a served agent, unless the host says otherwise. */
  bodyBytes: 1024 * 1024,
  /** Milliseconds for a request to a served agent to come in. */
  receiveMs: 60_000,
  /** Milliseconds that open answers may take to end once a served agent stops. */
  stopMs: 2000,
  /** Bytes that may wait for a client of an event stream that does not read. */
  unreadEventBytes: 16 * 1024 * 1024,
  /** Tasks that an agent served over A2A keeps. */
  tasks: 500,
  /** Sessions that an agent served over MCP keeps; the one that has been silent longest makes room. */
  sessions: 200,
} as const
