import { expect, test } from 'vitest'
import { repositoryRoot } from '../scripts/repository.ts'
import { runLine, splitLine } from './shell.ts'

test.each([
  ['npx joust', [], ''],
  ['joust run a.yaml --out x', ['run', 'a.yaml', '--out', 'x'], ''],
  [`npx joust run --input '"a \\"b\\" c"' -q`, ['run', '--input', '"a \\"b\\" c"', '-q'], ''],
  ['npx joust run --target "mcp=npx \\"x\\" y" --dry-run', ['run', '--target', 'mcp=npx "x" y', '--dry-run'], ''],
  ['npx joust run --quiet || test $? -eq 1', ['run', '--quiet'], '|| test $? -eq 1'],
  ["joust harden a | sed '/^cost/d'", ['harden', 'a'], "| sed '/^cost/d'"],
  ['joust harden a > a.txt', ['harden', 'a'], '> a.txt'],
])('%s', (line, words, rest) => {
  expect(splitLine(line)).toEqual({ words, rest })
})

test.each([
  'node a.mjs',
  'jousting',
  'joust run *.yaml',
  'joust run "$HOME"',
  'joust run 2>&1 | grep x',
  'joust run $(x)',
])('a shell has to read %s', (line) => expect(splitLine(line)).toBeUndefined())

test('a line ends and prints as it would in a shell', async () => {
  const run = (line: string) => runLine(line, repositoryRoot(), process.env)
  expect(await run('joust explain no-such')).toMatchObject({ status: 64, printed: expect.stringContaining('no-such') })
  expect(await run('joust explain no-such || test $? -eq 64')).toEqual({ status: 0, printed: '' })
  expect(await run("joust completion fish | sed -n '1s/.*/first/p'")).toEqual({ status: 0, printed: 'first\n' })
  expect(await run('(echo a; echo b >&2; exit 3)')).toEqual({ status: 3, printed: 'a\nb\n' })
})
