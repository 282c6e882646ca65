/** Every diagnostic of a run, in one table. */
import type { Diagnostic, DiagnosticSeverity } from '@joust/source'

interface Row {
  /** Where it is not the name of the row. */
  readonly code?: string
  readonly severity: DiagnosticSeverity
  readonly spec_ref: string
}

const error = (spec_ref: string): Row => ({ severity: 'error', spec_ref })
const warning = (spec_ref: string): Row => ({ severity: 'warning', spec_ref })

// biome-ignore format: a row is a line
export const diagnosticTable = {
  'action-dropped': warning('§5.2'),        // a trigger fired before all actions of a client phase were sent
  'action-malformed': warning('§7'),        // an action without a method, or no mapping at all
  'actor-failed': error('§11.3'),           // a client could not reach its peer, or lost it for good
  'answer-undelivered': warning('§11.3'),   // the agent was gone before it had the answer that it asked for
  'agent-failed': error('§9.2'),            // the agent said itself that it could not do its work
  'connection-lost': warning('§11.3'),      // a stream or process ended before it should
  'content-malformed': warning('§7.0.3'),   // what the document says cannot be put on the wire in this place
  'endpoint-moved': warning('§7.2.5'),      // an agent card led to another host, which the caller allows
  'evaluation-expired': error('§5.7'),      // the indicators of a document took longer than they may
  'expression-failed': warning('§5.7'),     // a predicate or extractor ran into a limit
  'flooded': error('§12.1'),                // more messages or bytes than the run allows
  'handshake-refused': warning('§7.1.5'),   // a server that answered `initialize` with an error
  'host-not-allowed': warning('§12.3'),     // an outbound address that the caller did not allow
  'interrupted': error('§11.4'),            // the run was stopped from outside
  'log-error': error('§5.2'),               // `on_enter: log`, by its level
  'log-info': warning('§5.2'),
  'log-warn': warning('§5.2'),
  'message-malformed': warning('§7.0.3'),   // bytes of the peer that could not be read
  'more-diagnostics': warning('§12.1'),     // a peer caused more different diagnostics than are kept
  'no-contact': warning('§9.1'),            // an indicator whose protocol saw no message of the agent
  'not-run': error('§9.2'),                 // an attack of a suite of which there is no trial
  'not-delivered': warning('§7.1.6'),       // a message that no peer was there to take
  'pattern-malformed': error('§12'),        // what is to be redacted is no regular expression
  'phase-expired': warning('§5.2'),         // a terminal phase reached its time limit
  'phase-not-reached': warning('§5.2'),     // phases of a server that the agent never came to see
  'phase-passed': warning('§5.2'),          // the handshake of a client fired the trigger of its first phase
  'phase-stalled': warning('§5.3'),         // a client phase waits for an event that has not come
  'push-failed': warning('§7.2.6'),         // a push notification could not be delivered
  'reply-missing': warning('§7'),           // no answer to a request of ours in time
  'reply-unexpected': warning('§7'),        // an answer to nothing we asked
  'results-unreadable': error('§11.4'),     // a file of results that cannot be gone on from
  'results-unwritable': error('§11.4'),     // a file of results that cannot be written
  'run-unfinished': error('§11.4'),         // a run that did not come to its proper end
  'run-expired': error('§11.4'),            // the time limit of the run was reached
  'semantic-examples': error('§11.4.8'),    // a semantic evaluator that gets the document's examples wrong
  'stage-not-set': warning('§5.3'),         // a server waited for more traffic before it would attack
  'state-inherited': warning('§5.2'),       // a client phase without a state of its own sends nothing
  'session-lost': warning('§7.1.5'),        // a server that forgot its session; another one was begun
  'state-malformed': warning('§7'),         // a structural key of the wrong kind
  'target-failed': error('§11.4'),          // the target could not be started, crashed or did not finish
  'task-malformed': error('§10.3'),         // an `x-joust-task` that cannot be evaluated
  'trace-failed': error('§11.4'),           // the trace could not be written or read
  'trace-malformed': error('§9.1'),         // a line of a trace that cannot be understood
  'unknown-action': warning('§7'),          // an entry action that the binding does not define
  'unknown-mode': warning('§11.5'),         // a mode of no binding that is supported
  'unknown-state-key': warning('§7'),       // a key of the state that the binding does not define
  // These two the SDK has codes for.
  'stream-lost': warning('§11.3'),          // a stream of server messages ended for good; answers are another matter
  'synthesize-reserved': { ...warning('§11.3.11'), code: 'W-006' },
  'template-empty': { ...warning('§5.6'), code: 'W-004' },
} as const satisfies Record<string, Row>

/** The name of a diagnostic of a run. */
export type DiagnosticCode = keyof typeof diagnosticTable

/** A diagnostic of a run. */
export function diagnostic(code: DiagnosticCode, message: string, path?: string): Diagnostic {
  return { code, ...diagnosticTable[code], message, ...(path === undefined ? {} : { path }) }
}
