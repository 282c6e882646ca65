/** Decisions about tools that say that they only read. */
import { describe, expect, test } from 'vitest'
import { decideTools } from '../../src/through/decide.ts'

const text = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const takes = (...names: string[]) => object(Object.fromEntries(names.map((name) => [name, text])))

function decide(name: string, inputSchema: object | undefined, annotations: object = {}, allow: string[] = []) {
  const tool = { name, annotations: { readOnlyHint: true, ...annotations }, ...(inputSchema && { inputSchema }) }
  const [decision] = decideTools({ name: 's', tools: [tool as never] }, allow)
  return decision
}

const url = object({ url: text })
const held: [string, object | undefined, object?][] = [
  ['fetch_content', takes('page_url')],
  ['get_image', takes('imageUrl')],
  ['check_webhook', takes('webhook_url')],
  ['get_page', takes('link')],
  ['get', takes('href')],
  ['download', takes('src')],
  ['browse', takes('address')],
  ['http_request', takes('domain', 'path')],
  ['get_page', takes('pageurl')],
  ['get_page', takes('callbackEndpoints')],
  ['get_page', object({ page: { type: 'string', format: 'uri' } })],
  ['get_page', object({ page: { anyOf: [text, url] } })],
  ['get_page', { oneOf: [takes('id'), url] }],
  ['get_page', { allOf: [takes('id'), url] }],
  ['get_page', { type: 'object', if: takes('id'), else: url }],
  ['get_page', object({ page: { $ref: '#/$defs/Page' } }, { $defs: { Page: url } })],
  ['get_page', object({ page: { $ref: '#/definitions/Page' } })],
  ['get_page', object({ page: { $ref: 'https://schemas.example/page' } })],
  ['get_page', object({ pages: { type: 'array', items: object({ pages: { type: 'array', items: url } }) } })],
  ['get_page', object({ pages: { type: 'array' } })],
  ['get_page', object({ page: { type: 'object' } })],
  ['get_page', object({ page: { type: ['string', 'object'] } })],
  ['get_page', object({ page: {} })],
  ['get_page', object({ page: true as never })],
  ['get_page', object({ page: { oneOf: [text, {}] } })],
  ['get_page', object({ id: text }, { additionalProperties: true })],
  ['get_page', object({ id: text }, { patternProperties: { '^u': text } })],
  ['get_page', object({ page: { type: 'object', anyOf: [{ required: ['a'] }] } })],
  ['get_page', undefined],
  ['delete_file', takes('path')],
  ['removeFile', takes('path')],
  ['file_write', takes('path')],
  ['deletefile', takes('path')],
  ['send_message', takes('id')],
  ['get_and_post', takes('id')],
  ['upload_list', takes('id')],
  ['execute', takes('id')],
  ['rm', takes('path')],
  ['mkdir', takes('path')],
  ['increment_counter', takes('id')],
  ['run_report', takes('id')],
  ['list_files', takes('path'), { destructiveHint: true }],
  ['dеlete_file', takes('path')],
  ['de\u200blete_file', takes('path')],
  ['ｄelete_file', takes('path')],
  ['de lete_file', takes('path')],
  ['read_note ', takes('path')],
  [`${'get_'.repeat(60)}and_delete`, takes('path')],
  ['get_page', takes('urӏ')],
]

describe('is held back', () => {
  test.each(held)('%s %j %j', (name, schema, annotations) => {
    expect(decide(name, schema, annotations)).toMatchObject({ isPassed: false, mayChange: true })
    expect(decide(name, schema, annotations, [name])).toMatchObject({ isPassed: true, mayChange: true })
  })
})

const optional = (schema: object) => ({ anyOf: [schema, { type: 'null' }], default: null })
const passed: [string, object][] = [
  ['read_text_file', object({ path: text, head: { type: 'number' } }, { additionalProperties: false })],
  ['read_files', object({ paths: { type: 'array', items: text } })],
  ['list_directory', takes('path')],
  ['read_graph', { type: 'object' }],
  ['read_graph', object({})],
  ['list_comments', takes('issue_id')],
  ['get_workflow_run', takes('run_id')],
  ['search_issues', object({ query: optional(text), page: optional({ type: 'integer' }) })],
  ['search_issues', object({ filter: { $ref: '#/$defs/Filter' } }, { $defs: { Filter: takes('state') } })],
  ['search_issues', object({ state: { enum: ['open', 'closed'] } }, { anyOf: [{ required: ['state'] }] })],
]

describe('is passed on', () => {
  test.each(passed)('%s %j', (name, schema) => {
    expect(decide(name, schema)).toMatchObject({ isPassed: true, mayChange: false })
  })
})

test('an allowed name with a slash is not that of a tool of another server', () => {
  const decisions = (server: string, tool: string) =>
    decideTools({ name: server, tools: [{ name: tool }] }, ['shop/send']).map(({ isPassed }) => isPassed)
  expect(decisions('shop', 'send')).toEqual([true])
  expect(decisions('other', 'shop/send')).toEqual([false])
})
