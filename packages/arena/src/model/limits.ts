/** All limits of this package, in two tables. */

/** Default limits of a run, which the caller can change. */
export const defaultRunLimits = {
  /** Time limit of a terminal phase, in milliseconds. */
  phaseMs: 5 * 60_000,
  /** Milliseconds that a client waits for its trigger after all answers, if events may still arrive. */
  stallMs: 30_000,
  /** Time limit of a run without its grace period, in milliseconds. */
  runMs: 30 * 60_000,
  /** Default grace period in milliseconds. */
  graceMs: 250,
  /** Timeout for an answer to start, in milliseconds. */
  replyMs: 60_000,
  /** Timeout for closing actors and the target, in milliseconds. */
  closeMs: 5_000,
  /** Maximum size of a message in bytes. */
  messageBytes: 16 * 1024 * 1024,
  /** Maximum number of recorded messages. */
  messages: 1_000_000,
  /** Maximum size of all recorded messages in characters. */
  characters: 512 * 1024 * 1024,
  /** Maximum number of connection retries. */
  retries: 3,
} as const

/** The limits of a run that can be changed. */
export type RunLimits = { readonly [name in keyof typeof defaultRunLimits]: number } & {
  /**
   * Milliseconds that a finished client waits for requests from the agent; overrides `arenaLimits`.
   * @default the limit in `arenaLimits`
   */
  readonly observeMs?: number
}

/** The default limits with changes. Values that are not numbers from 0 on are ignored. */
export function withRunLimits(changes: Partial<RunLimits> = {}): RunLimits {
  const numbers = Object.entries(changes).filter(([, value]) => typeof value === 'number' && value >= 0)
  return { ...defaultRunLimits, ...Object.fromEntries(numbers) }
}

/** Deletes the oldest entry of a map that exceeds its maximum size. */
export function forgetOldest<K>(map: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>, maxSize: number): void {
  const [oldest] = map.keys()
  // A key may be undefined.
  if (map.size > maxSize) map.delete(oldest as K)
}

