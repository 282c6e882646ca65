import { describe, expect, it } from 'vitest'
import { splitSystem } from '../../src/models/prompt-sections.ts'
import { firstPrompt, type PromptParts } from '../../src/react/prompt.ts'

const parts: PromptParts = {
  instructions: 'Help.',
  output: { type: 'string' },
  servers: [],
  request: 'the request',
  templated: false,
}
const empty = { recalled: [], messages: [], clientTools: [] }

describe('firstPrompt', () => {
  it('puts server instructions after the agent instructions and the answer format', () => {
    const [system] = firstPrompt({
      ...parts,
      output: { type: 'object' },
      servers: [{ alias: 'files', text: 'Read me.' }],
    })
    const { own, servers } = splitSystem(String(system?.content))
    expect(own).toContain('Help.')
    expect(own).toContain('JSON Schema:\n{"type":"object"}')
    expect(servers).toBe('\n## Instructions from server "files"\n\nRead me.')
  })

  it('puts recalled turns before the request', () => {
    const recalled = [
      { role: 'user', text: 'before' },
      { role: 'assistant', text: 'yes' },
    ] as const
    const prompt = firstPrompt({ ...parts, conversation: { ...empty, recalled } })
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(prompt.at(-1)?.content).toEqual([{ type: 'text', text: 'the request' }])
  })

  it('a template replaces the last user message', () => {
    const messages = [
      { role: 'user', text: 'one' },
      { role: 'user', text: 'two' },
    ] as const
    const plain = firstPrompt({ ...parts, conversation: { ...empty, messages } })
    const templated = firstPrompt({ ...parts, templated: true, conversation: { ...empty, messages } })
    expect(JSON.stringify(plain.slice(1))).toContain('two')
    expect(JSON.stringify(templated.slice(1))).not.toContain('two')
    expect(templated.at(-1)?.content).toEqual([{ type: 'text', text: 'the request' }])
  })

  it('a history without a user message is followed by the request', () => {
    const prompt = firstPrompt({
      ...parts,
      conversation: { ...empty, messages: [{ role: 'assistant', text: 'Hello!' }] },
    })
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'assistant', 'user'])
  })

  it('empty context and state are omitted', () => {
    const prompt = firstPrompt({ ...parts, conversation: { ...empty, context: [], state: {} } })
    expect(prompt.at(-1)?.content).toEqual([{ type: 'text', text: 'the request' }])
  })

  it('a tool result gets the name of its call, or unknown', () => {
    const messages = [
      { role: 'assistant', text: '', calls: [{ id: 'c', name: 'pick', arguments: 'broken' }] },
      { role: 'tool', call: 'c', content: { n: 1 } },
      { role: 'tool', call: 'd', content: 'x', isError: true },
      { role: 'user', text: 'go on' },
    ] as const
    const prompt = firstPrompt({ ...parts, conversation: { ...empty, messages } })
    expect(prompt[1]?.content).toEqual([{ type: 'tool-call', toolCallId: 'c', toolName: 'pick', input: {} }])
    expect(prompt[2]?.content[0]).toMatchObject({ toolName: 'pick', output: { type: 'json', value: { n: 1 } } })
    expect(prompt[3]?.content[0]).toMatchObject({ toolName: 'unknown', output: { type: 'error-text', value: 'x' } })
  })
})
