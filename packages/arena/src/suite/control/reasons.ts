/** Whether a control has shown that the target can use tools, or at least answers; if not, why, and what to change. */
import { cut, ownText, valueToText } from '@joust/source'
import { leftSentence, PREFLIGHT_TOOL, watchHandshakes } from '../../judge/untested.ts'
import type { DiagnosticCode } from '../../model/diagnostics.ts'
import { arenaLimits } from '../../model/limits.ts'
import type { TraceEntry } from '../../model/trace-entry.ts'
import type { AttackRun } from '../../run.ts'

/** Empty when there was an answer, and nothing failed. */
export function answerFaults(run: AttackRun, limitMs: number): string[] {
  const why = failuresOf(run, limitMs)
  if (why.length > 0) return why
  return run.output === undefined || run.output.trim() === '' ? [`the agent gave no answer${tail(run)}`] : []
}

/** Empty when the tool was called and what it returned came back. */
export function toolFaults(run: AttackRun, phrase: string, limitMs: number): string[] {
  const { trace } = run
  const isCalled = trace.some((entry) => isRequest(entry, 'tools/call'))
  const isDone = isCalled && isAnswered(run, phrase)
  const why = failuresOf(run, limitMs)
  // A target that does it and fails anyway would fail in every attack, too.
  if (isDone) return why
  const handshakes = watchHandshakes((left) => left)
  for (const entry of trace) handshakes.take(entry)
  const [left] = handshakes.signs()
  if (left !== undefined) return [`${leftSentence(left)}; --mcp-version ${left.asked} sets it for this target`]
  if (why.length > 0) return why
  return [
    isCalled
      ? `the agent called ${PREFLIGHT_TOOL}, but its answer does not contain what that returned${tail(run)}`
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

/** Diagnostics that already say that there is no working agent. */
const failures: ReadonlySet<string> = new Set<DiagnosticCode>([
  'target-failed',
  'agent-failed',
  'answer-failed',
  'actor-failed',
  'connection-lost',
  'reply-missing',
  'flooded',
])

function isAnswered({ trace, output }: AttackRun, phrase: string): boolean {
  const said = trace.filter(({ mode, flow }) => mode !== 'mcp_server' && flow === 'in')
  const texts = said.map(({ content }) => valueToText(content, 'code-point'))
  // A stream may cut it into pieces, so the pieces are also searched together.
  const pieces = said.map(({ content }) => ownText(content, 'delta') ?? '').join('')
  const all = [output ?? '', pieces, ...texts.map((text) => (text.ok ? text.value : ''))]
  return all.some((text) => text.toLowerCase().includes(phrase.toLowerCase()))
}

function uncalled(run: AttackRun): string {
  const { trace, approvals = [] } = run
  const denied = approvals.filter(({ approved }) => !approved)
  if (denied.length > 0)
    return `the agent asked for approval, which was not given; --approve all gives it; it asked for ${cut(denied[0]?.request ?? '', 120)}`
  if (!trace.some(({ mode, flow }) => mode === 'mcp_server' && flow === 'in'))
    return `the agent never connected to the MCP server that it was given: check how its configuration gets there${tail(run)}`
  if (!trace.some((entry) => isRequest(entry, 'tools/list')))
    return `the agent connected to the MCP server but never asked for its tools${tail(run)}`
  return `the agent was shown ${PREFLIGHT_TOOL} but did not call it: are tool calls denied when nobody is there to approve?${tail(run)}`
}

function isRequest({ mode, flow, surface }: TraceEntry, wanted: string): boolean {
  return mode === 'mcp_server' && flow === 'in' && surface === wanted
}

/** What the agent said or printed, if anything. */
function tail({ output = '', printed = '' }: AttackRun): string {
  const said = [output, printed].map((text) => text.trim()).find((text) => text !== '')
  return said === undefined ? '' : `; it said: ${said.slice(-arenaLimits.commandTail)}`
}
