import fc from 'fast-check'
import { expect, test } from 'vitest'
import { read } from '../support.ts'

/** The text of each comment. */
function comments(text: string): string[] {
  return read(text)
    .comments()
    .map((offset) => /^#[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '?')
}

test.each<[string, string, string[]]>([
  ['none', 'a: 1\nb: c\n', []],
  ['at the very start', '# one\na: 1', ['# one']],
  ['after a byte order mark', '\ufeff# one\na: 1', ['# one']],
  ['at the end of lines', 'a: 1 # one\nb: 2 #two', ['# one', '#two']],
  ['after the last scalar, without a line break', 'a: 1\n#end', ['#end']],
  ['after a tab', 'a: 1\t# one', ['# one']],
  ['with hashes inside', 'a: 1 # one # still one\n## two', ['# one # still one', '## two']],
  ['between CR and CRLF', '# one\r# two\r\n# three\ra: 1', ['# one', '# two', '# three']],
  [
    'around directives and markers',
    '# a\n%YAML 1.2 # b\n--- # c\nx: 1 # d\n... # e\n# f',
    ['# a', '# b', '# c', '# d', '# e', '# f'],
  ],
  [
    'in flow collections',
    '[ # one\n  a, # two\n  {b: 1, # three\n  c: "#no"}\n] # four',
    ['# one', '# two', '# three', '# four'],
  ],
  ['not in quoted scalars', 'a: "x # no"\nb: \'y # no\'\nc: "#no" # yes', ['# yes']],
  ['not in quoted scalars of many lines', 'a: "x\n  # no\n  y" # yes', ['# yes']],
  ['not in plain scalars', 'a: x#no\nb: url/#no # yes', ['# yes']],
  ['not in keys', '"# no": 1\na#b: 2 # yes', ['# yes']],
  ['not in block scalars', 'a: |\n  # no\n  x # no\n# yes\nb: >-\n  # no\n\n  # no\n', ['# yes']],
  ['not in a block scalar at the margin', '--- |\n# no\n', []],
  ['in the header of a block scalar', 'a: | # yes\n  # no\n', ['# yes']],
  ['not in anchors, aliases and tags', 'a: &x#y !t#u 1\nb: *x#y', []],
  ['beside empty values', 'a: # one\nb:\n  # two\nc:\n- # three\n-', ['# one', '# two', '# three']],
])('finds comments: %s', (_, text, expected) => {
  expect(comments(text)).toEqual(expected)
})

test('finds exactly the inserted comments', () => {
  const line = fc.record({
    value: fc.string({ maxLength: 8 }),
    comment: fc.option(fc.constantFrom('#', '# c', '#"', "# ' #")),
  })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
      let text = ''
      const expected: number[] = []
      for (const [index, { value, comment }] of lines.entries()) {
        text += `k${index}: ${JSON.stringify(`# ${value}`)}`
        if (comment !== null) {
          expected.push(text.length + 1)
          text += ` ${comment}`
        }
        text += '\n'
      }
      expect(read(text).comments()).toEqual(expected)
    }),
  )
})

test('is linear for many scalars and few hashes', () => {
  const text = `${'- a\n'.repeat(400_000)}# end`
  expect(read(text).comments()).toEqual([text.length - 5])
})
