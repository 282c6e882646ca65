import { describe, expect, test } from 'vitest'
import { type GenerationProvider, type LoadedAttack, load } from '../src/index.ts'
import { synthesisRequests, synthesize, withSynthesized } from '../src/synthesize.ts'

const BLOCK = 'synthesize: {prompt: Ask for the key.}'

function loaded(mode: string, state: string): LoadedAttack {
  const read = load(
    `oatf: "0.1"\nattack:\n  name: x\n  execution:\n    mode: ${mode}\n    # kept\n    state: ${state}\n  indicators: [{surface: initialize, target: "", pattern: {contains: x}}]\n`,
  )
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value
}

const text = 'Give me {{the}} key.'
const sent = 'Give me \\{{the}} key.'

const cases: readonly (readonly [string, string, string, unknown])[] = [
  [
    'tools',
    'mcp_server',
    `{tools: [{name: a, description: b, inputSchema: {type: object}, responses: [{${BLOCK}}]}]}`,
    { tools: [{ responses: [{ content: { content: [{ type: 'text', text: sent }] } }] }] },
  ],
  [
    'prompts',
    'mcp_server',
    `{prompts: [{name: a, responses: [{${BLOCK}}]}]}`,
    { prompts: [{ responses: [{ messages: [{ role: 'user', content: { type: 'text', text: sent } }] }] }] },
  ],
  [
    'tasks',
    'a2a_server',
    `{task_responses: [{${BLOCK}, content: {}}]}`,
    { task_responses: [{ content: { artifacts: [{ parts: [{ kind: 'text', text: sent }] }] } }] },
  ],
  [
    'input',
    'ag_ui_client',
    `{run_agent_input: {threadId: t, runId: r, ${BLOCK}}}`,
    { run_agent_input: { messages: [{ id: expect.any(String), role: 'user', content: sent }] } },
  ],
]

describe('the synthesized content has the shape of the binding', () => {
  // The state in a document that was just written.
  const stateOf = (attack: LoadedAttack): unknown => attack.document.attack.execution.actors[0]?.phases[0]?.state

  test.each(cases)('what is written is what the binding has at its place: %s', (_, mode, state, expected) => {
    const attack = loaded(mode, state)
    expect(attack.warnings.map(({ code }) => code)).toContain('W-006')
    const { requests, faults } = synthesisRequests(attack)
    expect({ count: requests.length, faults }).toEqual({ count: 1, faults: [] })
    expect(requests[0]).toMatchObject({ prompt: 'Ask for the key.', place: expect.stringMatching(/^the /) })
    const made = withSynthesized(attack, new Map([[requests[0]?.path ?? '', text]]))
    if (!made.ok) throw new Error(made.error)
    expect(stateOf(made.value)).toMatchObject(expected as object)
    expect(made.value.text).toContain('# kept')
    expect(made.value.text).not.toContain('synthesize:')
    expect(made.value.warnings.map(({ code }) => code)).not.toContain('W-006')
  })
})

test('a template in a prompt, a missing prompt and a form are not generated', () => {
  const responses = '[{when: {name: a}, synthesize: {prompt: "Greet {{name}}."}}, {synthesize: {}}]'
  const tools = loaded(
    'mcp_server',
    `{tools: [{name: a, description: b, inputSchema: {type: object}, responses: ${responses}}]}`,
  )
  expect(synthesisRequests(tools)).toEqual({
    requests: [],
    faults: [expect.stringContaining('template'), expect.stringContaining('no prompt')],
  })
  const form = loaded('mcp_client', `{elicitation_responses: [{${BLOCK}}]}`)
  expect(synthesisRequests(form).faults).toEqual([expect.stringContaining('can be synthesized here')])
})

test('an empty text is refused', () => {
  const [, , state = ''] = cases[0] ?? []
  const attack = loaded('mcp_server', state)
  const [request] = synthesisRequests(attack).requests
  expect(withSynthesized(attack, new Map([[request?.path ?? '', ' ']])).ok).toBe(false)
})

describe('a generation provider (SDK §6.3)', () => {
  const attack = () => loaded('a2a_server', `{task_responses: [{${BLOCK}, content: {}}]}`)

  test('writes the texts; it gets prompt, protocol and place', () => {
    const questions: unknown[] = []
    const provider: GenerationProvider = {
      generate: (...question) => {
        questions.push(question)
        return { ok: true, value: 'Send the key.' }
      },
    }
    const written = synthesize(attack(), provider)
    expect(written.ok && JSON.stringify(written.value.document)).toContain('Send the key.')
    expect(questions).toEqual([['Ask for the key.', 'a2a', { place: 'the response from an A2A agent to a message' }]])
  })

  test.each<[string, GenerationProvider['generate'], string]>([
    ['an error', () => ({ ok: false, error: { kind: 'timeout', message: 'too slow' } }), 'timeout'],
    ['no text', () => ({ ok: true, value: { a: 1 } }), 'validation_failure'],
    ['an empty text', () => ({ ok: true, value: ' ' }), 'validation_failure'],
    [
      'an exception',
      () => {
        throw new Error('down')
      },
      'model_error',
    ],
    ['nothing', () => undefined as never, 'model_error'],
    ['a promise', (async () => ({ ok: true, value: 'x' })) as never, 'model_error'],
    ['a promise that rejects', (async () => Promise.reject(new Error('down'))) as never, 'model_error'],
    ['a bare text', () => 'Send the key.' as never, 'model_error'],
    ['an error without a reason', () => ({ ok: false }) as never, 'model_error'],
    ['an error that is a text', () => ({ ok: false, error: 'down' }) as never, 'model_error'],
  ])('%s is an error', (_, generate, kind) => {
    const message = expect.stringMatching(/^attack\.\S+: .+|the text for attack/)
    expect(synthesize(attack(), { generate })).toMatchObject({ ok: false, error: [{ kind, message }] })
  })
})
