import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../src/primitives/parse-duration.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('parseDuration', () => {
  test.each([
    ['30s', 30 * SECOND],
    ['5m', 5 * MINUTE],
    ['1h', HOUR],
    ['2d', 2 * DAY],
    ['0s', 0],
    ['007s', 7 * SECOND],
    ['PT30S', 30 * SECOND],
    ['PT5M', 5 * MINUTE],
    ['PT1H', HOUR],
    ['P2D', 2 * DAY],
    ['PT5M30S', 5 * MINUTE + 30 * SECOND],
    ['PT1H30M', HOUR + 30 * MINUTE],
    ['PT1H30M15S', HOUR + 30 * MINUTE + 15 * SECOND],
    ['PT1H15S', HOUR + 15 * SECOND],
    ['P1DT12H', DAY + 12 * HOUR],
    ['P1DT2H3M4S', DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND],
    ['P0D', 0],
    ['PT0S', 0],
    ['PT90M', 90 * MINUTE],
  ])('%s', (text, milliseconds) => {
    expect(parseDuration(text)).toEqual({ ok: true, value: milliseconds })
  })

  test.each([
    // nothing, or no component
    [''],
    [' '],
    ['s'],
    ['P'],
    ['PT'],
    ['P1DT'],
    ['T5S'],
    // negative, fractional, other number forms
    ['-5s'],
    ['PT-30S'],
    ['-PT5S'],
    ['+5s'],
    ['1.5s'],
    ['PT1.5S'],
    ['1,5s'],
    ['1e3s'],
    ['0x5s'],
    ['٥s'],
    // wrong unit, order, case or separator
    ['30'],
    ['30ms'],
    ['1w'],
    ['1y'],
    ['30S'],
    ['5 m'],
    ['1h30m'],
    ['pt30s'],
    ['P5H'],
    ['PT2D'],
    ['P1M'],
    ['P1W'],
    ['P1Y'],
    ['PT1M1H'],
    ['PT1S1M'],
    ['PT1M1M'],
    ['PT1H1D'],
    ['P1D12H'],
    // surrounding characters
    [' 30s'],
    ['30s '],
    ['30s\n'],
    ['PT5M\n'],
    ['30s5m'],
  ])('%j is not a duration', (text) => {
    expect(parseDuration(text)).toMatchObject({
      ok: false,
      error: { kind: 'syntax', severity: 'error', code: 'syntax' },
    })
  })

  test('the message shows the text and what would be right', () => {
    const result = parseDuration('5 minutes')
    expect(!result.ok && result.error.message).toBe('"5 minutes" is not a duration such as 30s, 5m, 1h, 2d or PT1H30M')
  })

  test('the longest duration is the last one that counts in whole milliseconds', () => {
    const most = Math.floor(Number.MAX_SAFE_INTEGER / SECOND)
    expect(parseDuration(`${most}s`)).toEqual({ ok: true, value: most * SECOND })
    expect(parseDuration(`${most + 1}s`).ok).toBe(false)
  })

  test.each([[400], [1_000_000]])('a number of %i digits is refused, and not repeated in full', (count) => {
    const digits = '9'.repeat(count)
    for (const text of [`${digits}s`, `P${digits}D`, `PT1H${digits}M`]) {
      const result = parseDuration(text)
      expect(result.ok).toBe(false)
      expect(!result.ok && result.error.message).toContain('too long')
      expect(!result.ok && result.error.message.length).toBeLessThan(200)
    }
  })

  test.each([[null], [5], [{}], [['5s']], [undefined], [true]])('%j is not a duration either', (value) => {
    // Documents built in memory may contain anything.
    expect(parseDuration(value as unknown as string).ok).toBe(false)
  })
})
