import { fillVariables } from '@joust/source'
import { expect, test } from 'vitest'
import { readServe } from '../../src/project/serve.ts'

test.each([
  ['in a list', ['node', '$' + '{PART}']],
  ['in quotes', 'node "$' + '{PART}"'],
])('a value of the environment stays one word %s', async (_, command) => {
  const { processes } = await readServe({ command }, '/', (text, quote) => {
    const filled = fillVariables(text, { PART: 'a "b\\" c' }, quote)
    return filled.ok ? filled.value.text : text
  })
  expect(processes.map((one) => one.command)).toEqual([['node', 'a "b\\" c']])
})
