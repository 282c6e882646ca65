/** Every bound of this package, in two tables. */

/** The bounds that whoever runs an attack may change for its actors; a target that acts on its own has these. */
export const defaultRunLimits = {
  /** Milliseconds that a terminal phase may last. */
  phaseMs: 5 * 60_000,
  /** Milliseconds that a client that has sent everything waits for its trigger, where events may still come. */
  stallMs: 30_000,
  /** Milliseconds that a run may last, without its grace period; an actor that waits has then waited long enough. */
  runMs: 30 * 60_000,
  /** Milliseconds to keep observing after the run, when the document does not say. */
  graceMs: 250,
  /** Milliseconds that an answer may take to begin. */
  replyMs: 60_000,
  /** Milliseconds that may be spent on closing what the run has opened. */
  closeMs: 5_000,
  /** Bytes of the largest message. */
  messageBytes: 16 * 1024 * 1024,
  /** Messages that a run may record. */
  messages: 1_000_000,
  /** Characters of text that the recorded messages may hold. */
  characters: 512 * 1024 * 1024,
  /** Times that a connection is tried again. */
  retries: 3,
} as const

/** Every bound of a run that can be changed. */
export type RunLimits = { readonly [name in keyof typeof defaultRunLimits]: number } & {
  /** Milliseconds that a client that is done waits for requests of the agent, in place of what `arenaLimits` says. */
  readonly observeMs?: number
}

/** The defaults with some of them replaced. Only numbers from 0 on count: others would switch the limit off. */
export function withRunLimits(changes: Partial<RunLimits> = {}): RunLimits {
  const numbers = Object.entries(changes).filter(([, value]) => typeof value === 'number' && value >= 0)
  return { ...defaultRunLimits, ...Object.fromEntries(numbers) }
}

/** Forgets the oldest of what is kept, where that is more than a bound allows. */
export function forgetOldest<K>(kept: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>, most: number): void {
  const [oldest] = kept.keys()
  // A key may be undefined.
  if (kept.size > most) kept.delete(oldest as K)
}

