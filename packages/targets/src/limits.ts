/** Limits of targets and the preflight. */

export const targetLimits = {
  /** Timeout of the preflight, in milliseconds. */
  preflightMs: 90_000,
  /** Default timeout of a turn, in milliseconds. */
  commandMs: 5 * 60_000,
  /** Maximum number of programs in `PATH` whose starts are seen. */
  shims: 10_000,
  /** Maximum number of files and of started commands in a working folder that are recorded. */
  folderEvents: 2000,
  /** Maximum depth of a working folder. */
  folderDepth: 16,
  /** Maximum size of a changed file that is recorded, in bytes. */
  fileBytes: 256 * 1024,
  /** Timeout of a command of the browser that renders apps, and for loading an app, in milliseconds. */
  browserMs: 20_000,
  /** Maximum length of a message from that browser, in characters. */
  browserMessage: 64 * 1024 * 1024,
  /** Time limit of a rendered app once it has loaded, in milliseconds. */
  appMs: 10_000,
  /** Milliseconds without activity after which an app counts as quiet. */
  appQuietMs: 500,
  /** Milliseconds between checks of a rendered app. */
  appPollMs: 50,
  /** Maximum number of messages and network accesses of an app. */
  appEvents: 1000,
  /** Maximum size of a message from an app, in bytes. */
  appMessage: 1024 * 1024,
  /** Maximum number of messages that apps add to a conversation in a turn. */
  appTurns: 5,
  /** Maximum number of commands that a simulated agent runs in a turn. */
  simulatedCommands: 50,
  /** Milliseconds that a simulated client of A2A waits for a push notification. */
  simulatedPushMs: 5000,
  /** Timeout of each step of the handshake of the Agent Client Protocol (ACP), in milliseconds. */
  acpStartMs: 60_000,
  /** Milliseconds that the first ACP prompt waits until the agent has listed the tools of every MCP server. */
  acpListingMs: 4000,
  /** Milliseconds within which the answer to the first line may follow a greeting. */
  greetingMs: 250,
  /** Timeout of the version command of an agent, in milliseconds. */
  versionMs: 15_000,
  /** Timeout for loading the module of a function, in milliseconds. */
  loadMs: 60_000,
  /** Default timeout for the start of a served agent, in milliseconds. */
  serveMs: 60_000,
  /** Milliseconds between checks of a served agent that starts. */
  servePollMs: 100,
  /** Default milliseconds between requests for an answer that is not finished. */
  pollMs: 1000,
  /** Milliseconds after a failed run in which the exit of a served agent explains it. */
  serveExitMs: 300,
  /** Milliseconds for the end of a served agent before it is killed. */
  serveEndMs: 5000,
  /** Milliseconds for the remaining output of a command after its exit, and for each step of its termination. */
  outputMs: 1000,
  /** Maximum length of a prompt that is passed in an environment variable, in characters. */
  variableText: 32_000,
  /** Maximum size of the answer file of a command, in bytes. */
  answerBytes: 16 * 1024 * 1024,
  /** Milliseconds that a client waits beyond the timeout of a turn, so that the turn reports the timeout. */
  replyGraceMs: 5000,
  /** Maximum number of lines of output or of a traceback in a message. */
  failureLines: 24,
  /** Maximum length of each of these lines, in characters. */
  failureLine: 300,
  /** Maximum length of command output in results, in characters from its end. */
  printedText: 64 * 1024,
  /** Maximum number of steps of the agent that is created for a model. */
  modelSteps: 20,
  /** Maximum size of a request to an agent file, in bytes. */
  agentRequestBytes: 64 * 1024 * 1024,
  /** Maximum number of recorded answers from actors that the clients of an agent rejected. */
  refusals: 1000,
  /** Maximum length of the reason for a rejection, in characters. */
  refusalText: 500,
  /** Maximum number of approval requests in results. */
  approvals: 1000,
  /** Maximum length of an approval request in results, in characters. */
  approvalText: 2000,
  /** Maximum length of a provider's error in a diagnostic, in characters. */
  modelError: 300,
  /** Milliseconds that a run waits for model calls of the run before it, if both have the same address. */
  modelIdleMs: 5000,
  /** Maximum number of model calls by an agent that are observed in this process. */
  observedCalls: 2000,
  /** Timeout for the first connection to an endpoint, in milliseconds. */
  endpointMs: 5000,
} as const
