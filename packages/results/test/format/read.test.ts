import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeWithAjv } from '../../../agentformat/test/judge-with-ajv.ts'
import {
  categories,
  indicatorMethods,
  relationships,
  severityLevels,
  tiers,
} from '../../../oatf/src/model/enumerations.ts'
import { readResults, resultsSchema, writeResults } from '../../src/format/read.ts'
import { redacted } from '../support/redacted.ts'
import { anyResults, attackOf, resultsOf } from '../support/results.ts'

const plain = resultsOf([attackOf('a', 'en'), attackOf('b', 'x')])

/** Plain results with a value at a path; undefined removes the field. */
function changed(path: readonly (string | number)[], value: Value | undefined): string {
  const copy = JSON.parse(writeResults(plain))
  const last = path.at(-1) ?? ''
  const parent = path.slice(0, -1).reduce((node, step) => node[step], copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return JSON.stringify(copy)
}

describe('writing and reading', () => {
  test('results survive a round trip', () => {
    fc.assert(
      fc.property(anyResults, (results) => {
        const text = writeResults(results)
        expect(readResults(text)).toEqual({ ok: true, value: JSON.parse(text) })
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(results)))
      }),
    )
  })

  test('fields are written in the order of the table', () => {
    const { targets, version, ...rest } = plain
    expect(writeResults(redacted({ targets, ...rest, version }))).toBe(writeResults(plain))
    expect(writeResults(plain)).toMatch(/^\{\n {2}"version": 3,\n {2}"joust": /)
  })

  test('control characters are escaped and unknown fields dropped', () => {
    const hostile = redacted({ ...resultsOf([attackOf('\u001b[2J\u009b\u202e', 'e')]), secret: 'x' })
    for (const part of ['\u001b', '\u009b', '\u202e', 'secret']) expect(writeResults(hostile)).not.toContain(part)
  })
})

describe('an invalid results.json', () => {
  const at = (text: string) => {
    const read = readResults(text)
    return read.ok ? [] : read.error.map(({ path, message }) => `${path}: ${message}`)
  }

  test.each([
    ['', ': not a results file: not JSON: '],
    ['{"version":3,', ': not a results file: not JSON: '],
    ['[]', ': not a results file: expected an object, got a list'],
    ['{}', 'version: not a results file: missing "version"'],
    ['{"version":"1"}', 'version: not a results file: expected "version" to be 3, got a string'],
    ['{"version":4}', 'version: unsupported results version 4, expected 3; update joust to read it'],
    ['{"version":2}', 'version: unsupported results version 2, expected 3; run the suite again'],
  ])('%s', (text, message) => {
    expect(at(text)).toHaveLength(1)
    expect(at(text)[0]).toContain(message)
  })

  test('every problem is reported with its path', () => {
    const copy = JSON.parse(writeResults(plain))
    copy.joust = 1
    copy.targets[0].attacks[0].trials[1].verdict.result = 'maybe'
    copy.targets[0].attacks[0].outcome = 'not_exploited'
    delete copy.targets[0].attacks[1].attack.name
    expect(at(JSON.stringify(copy))).toEqual([
      expect.stringMatching(/^joust: expected a string .*, got an integer \(1\)$/),
      'targets[0].attacks[0].outcome: "not_exploited" is not one of exploited, partial, inconclusive, resisted, not_applicable.',
      'targets[0].attacks[0].trials[1].verdict.result: "maybe" is not one of exploited, not_exploited, partial, error.',
      'targets[0].attacks[1].attack.name: the field "name" is required',
    ])
  })

  test('a syntax error has its position in the whole text', () => {
    const text = writeResults(plain)
    for (const part of ['"fingerprint"', '"started_at"', '"targets"']) {
      const offset = text.lastIndexOf(part)
      const before = text.slice(0, offset).split('\n')
      const read = readResults(`${text.slice(0, offset)}x${text.slice(offset)}`)
      const column = (before.at(-1) ?? '').length + 1
      expect(read).toMatchObject({ ok: false, error: [{ path: '', line: before.length, column }] })
    }
  })

  test('findings in attacks have the path in the file', () => {
    const path = ['targets', 0, 'attacks', 1, 'trials', 0, 'outcome']
    expect(at(changed(path, 'won'))).toEqual([
      expect.stringMatching(/^targets\[0\]\.attacks\[1\]\.trials\[0\]\.outcome: /),
    ])
    expect(at(changed(['targets', 0, 'attacks'], 5))).toEqual([expect.stringMatching(/^targets\[0\]\.attacks: /)])
    expect(at(changed(['targets', 0, 'attacks', 1], 5))).toEqual([
      expect.stringMatching(/^targets\[0\]\.attacks\[1\]: /),
    ])
  })

  test('the number of findings is limited', () => {
    expect(at(JSON.stringify({ ...plain, targets: Array.from({ length: 1000 }, () => 1) }))).toHaveLength(100)
  })

  test('unknown fields are dropped', () => {
    expect(readResults(changed(['targets', 0, 'attacks', 0, 'mood'], 'good'))).toEqual({ ok: true, value: plain })
  })

  test('nothing throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof readResults(text).ok === 'boolean'))
  })
})

describe('the published schema', () => {
  const file = fileURLToPath(new URL('../../../../docs/schemas/results.schema.json', import.meta.url))

  const published = (): Value => JSON.parse(readFileSync(file, 'utf8'))
  const first = ['targets', 0, 'attacks', 0]
  const places = [
    ...['version', 'joust', 'suite', 'targets', 'stopped', 'started_at'].map((name) => [name]),
    ...['kind', 'name', 'details', 'judge', 'attacks'].map((name) => ['targets', 0, name]),
    ...['file', 'attack', 'outcome', 'reasons', 'verdict', 'exposure', 'trials'].map((name) => [...first, name]),
    ...['trial', 'outcome', 'trace', 'answer', 'usage', 'ended', 'actors', 'task', 'wiring'].map((name) => [
      ...[...first, 'trials', 0],
      name,
    ]),
    ...['name', 'severity', 'category', 'tags', 'mappings'].map((name) => [...first, 'attack', name]),
    ...['planted', 'bait', 'guessed'].map((name) => [...first, 'exposure', name]),
  ]
  const values = [undefined, null, 0, 1, 1.5, -1, '', 'high', true, [], {}, ['x'], '2026-01-01T00:00:00Z', { a: 'b' }]

  test('accepts exactly the input that the reader accepts', () => {
    const texts = [writeResults(plain), ...places.flatMap((path) => values.map((value) => changed(path, value)))]
    const accepted = judgeWithAjv(
      [published()],
      texts.map((text) => [0, JSON.parse(text)] as const),
    )
    expect(accepted).toEqual(texts.map((text) => readResults(text).ok))
    expect(new Set(accepted).size).toBe(2)
  })

  test('accepts all written results and no unknown fields', () => {
    const written = fc.sample(anyResults, 50).map((results): Value => JSON.parse(writeResults(results)))
    const beside: Value = { ...(JSON.parse(writeResults(plain)) as { [key: string]: Value }), more: 1 }
    const accepted = judgeWithAjv(
      [published()],
      [...written, beside].map((value) => [0, value] as const),
    )
    expect(accepted).toEqual([...written.map(() => true), false])
  })
})

test('enumerations are those of OATF', () => {
  const choices = JSON.stringify(resultsSchema())
  for (const values of [categories, tiers, relationships, indicatorMethods, severityLevels])
    expect(choices).toContain(`"enum":${JSON.stringify(values)}`)
})
