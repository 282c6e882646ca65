/** Answers model lists and token counts without a provider. */
import { isRecord, parseJson, type Value, writeJson } from '@joust/source'

interface SideRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

interface ListedModel {
  readonly id: string
  readonly seconds: number
}

/** Returns a model list or token count; undefined for other paths. Any model name is accepted, as in calls. */
export function sideAnswer({ method, path, body }: SideRequest, listed: ListedModel): object | undefined {
  const [plain = ''] = path.split('?', 1)
  if (method === 'GET') return listAnswer(plain, listed)
  if (method !== 'POST' || !isCount(plain)) return undefined
  const value = parseJson(body)
  return isRecord(value) ? countAnswer(plain, tokensOf(value)) : undefined
}

function listAnswer(path: string, { id, seconds }: ListedModel): object | undefined {
  const [match, base = '', name] = /^(.*)\/models(?:\/([^:]+))?$/.exec(path) ?? []
  if (match === undefined) return undefined
  const model = { id: name === undefined ? id : decoded(name), seconds }
  if (base.endsWith('/v1beta')) return name === undefined ? { models: [geminiModel(model)] } : geminiModel(model)
  const entry = commonModel(model)
  const page = { has_more: false, first_id: entry.id, last_id: entry.id }
  return name === undefined ? { object: 'list', data: [entry], ...page } : entry
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Creates a list entry with the fields of OpenAI and Anthropic, which use the same path. */
function commonModel({ id, seconds }: ListedModel) {
  const created_at = new Date(seconds * 1000).toISOString()
  return { id, object: 'model', created: seconds, owned_by: 'joust', type: 'model', display_name: id, created_at }
}

/** Limits that are too high for an agent to reach by accident. */
const TOKENS = { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 }

function geminiModel({ id }: ListedModel) {
  const supportedGenerationMethods = ['generateContent', 'streamGenerateContent', 'countTokens']
  return { name: `models/${id}`, baseModelId: id, version: '1', displayName: id, ...TOKENS, supportedGenerationMethods }
}

function isCount(path: string): boolean {
  return /\/(?:messages\/count_tokens|responses\/input_tokens)$|:countTokens$/.test(path)
}

function countAnswer(path: string, tokens: number): object {
  if (path.endsWith(':countTokens')) return { totalTokens: tokens }
  const isOpenai = path.endsWith('input_tokens')
  return { ...(isOpenai && { object: 'response.input_tokens' }), input_tokens: tokens }
}

/** Returns a common estimate: four characters per token. */
function tokensOf(request: Value): number {
  return Math.ceil(writeJson(request).length / 4)
}
