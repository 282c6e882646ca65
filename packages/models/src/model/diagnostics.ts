/** The table of diagnostics about model calls. */
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
  'answer-empty': error('The provider sent an empty response body.'),
  'answer-too-large': warning('The response was forwarded but is too large to record.'),
  'answer-unreadable': error('The response does not match the API of the request path; it may be an HTML page.'),
  'client-left': warning('The agent closed the connection before the answer was complete.'),
  'encoding-unknown': warning('A body has an unsupported content encoding.'),
  'encoding-broken': warning('A compressed body cannot be decoded.'),
  'model-failed': error('The model that replaces the provider failed.'),
  'path-unknown': warning('The request path does not belong to a supported model API.'),
  'provider-refused': warning('The provider returned an error.'),
  'redirected': warning('The provider returned a redirect, which was forwarded and not followed.'),
  'reference-unknown': warning('A request refers to an earlier response that was not recorded in the same run.'),
  'replay-unknown': error('The recording contains no answer to a request.'),
  'request-too-large': warning('The request was forwarded but is too large to record.'),
  'request-unreadable': warning('A request body is not a JSON object.'),
  'run-unknown': warning('A request was rejected because its path belongs to no open run.'),
  'upgrade-refused': warning('A WebSocket upgrade was rejected with status 426.'),
  'upstream-lost': error('The provider closed the connection before its response was complete.'),
  'upstream-unreachable': error('The connection to the provider failed.'),
} as const satisfies Readonly<Record<string, Row>>

export type ModelDiagnosticCode = keyof typeof modelDiagnostics

/** A diagnostic about a model call. */
export interface ModelDiagnostic extends Diagnostic {
  readonly code: ModelDiagnosticCode
}

/** Creates a diagnostic; its severity is set by the table. */
export function diagnose(code: ModelDiagnosticCode, message: string): ModelDiagnostic {
  return { severity: modelDiagnostics[code].severity, code, message }
}
