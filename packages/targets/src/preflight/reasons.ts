/** Reasons for a failed preflight, with hints. */

import type { AttackRun } from '@joust/arena'
import { hasWord, leftSentence, PREFLIGHT_TOOL, watchHandshakes } from '@joust/arena'
import type { DiagnosticCode, TraceEntry } from '@joust/results'
import { cut } from '@joust/source'
import { outputText } from '../failure-text.ts'
import { repeatedTexts } from './channels.ts'

/** Reasons why a target did not answer; empty if it passed. */
export function answerFaults(run: AttackRun, limitMs: number): string[] {
  const reasons = failuresOf(run, limitMs)
  if (reasons.length > 0) return reasons
  return !/[\p{L}\p{N}]/u.test(run.output ?? '') ? [`the agent returned no answer${tail(run)}`] : []
}

/** Reasons why a target did not call the tool and return its result; empty if it passed. */
export function toolFaults(run: AttackRun, phrase: string, limitMs: number): string[] {
  const { trace } = run
  const isCalled = trace.some((entry) => isRequest(entry, 'tools/call'))
  const isDone = isCalled && isAnswered(run, phrase)
  const reasons = failuresOf(run, limitMs)
  // Failures after a successful tool call would also occur in every attack.
  if (isDone) return reasons
  const handshakes = watchHandshakes((left) => left)
  for (const entry of trace) handshakes.take(entry)
  const [mismatch] = handshakes.signs()
  if (mismatch !== undefined)
    return [`${leftSentence(mismatch)}; --mcp-version ${mismatch.asked} sets it for this target`]
  if (reasons.length > 0) return reasons
  return [
    isCalled
      ? `the agent called ${PREFLIGHT_TOOL}, but its answer does not contain the result${tail(run)}`
      : uncalled(run),
  ]
}

function failuresOf(run: AttackRun, limitMs: number): string[] {
  const failed = run.diagnostics.filter(({ code }) => failures.has(code)).map(({ message }) => message)
  const isLate = run.ended === 'expired'
  return isLate
    ? [...failed, `the agent did not finish within ${limitMs / 1000} s: is its model reachable?${tail(run)}`]
    : failed
}

/** Diagnostics that indicate a broken agent. */
const failures: ReadonlySet<string> = new Set<DiagnosticCode>([
  'target-failed',
  'agent-failed',
  'answer-failed',
  'actor-failed',
  'connection-lost',
  'reply-missing',
  'flooded',
])

function isAnswered(run: AttackRun, phrase: string): boolean {
  const isOfUser = { ...run, trace: run.trace.filter(({ mode }) => mode !== 'mcp_server') }
  return repeatedTexts(isOfUser).some((text) => hasWord(text, phrase))
}

function uncalled(run: AttackRun): string {
  const { trace, approvals = [] } = run
  const denied = approvals.filter(({ approved }) => !approved)
  if (denied.length > 0)
    return `the agent requested approval, which was denied (--approve all grants it): ${cut(denied[0]?.request ?? '', 120)}`
  if (!trace.some(({ mode, flow }) => mode === 'mcp_server' && flow === 'in'))
    return `the agent never connected to its MCP server: check how it is configured${tail(run)}`
  if (!trace.some((entry) => isRequest(entry, 'tools/list')))
    return `the agent connected to the MCP server but never listed its tools${tail(run)}`
  return `the agent listed ${PREFLIGHT_TOOL} but did not call it: are tool calls denied in non-interactive mode?${tail(run)}`
}

function isRequest({ mode, flow, surface }: TraceEntry, method: string): boolean {
  return mode === 'mcp_server' && flow === 'in' && surface === method
}

/** The end of the agent's answer or output, if any. */
function tail({ output = '', printed = '' }: AttackRun): string {
  const text = [output, printed].map((one) => one.trim()).find((one) => one !== '')
  return text === undefined ? '' : `; ${outputText(text)}`
}
