/** Whether an answer of a server says anything about the attack. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { errorFault } from '../error-fault.ts'
import type { Reply } from './correlate.ts'

/** MCP's own code for a resource that a client does not get. */
const RESOURCE_NOT_FOUND = -32002

/** What a result must hold, one of them; nothing for those that are empty by definition. */
// biome-ignore format: a row is a line
const resultKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['initialize', ['protocolVersion']],
  ['ping', []],
  ['logging/setLevel', []],
  ['resources/subscribe', []],
  ['resources/unsubscribe', []],
  ['tools/list', ['tools']],
  ['tools/call', ['content', 'structuredContent', 'task']],
  ['resources/list', ['resources']],
  ['resources/templates/list', ['resourceTemplates']],
  ['resources/read', ['contents']],
  ['prompts/list', ['prompts']],
  ['prompts/get', ['messages']],
  ['completion/complete', ['completion']],
  ['tasks/list', ['tasks']],
  ['tasks/get', ['taskId']],
  ['tasks/cancel', ['taskId']],
])

/** How a call of ours failed, as the rest of a sentence; undefined when the answer is one, or may be a refusal. */
export function answerFault(
  method: string,
  { failed, content }: Extract<Reply, { kind: 'answered' }>,
): string | undefined {
  if (failed) return errorFault(content, method === 'resources/read' ? [RESOURCE_NOT_FOUND] : [])
  if (!isRecord(content)) return 'with a result that is not a mapping'
  if (own(content, 'isError') === true && !hasText(content)) return 'with an error that does not say what is wrong'
  const keys = resultKeys.get(method)
  if (keys === undefined) return Object.keys(content).length === 0 ? 'with an empty result' : undefined
  if (keys.length === 0 || keys.some((key) => holds(content, key))) return undefined
  return `with a result that has no ${keys.join(' or ')}`
}

const textKeys: ReadonlySet<string> = new Set(['protocolVersion', 'taskId'])

function holds(result: ValueRecord, key: string): boolean {
  const value = own(result, key)
  return textKeys.has(key) ? isFilled(value) : isList(value) || isRecord(value)
}

function isFilled(value: Value | undefined): boolean {
  return typeof value === 'string' && value !== ''
}

function hasText(result: ValueRecord): boolean {
  const content = own(result, 'content')
  return isList(content) && content.some((item) => isRecord(item) && isFilled(own(item, 'text')))
}
