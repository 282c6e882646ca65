/** Diagnostics about an agent's model calls. */
import type { ModelCall, ModelDiagnosticCode } from '@joust/models'
import { diagnostic } from '@joust/results'
import { cut, type Diagnostic } from '@joust/source'
import { targetLimits } from '../limits.ts'

/** True for a model call; false for other requests, such as model lists. */
export function isModelCall({ wire }: ModelCall): boolean {
  return wire !== 'other'
}

/** Returns diagnostics about missing and failed model calls. `refused` contains requests that belong to no run. */
export function notesOf(requests: readonly ModelCall[], refused: readonly ModelCall[] = []): Diagnostic[] {
  const has = ({ diagnostics }: ModelCall, wanted: ModelDiagnosticCode) =>
    diagnostics.some(({ code }) => code === wanted)
  const calls = requests.filter((call) => isModelCall(call) || has(call, 'path-unknown'))
  if (calls.length === 0 && requests.some((call) => has(call, 'upgrade-refused')))
    return [diagnostic('model-not-called', UPGRADE_ONLY)]
  if (calls.length === 0) {
    const path = refused.find((call) => isModelCall(call) && !PREFIXED.test(call.path))?.path
    return [diagnostic('model-not-called', path === undefined ? UNCALLED : unprefixed(path))]
  }
  const failures = new Map<string, number>()
  for (const { diagnostics } of calls) {
    const failure = diagnostics.find(({ code, severity }) => severity === 'error' || code === 'provider-refused')
    if (failure !== undefined) failures.set(failure.message, (failures.get(failure.message) ?? 0) + 1)
  }
  return [...failures].map(([message, count]) =>
    diagnostic(
      'model-failed',
      `${count} of ${calls.length} model calls failed: ${cut(message, targetLimits.modelError)}`,
    ),
  )
}

/** Matches a path with the prefix of a run, which may have ended. */
const PREFIXED = /^\/[0-9a-f]{16}(?:\/|$)/

const UPGRADE_ONLY =
  'the model proxy rejected a WebSocket, and the agent did not fall back to HTTP, so the model calls were not observed; turn off WebSockets in the agent'

const UNCALLED = 'the agent sent no model calls to the model proxy, so they were not observed'

function unprefixed(path: string): string {
  const quotedPath = JSON.stringify(cut(path, targetLimits.modelError))
  return `the model proxy rejected ${quotedPath}: the path prefix is missing, so the model calls were not observed; configure the complete proxy URL in the agent, including the path`
}