/** The bounds that hold for every run: what a peer sends, says or asks for must not fill the memory or take forever. */
export const arenaLimits = {
  /** Milliseconds that a client that is done waits for requests of the agent, if the document has answers to them. */
  observeAnsweringMs: 5000,
  /** Milliseconds that it waits where the document has none. */
  observeMs: 250,
  /** Runs of a suite at the same time, when nobody says how many. */
  concurrency: 4,
  /** Milliseconds that a target has for the control before a suite. */
  controlMs: 90_000,
  /** Milliseconds to wait for an absent agent when a document is proven. */
  nobodyMs: 300,
  /** Characters of a value that did not match, when a document is proven. */
  unmatchedText: 500,
  /** Milliseconds before a run that failed outside the agent is repeated; each further wait is twice as long. */
  runRetryMs: 500,
  /** Milliseconds that the command of a target may run, when nobody says how long. */
  commandMs: 5 * 60_000,
  /** Milliseconds in which an agent answers each step of the handshake of the Agent Client Protocol. */
  acpStartMs: 60_000,
  /** Milliseconds that the first prompt over that protocol waits for every MCP server to be asked for its tools. */
  acpListingMs: 4000,
  /** Milliseconds in which the answer to a first line may follow what was only a greeting. */
  greetingMs: 250,
  /** Milliseconds in which an agent says which version it is. */
  versionMs: 15_000,
  /** Milliseconds in which the module of a function is loaded. */
  loadMs: 60_000,
  /** Milliseconds for the rest of a command's output once it has ended, and for each step of ending it. */
  outputMs: 1000,
  /** Characters of a prompt that is passed in a variable of the environment. */
  variableText: 32_000,
  /** Bytes of the file that a command leaves its answer in. */
  answerBytes: 16 * 1024 * 1024,
  /** Milliseconds that a front door waits for an answer beyond the time limit of the agent, so that it learns of it. */
  doorMs: 5000,
  /** Characters of the end of a command's output that a message shows. */
  commandTail: 400,
  /** Characters of the end of what commands printed that results keep. */
  printedText: 64 * 1024,
  /** Characters of an answer of a command; for a longer one, the end counts. */
  answerText: 4 * 1024 * 1024,
  /** Characters of an answer that may be an error and nothing else. */
  errorText: 8000,
  /** Steps of the agent that is made for a model. */
  modelSteps: 20,
  /** Bytes of a request to an agent file. */
  agentRequestBytes: 64 * 1024 * 1024,
  /** Answers of actors that an agent's own clients refused that are kept. */
  refusals: 1000,
  /** Characters of the reason why one of them was refused. */
  refusalText: 500,
  /** Requests for approval that results keep. */
  approvals: 1000,
  /** Characters of a request for approval that results keep. */
  approvalText: 2000,
  /** Milliseconds in which an endpoint must accept a first connection. */
  endpointMs: 5000,
  /** Distinct diagnostics of a run that are kept; more are only counted, since a peer may cause any number. */
  diagnostics: 1000,
  /** Nesting of a message. Deeper values could exhaust the stack of whoever writes them again. */
  messageDepth: 512,
  /** Milliseconds before a connection is tried again; each further wait is twice as long. */
  retryMs: 200,
  /** Characters of a peer's error that a message shows. */
  peerText: 500,
  /** Sessions of an MCP server that are open at once; the oldest is ended. */
  mcpSessions: 1000,
  /** Messages that wait for a client that does not listen; the oldest is dropped. */
  mcpWaiting: 100,
  /** Streams whose peers are gone that an MCP server keeps. */
  mcpStreams: 1000,
  /** Messages of a stream that are kept for a client that comes back. */
  mcpStreamMessages: 100,
  /** Milliseconds after which a client is told to come back to a stream. */
  mcpRetryMs: 1000,
  /** Questions of an MCP server that are kept for clients that do not come back. */
  mcpQuestions: 1000,
  /** How long an MCP server waits for an answer from a client that never said it takes such questions. */
  mcpUnannouncedMs: 1000,
  /** Messages to an MCP server on a pipe that are under way before the next line is read. */
  mcpServerMessages: 1000,
  /** Messages to an MCP client under way before its peer waits: enough that no answer of ours blocks what it needs. */
  mcpClientMessages: 256,
  /** Tasks that an MCP server keeps; the oldest are forgotten. */
  mcpTasks: 1000,
  /** Times that an MCP client repeats a call with more input. */
  mcpRounds: 10,
  /** Milliseconds before an MCP client resumes a stream, when the server does not say. */
  mcpStreamMs: 1000,
  /** The least of these, however soon the server wants it. */
  mcpShortestStreamMs: 100,
  /** Times that all streams are resumed, per time that one may be without a message: servers could go on forever. */
  mcpStreamsBegun: 50,
  /** Milliseconds for telling a server that a session is over. */
  mcpGoodbyeMs: 2000,
  /** Tasks that an A2A server keeps; the oldest are forgotten. */
  a2aTasks: 10_000,
  /** Push configurations of a task that an A2A server keeps. */
  a2aPushConfigs: 100,
  /** Runs that follow from the tool calls of one AG-UI input. */
  agUiContinuations: 25,
  /** Milliseconds for evaluating the indicators of a document, when nobody says how long. */
  evaluationMs: 30_000,
  /** Milliseconds for evaluating its semantic indicators, when nobody says how long. */
  semanticMs: 600_000,
  /** Distinct findings about a trace that a verdict keeps. */
  traceFindings: 20,
  /** Tools of a server, and forms of refused calls, that a judge keeps in mind. */
  traceTools: 10_000,
  /** Answers of a semantic evaluator that are kept for an indicator: agents repeat themselves. */
  semanticAnswers: 1000,
  /** Characters of the longest text that such an answer is kept for. */
  semanticAnswerText: 4096,
  /** Milliseconds in which a request to an actor has to come in. */
  receiveMs: 60_000,
  /** Milliseconds that a process at the end of a pipe has to end on its own. */
  pipeCloseMs: 1000,
  /** Characters of its standard error that are kept. */
  pipeErrorText: 2000,
  /** Attempts that an attacker is told of; earlier ones have had their effect. */
  attackerAttempts: 2000,
  /** Attempts for which it is told the bait and what the agent did. */
  attackerWhole: 24,
  /** Messages of the agent that it is told from the beginning of a run, and as many from its end. */
  attackerLines: 10,
  /** Characters of each. */
  attackerLineText: 400,
  /** Times that it is asked for the candidates of one base in a round. */
  attackerQuestions: 20,
  /** Times in a row that it may give no new proposal: it may refuse once, or forget what was tried. */
  attackerFaults: 3,
  /** Sets of restraints that are considered for one question; most are decided from what is known, without a run. */
  hardenSets: 200_000,
  /** Milliseconds in which an attacker's model answers. */
  attackerMs: 2 * 60_000,
  /** Milliseconds for one question to a model as judge. */
  judgeMs: 60_000,
  /** Characters of a text that a model is asked about; cutting a longer one would hide its end. */
  judgeText: 200_000,
  /** Answers of a model as judge that are kept. */
  judgeAnswers: 2000,
  /** Characters of the longest question that such an answer is kept for. */
  judgeAnswerText: 20_000,
  /** Characters of an answer with a score: a number and little else. */
  judgeScoreText: 200,
  /** Times that a model is asked the same question when it fails. */
  judgeAttempts: 3,
  /** Milliseconds before it is asked again; each further wait is twice as long. */
  judgeRetryMs: 1000,
  /** Bytes of a line of a trace. */
  traceLineBytes: 64 * 1024 * 1024,
  /** Bytes of a cassette. */
  cassetteBytes: 256 * 1024 * 1024,
  /** Bytes of a file of results, or of the trials that a suite resumes from. */
  resultsBytes: 256 * 1024 * 1024,
  /** Findings about a file of results. */
  resultsFindings: 100,
  /** Findings about a document that cannot be run, in results; the others are counted. */
  documentFindings: 100,
  /** Messages that a message with a piece of a secret waits for, for the rest of it. */
  splitEntries: 64,
  /** Texts of a message that are searched for pieces of secrets. */
  splitTexts: 500,
  /** Nested encodings that are searched for secrets. */
  secretLevels: 12,
  /** Instructions × characters that hiding secrets may take for one text and pattern. */
  redactWork: 50_000_000,
} as const
