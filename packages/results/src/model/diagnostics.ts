/** Diagnostics of a run, with sections of the OATF specification. */

import { type Diagnostic, type DiagnosticSeverity, defined } from '@joust/source'
import { resultsLimits } from './limits.ts'

/** Condition under which a diagnostic revokes a pass. `clients`: only if the diagnostic concerns a client actor. */
type Revocation = 'always' | 'clients' | 'never'

interface Row {
  /** The code, if the OATF SDK defines one that differs from the row name. */
  readonly code?: string
  readonly severity: DiagnosticSeverity
  readonly spec_ref: string
  readonly revokes: Revocation
  readonly meaning: string
}

type Columns = [spec_ref: string, revokes: Revocation, meaning: string]

const row = (severity: DiagnosticSeverity, ...[spec_ref, revokes, meaning]: Columns): Row => {
  return { severity, spec_ref, revokes, meaning }
}
const error = (...columns: Columns): Row => row('error', ...columns)
const warning = (...columns: Columns): Row => row('warning', ...columns)

// biome-ignore format: a row is a line
export const diagnosticTable = {
  'action-dropped': warning('§5.2', 'never', 'A trigger fired before a client phase had sent all of its actions; the remaining actions are not sent.'),
  'action-malformed': warning('§7', 'clients', 'An action is not a mapping, or its method is missing.'),
  'actor-failed': error('§11.3', 'always', 'A client actor could not connect to its peer, or lost the connection permanently.'),
  'agent-busy': warning('§11.3', 'never', 'The agent was overloaded (HTTP 429 or 503); the request was retried.'),
  'agent-failed': error('§9.2', 'always', 'The agent reported an error.'),
  'agent-refused': warning('§9.2', 'never', 'The agent ended its turn with a refusal.'),
  'answer-cut': warning('§9.2', 'always', "A model's answer was cut off by a token limit, a content filter or an error; the missing part may contain a tool call."),
  'answer-failed': warning('§7', 'clients', "The agent's answer to a request from the attacker is neither a result nor a refusal."),
  'answer-undelivered': warning('§11.3', 'always', 'The agent disconnected before the response to its request was delivered.'),
  'answer-unwritten': warning('§7.4', 'always', 'The reserved key `synthesize` has no static content next to it, so the message is empty.'),
  'connection-lost': warning('§11.3', 'clients', 'A stream or process ended unexpectedly.'),
  'content-malformed': warning('§7.0.3', 'never', 'A document value cannot be sent in this position.'),
  'endpoint-moved': warning('§7.2.5', 'never', 'An agent card specifies an endpoint on another host, to which connections are allowed.'),
  'evaluation-expired': error('§5.7', 'never', 'The evaluation of the indicators exceeded its timeout.'),
  'event-untyped': warning('§7.3.2', 'never', 'An event has no `type`, which AG-UI requires; the event name from the stream was used.'),
  'expression-failed': warning('§5.7', 'never', 'A predicate or extractor exceeded a limit.'),
  'flooded': error('§12.1', 'always', 'The run exceeded the limit for the number or size of its messages.'),
  'handshake-refused': warning('§7.1.5', 'clients', 'The server answered `initialize` with an error.'),
  'host-not-allowed': warning('§12.3', 'never', 'An outbound connection to a host that is not allowed was blocked.'),
  'indicator-skipped': warning('§11.4', 'always', 'An indicator was not evaluated: no evaluator is available for its method.'),
  'interrupted': error('§11.4', 'always', 'The run was interrupted.'),
  'log-error': error('§5.2', 'never', 'A message from the entry action `log` at level `error`.'),
  'log-info': warning('§5.2', 'never', 'A message from the entry action `log` at level `info`.'),
  'log-warn': warning('§5.2', 'never', 'A message from the entry action `log` at level `warn`.'),
  'message-malformed': warning('§7.0.3', 'never', 'The peer sent a message that could not be parsed.'),
  'model-failed': warning('§9.2', 'never', 'The model provider returned errors or could not be reached.'),
  'model-calls-unattributed': warning('§9.2', 'never', 'The agent called its model between runs, so its calls cannot be attributed to a run.'),
  'model-not-called': warning('§9.2', 'never', 'The agent sent no request to the model proxy.'),
  'more-diagnostics': warning('§12.1', 'never', 'The limit on the number of distinct diagnostics was exceeded; further diagnostics are only counted.'),
  'no-contact': warning('§9.1', 'never', 'The agent sent no message over the protocol of an indicator.'),
  'not-delivered': warning('§7.1.6', 'never', 'A message could not be delivered: no peer was connected.'),
  'not-run': error('§9.2', 'never', 'An attack in the suite was not run.'),
  'overlay-misplaced': warning('§7.1', 'never', 'A document text could not be inserted into the response from a real tool.'),
  'pattern-malformed': error('§12', 'never', 'A redaction pattern is not a valid regular expression.'),
  'phase-expired': warning('§5.2', 'never', 'A terminal phase reached its timeout.'),
  'phase-not-reached': warning('§5.2', 'never', 'Some phases of a server actor were not reached.'),
  'phase-passed': warning('§5.2', 'clients', 'The handshake of a client fired the trigger of its first phase, so the actions of that phase may not have been sent.'),
  'phase-stalled': warning('§5.3', 'never', 'A client phase timed out waiting for the event of its trigger.'),
  'prompt-changed': warning('§7', 'never', 'The prompt was changed before it was sent: combined into one text, escaped so that it is not parsed as a flag, or converted to A2A 1.0.'),
  'push-failed': warning('§7.2.6', 'never', 'A push notification could not be delivered.'),
  'reply-missing': warning('§7', 'clients', 'A request from the attacker was not answered before the timeout.'),
  'reply-unexpected': warning('§7', 'never', 'A response does not match any pending request.'),
  'request-refused': warning('§12', 'never', 'A request was rejected: missing token, wrong host, or only a probe.'),
  'result-cut': warning('§9.2', 'always', 'The agent passed only part of a tool result to its model; the missing part may contain the bait.'),
  'results-unreadable': error('§11.4', 'never', 'A results file or folder cannot be read.'),
  'results-unwritable': error('§11.4', 'never', 'A results file cannot be written.'),
  'run-expired': error('§11.4', 'always', 'The run reached its timeout.'),
  'run-unfinished': error('§11.4', 'never', 'The run did not complete.'),
  'semantic-examples': error('§11.4.8', 'never', 'The semantic evaluator misclassifies examples in the document.'),
  'session-lost': warning('§7.1.5', 'never', 'A server no longer accepts its session; a new session was started.'),
  'stage-not-set': warning('§5.3', 'always', 'A server actor was still in a phase that prepares the attack; it was waiting for more messages.'),
  'state-inherited': warning('§5.2', 'never', 'A client phase does not set `state` and sends nothing.'),
  'state-malformed': warning('§7', 'never', 'A structural key in the state has a value of the wrong type.'),
  'stream-lost': warning('§11.3', 'never', 'The stream for server-initiated messages was lost; responses are not affected.'),
  'synthesize-reserved': { ...warning('§11.3.11', 'never', 'The key `synthesize` is reserved; the static content of the document is sent instead.'), code: 'W-006' },
  'target-failed': error('§11.4', 'always', 'The target failed to start, crashed or did not finish.'),
  'task-malformed': error('§10.3', 'never', 'An `x-joust-task` cannot be evaluated.'),
  'template-empty': { ...warning('§5.6', 'clients', 'A template refers to an undefined value and is replaced by an empty string.'), code: 'W-004' },
  'through-changed': warning('§7.1', 'never', 'A real server changed its tool list during the run.'),
  'through-changed-state': warning('§7.1', 'never', 'A call that was allowed by name may have changed something on a real server.'),
  'through-failed': warning('§7.1', 'always', 'A real server could not be reached, crashed, or did not send a valid response in time.'),
  'through-unclear': warning('§7.1', 'never', 'It is unclear which real server an actor overlays.'),
  'trace-failed': error('§11.4', 'always', 'A trace cannot be written or read.'),
  'trace-malformed': error('§9.1', 'never', 'A trace line is malformed.'),
  'unknown-action': warning('§7', 'never', 'Unknown entry action: the binding does not define it.'),
  'unknown-mode': warning('§11.5', 'always', 'Unknown mode: no supported binding defines it, so the actor did not run.'),
  'unknown-state-key': warning('§7', 'never', 'Unknown key in the state: the binding does not define it.'),
} as const satisfies Record<string, Row>

