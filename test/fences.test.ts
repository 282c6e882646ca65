import { expect, test } from 'vitest'
import { commandsOf, fencesOf, outputAfter } from './fences.ts'

const markdown = `# Title

\`\`\`ts
const a = 1
\`\`\`

\`\`\`text
1
\`\`\`

1. In a list:

   \`\`\`sh scratch
   # not a command
   one && two
   three \\
     --four
   \`\`\`

\`\`\`console exit=3
$ first
out

$ second
\`\`\`
`

test('blocks are found with language, marks and line', () => {
  expect(fencesOf(markdown).map(({ line, language, marks }) => [line, language, ...marks])).toEqual([
    [3, 'ts'],
    [7, 'text'],
    [13, 'sh', 'scratch'],
    [20, 'console', 'exit=3'],
  ])
})

test('a text block after another is its output', () => {
  const fences = fencesOf(markdown)
  expect(fences.map((fence) => outputAfter(fences, fence))).toEqual(['1\n', undefined, undefined, undefined])
})

test('commands are found, and what they print where it is shown', () => {
  const [, , sh, session] = fencesOf(markdown)
  if (sh === undefined || session === undefined) throw new Error('blocks are missing')
  expect(commandsOf(sh)).toEqual([
    { command: 'one && two', output: undefined },
    { command: 'three --four', output: undefined },
  ])
  expect(commandsOf(session)).toEqual([
    { command: 'first', output: 'out\n\n' },
    { command: 'second', output: undefined },
  ])
})

test('a fence that is not closed is an error', () => {
  expect(() => fencesOf('a\n```ts\nb\n')).toThrow('line 2')
})
