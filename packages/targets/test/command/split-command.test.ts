import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteIn, splitCommand } from '../../src/command/split-command.ts'

test.each<[string, string[]]>([
  ['agent', ['agent']],
  ['  agent\t--flag \n value ', ['agent', '--flag', 'value']],
  [`agent 'a b' "c d"`, ['agent', 'a b', 'c d']],
  [`agent --x='a b'"c"d`, ['agent', '--x=a bcd']],
  [`agent '' ""`, ['agent', '', '']],
  [`agent a\\ b \\"c \\'d \\\\e`, ['agent', 'a b', '"c', "'d", '\\e']],
  [`agent "a \\"b\\" \\\\ \\n 'c'"`, ['agent', `a "b" \\ \\n 'c'`]],
  [`agent 'a \\ "b"'`, ['agent', 'a \\ "b"']],
  ['C:\\tools\\agent.exe C:\\x', ['C:\\tools\\agent.exe', 'C:\\x']],
  ['agent $HOME | cat > x', ['agent', '$HOME', '|', 'cat', '>', 'x']],
  ['agent {"a":{"b":1}}', ['agent', '{a:{b:1}}']],
  ['agent \\', ['agent', '\\']],
])('%j', (text, words) => {
  expect(splitCommand(text)).toEqual({ ok: true, value: words })
})

test.each([
  ['', 'the command is empty'],
  [' \n', 'the command is empty'],
  [`'' x`, 'the command is empty'],
  [`agent 'x`, `unclosed ' in the command`],
  [`agent "x\\"`, `unclosed " in the command`],
])('%j is none', (text, error) => {
  expect(splitCommand(text)).toEqual({ ok: false, error })
})

test('quoted words are restored', () => {
  const quoted = (word: string) => `"${word.replaceAll(/["\\]/g, '\\$&')}"`
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (words) => {
      fc.pre(words[0] !== '')
      expect(splitCommand(words.map(quoted).join(' '))).toEqual({ ok: true, value: words })
    }),
  )
})

test('a value in quotes stays in its word', () => {
  fc.assert(
    fc.property(fc.constantFrom('"', "'"), fc.string({ unit: 'grapheme' }), (quote, value) => {
      const before = `agent ${quote}--x=`
      const words = ['agent', `--x=${value}`]
      expect(splitCommand(`${before}${quoteIn(value, before)}${quote}`)).toEqual({ ok: true, value: words })
    }),
  )
  expect(quoteIn('a "b"', 'agent ')).toBe('a "b"')
})
