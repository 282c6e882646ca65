/** The table of all findings about model calls. */
import type { Diagnostic, DiagnosticSeverity } from '@joust/source'

interface Row {
  readonly severity: DiagnosticSeverity
  readonly meaning: string
}

const error = (meaning: string): Row => ({ severity: 'error', meaning })
const warning = (meaning: string): Row => ({ severity: 'warning', meaning })

// biome-ignore format: a row is a line
export const modelDiagnostics = {
  'access-refused': error('A request with a foreign host name or from a web page was rejected.'),
  'answer-empty': error('The provider answered without a body.'),
  'answer-too-large': warning('The answer was forwarded, but is too large to record.'),
  'answer-unreadable': error('The answer does not have the format of its path; for example, it is an HTML page.'),
  'client-left': warning('The agent closed the connection before the answer was complete.'),
  'encoding-unknown': warning('Unsupported content encoding of a body.'),
  'encoding-broken': warning('A compressed body is invalid.'),
  'model-failed': error('The model in place of the provider failed.'),
  'path-unknown': warning('The path of a request does not belong to a supported model API.'),
  'provider-refused': warning('The provider answered with an error.'),
  'redirected': warning('The provider answered with a redirect, which was forwarded and not followed.'),
  'reference-unknown': warning('A request refers to an earlier response that was not recorded in its run.'),
  'replay-unknown': error('The recording has no answer to a request.'),
  'request-too-large': warning('The request was forwarded, but is too large to record.'),
  'request-unreadable': warning('The body of a request is not a JSON object.'),
  'run-unknown': warning('A request without the path of an open run was rejected.'),
  'upgrade-refused': warning('A WebSocket upgrade was rejected with status 426.'),
  'upstream-lost': error('The provider closed the connection before the answer was complete.'),
  'upstream-unreachable': error('The connection to the provider failed.'),
} as const satisfies Readonly<Record<string, Row>>

/** The code of a finding about a model call. */
export type ModelDiagnosticCode = keyof typeof modelDiagnostics

/** A finding about a model call. */
export interface ModelDiagnostic extends Diagnostic {
  readonly code: ModelDiagnosticCode
}

/** Creates a finding with the severity of its row. */
export function diagnose(code: ModelDiagnosticCode, message: string): ModelDiagnostic {
  return { severity: modelDiagnostics[code].severity, code, message }
}