export type DiagnosticCode = keyof typeof diagnosticTable

const rows: Readonly<Record<DiagnosticCode, Row>> = diagnosticTable
const revocationByCode: ReadonlyMap<string, Revocation> = new Map(
  Object.entries(rows).map(([name, { code = name, revokes }]) => [code, revokes]),
)

export function diagnostic(
  name: DiagnosticCode,
  message: string,
  path?: string,
  more: Pick<RunDiagnostic, 'suggestion' | 'transient'> = {},
): RunDiagnostic {
  const { code = name, severity, spec_ref } = rows[name]
  return defined({ code, severity, spec_ref, message, path, ...more })
}

export function isKnownCode(code: string): boolean {
  return revocationByCode.has(code)
}

/** Returns the condition under which a code revokes a pass. For unknown codes, it is `never`. */
export function revocationOf(code: string): Revocation {
  return revocationByCode.get(code) ?? 'never'
}

export interface RunDiagnostic extends Diagnostic {
  readonly actor?: string
  /** Number of occurrences. Absent if there is only one. */
  readonly times?: number
  /** True for a failure that a retry may avoid, such as a timeout, a lost connection or HTTP 503. */
  readonly transient?: true
}

/** A collection of diagnostics that counts repetitions. */
export interface Reports {
  add(diagnostic: RunDiagnostic): void
  all(): readonly RunDiagnostic[]
}

/** Creates an empty collection. `onNew` is called at the first occurrence of each diagnostic. */
export function createReports(
  onNew: (diagnostic: RunDiagnostic) => void = () => {},
  limit: number = resultsLimits.diagnostics,
): Reports {
  const entries = new Map<string, { diagnostic: RunDiagnostic; times: number }>()
  /** Known codes by actor. The first diagnostic with each code is always kept, because verdicts depend on it. */
  const codes = new Set<string>()
  let omitted = 0
  return {
    add(diagnostic) {
      const key = JSON.stringify([diagnostic.actor, diagnostic.code, diagnostic.path, diagnostic.message])
      const entry = entries.get(key)
      if (entry !== undefined) entry.times += 1
      else if (entries.size < limit || !codes.has(codeOf(diagnostic))) {
        entries.set(key, { diagnostic, times: 1 })
        codes.add(codeOf(diagnostic))
        onNew(diagnostic)
      } else omitted += 1
    },
    all() {
      const diagnostics = [...entries.values()].map(({ diagnostic, times }) =>
        times > 1 ? { ...diagnostic, times } : diagnostic,
      )
      if (omitted === 0) return diagnostics
      return [...diagnostics, diagnostic('more-diagnostics', `${omitted} more diagnostics omitted`)]
    },
  }
}

function codeOf({ actor, code }: RunDiagnostic): string {
  return JSON.stringify([actor, code])
}
