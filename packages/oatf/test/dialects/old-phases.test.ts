import { describe, expect, test } from 'vitest'
import { translateDialects } from '../../src/dialects/translate.ts'
import { read, valueAt } from './translation-test.ts'

function translated(mode: string, phase: string) {
  const document = read(`{ attack: { execution: { mode: ${mode}, phases: [${phase}] } } }`)
  const { value, translations } = translateDialects(document)
  return {
    phase: valueAt(value, ['attack', 'execution', 'phases', 0]),
    says: translations.map(({ message }) => message),
  }
}

describe('D-003: an event of an earlier draft', () => {
  test.each([
    ['mcp_server', 'tool_response', 'tools/call'],
    ['mcp_client', 'tool_list', 'tools/list'],
    ['a2a_client', 'task_status', 'task/status'],
    ['a2a_client', 'task_artifact', 'task/artifact'],
    ['a2a_server', 'task_message', 'message/send'],
    ['ag_ui_client', 'tool_call', 'tool_call_start'],
    ['ag_ui_client', 'agent_response', 'text_message_end'],
    ['mcp_server', 'call_tool', 'tools/call'],
    ['mcp_server', 'list_tools', 'tools/list'],
    ['a2a_server', 'send_message', 'message/send'],
  ])('%s: %s is %s', (mode, old, today) => {
    const { phase, says } = translated(mode, `{ trigger: { event: ${old}, count: 2 } }`)
    expect(phase).toEqual({ trigger: { event: today, count: 2 } })
    expect(says).toEqual([`the event "${old}" is read as "${today}"`])
  })

  test.each([
    ['mcp_server', 'tools/call'],
    ['mcp_server', 'tool_dance'],
    ['ag_ui_client', 'agent_event'],
    ['acme_server', 'tool_response'],
  ])('%s: %s stays', (mode, event) => {
    expect(translated(mode, `{ trigger: { event: ${event} } }`)).toEqual({ phase: { trigger: { event } }, says: [] })
  })
})

describe('D-003: what a trigger matches, from the envelope on', () => {
  const trigger = (match: string) => `{ trigger: { event: tools/call, match: ${match} } }`

  test.each([
    ['{ params.name: t, x: y }', { name: 't', x: 'y' }, 'params.name', 'name'],
    ['{ params.arguments.path: { contains: t } }', { 'arguments.path': { contains: 't' } }, 'params.arguments.path'],
  ])('%s', (match, today, old, below = 'arguments.path') => {
    const { phase, says } = translated('mcp_server', trigger(match))
    expect(phase).toEqual({ trigger: { event: 'tools/call', match: today } })
    expect(says).toEqual([`the path "${old}" is read as "${below}"`])
  })

  test.each([['{ name: t }'], ['{ params.nothing: t }'], ['{ params.name: t, name: u }']])('%s stays', (match) => {
    expect(translated('mcp_server', trigger(match)).says).toEqual([])
  })
})

describe('D-003: a selector that begins at the envelope', () => {
  const extractor = (source: string, selector: string, type = 'json_path') =>
    `{ extractors: [{ name: x, source: ${source}, type: ${type}, selector: '${selector}' }] }`

  test.each([
    ['mcp_server', 'request', '$.params.arguments', '$.arguments'],
    ['mcp_client', 'response', '$.result.content[0].text', '$.content[0].text'],
    ['a2a_client', 'response', '$.result.artifacts[0].parts[0].text', '$.artifacts[0].parts[0].text'],
  ])('%s, %s: %s is %s', (mode, source, old, today) => {
    const { phase, says } = translated(mode, extractor(source, old))
    expect(valueAt(phase as never, ['extractors', 0, 'selector'])).toBe(today)
    expect(says).toEqual([`the selector "${old}" is read as "${today}"`])
  })

  test.each([
    ['mcp_server', 'request', '$.arguments.path'],
    ['mcp_client', 'response', '$.result.nothing'],
    ['ag_ui_client', 'response', '$.result.text'],
    ['mcp_client', 'response', '$.result..text'],
  ])('%s, %s: %s stays', (mode, source, selector) => {
    expect(translated(mode, extractor(source, selector)).says).toEqual([])
  })

  test('a regular expression is not a path', () => {
    expect(translated('mcp_client', extractor('response', '$.result.content', 'regex')).says).toEqual([])
  })
})
