import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Actor,
  type AttackVerdict,
  compileIndicator,
  computeEffectiveState,
  computeVerdict,
  createCelEvaluator,
  type Document,
  evaluateExtractor,
  evaluateTrigger,
  type IndicatorVerdict,
  interpolateValue,
  lint,
  load,
  parse,
  serialize,
  type Value,
  validate,
} from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../scripts/repository.ts'

interface ExpectedVerdict {
  readonly result: string
  readonly max_tier?: string
}

interface Expected {
  readonly verdicts: { readonly [message: string]: ExpectedVerdict & { readonly indicators: object } }
  readonly together?: ExpectedVerdict & { readonly messages: readonly string[] }
  readonly captured?: { readonly [message: string]: { readonly [name: string]: string } }
  readonly advances?: { readonly [message: string]: boolean }
}

const examples = join(repositoryRoot(), 'examples')
const withTestsOfTheirOwn = [
  'adaptive',
  'agents',
  'aim',
  'defences',
  'hardening',
  'record',
  'suite',
  'targets',
  'vitest',
]
const stories = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !withTestsOfTheirOwn.includes(entry.name))
  .map((entry) => entry.name)

test('the examples of the demo and the README exist', () => {
  expect(stories).toEqual(expect.arrayContaining(['cross-protocol-relay', 'rug-pull', 'tool-description-injection']))
})

describe.each(stories)('%s', (story) => {
  const folder = join(examples, story)
  const text = readFileSync(join(folder, 'attack.oatf.yaml'), 'utf8')
  const expected: Expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
  const message = (file: string): Value => JSON.parse(readFileSync(join(folder, 'messages', file), 'utf8'))
  const document = loaded(text)
  const actors = document.attack.execution.actors ?? []

  test('has neither errors nor warnings, and lint is content', () => {
    const parsed = parse(text)
    if (!parsed.ok) throw new Error(parsed.error.map((error) => error.message).join('\n'))
    expect(validate(parsed.value)).toEqual({ errors: [], warnings: [] })
    expect(lint(parsed.value)).toEqual([])
  })

  test('survives serialize', () => {
    expect(loaded(serialize(document))).toEqual(document)
  })

  test('expects something of every message', () => {
    expect(Object.keys(expected.verdicts).sort()).toEqual(readdirSync(join(folder, 'messages')).sort())
  })

  test.each(Object.entries(expected.verdicts))('%s', (file, { indicators, ...verdict }) => {
    const found = judge(document, [message(file)])
    expect(outcome(found)).toEqual(verdict)
    const results = found.indicator_verdicts.map(({ indicator_id, result }) => [indicator_id, result])
    expect(Object.fromEntries(results)).toEqual(indicators)
  })

  test.each(expected.together ? [expected.together] : [])('all messages together', ({ messages, ...verdict }) => {
    expect(outcome(judge(document, messages.map(message)))).toEqual(verdict)
  })

  test.each(Object.entries(expected.captured ?? {}))('captures from %s', (file, captured) => {
    expect(capture(actors, message(file))).toEqual(captured)
  })

  test.each(Object.entries(expected.advances ?? {}))('%s and the first trigger', (file, advances) => {
    const trigger = actors[0]?.phases[0]?.trigger
    if (trigger === undefined) throw new Error('the first phase has no trigger')
    const state = { event_count: 0 }
    const event = { event_type: trigger.event ?? '', content: message(file) }
    const seen = Array.from(
      { length: Number(trigger.count ?? 1) },
      () => evaluateTrigger(trigger, event, 0, state).advanced,
    )
    expect(seen).toEqual(seen.map((_, index) => advances && index === seen.length - 1))
  })

  test('fills every template once all extractors have a value', () => {
    const request = { arguments: { amount: 1, from: 'a', query: 'b', note: 'c', audience: 'd' } }
    for (const actor of actors) {
      for (const index of actor.phases.keys()) {
        const filled = interpolateValue(computeEffectiveState(actor.phases, index), everything(actors, actor), request)
        expect(filled.diagnostics).toEqual([])
        expect(JSON.stringify(filled.value)).not.toContain('{{')
      }
    }
  })
})

function loaded(text: string): Document {
  const result = load(text)
  if (!result.ok) throw new Error(result.error.map((error) => `${error.path}: ${error.message}`).join('\n'))
  return result.value.document
}

/** The verdict on some messages: an indicator counts by the first message that it matches, or else by the last. */
function judge(document: Document, messages: readonly Value[]): AttackVerdict {
  const evaluators = { cel: createCelEvaluator() }
  const verdicts = new Map<string, IndicatorVerdict>()
  for (const indicator of document.attack.indicators ?? []) {
    const found = messages.map(compileIndicator(indicator, evaluators))
    const verdict = found.find(({ result }) => result === 'matched') ?? found.at(-1)
    if (verdict !== undefined) verdicts.set(verdict.indicator_id, verdict)
  }
  return computeVerdict(document.attack, verdicts)
}

function outcome({ result, max_tier }: AttackVerdict): object {
  return max_tier === undefined ? { result } : { result, max_tier }
}

/** The captured values by name: the plain name in the forms without actors, prefixed with the actor otherwise. */
function capture(actors: readonly Actor[], message: Value): { [name: string]: string } {
  const captured: { [name: string]: string } = {}
  for (const { name, phases } of actors) {
    for (const extractor of phases.flatMap((phase) => phase.extractors ?? [])) {
      const value = evaluateExtractor(extractor, message, 'request')
      if (value !== undefined) captured[name === 'default' ? extractor.name : `${name}.${extractor.name}`] = value
    }
  }
  return captured
}

function everything(actors: readonly Actor[], current: Actor): { [name: string]: string } {
  const names = actors.flatMap(({ name, phases }) =>
    phases.flatMap((phase) =>
      (phase.extractors ?? []).flatMap((extractor) =>
        name === current.name ? [extractor.name, `${name}.${extractor.name}`] : [`${name}.${extractor.name}`],
      ),
    ),
  )
  return Object.fromEntries(names.map((name) => [name, 'captured']))
}
