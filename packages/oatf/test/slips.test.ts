import { expect, test } from 'vitest'
import { load } from '../src/load.ts'
import { slipsIn } from '../src/slips.ts'

const DOCUMENT = `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [{ name: pay, description: Pay box-7 }] }
  indicators:
    - { surface: tools/call, direction: request, target: arguments, pattern: { contains: box-7 } }
`

function slips(right = '', wrong = ''): readonly string[] {
  const loaded = load(DOCUMENT.replace(right, wrong))
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  expect(slipsIn(loaded.value)).toBe(slipsIn(loaded.value))
  return slipsIn(loaded.value)
}

test('one letter wrong: what keeps a document from doing what it says', () => {
  expect(slips()).toEqual([])
  expect(slips('tools:', 'tool:')).toEqual([
    'the document cannot do what it says (L-013): "tool" has no effect: a state of mcp_server has no such key. Did you mean "tools"?',
  ])
  expect(slips('{ contains: box-7 }', '{ condition: { contain: box-7 } }')).toEqual([
    'the document cannot do what it says (W-101): "contain" is not an operator, so the whole object is compared. Did you mean "contains"?',
  ])
})

test('of many, the first are told and the others counted', () => {
  const tools = Array.from({ length: 150 }, (_, index) => `{ title: t${index} }`).join(', ')
  const told = slips('{ name: pay, description: Pay box-7 }', tools)
  expect(told).toHaveLength(101)
  expect(told.at(-1)).toBe('the document cannot do what it says: 50 more findings were left out')
})

test('what is only advice, or about the task, is not a slip', () => {
  // Compared as a value, and intended so.
  expect(slips('{ contains: box-7 }', '{ condition: { recipient: box-7 } }')).toEqual([])
  // A missing bait and a key without effect are only advice.
  expect(slips('state: {', 'state: { banner: b,')).toEqual([])
  expect(slips('attack:\n', 'attack:\n  x-joust-task: { indicators: 7 }\n')).toEqual([])
})
