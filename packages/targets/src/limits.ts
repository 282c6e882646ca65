/** Limits for targets and the preflight. */

export const targetLimits = {
  /** Timeout of the preflight, in milliseconds. */
  preflightMs: 90_000,
  /** Default timeout of a turn, in milliseconds. */
  commandMs: 5 * 60_000,
  /** Maximum number of programs in `PATH` whose starts can be recorded. */
  shims: 10_000,
  /** Maximum number of files recorded in a working folder, and of commands recorded there. */
  folderEvents: 2000,
  /** Maximum depth of folders recorded in a working folder. */
  folderDepth: 16,
  /** Maximum size of a changed file whose content is recorded, in bytes; larger files are hashed. */
  fileBytes: 256 * 1024,
  /** Timeout of browser commands, and for loading an app, in milliseconds. */
  browserMs: 20_000,
  /** Maximum length of a browser message, in characters. */
  browserMessage: 64 * 1024 * 1024,
  /** Time limit of a loaded app, in milliseconds. */
  appMs: 10_000,
  /** Milliseconds without activity after which an app is considered idle. */
  appQuietMs: 500,
  /** Milliseconds between checks of a rendered app. */
  appPollMs: 50,
  /** Maximum total number of messages and network accesses per app. */
  appEvents: 1000,
  /** Maximum size of a message from an app in bytes. */
  appMessage: 1024 * 1024,
  /** Maximum number of messages per turn that apps may add to a conversation. */
  appTurns: 5,
  /** Maximum number of commands per turn run by a simulated agent. */
  simulatedCommands: 50,
  /** Milliseconds that a simulated A2A client waits for a push notification. */
  simulatedPushMs: 5000,
  /** Timeout of each step of an Agent Client Protocol (ACP) handshake, in milliseconds. */
  acpStartMs: 60_000,
  /** Milliseconds that the first ACP prompt waits for the agent to list the tools of all MCP servers. */
  acpListingMs: 4000,
  /** Milliseconds to wait for the real answer after an output line that may be a greeting. */
  greetingMs: 250,
  /** Timeout of an agent's version command, in milliseconds. */
  versionMs: 15_000,
  /** Timeout for loading a function's module, in milliseconds. */
  loadMs: 60_000,
  /** Default timeout for starting a served agent, in milliseconds. */
  serveMs: 60_000,
  /** Milliseconds between checks of a starting agent. */
  servePollMs: 100,
  /** Default milliseconds between requests for an unfinished answer. */
  pollMs: 1000,
  /** Milliseconds after a failed run in which the exit of a served agent is considered the cause of the failure. */
  serveExitMs: 300,
  /** Milliseconds that a served agent has to stop before it is killed. */
  serveEndMs: 5000,
  /** Milliseconds to read remaining output after a command exits, and for each step of its termination. */
  outputMs: 1000,
  /** Maximum length of a prompt passed in an environment variable, in characters. */
  variableText: 32_000,
  /** Maximum size of a command's answer in bytes. */
  answerBytes: 16 * 1024 * 1024,
  /** Milliseconds that a client waits beyond the turn timeout, so that the turn reports the timeout. */
  replyGraceMs: 5000,
  /** Maximum number of lines of output or traceback in a message. */
  failureLines: 24,
  /** Maximum length of a line of output or traceback in a message, in characters. */
  failureLine: 300,
  /** Maximum length of the end of command output kept in results, in characters. */
  printedText: 64 * 1024,
  /** Maximum number of steps of an agent created for a model. */
  modelSteps: 20,
  /** Maximum size of a request to an agent file in bytes. */
  agentRequestBytes: 64 * 1024 * 1024,
  /** Maximum number of recorded actor responses that were rejected by the agent's clients. */
  refusals: 1000,
  /** Maximum length of a rejection reason, in characters. */
  refusalText: 500,
  /** Maximum number of approval requests in results. */
  approvals: 1000,
  /** Maximum length of an approval request in results, in characters. */
  approvalText: 2000,
  /** Maximum length of a provider error in a diagnostic, in characters. */
  modelError: 300,
  /** Milliseconds that a run waits for model calls of the previous run, if both use the same address. */
  modelIdleMs: 5000,
  /** Maximum number of observed model calls by an agent in this process. */
  observedCalls: 2000,
  /** Timeout for first connecting to an endpoint, in milliseconds. */
  endpointMs: 5000,
} as const
