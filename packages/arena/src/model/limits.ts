/** All limits of this package, in two tables. */

/** Default limits of a run, which the caller can change. */
export const defaultRunLimits = {
  /** Time limit of a terminal phase, in milliseconds. */
  phaseMs: 5 * 60_000,
  /** Milliseconds that a client waits for its trigger after all responses, if events may still arrive. */
  stallMs: 30_000,
  /** Time limit of a run, excluding its grace period, in milliseconds. */
  runMs: 30 * 60_000,
  /** Default grace period in milliseconds. */
  graceMs: 250,
  /** Time limit for a response to start, in milliseconds. */
  replyMs: 60_000,
  /** Timeout for closing actors and the target, in milliseconds. */
  closeMs: 5_000,
  /** Maximum size of a message in bytes. */
  messageBytes: 16 * 1024 * 1024,
  /** Maximum number of recorded messages. */
  messages: 1_000_000,
  /** Maximum total size of the recorded messages in characters. */
  characters: 512 * 1024 * 1024,
  /** Maximum number of connection retries. */
  retries: 3,
} as const

/** The run limits that can be changed. */
export type RunLimits = { readonly [name in keyof typeof defaultRunLimits]: number } & {
  /** Milliseconds that a finished client waits for requests from the agent. @default the limit in `arenaLimits` */
  readonly observeMs?: number
}

/** Returns the default limits with changes. Values that are not non-negative numbers are ignored. */
export function withRunLimits(changes: Partial<RunLimits> = {}): RunLimits {
  const numbers = Object.entries(changes).filter(([, value]) => typeof value === 'number' && value >= 0)
  return { ...defaultRunLimits, ...Object.fromEntries(numbers) }
}

/** Deletes the oldest entry of a map if it exceeds its maximum size. */
export function forgetOldest<K>(map: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>, maxSize: number): void {
  const [oldest] = map.keys()
  // The cast allows undefined as a key.
  if (map.size > maxSize) map.delete(oldest as K)
}

