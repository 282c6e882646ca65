import { describe, expect, test } from 'vitest'
import { codeFrames } from '../../src/text/code-frame.ts'

const text = 'first: 1\nsecond: two\nthird: 3\nfourth: 4'

const codeFrame = (text: string, ...at: Parameters<ReturnType<typeof codeFrames>>) => codeFrames(text)(...at)

describe('codeFrame', () => {
  test('marks a range between its neighbouring lines', () => {
    expect(codeFrame(text, { line: 2, column: 9, end_column: 12 })).toBe(
      ['  1 | first: 1', '> 2 | second: two', '    |         ^^^', '  3 | third: 3'].join('\n'),
    )
  })

  test('is empty without a position', () => {
    expect(codeFrame(text, {})).toBe('')
    expect(codeFrame(text, { column: 3 })).toBe('')
  })

  test('marks the first column by default', () => {
    expect(codeFrame('ab', { line: 1 })).toBe('> 1 | ab\n    | ^')
  })

  test('supports more or no context, and pads the numbers', () => {
    const ten = Array.from({ length: 10 }, (_, index) => `l${index + 1}`).join('\r\n')
    expect(codeFrame(ten, { line: 9, column: 2 }, 0)).toBe('> 9 | l9\n    |  ^')
    expect(codeFrame(ten, { line: 9, column: 2 }, 5).split('\n')).toHaveLength(8)
    expect(codeFrame(ten, { line: 9, column: 2 })).toContain('>  9 | l9\n     |  ^\n  10 | l10')
  })

  test.each<[string, object, string]>([
    ['a line past the end', { line: 99, column: 1 }, '  3 | third: 3\n> 4 | fourth: 4\n    |          ^'],
    ['a column past the end', { line: 4, column: 99 }, '  3 | third: 3\n> 4 | fourth: 4\n    |          ^'],
    ['an end past the end', { line: 4, column: 9, end_column: 99 }, '  3 | third: 3\n> 4 | fourth: 4\n    |         ^'],
    ['an end before the start', { line: 4, column: 3, end_column: 1 }, '  3 | third: 3\n> 4 | fourth: 4\n    |   ^'],
    ['line and column 0', { line: 0, column: 0 }, '> 1 | first: 1\n    | ^\n  2 | second: two'],
  ])('keeps %s inside', (_, at, expected) => expect(codeFrame(text, at)).toBe(expected))

  test('handles an empty text', () => {
    expect(codeFrame('', { line: 1, column: 1 })).toBe('> 1 |\n    | ^')
  })

  test('counts a tab as one column', () => {
    expect(codeFrame('a:\t\tb', { line: 1, column: 5, end_column: 6 })).toBe('> 1 | a:  b\n    |     ^')
  })

  test('skips a byte order mark', () => {
    expect(codeFrame('\ufeffab', { line: 1, column: 2 })).toBe('> 1 | ab\n    |  ^')
  })

  test('cuts long lines around the mark, with ellipses', () => {
    const line = `${'a'.repeat(500)}X${'b'.repeat(500)}`
    const [first, second] = codeFrame(line, { line: 1, column: 501, end_column: 502 }).split('\n')
    expect(first).toBe(`> 1 | …${'a'.repeat(20)}X${'b'.repeat(139)}…`)
    expect(second).toBe(`    | ${' '.repeat(21)}^`)
    expect(first?.charAt(second?.indexOf('^') ?? 0)).toBe('X')
    const head = codeFrame(line, { line: 1, column: 3, end_column: 900 }).split('\n')
    expect(head[0]).toBe(`> 1 | ${'a'.repeat(160)}…`)
    expect(head[1]).toBe(`    |   ${'^'.repeat(158)}`)
  })

  test('shifts the neighbours of a long line too', () => {
    const long = `${'a'.repeat(300)}X`
    expect(codeFrame(`short\n${long}\n${'c'.repeat(301)}`, { line: 2, column: 301 }).split('\n')).toEqual([
      '  1 | …',
      `> 2 | …${'a'.repeat(20)}X`,
      `    | ${' '.repeat(21)}^`,
      `  3 | …${'c'.repeat(21)}`,
    ])
  })

  test('makes control characters visible', () => {
    const frame = codeFrame('a: \u001b[31m\u202eevil\u0007', { line: 1, column: 4 })
    expect(frame).toBe('> 1 | a: ␛[31m\ufffdevil␇\n    |    ^')
  })
})

test('codeFrames draws many frames for one text', () => {
  const frame = codeFrames(text)
  for (const line of [1, 2, 3, 4]) expect(frame({ line, column: 2 })).toBe(codeFrame(text, { line, column: 2 }))
  expect(frame({ line: 3, column: 1 }, 0)).toBe('> 3 | third: 3\n    | ^')
})
