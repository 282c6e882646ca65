import { describe, expect, test } from 'vitest'
import { printable } from '../../src/text/printable.ts'

describe('printable', () => {
  test.each<[string, string, string]>([
    ['ordinary text', 'aé한\u{1f600} ❤\ufe0f', 'aé한\u{1f600} ❤\ufe0f'],
    ['line breaks', 'a\r\nb', 'a␍␊b'],
    ['tabs', 'a\tb', 'a b'],
    ['escape sequences', '\u001b]0;x\u0007', '␛]0;x␇'],
    ['DEL and C1 controls', '\u007f\u009b31m\u0085', '\ufffd\ufffd31m\ufffd'],
    ['bidirectional controls', '\u061c\u200e\u202d\u2066\u2069', '\ufffd'.repeat(5)],
    ['what hides', 'a\u200bb\u00adc\u2060\ufeff\u3164', 'a\ufffdb\ufffdc\ufffd\ufffd\ufffd'],
    ['line separators', '\u2028\u2029', '\ufffd\ufffd'],
    ['tag characters, two units each', '\u{e0041}\u{e0100}', '\ufffd'.repeat(4)],
    ['lone surrogates', '\ud800a\udc00', '\ufffda\ufffd'],
  ])('%s', (_, from, to) => {
    expect(printable(from)).toBe(to)
    expect(printable(from)).toHaveLength(from.length)
  })
})