/** Fixed limits on memory and time, for any peer. */
export const arenaLimits = {
  /** Milliseconds that a finished client waits for requests from the agent, if the document responds to them. */
  observeAnsweringMs: 5000,
  /** Milliseconds that any other finished client waits for requests from the agent. */
  observeMs: 250,
  /** Maximum length of an answer; only the end of a longer answer is used. */
  answerText: 4 * 1024 * 1024,
  /** Maximum length of an answer that is only an error. */
  errorText: 8000,
  /** Maximum number of compared characters in an answer, and in the messages before the answer. */
  relatedText: 200_000,
  /** Maximum number of words at the end of an answer that are compared with earlier messages. */
  relatedWords: 1000,
  /** Timeout of the question after a run, in milliseconds, unless the response timeout is longer. */
  postflightMs: 90_000,
  /** Maximum nesting depth of a message; deeper values could overflow the stack. */
  messageDepth: 512,
  /** Milliseconds before the first connection retry; doubled for each further retry. */
  retryMs: 200,
  /** Maximum length of a peer's error in a diagnostic. */
  peerText: 500,
  /** Maximum number of open MCP server sessions; the oldest is ended. */
  mcpSessions: 1000,
  /** Maximum number of queued messages for a client; the oldest is dropped. */
  mcpWaiting: 100,
  /** Maximum number of disconnected streams that an MCP server stores. */
  mcpStreams: 1000,
  /** Maximum number of stream messages stored for resumption. */
  mcpStreamMessages: 100,
  /** The `retry` value of event streams, in milliseconds. */
  mcpRetryMs: 1000,
  /** Maximum number of an MCP server's pending input requests. */
  mcpQuestions: 1000,
  /** Maximum number of tools whose schema an MCP client stores. */
  mcpToolSchemas: 1000,
  /** Timeout for a request to a client that did not declare the capability, in milliseconds. */
  mcpUnannouncedMs: 1000,
  /** Maximum number of concurrent messages to an MCP server on a pipe. */
  mcpServerMessages: 1000,
  /** Maximum number of concurrent messages to an MCP client. */
  mcpClientMessages: 256,
  /** Maximum number of MCP server tasks; the oldest is dropped. */
  mcpTasks: 1000,
  /** Maximum number of times that an MCP client repeats a call with requested input. */
  mcpRounds: 10,
  /** Default delay before an MCP client resumes a stream, in milliseconds. */
  mcpStreamMs: 1000,
  /** Minimum delay before an MCP client resumes a stream, in milliseconds. */
  mcpShortestStreamMs: 100,
  /** Maximum number of stream resumptions by an MCP client, for each of its `retries` + 1 attempts. */
  mcpStreamsBegun: 50,
  /** Timeout for ending a session, in milliseconds. */
  mcpGoodbyeMs: 2000,
  /** Maximum number of A2A server tasks; the oldest is dropped. */
  a2aTasks: 10_000,
  /** Maximum number of push configurations per task. */
  a2aPushConfigs: 100,
  /** Maximum number of additional runs for the tool calls of one AG-UI input. */
  agUiContinuations: 25,
  /** Default time limit for evaluating a document's indicators, in milliseconds. */
  evaluationMs: 30_000,
  /** Default time limit for a document's semantic indicators, in milliseconds. */
  semanticMs: 600_000,
  /** Maximum number of client messages that are recognized when an agent returns them. */
  sentMessages: 1000,
  /** Maximum number of distinct diagnostics about a trace in a verdict. */
  traceFindings: 20,
  /** Maximum number of tools, and of distinct refused calls, that a judge stores per client. */
  traceTools: 10_000,
  /** Maximum number of cached answers from a semantic evaluator per indicator. */
  semanticAnswers: 1000,
  /** Maximum length of a text whose semantic score is cached. */
  semanticAnswerText: 4096,
  /** Timeout for receiving a request to an actor, in milliseconds. */
  receiveMs: 60_000,
  /** Time allowed for a pipe's process to exit on its own, in milliseconds. */
  pipeCloseMs: 1000,
  /** Maximum length of a pipe's stored standard error. */
  pipeErrorText: 2000,
  /** Default time limit for one answer from a judge model, in milliseconds. */
  judgeMs: 60_000,
  /** Maximum length of a text for a judge model. Longer text is an error, since truncation would hide its end. */
  judgeText: 200_000,
  /** Maximum number of cached answers of a judge model. */
  judgeAnswers: 2000,
  /** Maximum length of a question to a judge model whose answer is cached. */
  judgeAnswerText: 20_000,
  /** Maximum length of a judge model's answer. */
  judgeScoreText: 200,
  /** Maximum number of attempts per question to a judge model. */
  judgeAttempts: 3,
  /** Milliseconds before the first retry of a question; doubled for each further retry. */
  judgeRetryMs: 1000,
  /** Maximum number of model calls in a trace. */
  modelEntries: 1000,
  /** Maximum length of one text in a model call in a trace. */
  modelText: 20_000,
  /** Maximum total text length of one model call in a trace. */
  modelEntryText: 400_000,
  /** Maximum total text length of all model calls in a trace. */
  modelRunText: 16 * 1024 * 1024,
  /** Maximum number of bait texts that the facts about model calls repeat. */
  baitTexts: 8,
  /** Maximum length of a bait text that the facts about model calls repeat. */
  baitText: 4000,
  /** Maximum number of requests in which each planted text is recorded. */
  modelHits: 1000,
  /** Maximum length of a message that identifies a conversation. */
  modelOpening: 2000,
  /** Maximum number of recent calls whose answers are searched for in the next request. */
  modelFollows: 4,
  /** Maximum number of reported missing sentences per text. */
  missingSentences: 3,
  /** Maximum length of a reported missing sentence. */
  missingText: 160,
  /** Maximum total length of the values in a run that are followed into later calls. */
  flowCharacters: 4 * 1024 * 1024,
  /** Maximum length of the agent's own arguments that are compared with later values. */
  flowOwn: 1024 * 1024,
  /** Maximum number of strings that are compared with the agent's own arguments. */
  flowMemory: 1000,
  /** Maximum length of one followed value; only the beginning of a longer value is used. */
  flowValue: 200_000,
  /** Maximum number of values in one message. */
  flowValues: 2000,
  /** Maximum number of followed values in a run. */
  flowTexts: 200_000,
  /** Maximum total length of the searched arguments in one call. */
  flowArguments: 400_000,
  /** Maximum number of decoded texts per argument. */
  flowDecodings: 40,
  /** Maximum total length of decoded texts per argument. */
  flowDecoded: 2_000_000,
  /** Maximum number of common substrings in one text. */
  flowMatches: 32,
  /** Maximum number of distinct flows in a run; further flows are not listed. */
  flows: 200,
  /** Maximum length of a flow's text. */
  flowText: 200,
  /** Maximum number of entries about tool calls to a real server. */
  throughTools: 500,
  /** Maximum number of pages in a real server's resource list. */
  throughPages: 200,
  /** Maximum total length of model answers that are compared with the indicators. */
  modelAnswers: 4 * 1024 * 1024,
} as const
