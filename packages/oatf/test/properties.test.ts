import { deepEqual, type Value, writeJson } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compileIndicator,
  computeEffectiveState,
  computeVerdict,
  createCelEvaluator,
  type Document,
  evaluateCondition,
  evaluateExpression,
  evaluateExtractor,
  evaluateIndicator,
  evaluatePattern,
  evaluatePredicate,
  evaluateTrigger,
  interpolateTemplate,
  interpolateValue,
  load,
  normalize,
  parse,
  parseDuration,
  resolveSimplePath,
  resolveWildcardPath,
  selectResponse,
  serialize,
  validate,
} from '../src/index.ts'
import { deepFreeze } from './deep-value.ts'
import { anyJson, damaged, scrambled } from './generators/garbage.ts'
import { documents, sampleDocuments } from './generators.ts'

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  scrambled(fc.constantFrom('{{a}} \\{{', 'PT1H5M', '5s')),
)

/** Any value where the types ask for a more specific one. */
const anything = anyJson as fc.Arbitrary<never>

describe('nothing throws', () => {
  test('on any text', () => {
    fc.assert(
      fc.property(anyText, anyJson, (text, value) => {
        parse(text)
        load(text)
        parseDuration(text)
        interpolateTemplate(text, { a: text }, value, value)
        resolveSimplePath(text, value)
        resolveWildcardPath(text, value)
      }),
      { numRuns: 500 },
    )
  })

  test('on a document that was damaged as text, and every error is well formed', () => {
    fc.assert(
      fc.property(scrambled(documents.map(serialize)), (text) => {
        const result = load(text)
        for (const error of result.ok ? result.value.warnings : result.error) {
          expect(error.message).not.toBe('')
          expect(error.code).not.toBe('')
          if (error.line !== undefined) expect(error.column).toBeGreaterThan(0)
        }
      }),
      { numRuns: 120 },
    )
  })

  test('on any value as a document', () => {
    fc.assert(
      fc.property(fc.oneof(anything, damaged(documents)), (document: Document) => {
        validate(document)
        serialize(normalize(document))
        computeVerdict(document?.attack, new Map())
      }),
      { numRuns: 500 },
    )
  })

  test('on any value as anything else', () => {
    const cel = createCelEvaluator()
    const semantic = { evaluate: () => ({ ok: true, value: 0.5 }) as const }
    fc.assert(
      fc.property(anything, anyJson, (thing, value) => {
        for (const indicator of [
          thing,
          { target: '', pattern: thing },
          { expression: thing },
          { target: thing, semantic: thing },
        ]) {
          evaluateIndicator(indicator as never, value, { cel, semantic })
        }
        evaluatePattern(thing, value)
        evaluateExpression(thing, value, cel)
        evaluateCondition(thing, value)
        evaluatePredicate(thing, value)
        evaluatePredicate({ '': thing }, value)
        evaluateTrigger(thing, thing, 5, { event_count: 0 })
        evaluateTrigger({ event: 'x', match: thing }, { event_type: 'x', content: value }, 5, { event_count: 0 })
        for (const type of ['json_path', 'regex'] as const) {
          evaluateExtractor(thing, value, 'request')
          evaluateExtractor({ name: 'a', source: 'request', type, selector: thing }, value, 'request')
        }
        selectResponse([thing], value)
        interpolateValue(thing, {}, value)
        computeEffectiveState([thing], 0)
      }),
      { numRuns: 500 },
    )
  })
})

describe('generated documents', () => {
  test('conform', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(validate(document).errors).toEqual([])
      }),
      { numRuns: 120 },
    )
  })

  test('are the same for the same seed', () => {
    expect(sampleDocuments(20, 7)).toEqual(sampleDocuments(20, 7))
    expect(sampleDocuments(20, 7)).not.toEqual(sampleDocuments(20, 8))
  })
})

describe('normalize', () => {
  test('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.oneof(documents, damaged(documents)), (document) => {
        const once = normalize(document)
        expect(normalize(once)).toEqual(once)
      }),
      { numRuns: 120 },
    )
  })

  test('leaves its input alone', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const before = writeJson(document)
        normalize(deepFreeze(document))
        expect(writeJson(document)).toBe(before)
      }),
      { numRuns: 80 },
    )
  })

  test('keeps the promises of SDK §3.3', () => {
    fc.assert(
      fc.property(documents, (document) => expectGuarantees(normalize(document))),
      { numRuns: 120 },
    )
  })
})

function expectGuarantees({ attack }: Document): void {
  expect(attack).toMatchObject({ name: expect.any(String), version: expect.any(Number), status: expect.any(String) })
  if (attack.severity !== undefined) {
    expect(attack.severity).toMatchObject({ level: expect.any(String), confidence: expect.any(Number) })
  }
  expect(attack.execution).not.toHaveProperty('state')
  expect(attack.execution).not.toHaveProperty('phases')
  expect(attack.execution.actors?.length).toBeGreaterThan(0)
  for (const actor of attack.execution.actors ?? []) {
    expect(actor).toMatchObject({ name: expect.any(String), mode: expect.any(String) })
    for (const { name, trigger } of actor.phases) {
      expect(name).toEqual(expect.any(String))
      if (trigger?.event !== undefined) expect(trigger.count).toEqual(expect.any(Number))
    }
  }
  if (attack.indicators !== undefined) expect(attack.correlation?.logic).toMatch(/^(any|all)$/)
  for (const { id, protocol, pattern, semantic } of attack.indicators ?? []) {
    expect([id, protocol]).toEqual([expect.any(String), expect.any(String)])
    if (pattern !== undefined) {
      expect(Object.keys(pattern).sort()).toEqual(['condition', 'target'])
      expect(pattern.target).toEqual(expect.any(String))
    }
    if (semantic !== undefined) expect(semantic.target).toEqual(expect.any(String))
  }
  for (const tag of attack.classification?.tags ?? []) expect(tag).not.toMatch(/[A-Z_ ]/)
}

describe('serialize', () => {
  // Minus zero cannot be written, and the format's equality ignores it.
  const same = (left: unknown, right: unknown) => deepEqual(left as Value, right as Value)

  test('and parse give a normal form back', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const normal = normalize(document)
        const parsed = parse(serialize(document))
        expect(parsed.ok).toBe(true)
        expect(parsed.ok && same(parsed.value, normal)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('gives the same text for a document and its normal form', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = serialize(document)
        expect(serialize(normalize(document))).toBe(text)
        const loaded = load(text, { strict: true })
        expect(loaded.ok && serialize(loaded.value.document)).toBe(text)
      }),
      { numRuns: 80 },
    )
  })

  test('carries any string and any key through a state', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string())
    fc.assert(
      fc.property(text, text, (key, value) => {
        const state = { [key]: value, list: [value, { [key]: [value] }] }
        const document: Document = { oatf: '0.1', attack: { execution: { mode: 'mcp_server', state } } }
        const parsed = parse(serialize(document))
        expect(parsed).toEqual({ ok: true, value: normalize(document) })
      }),
      { numRuns: 500 },
    )
  })
})

test('a cached and a newly compiled indicator have the same result', () => {
  const evaluators = { cel: createCelEvaluator(), now: () => 0 }
  fc.assert(
    fc.property(documents, fc.array(anyJson, { minLength: 1, maxLength: 5 }), (document, messages) => {
      for (const indicator of normalize(document).attack.indicators ?? []) {
        const compiled = compileIndicator(indicator, evaluators)
        expect(messages.map((message) => compiled(message))).toEqual(
          messages.map((message) => evaluateIndicator(indicator, message, evaluators)),
        )
      }
    }),
    { numRuns: 100 },
  )
})
