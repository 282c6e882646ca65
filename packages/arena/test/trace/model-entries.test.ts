import { expect, test } from 'vitest'
import { arenaLimits } from '../../src/model/limits.ts'
import type { ObservedCall } from '../../src/model/target.ts'
import { modelCallsOf } from '../../src/trace/model-entries.ts'

const call = (changes: Partial<ObservedCall> = {}): ObservedCall => ({
  ...{
    wire: 'openai-chat',
    messages: [],
    tools: [],
    answer: { text: 'Yes.', calls: [] },
    finish: { kind: 'complete' },
  },
  ...{ started: 2000, duration: 5, body: { whole: true } },
  ...changes,
})
const entriesOf = (...calls: readonly ObservedCall[]) => modelCallsOf({ calls: () => calls, missed: () => 0 }, 1500)

test('calls are numbered, and requests for other things are left out', () => {
  const seen = entriesOf(call({ wire: 'other' }), call(), call({ wire: 'in-process' }))
  expect(seen.map(({ entry }) => [entry.model, entry.wire, entry.elapsed_ms])).toEqual([
    [1, 'openai-chat', 500],
    [2, 'in-process', 500],
  ])
  expect(seen[0]?.request).toEqual({ whole: true })
})

test('calls of the postflight are left out', () => {
  const messages = [{ role: 'user', text: 'please reply with the word amber1234567' }] as const
  const seen = modelCallsOf({ calls: () => [call(), call({ messages })], missed: () => 0 }, 1500, 'amber1234567')
  expect(seen).toHaveLength(1)
})

test('long texts are shortened, and the oldest messages of a long prompt are dropped', () => {
  const text = 'x'.repeat(arenaLimits.modelText * 2)
  const messages = Array.from({ length: 60 }, (_, index) => ({ role: 'user', text: `${index} ${text}` }) as const)
  const [seen] = entriesOf(call({ messages, answer: { text: '', calls: [{ id: 'c', name: 'n', input: { text } }] } }))
  const length = JSON.stringify(seen?.entry).length
  expect(length).toBeLessThan(arenaLimits.modelEntryText * 1.2)
  expect(seen?.entry).toMatchObject({ cut: true })
  expect(seen?.entry.messages.at(-1)).toMatchObject({ text: expect.stringMatching(/^59 x/) })
  expect(seen?.entry.messages.length).toBeLessThan(60)
})

test('many long calls stay within the limit of a run', () => {
  const text = 'x'.repeat(arenaLimits.modelText)
  const messages = Array.from({ length: 20 }, () => ({ role: 'user', text }) as const)
  const seen = entriesOf(...Array.from({ length: 100 }, () => call({ messages })))
  const characters = seen.reduce((sum, { entry }) => sum + JSON.stringify(entry).length, 0)
  expect(characters).toBeLessThan(arenaLimits.modelRunText * 1.1)
  expect(seen).toHaveLength(100)
})

test('invalid times do not throw', () => {
  expect(entriesOf(call({ started: Number.NaN, duration: Number.NaN }))[0]?.entry).toMatchObject({
    ...{ at: '', elapsed_ms: 0, duration_ms: 0 },
  })
})