/** Fixed limits that bound memory and time against any peer. */
export const arenaLimits = {
  /** Milliseconds that a finished client waits for requests from the agent, if the document has answers to them. */
  observeAnsweringMs: 5000,
  /** Milliseconds that a finished client waits for requests from the agent otherwise. */
  observeMs: 250,
  /** Maximum length of an answer; of a longer one, the end counts. */
  answerText: 4 * 1024 * 1024,
  /** Maximum length of an answer that is only an error. */
  errorText: 8000,
  /** Characters of an answer, and of the messages before it, that are compared with each other. */
  relatedText: 200_000,
  /** Words at the end of an answer that are compared with earlier messages. */
  relatedWords: 1000,
  /** Timeout of the question after a run, in milliseconds, unless the timeout for an answer is longer. */
  postflightMs: 90_000,
  /** Maximum nesting depth of a message; deeper values could overflow the stack. */
  messageDepth: 512,
  /** Milliseconds before the first connection retry; doubled for each further one. */
  retryMs: 200,
  /** Maximum length of a peer's error in a message. */
  peerText: 500,
  /** Maximum number of open sessions of an MCP server; the oldest is ended. */
  mcpSessions: 1000,
  /** Maximum number of queued messages for a client; the oldest is dropped. */
  mcpWaiting: 100,
  /** Maximum number of disconnected streams that an MCP server stores. */
  mcpStreams: 1000,
  /** Messages in a stream that are stored for resumption. */
  mcpStreamMessages: 100,
  /** The `retry` value of streams in milliseconds. */
  mcpRetryMs: 1000,
  /** Maximum number of pending input requests of an MCP server. */
  mcpQuestions: 1000,
  /** Maximum number of tools whose schema an MCP client stores. */
  mcpToolSchemas: 1000,
  /** Timeout for a request to a client that did not declare the capability, in milliseconds. */
  mcpUnannouncedMs: 1000,
  /** Maximum number of concurrent messages to an MCP server on a pipe. */
  mcpServerMessages: 1000,
  /** Maximum number of concurrent messages to an MCP client. */
  mcpClientMessages: 256,
  /** Maximum number of tasks of an MCP server; the oldest is dropped. */
  mcpTasks: 1000,
  /** Maximum number of times that an MCP client repeats a call with more input. */
  mcpRounds: 10,
  /** Default delay before an MCP client resumes a stream, in milliseconds. */
  mcpStreamMs: 1000,
  /** Minimum delay before an MCP client resumes a stream, in milliseconds. */
  mcpShortestStreamMs: 100,
  /** Maximum number of stream resumptions of an MCP client, times `retries` + 1. */
  mcpStreamsBegun: 50,
  /** Timeout for ending a session, in milliseconds. */
  mcpGoodbyeMs: 2000,
  /** Maximum number of tasks of an A2A server; the oldest is dropped. */
  a2aTasks: 10_000,
  /** Maximum number of push configurations of a task. */
  a2aPushConfigs: 100,
  /** Maximum number of further runs for the tool calls of one AG-UI input. */
  agUiContinuations: 25,
  /** Default time limit for evaluating the indicators of a document, in milliseconds. */
  evaluationMs: 30_000,
  /** Default time limit for the semantic indicators of a document, in milliseconds. */
  semanticMs: 600_000,
  /** Messages from clients that an agent may return. */
  sentMessages: 1000,
  /** Maximum number of distinct diagnostics about a trace in a verdict. */
  traceFindings: 20,
  /** Maximum number of tools, and of distinct refused calls, that a judge stores per client. */
  traceTools: 10_000,
  /** Maximum number of cached answers from a semantic evaluator per indicator. */
  semanticAnswers: 1000,
  /** Maximum length of a text with a cached answer. */
  semanticAnswerText: 4096,
  /** Timeout for receiving a request to an actor, in milliseconds. */
  receiveMs: 60_000,
  /** Time for the process of a pipe to exit on its own, in milliseconds. */
  pipeCloseMs: 1000,
  /** Maximum length of the stored standard error of a pipe. */
  pipeErrorText: 2000,
  /** Default timeout of one answer from a judge model, in milliseconds. */
  judgeMs: 60_000,
  /** Maximum length of a text for a judge model. Longer texts are an error, since truncation would hide their end. */
  judgeText: 200_000,
  /** Maximum number of cached answers from a judge model. */
  judgeAnswers: 2000,
  /** Maximum length of a question with a cached answer. */
  judgeAnswerText: 20_000,
  /** Maximum length of an answer with a score. */
  judgeScoreText: 200,
  /** Maximum number of attempts per question. */
  judgeAttempts: 3,
  /** Milliseconds before the first retry of a question; doubled for each further one. */
  judgeRetryMs: 1000,
  /** Maximum number of model calls in a trace. */
  modelEntries: 1000,
  /** Maximum length of one text of a model call in a trace. */
  modelText: 20_000,
  /** Maximum length of all texts of a model call in a trace. */
  modelEntryText: 400_000,
  /** Maximum length of all texts of all model calls in a trace. */
  modelRunText: 16 * 1024 * 1024,
  /** Maximum number of pieces of a bait that the facts about model calls repeat. */
  baitTexts: 8,
  /** Maximum length of such a piece. */
  baitText: 4000,
  /** Maximum number of requests in which a planted text is found. */
  modelHits: 1000,
  /** Maximum length of a message that identifies a conversation. */
  modelOpening: 2000,
  /** Calls whose answers are searched in the next request. */
  modelFollows: 4,
  /** Maximum number of missing sentences of a text. */
  missingSentences: 3,
  /** Maximum length of a missing sentence. */
  missingText: 160,
  /** Maximum length of all values of a run that are followed into later calls. */
  flowCharacters: 4 * 1024 * 1024,
  /** Maximum length of the agent's own arguments that are compared with later values. */
  flowOwn: 1024 * 1024,
  /** Maximum number of texts that are compared with the agent's own arguments. */
  flowMemory: 1000,
  /** Maximum length of one such value; of a longer one, the beginning counts. */
  flowValue: 200_000,
  /** Maximum number of values of one message. */
  flowValues: 2000,
  /** Maximum number of values of a run that are followed. */
  flowTexts: 200_000,
  /** Maximum length of the arguments of one call that are searched. */
  flowArguments: 400_000,
  /** Maximum number of decoded texts of one argument. */
  flowDecodings: 40,
  /** Maximum length of all decoded texts of one argument. */
  flowDecoded: 2_000_000,
  /** Maximum number of common parts in one text. */
  flowMatches: 32,
  /** Maximum number of distinct flows of a run; further ones are not listed. */
  flows: 200,
  /** Maximum length of the text of a flow. */
  flowText: 200,
  /** Maximum number of entries about calls to a real server's tools. */
  throughTools: 500,
  /** Maximum number of pages of a real server's list of resources. */
  throughPages: 200,
  /** Maximum length of all answers from the model that are compared with the indicators. */
  modelAnswers: 4 * 1024 * 1024,
} as const
