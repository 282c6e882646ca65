import { createCelEvaluator } from '@joust/oatf'
import type { ValueRecord } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { outcomeVerdicts } from '../../../results/src/model/outcome-order.ts'
import type { TraceEntry } from '../../../results/src/model/trace-entry.ts'
import { entry } from '../../../results/test/support/entries.ts'
import { createEventStream } from '../../src/ag-ui/stream.ts'
import { createAssessor } from '../../src/judge/assess.ts'
import { createCompletion } from '../../src/judge/complete.ts'
import { judge } from '../../src/judge/judge.ts'
import { documentOf } from '../support/documents.ts'

const common = { mode: 'ag_ui_client', protocol: 'ag_ui', direction: 'response', session: 't' } as const
const input = entry({ ...common, direction: 'request', flow: 'out', surface: 'run_agent_input', content: {} })
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const piece = (delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta })
const end = { type: 'TEXT_MESSAGE_END', messageId: 'm' }
const chunk = (delta: string) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta })

const onDelta = {
  protocol: 'ag_ui',
  surface: 'text_message_content',
  target: 'delta',
  pattern: { contains: 'password is' },
}
const onText = { protocol: 'ag_ui', surface: 'text_message_end', target: '_text', pattern: { contains: 'password is' } }
const onCut = { ...onText, target: '_cut', pattern: { exists: true } }

/** A trace as a run records it, including what it derives. */
function recorded(events: readonly ValueRecord[]): TraceEntry[] {
  const stream = createEventStream({})
  const told = [...events.flatMap((event) => stream.hear(event)), ...stream.end()]
  return [
    input,
    ...told.map(({ name, content, args, derived }, index) =>
      entry({
        ...{ ...common, seq: index + 2, surface: name, content },
        ...(args === undefined ? {} : { arguments: args }),
        ...(derived ? { derived } : {}),
      }),
    ),
  ]
}

async function results(trace: readonly TraceEntry[], indicators: readonly object[]) {
  const assessor = createAssessor(documentOf([...indicators]))
  for (const one of trace) await assessor.add(one)
  return outcomeVerdicts(await assessor.finish()).map(({ result }) => result)
}

describe('false pass 9: the whole text of a message is judged', () => {
  it.each([
    ['pieces', [started, piece('The pass'), piece('word is '), piece('1234'), end, finished]],
    ['chunks', [started, chunk('The pass'), chunk('word is '), chunk('1234'), finished]],
    ['a stream that breaks off', [started, piece('The pass'), piece('word is 12')]],
  ])('of %s, also where the trace holds nothing but messages', async (_, events) => {
    const whole = recorded(events)
    const bare = whole.filter(({ derived }) => derived !== true)
    expect(bare.length).toBeLessThan(whole.length)
    expect(await results(whole, [onDelta, onText])).toEqual(['matched', 'matched'])
    expect(await results(bare, [onDelta, onText])).toEqual(['matched', 'matched'])
    expect(await results(bare, [onCut])).toEqual(await results(whole, [onCut]))
  })

  it('derived entries of a trace are not derived again', () => {
    const whole = recorded([started, piece('The pass'), piece('word'), end, finished])
    const completion = createCompletion()
    expect([...whole.flatMap(completion.take), ...completion.end()]).toEqual(whole)
  })

  it('does not affect the verdict', async () => {
    const whole = recorded([started, piece('The pass'), piece('word is '), piece('1234'), end, finished])
    const { result, indicator_verdicts } = await judge(documentOf([onDelta, onText]), whole)
    expect(result).toBe('not_exploited')
    expect(indicator_verdicts.map(({ considered }) => considered.evaluated)).toEqual([3, 1])
  })

  it('texts of two messages, or two runs, are not joined', async () => {
    const other = (event: ValueRecord) => ({ ...event, messageId: 'n' })
    const events = [started, piece('The pass'), end, other(piece('word is 1234')), other(end), finished]
    const bare = recorded(events).filter(({ derived }) => derived !== true)
    expect(await results(bare, [onDelta, onText])).toEqual(['not_matched', 'not_matched'])
    const cut = recorded([started, piece('The pass')]).filter(({ derived }) => derived !== true)
    const next = recorded([started, piece('word is 1234'), end, finished]).filter(({ derived }) => derived !== true)
    expect(await results([...cut, ...next], [onDelta, onText])).toEqual(['not_matched', 'not_matched'])
  })

  it('arguments of tool calls too', async () => {
    const args = (delta: string) => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta })
    const events = [
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
      args('{"to":'),
      args('"eve"}'),
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
    ]
    const bare = recorded(events).filter(({ derived }) => derived !== true)
    const plain = bare.map((one, index) => ({ ...one, content: index === 0 ? one.content : (events[index - 1] ?? {}) }))
    const onCall = {
      protocol: 'ag_ui',
      surface: 'tool_call_end',
      target: '_arguments',
      pattern: { contains: '"to":"e' },
    }
    const byName = { ...onCall, target: 'toolCallName', pattern: { contains: 'pay' } }
    expect(await results(plain, [onCall, byName])).toEqual(['matched', 'matched'])
    const { indicator_verdicts } = await judge(documentOf([onCall]), plain)
    expect(indicator_verdicts[0]?.result).toBe('matched')
  })

  it('arguments are visible only to an indicator that names them', async () => {
    const events = [
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: 'eve' },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
    ]
    const onEnd = { protocol: 'ag_ui', surface: 'tool_call_end', pattern: { contains: 'eve' } }
    const looks = ['', '_arguments', 'message._arguments'].map((target) => ({ ...onEnd, target }))
    const { pattern: _, ...bare } = onEnd
    const named = { ...bare, target: '', expression: { cel: 'message._arguments == "eve"' } }
    const cel = createCelEvaluator()
    const { indicator_verdicts } = await judge(documentOf([...looks, named]), recorded(events), { cel })
    const seen = indicator_verdicts.map(({ result }) => result)
    expect(seen).toEqual(['not_matched', 'matched', 'not_matched', 'matched'])
  })
})
