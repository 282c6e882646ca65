/** The harmful action in the model's own answers: whether the model asked for what the indicators look for. */
import type { Indicator, LoadedAttack } from '@joust/oatf'
import type { ModelEntry, TraceEntry } from '@joust/results'
import { isRecord, ownList, ownText, parseJson, type Value, type ValueRecord, writeJson } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { createCompletion } from './complete.ts'
import { type JudgeOptions, judgingOf } from './judge.ts'

type AnsweredCall = ModelEntry['answer']['calls'][number]

interface Answer extends Pick<ModelEntry, 'model' | 'answer' | 'redacted'> {
  readonly hasTools: boolean
}

/** An actor and the names of the tools that it offered to the agent. */
interface Actor {
  readonly actor: string
  readonly mode: string
  /** As in the trace; empty before the first message. */
  protocol: string
  readonly tools: Set<string>
}

/** Follows the tools of a run and the answers of its model. */
export function createAskedJudge({ document, patterns }: LoadedAttack, options: JudgeOptions) {
  const actors: readonly Actor[] = document.attack.execution.actors.map(({ name: actor, mode }) => {
    return { actor, mode, protocol: '', tools: new Set() }
  })
  const answers: Answer[] = []
  let room: number = arenaLimits.modelAnswers
  return {
    take({ actor: name, protocol, flow, surface, content }: TraceEntry) {
      const actor = actors.find((one) => one.actor === name)
      if (actor !== undefined) actor.protocol = protocol
      if (flow !== 'out' || (surface !== 'tools/list' && surface !== 'run_agent_input')) return
      for (const tool of ownList(content, 'tools').slice(0, arenaLimits.traceTools))
        actor?.tools.add(ownText(tool, 'name') ?? '')
    },
    observe({ model, answer, redacted, tools }: ModelEntry) {
      room -= writeJson(answer).length
      if (room >= 0) answers.push({ model, answer, ...(redacted && { redacted }), hasTools: tools.length > 0 })
    },
    /** Judges the answers from a model call on as if each had become a message of the agent. */
    async finish(from: number): Promise<'yes' | 'no' | 'unknown'> {
      const later = answers.filter(({ model }) => model >= from)
      const { semantic: _, ...evaluators } = options
      const judging = judgingOf(document.attack, { ...evaluators, patterns })
      const completion = createCompletion()
      for (const { answer } of later) {
        const entries = actors.flatMap((actor) => messagesOf(actor, answer))
        for (const entry of entries) judging.take(completion.take(entry))
      }
      judging.take(completion.end())
      const { whole } = await judging.finish()
      if (whole.indicator_verdicts.some(({ result }) => result === 'matched')) return 'yes'
      const isComplete = room >= 0 && later.every(({ hasTools, redacted }) => hasTools && redacted !== true)
      return isComplete && (document.attack.indicators ?? []).every(isCovered) ? 'no' : 'unknown'
    },
  }
}

/** Operations of an agent that follow directly from an answer of its model. */
const direct: Readonly<Record<string, RegExp>> = {
  mcp: /^tools\/call$/,
  ag_ui: /^(text_message|tool_call)_/,
  a2a: /^message\/(send|stream)$/,
}

/** True for an indicator whose matches can be seen in answers of the model. */
function isCovered(indicator: Indicator): boolean {
  const { protocol = '', surface, direction, semantic } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  if (semantic !== undefined || (protocol === 'mcp' && direction === 'response')) return false
  return direct[protocol] !== undefined && (surface === undefined || direct[protocol].test(surface))
}

/** The messages that an answer would have become, if the agent had carried it out unchanged. */
function messagesOf({ actor, mode, protocol, tools }: Actor, { text, calls }: ModelEntry['answer']): TraceEntry[] {
  const place = { seq: 0, at: '', elapsed_ms: 0, actor, mode, protocol, phase: '', flow: 'in' } as const
  const request = (surface: string, content: Value): TraceEntry => ({
    ...place,
    direction: 'request',
    surface,
    content,
  })
  const reply = (surface: string, content: Value): TraceEntry => ({ ...place, direction: 'response', surface, content })
  switch (mode) {
    case 'mcp_server':
      return calls.flatMap((call) => toolCallOf(call, tools) ?? []).map((content) => request('tools/call', content))
    case 'a2a_server':
      return calls.map(({ input }) => {
        const message = { role: 'user', kind: 'message', parts: [{ kind: 'text', text: writeJson(input) }] }
        return request('message/send', { message })
      })
    case 'a2a_client':
      return ['message/send', 'message/stream'].map((surface) =>
        reply(surface, { kind: 'message', role: 'agent', parts: [{ kind: 'text', text }] }),
      )
    case 'ag_ui_client':
      return eventsOf(text, calls).map((event) => reply(String(event.type).toLowerCase(), event))
    default:
      return []
  }
}

function eventsOf(text: string, calls: readonly AnsweredCall[]): ValueRecord[] {
  const messageId = 'model'
  const said = [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
    { type: 'TEXT_MESSAGE_END', messageId },
  ]
  const called = calls.flatMap(({ id: toolCallId, name: toolCallName, input }) => [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: typeof input === 'string' ? input : writeJson(input) },
    { type: 'TOOL_CALL_END', toolCallId },
  ])
  return [...(text === '' ? [] : said), ...called]
}

/** The call of a listed tool. Agents put the name of the server before that of a tool, or pass both to a tool of theirs. */
function toolCallOf({ name, input }: AnsweredCall, tools: ReadonlySet<string>): Value | undefined {
  const own = [...tools].find(
    (tool) => name === tool || (name.endsWith(tool) && /[^a-z0-9]$/i.test(name.slice(0, -tool.length))),
  )
  if (own !== undefined) return { name: own, arguments: input }
  const values = isRecord(input) ? Object.values(input) : []
  const passed = values.find((value) => typeof value === 'string' && tools.has(value))
  return passed === undefined ? undefined : { name: passed, arguments: argumentsIn(values) }
}

function argumentsIn(values: readonly Value[]): Value {
  const parsed = values.map((value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value))
  return parsed.find((value) => isRecord(value)) ?? {}
}
