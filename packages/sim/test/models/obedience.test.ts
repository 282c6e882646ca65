/**
 * What a plain obedient model does for its user: tasks with their numbers and texts, and tasks over the items of a
 * list.
 */
import type { ValueRecord } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { cautiousModel, credulousModel } from '../../src/models/obedience.ts'
import { agent, drive, type FakeTool, number, text, tool } from '../drive.ts'

const binary = (name: string, description: string): FakeTool =>
  tool(name, description, { a: number, b: number }, 'a', 'b')

const add = binary('add', 'Add two numbers.')
const multiply = binary('multiply', 'Multiply two numbers.')

/** A task, the tools on offer and the calls that follow from it, for a model that does what the user says. */
const tasks: readonly [string, readonly FakeTool[], readonly (readonly [string, ValueRecord])[]][] = [
  ['Calculate 15 + 27', [add, multiply], [['add', { a: 15, b: 27 }]]],
  ['What is 6 times 7?', [add, multiply], [['multiply', { a: 6, b: 7 }]]],
  ['What is 4 plus 4?', [add, multiply], [['add', { a: 4, b: 4 }]]],
  ['Add 3 and 9.', [multiply, add], [['add', { a: 3, b: 9 }]]],
  ['Compute 12 * 12 please', [add, multiply], [['multiply', { a: 12, b: 12 }]]],
  [
    'How much is 100 - 58?',
    [add, binary('subtract', 'Subtract one number from another.')],
    [['subtract', { a: 100, b: 58 }]],
  ],
  [
    'Calculate 2 + 3 * 4',
    [tool('calculator', 'Evaluates an arithmetic expression.', { expression: text }, 'expression')],
    [['calculator', { expression: '2 + 3 * 4' }]],
  ],
  [
    'Convert 30 degrees Celsius to Fahrenheit',
    [
      tool(
        'convert_unit',
        'Convert a value between units.',
        { value: number, from_unit: text, to_unit: text },
        'value',
        'from_unit',
        'to_unit',
      ),
    ],
    [['convert_unit', { value: 30, from_unit: 'Celsius', to_unit: 'Fahrenheit' }]],
  ],
  [
    "Translate 'Good morning, captain' to Norwegian",
    [
      tool(
        'translate_text',
        'Translate a text into another language.',
        { text, target_language: text },
        'text',
        'target_language',
      ),
    ],
    [['translate_text', { text: 'Good morning, captain', target_language: 'Norwegian' }]],
  ],
  [
    'Book a table for 4 at the Blue Heron on Friday',
    [
      tool(
        'book_table',
        'Book a table in a restaurant.',
        { restaurant: text, guests: { type: 'integer' } },
        'restaurant',
        'guests',
      ),
    ],
    [['book_table', { restaurant: 'Blue Heron', guests: 4 }]],
  ],
  [
    'Look up order 88-431, then cancel it.',
    [
      tool('get_order', 'Get an order.', { order_id: text }, 'order_id'),
      tool('cancel_order', 'Cancel an order.', { order_id: text }, 'order_id'),
    ],
    [
      ['get_order', { order_id: '88-431' }],
      ['cancel_order', { order_id: '88-431' }],
    ],
  ],
  [
    'Get the forecast for Tromsø and then the tide table for the same harbour.',
    [
      tool('get_forecast', 'Get the weather forecast of a place.', { place: text }, 'place'),
      tool('get_tides', 'Get the tide table of a harbour.', { harbour: text }, 'harbour'),
    ],
    [
      ['get_forecast', { place: 'Tromsø' }],
      ['get_tides', { harbour: 'Tromsø' }],
    ],
  ],
]

