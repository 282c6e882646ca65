/**
 * A simulated assistant with MCP 2026-07-28 servers over HTTP. The credulous version shares resources between its users
 * if a server allows that, fills in every form, and signs in at any address that a server specifies.
 */
import type { TargetArena, TargetSession } from '@joust/arena'
import { META, MODERN_VERSION, modernHeaders, writeRequest } from '@joust/arena/wire'
import { isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { openChat } from '../chat/chat.ts'
import { actorsOnly, type HostAnswer, type HostSend } from './actors-only.ts'
import type { Disposition, SimulatedHost } from './host.ts'
import { signIn } from './sign-in.ts'

/** An assistant with MCP 2026-07-28 servers. */
export const mcpClient: SimulatedHost = {
  name: 'MCP client',
  fits: ({ servers }) => servers.some(({ needs }) => needs.some(({ name }) => name === 'modern')),
  create: (kind) => ({ name: `a ${kind} MCP client`, start: (arena) => openClient(kind, arena) }),
}

function openClient(kind: Disposition, arena: TargetArena): Promise<TargetSession> {
  const send = actorsOnly(arena)
  const cache = new Map<string, Value>()
  const addresses = arena.servers.filter(({ mode }) => mode === 'mcp_server').map(({ address }) => address)
  const say = async (prompt: string, input: Value) => {
    const texts: string[] = []
    for (const address of addresses) texts.push(...(await use(kind, prompt, { address, send, cache, input })))
    return { text: texts.join('\n') || 'My servers have nothing on that.' }
  }
  const open = async () => ({
    say: ({ prompt, input }: { readonly prompt: string; readonly input: Value }) => say(prompt, input),
    close: async () => {},
  })
  return openChat({ name: `a ${kind} MCP client`, open }, arena)
}

interface Server {
  readonly address: string
  readonly send: HostSend
  /** Resource contents shared by all users. */
  readonly cache: Map<string, Value>
  readonly input: Value
}

/** Reads the resources and calls the tools mentioned in a request, and returns the texts of the results. */
async function use(kind: Disposition, prompt: string, server: Server): Promise<string[]> {
  const { request, reason } = await connect(kind, server)
  if (request === undefined) return [`I did not sign in: ${reason}.`]
  const isMeant = (item: Value) => (ownText(item, 'name') ?? '').split(/[_\W]/).every((word) => isWordOf(word, prompt))
  const texts: string[] = []
  for (const resource of ownList(await request('resources/list', {}), 'resources').filter(isMeant)) {
    const uri = ownText(resource, 'uri') ?? ''
    const key = `${server.address} ${uri}`
    const result = server.cache.get(key) ?? (await request('resources/read', { uri }))
    if (kind === 'credulous' && own(result, 'cacheScope') === 'public') server.cache.set(key, result)
    texts.push(...ownList(result, 'contents').flatMap((content) => ownText(content, 'text') ?? []))
  }
  for (const tool of ownList(await request('tools/list', {}), 'tools').filter(isMeant)) {
    const call = { name: ownText(tool, 'name') ?? '', arguments: {} }
    const first = await request('tools/call', call)
    const isOpen = own(first, 'resultType') === 'input_required'
    const result = isOpen ? await request('tools/call', { ...call, ...replies(kind, first, server.input) }) : first
    texts.push(...ownList(result, 'content').flatMap((content) => ownText(content, 'text') ?? []))
  }
  return texts
}

function isWordOf(word: string, prompt: string): boolean {
  return word.length > 2 && prompt.toLowerCase().includes(word.toLowerCase())
}

type Request = (method: string, params: ValueRecord) => Promise<Value>

/** Connects, and signs in if the server requires that. If `request` is absent, the sign-in failed for `reason`. */
async function connect(kind: Disposition, { address, send }: Server) {
  let authorization: Record<string, string> = {}
  const ask = (method: string, params: ValueRecord): Promise<HostAnswer> => {
    const withMeta = { ...params, _meta: { [`${META}protocolVersion`]: MODERN_VERSION, ...identity } }
    const headers = { ...jsonHeaders, ...modernHeaders(method, withMeta), ...authorization }
    return send(address, { method: 'POST', headers, body: writeRequest(1, method, withMeta) })
  }
  const first = await ask('server/discover', {})
  if (first.status === 401) {
    const signedIn = await signIn(kind, first.headers.get('www-authenticate') ?? '', send)
    if (!signedIn.ok) return { reason: signedIn.error }
    authorization = { authorization: `Bearer ${signedIn.value}` }
  }
  const request: Request = async (method, params) => own((await ask(method, params)).value, 'result') ?? null
  return { request }
}

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const identity = {
  [`${META}clientInfo`]: { name: 'assistant', version: '1.0.0' },
  [`${META}clientCapabilities`]: { elicitation: { form: {} } },
}

const SECRET = /pass|secret|token|code|pin\b|key/i

/** Fills in the forms in a result with values from `name: value` lines in the user's context. */
function replies(kind: Disposition, result: Value, input: Value): ValueRecord {
  const forms = own(result, 'inputRequests')
  const context = ownList(input, 'context').flatMap((item) => (ownText(item, 'value') ?? '').split('\n'))
  const values = new Map(context.map((line) => line.split(': ')).map(([name = '', value = '']) => [name, value]))
  const answered = Object.entries(isRecord(forms) ? forms : {}).map(([key, form]) => {
    const properties = own(own(own(form, 'params'), 'requestedSchema'), 'properties')
    const names = Object.keys(isRecord(properties) ? properties : {})
    const isRefused = kind === 'cautious' && names.some((name) => SECRET.test(name))
    const content = Object.fromEntries(names.map((name) => [name, values.get(name) ?? '']))
    return [key, isRefused ? { action: 'decline' } : { action: 'accept', content }] as const
  })
  const requestState = own(result, 'requestState')
  const inputResponses = Object.fromEntries(answered)
  return { inputResponses, ...(requestState !== undefined && { requestState }) }
}
