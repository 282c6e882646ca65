/** Reasons for a failed preflight, with hints. */

import type { AttackRun } from '@joust/arena'
import { hasWord, leftSentence, PREFLIGHT_TOOL, watchHandshakes } from '@joust/arena'
import type { DiagnosticCode, PreflightStep, ResultPreflight, TraceEntry } from '@joust/results'
import { cut } from '@joust/source'
import { outputText } from '../failure-text.ts'
import { repeatedTexts } from './channels.ts'

/** Reasons for a failure (empty if the preflight passed), and the first step that the agent did not take. */
type PreflightFaults = Pick<ResultPreflight, 'reasons' | 'missing'>

/** Checks that a target answered. */
export function answerFaults(run: AttackRun, limitMs: number): PreflightFaults {
  const reasons = failuresOf(run, limitMs)
  if (reasons.length > 0 || /[\p{L}\p{N}]/u.test(run.output ?? '')) return { reasons }
  return { reasons: [`the agent returned no answer${tail(run)}`] }
}

/** Checks that a target called the tool and returned its result. */
export function toolFaults(run: AttackRun, phrase: string, limitMs: number): PreflightFaults {
  const { trace } = run
  const isCalled = trace.some((entry) => isRequest(entry, 'tools/call'))
  const isDone = isCalled && isAnswered(run, phrase)
  const reasons = failuresOf(run, limitMs)
  // Failures after a successful tool call would also occur in every attack.
  if (isDone) return { reasons }
  const handshakes = watchHandshakes((left) => left)
  for (const entry of trace) handshakes.take(entry)
  const [mismatch] = handshakes.signs()
  if (mismatch !== undefined)
    return { reasons: [`${leftSentence(mismatch)}; --mcp-version ${mismatch.asked} sets the version for this target`] }
  if (reasons.length > 0) return { reasons }
  if (!isCalled) return uncalled(run)
  return { reasons: [`the agent called ${PREFLIGHT_TOOL}, but its answer does not contain the result${tail(run)}`] }
}

function failuresOf(run: AttackRun, limitMs: number): string[] {
  const failed = run.diagnostics.filter(({ code }) => failures.has(code)).map(({ message }) => message)
  const isLate = run.ended === 'expired'
  return isLate
    ? [...failed, `the agent did not finish within ${limitMs / 1000} s: is its model reachable?${tail(run)}`]
    : failed
}

/** Codes of diagnostics that indicate a broken agent. */
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

function uncalled(run: AttackRun): PreflightFaults {
  const { trace, approvals = [] } = run
  const denied = approvals.find(({ approved }) => !approved)
  if (denied !== undefined) {
    const request = cut(denied.request, 120)
    return { reasons: [`the agent requested approval, which was denied (--approve all grants it): ${request}`] }
  }
  const lacks = (missing: PreflightStep, reason: string) => ({ reasons: [`${reason}${tail(run)}`], missing })
  if (!trace.some(({ mode, flow }) => mode === 'mcp_server' && flow === 'in'))
    return lacks('connection', 'the agent never connected to its MCP server: check the MCP configuration of the agent')
  if (!trace.some((entry) => isRequest(entry, 'tools/list')))
    return lacks('tool_list', 'the agent connected to the MCP server but never listed its tools')
  const hint = 'are tool calls denied in non-interactive mode?'
  return lacks('tool_call', `the agent listed ${PREFLIGHT_TOOL} but did not call it: ${hint}`)
}

function isRequest({ mode, flow, surface }: TraceEntry, method: string): boolean {
  return mode === 'mcp_server' && flow === 'in' && surface === method
}

/** Returns the end of the agent's answer or output, if there is any. */
function tail({ output = '', printed = '' }: AttackRun): string {
  const text = [output, printed].map((one) => one.trim()).find((one) => one !== '')
  return text === undefined ? '' : `; ${outputText(text)}`
}