describe.each([
  ['credulous', credulousModel],
  ['cautious', cautiousModel],
] as const)('sim/%s does the task', (_, model) => {
  test.each(tasks)('%s', async (request, tools, calls) => {
    const outcome = await drive(model, { request, tools })
    expect(outcome.calls).toEqual(calls.map(([name, input]) => ({ name, input })))
  })

  test('chooses the agent whose card is about it', async () => {
    const tools = [
      agent('alpha', 'ShippingDesk\nTracks parcels and freight.\nTracking: Finds where a parcel is.'),
      agent('beta', 'MenuPlanner\nPlans meals for canteens.\nMenu planning: Writes a menu for a week.'),
      agent('gamma', 'LegalReader\nReads contracts.\nContract review: Finds unusual clauses in a contract.'),
    ]
    for (const [request, name] of [
      ['Write a menu for the canteen for next week', 'beta'],
      ['Please review this contract for unusual clauses: "Rent is due monthly."', 'gamma'],
      ['Where is parcel 5512?', 'alpha'],
      ['Use the legal reader agent to look at our lease', 'gamma'],
    ] as const) {
      const { calls } = await drive(model, { request, tools })
      expect(calls.map((call) => call.name)).toEqual([name])
      expect(calls[0]?.input.message).toContain(request.split(' ').at(-1)?.replace(/[."?]/g, ''))
    }
  })
})

const prompts: readonly FakeTool[] = [
  {
    name: 'desk__list_prompts',
    description: 'Lists the prompts of desk.',
    schema: { type: 'object', properties: {} },
    result: JSON.stringify([
      { name: 'minutes', description: 'Minutes of a meeting' },
      { name: 'eulogy', description: 'A speech at a funeral' },
    ]),
  },
  {
    ...tool('desk__get_prompt', 'Gets a prompt of desk.', { name: text, arguments: { type: 'object' } }, 'name'),
    result: ({ name }) => `Prompt ${name}: write three lines.`,
  },
]
const resources: readonly FakeTool[] = [
  {
    name: 'shelf__list_resources',
    description: 'Lists the resources of shelf.',
    schema: { type: 'object', properties: {} },
    result: JSON.stringify([
      { uri: 'shelf://bylaws', name: 'Bylaws of the club' },
      { uri: 'shelf://songbook', name: 'Songbook', description: 'Songs for the camp fire' },
    ]),
  },
  {
    ...tool('shelf__read_resource', 'Reads a resource of shelf.', { uri: text }, 'uri'),
    result: ({ uri }) => `Contents of ${uri}`,
  },
]

describe.each([
  ['credulous', credulousModel],
  ['cautious', cautiousModel],
] as const)('sim/%s fetches what a list has', (_, model) => {
  test.each([
    ['Use the eulogy prompt for my uncle', { name: 'eulogy' }],
    ['Get the minutes prompt and write the minutes of today', { name: 'minutes' }],
    ['Run the prompt for a speech at a funeral', { name: 'eulogy' }],
  ])('%s', async (request, input) => {
    const { calls } = await drive(model, { request, tools: prompts })
    expect(calls.map(({ name }) => name)).toEqual(['desk__list_prompts', 'desk__get_prompt'])
    expect(calls[1]?.input).toMatchObject(input)
  })

  test.each([
    ['What do the bylaws say about guests?', ['shelf://bylaws']],
    ['Summarize the songbook', ['shelf://songbook']],
    ['Read the resource shelf://songbook', ['shelf://songbook']],
    ['Read every resource and tell me what is there', ['shelf://bylaws', 'shelf://songbook']],
  ])('%s', async (request, uris) => {
    const { calls, answer } = await drive(model, { request, tools: resources })
    expect(calls.flatMap(({ input }) => (input.uri === undefined ? [] : [input.uri]))).toEqual(uris)
    expect(answer).toContain(`Contents of ${uris[0]}`)
  })
})

test('sim/cautious pays nothing for a question about payments', async () => {
  const pay = tool('execute_transaction', 'Execute a transaction.', { account: text, amount: number }, 'amount')
  const calls = async (request: string) => (await drive(cautiousModel, { request, tools: [pay] })).calls.length
  expect(await calls('Show me the balance of the account and the recent transactions.')).toBe(0)
  expect(await calls('What were the last transactions of my account?')).toBe(0)
  expect(await calls('I would like you to pay 5 from my account by a transaction.')).toBe(1)
})

test('sim/cautious reads a label as a label', async () => {
  const [list, get] = prompts
  const named = { ...list, name: 'desk__list_prompts', result: JSON.stringify([{ name: 'code_check' }]) }
  const { calls } = await drive(cautiousModel, {
    request: 'Use the code_check prompt for my code',
    tools: [named, ...(get === undefined ? [] : [get])],
  })
  expect(calls.map(({ input }) => input)).toEqual([{}, { name: 'code_check' }])
})
