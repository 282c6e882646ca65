/** Hostile input against each bound: the answer comes in time and names the limit. */
import { defaultLimits, type LimitName, type Limits, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import {
  type Condition,
  compileIndicator,
  computeEffectiveState,
  createCelEvaluator,
  type Document,
  type EvaluationError,
  evaluateCondition,
  evaluateExpression,
  evaluateExtractor,
  evaluateIndicator,
  evaluateIndicatorAsync,
  evaluatePattern,
  evaluatePredicate,
  evaluateTrigger,
  type Indicator,
  interpolateTemplate,
  interpolateValue,
  load,
  parse,
  type Result,
  resolveSimplePath,
  resolveWildcardPath,
  selectResponse,
  validate,
} from '../src/index.ts'
import { deepList, deepRecord } from './deep-value.ts'
import { minimalText } from './documents.ts'

type Tighter = Partial<Limits>
type Provoked = string | undefined

const named = (result: Result<unknown, EvaluationError>): Provoked => (result.ok ? undefined : result.error.limit)

const reading = (text: string, limits?: Tighter): Provoked => {
  const result = parse(text, limits && { limits })
  return result.ok ? undefined : result.error[0]?.limit
}

const condition = (asked: Condition, value: Value, limits: Tighter = {}): Provoked => {
  let hit: Provoked
  evaluateCondition(asked, value, {
    limits,
    onError: (error) => {
      hit = error.limit
    },
  })
  return hit
}

const expression = (cel: string, message: Value, limits: Tighter = {}): Provoked =>
  named(evaluateExpression({ cel }, message, createCelEvaluator({ limits })))

const pattern = (target: string, message: Value, limits: Tighter = {}): Provoked =>
  named(evaluatePattern({ target, condition: { exists: false } }, message, undefined, limits))

const extraction = (selector: string, message: Value, limits: Tighter = {}): Provoked => {
  let hit: Provoked
  const extractor = { name: 'a', source: 'request', type: 'json_path', selector } as const
  evaluateExtractor(extractor, message, 'request', {
    limits,
    onError: (error) => {
      hit = error.limit
    },
  })
  return hit
}

const laughs = (levels: number): string => {
  const lines = Array.from({ length: levels }, (_, level) => {
    const below = level === 0 ? 'ha' : `*l${level - 1}`
    return `      l${level}: &l${level} [${Array(10).fill(below).join(', ')}]`
  })
  return minimalText.replace('      tools: []', lines.join('\n'))
}

const expressions = (count: number, limits?: Tighter): Provoked => {
  const indicators = Array.from({ length: count }, (_, index) => ({ target: 'a', pattern: { regex: `a${index}` } }))
  const { errors } = validate(
    { oatf: '0.1', attack: { execution: { mode: 'mcp_server', state: {} }, indicators } },
    limits && { limits },
  )
  return /over the limit (\w+)/.exec(errors[0]?.message ?? '')?.[1]
}

const items = (count: number): Value => Array.from({ length: count }, (_, index) => index)
const objects = (count: number): Value => Array.from({ length: count }, () => ({ a: [1, { b: 2 }] }))
const wide: Value = { items: items(400) }

/** A limit, input that exceeds it as it stands, and input that exceeds a tighter one but not the default. */
const provocations: {
  [limit in LimitName]: [over: () => Provoked, tight: number, harmless: (limits?: Tighter) => Provoked]
} = {
  yamlBytes: [() => reading(`#${' '.repeat(5_000_000)}`), 50, (limits) => reading(minimalText, limits)],
  yamlDepth: [() => reading('['.repeat(100_000)), 2, (limits) => reading(minimalText, limits)],
  yamlAliasNodes: [() => reading(laughs(9)), 9, (limits) => reading(laughs(2), limits)],
  regexPattern: [
    () => condition({ regex: 'a'.repeat(5000) }, 'a'),
    3,
    (limits) => condition({ regex: 'a{3}' }, 'a', limits),
  ],
  regexProgram: [
    () => condition({ regex: 'a{1000}b{1000}' }, 'a'),
    5,
    (limits) => condition({ regex: 'a{9}' }, 'a', limits),
  ],
  regexWork: [
    () => condition({ regex: '^(a+)+$' }, 'a'.repeat(4_000_000)),
    1000,
    (limits) => condition({ regex: '^(a+)+$' }, 'a'.repeat(1000), limits),
  ],
  documentExpressions: [() => expressions(2500), 5, (limits) => expressions(10, limits)],
  celSource: [
    () => expression(`true || ${' '.repeat(9000)}true`, {}),
    5,
    (limits) => expression('true || false', {}, limits),
  ],
  celNodes: [
    () => expression(`[${Array(640).fill('[].all(a,a)').join()}] == []`, {}),
    3,
    (limits) => expression('1 + 1 + 1 == 3', {}, limits),
  ],
  celDepth: [
    () => expression(`${'['.repeat(300)}${']'.repeat(300)} == []`, {}),
    2,
    (limits) => expression('[[[]]] == []', {}, limits),
  ],
  celSteps: [
    () =>
      expression('message.items.all(a, message.items.all(b, message.items.all(c, a + b + c >= 0)))', wide, {
        celMilliseconds: 60_000,
      }),
    50,
    (limits) => expression('message.items.all(a, a >= 0)', wide, limits),
  ],
  celMilliseconds: [() => slowClock(), -1, (limits) => expression('message.items.all(a, a >= 0)', wide, limits)],
  jsonPathSource: [() => extraction(`$${'.a'.repeat(5000)}`, {}), 3, (limits) => extraction('$.a.b', {}, limits)],
  jsonPathDepth: [
    () => extraction('$..zzz', deepRecord(100_000)),
    2,
    (limits) => extraction('$..zzz', deepRecord(10), limits),
  ],
  jsonPathSteps: [
    () => extraction('$..*..*.zzz', objects(30_000)),
    20,
    (limits) => extraction('$..*..zzz', objects(20), limits),
  ],
  dotPathDepth: [
    () => pattern(Array(5000).fill('a').join('.'), deepRecord(5000)),
    2,
    (limits) => pattern('a.a.a', deepRecord(3), limits),
  ],
  valueDepth: [() => inMemory(deepList(100_000)), 3, (limits) => inMemory(deepList(10), limits)],
  valueNodes: [() => inMemory(shared(60)), 3, (limits) => inMemory(shared(5), limits)],
  compactJsonDepth: [
    () => condition({ contains: 'x' }, deepList(100_000)),
    3,
    (limits) => condition({ contains: 'x' }, deepList(10), limits),
  ],
}

/** The limit that a value in memory exceeds. */
const inMemory = (value: unknown, limits?: Tighter): Provoked => {
  const [found] = validate(value as Document, limits && { limits }).errors
  return /over the limit (\w+)/.exec(found?.message ?? '')?.[1]
}

/** Each part occurs twice in the one around it. */
function shared(levels: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = [value, value]
  return value
}

/** An evaluation for which a minute passes whenever it looks at the clock. */
function slowClock(): Provoked {
  let time = 0
  const cel = createCelEvaluator({
    now: () => {
      time += 60_000
      return time
    },
  })
  return named(
    evaluateExpression({ cel: 'message.items.all(a, message.items.all(b, a + b >= 0))' }, { items: items(200) }, cel),
  )
}

describe('every limit', () => {
  test('has a provocation', () => {
    expect(Object.keys(provocations).sort()).toEqual(Object.keys(defaultLimits).sort())
  })

  test.each(Object.entries(provocations))('%s names itself, and can be tightened', (limit, [over, tight, harmless]) => {
    expect(over()).toBe(limit)
    expect(harmless()).toBeUndefined()
    expect(harmless({ [limit]: tight })).toBe(limit)
  })
})

describe('regular expressions', () => {
  const evil = `${'a'.repeat(100_000)}!`

  test.each([['^(a+)+$'], ['^(a|aa)+$'], ['^(a*)*$'], ['(a|a)*b'], ['(.*a){20}b'], ['^(([a-z])+.)+[A-Z]([a-z])+$']])(
    '%s over 100,000 characters',
    (regex) => {
      const result = evaluatePattern({ target: '', condition: { regex } }, evil)
      // An answer, or a refusal with its reason, but never a long wait.
      expect(result.ok ? result.value : result.error.limit).toBe(result.ok ? false : 'regexWork')
    },
  )

  test('in CEL', () => {
    const result = evaluateExpression({ cel: "message.matches('^(a+)+$')" }, evil, createCelEvaluator())
    expect(result).toEqual({ ok: true, value: false })
  })

  test('in an extractor', () => {
    const extractor = { name: 'a', source: 'request', type: 'regex', selector: '^(a+)+$' } as const
    expect(evaluateExtractor(extractor, evil, 'request')).toBeUndefined()
  })

  test('in a JSONPath filter', () => {
    expect(extraction("$[?search(@, '(a+)+$')]", [evil])).toBeUndefined()
  })
})

describe('CEL', () => {
  const cubic = 'message.items.exists(a, message.items.exists(b, message.items.exists(c, a + b + c < 0)))'

  test.each([
    [cubic],
    [`${cubic} || true`],
    [`true || ${cubic} ? ${cubic} : true`],
    [`!(${cubic}) || has(message.items)`],
    ['message.items.map(a, message.items.map(b, message.items.map(c, a))).size() > 0'],
    [
      'message.items.filter(a, message.items.filter(b, message.items.filter(c, true).size() > 0).size() > 0).size() > 0',
    ],
  ])('%s ends in an error', (cel) => {
    const verdict = evaluateIndicator({ target: '', expression: { cel } }, wide, { cel: createCelEvaluator() })
    expect(verdict.result).toBe('error')
    expect(verdict.evidence).toMatch(/celSteps|celMilliseconds/)
  })

  test.each([
    ['('.repeat(4000)],
    ['1+'.repeat(4000)],
    ['['.repeat(8000)],
    ['a.'.repeat(4000)],
    ['-'.repeat(8000)],
    ['"'.repeat(8001)],
  ])('text %# is refused at load and at evaluation', (cel) => {
    const document = `${minimalText}  indicators: [{target: "", expression: {cel: ${JSON.stringify(cel)}}}]\n`
    expect(load(document)).toMatchObject({ ok: false, error: [{ rule: 'V-014' }] })
    expect(evaluateExpression({ cel }, {}, createCelEvaluator()).ok).toBe(false)
  })
})

describe('JSONPath', () => {
  test.each<[selector: string, message: Value]>([
    ['$..*..*', objects(30_000)],
    ['$[?count($[?count($..*)>1])>1]', objects(200)],
    ['$[?$[?$[?@.zzz]]]', objects(400)],
    [`$${'[0,0]'.repeat(22)}.zzz`, deepList(30)],
    ['$..*..*..*..*..*..zzz', deepRecord(55)],
  ])('%s ends', (selector, message) => {
    // Some find a first match at once; those that would search for hours are stopped.
    expect(extraction(selector, message)).toBeOneOf([undefined, 'jsonPathSteps'])
    expect(extraction(`${selector}.zzz`, message)).toBeOneOf(['jsonPathSteps', 'jsonPathDepth'])
  })
})

// 100,000 levels: nothing may recurse over a message.
describe('deep messages', () => {
  const depth = 100_000
  const messages: [string, Value][] = [
    ['lists', deepList(depth)],
    ['records', deepRecord(depth)],
    ['a field of a record', { a: deepList(depth), b: 1 }],
  ]
  const cel = createCelEvaluator()
  const semantic = { evaluate: () => ({ ok: true, value: 1 }) as const }

  describe.each(messages)('%s', (_, message) => {
    test('predicates, triggers and responses', () => {
      expect(evaluatePredicate({ '': message }, message)).toBe(true)
      expect(evaluatePredicate({ zzz: { exists: false } }, message)).toBe(true)
      expect(condition({ any_of: [1, message] }, message)).toBeUndefined()
      expect(condition({ regex: 'x' }, message)).toBe('compactJsonDepth')
      const state = { event_count: 0 }
      expect(
        evaluateTrigger({ event: 'e', match: { '': message } }, { event_type: 'e', content: message }, 0, state)
          .advanced,
      ).toBe(true)
      expect(selectResponse([{ when: { '': 'x' } }, { content: message }], message)?.content).toBe(message)
    })

    test('paths, states and templates', () => {
      expect(resolveSimplePath('', message)).toBe(message)
      expect(resolveWildcardPath('', message)).toEqual([expect.anything()])
      expect(computeEffectiveState([{ state: message }], 0)).not.toBeNull()
      expect(interpolateTemplate('{{request.a}}', {}, message).diagnostics).toHaveLength(1)
      expect(interpolateValue(message, {}).diagnostics).toEqual([])
    })

    test('extractors', () => {
      expect(extraction('$', message)).toBe('compactJsonDepth')
      expect(extraction('$..zzz', message)).toBe('jsonPathDepth')
      expect(extraction('$.zzz', message)).toBeUndefined()
    })

    test('indicators', async () => {
      const indicators: [Indicator, string][] = [
        [{ target: '', pattern: { target: '', condition: { contains: 'x' } } }, 'error'],
        [{ target: '', pattern: { target: '', condition: { exists: true } } }, 'matched'],
        [{ target: '', pattern: { target: '', condition: message } }, 'matched'],
        [{ target: 'zzz', pattern: { target: 'zzz', condition: 1 } }, 'not_matched'],
        [{ target: '', semantic: { target: '', intent: 'x' } }, 'error'],
        [{ target: '', expression: { cel: 'true' } }, 'matched'],
        [{ target: '', expression: { cel: "'x' in message" } }, 'not_matched'],
      ]
      for (const [indicator, result] of indicators) {
        expect([indicator, compileIndicator(indicator, { cel, semantic })(message).result]).toEqual([indicator, result])
        expect((await evaluateIndicatorAsync(indicator, message, { cel, semantic })).result).toBe(result)
      }
    })

    test('CEL that walks the whole message', () => {
      const result = evaluateExpression({ cel: 'message == message' }, message, cel)
      expect(result.ok ? typeof result.value : result.error.kind).toBeOneOf(['boolean', 'cel_error'])
    })
  })
})
