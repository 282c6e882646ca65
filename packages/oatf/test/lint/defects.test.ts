import { expect, test } from 'vitest'
import { load } from '../../src/load.ts'

const DOCUMENT = `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [{ name: pay, description: Pay box-7 }] }
  indicators:
    - { surface: tools/call, direction: request, target: arguments, pattern: { contains: box-7 } }
`

function defects(right = '', wrong = ''): readonly string[] {
  const loaded = load(DOCUMENT.replace(right, wrong))
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  expect(loaded.value.defects).toBe(loaded.value.defects)
  return loaded.value.defects
}

test('typos that keep the attack from working are defects', () => {
  expect(defects()).toEqual([])
  expect(defects('tools:', 'tool:')).toEqual([
    'the attack cannot work as written (L-013): unknown key "tool" in a state of mcp_server; it has no effect. Did you mean "tools"?',
  ])
  expect(defects('{ contains: box-7 }', '{ condition: { contain: box-7 } }')).toEqual([
    expect.stringContaining('(W-101): unknown operator "contain"'),
  ])
})

test('the first 100 defects are listed and the others counted', () => {
  const tools = Array.from({ length: 150 }, (_, index) => `{ title: t${index} }`).join(', ')
  const sentences = defects('{ name: pay, description: Pay box-7 }', tools)
  expect(sentences).toHaveLength(101)
  expect(sentences.at(-1)).toMatch(/: 50 more findings$/)
})

test('advice and mistakes in the task are not defects', () => {
  // Compared as a value on purpose.
  expect(defects('{ contains: box-7 }', '{ condition: { recipient: box-7 } }')).toEqual([])
  // A missing bait and a key without effect are only advice.
  expect(defects('state: {', 'state: { banner: b,')).toEqual([])
  expect(defects('attack:\n', 'attack:\n  x-joust-task: { indicators: 7 }\n')).toEqual([])
})
