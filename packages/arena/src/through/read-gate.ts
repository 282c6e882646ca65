/** Decides about read-only requests to a real server, and reads the server's lists. */
import { throughReads } from '@joust/results'
import { ownList, ownText, type Value, writeJson } from '@joust/source'
import { contentOf } from '../drivers/json-rpc.ts'
import { arenaLimits } from '../model/limits.ts'
import type { RealReply, RealRequest } from '../model/through.ts'

/** Requests that are read-only by definition of the protocol. */
const READS: ReadonlySet<string> = new Set([
  ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'prompts/get', 'resources/read'],
  ...['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'],
])

/** The reason to pass on a request for a resource or prompt. */
export const LISTED = 'the server lists it'
const RESOURCES = { list: 'resources', key: 'uri' } as const
const PROMPTS = { list: 'prompts', key: 'name' } as const

/** Returns the list that must contain a requested resource or prompt, and the key that identifies it. */
export function listFor(method: string): typeof RESOURCES | typeof PROMPTS | undefined {
  if (method === 'prompts/get') return PROMPTS
  return throughReads.some((one) => one === method) ? RESOURCES : undefined
}

/**
 * Creates a function that returns the reason to hold back a request other than a tool call. A resource or prompt must
 * be in the server's list, because a URI made from a template, or an invented name, can carry data out.
 */
export function createReadGate(exchange: (request: RealRequest) => Promise<RealReply>) {
  const listed = new Map<string, Promise<ReadonlySet<string>>>()
  return async ({ method, params, cancel }: RealRequest): Promise<string | undefined> => {
    if (!READS.has(method)) return 'it is not known to be read-only'
    const of = listFor(method)
    if (of === undefined) return undefined
    const name = ownText(params, of.key)
    if (name !== undefined && (await listed.get(of.list))?.has(name) === true) return undefined
    if (name !== undefined) listed.set(of.list, allNames(exchange, of, cancel))
    return name !== undefined && (await listed.get(of.list))?.has(name) === true
      ? undefined
      : 'the server does not list it'
  }
}

async function allNames(
  exchange: (request: RealRequest) => Promise<RealReply>,
  { list, key }: typeof RESOURCES | typeof PROMPTS,
  cancel: AbortSignal,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  await eachPage(exchange, list, cancel, (reply) => {
    for (const name of ownList(contentOf(reply), list).flatMap((one) => ownText(one, key) ?? [])) names.add(name)
  })
  return names
}

/** Requests the pages of a list; returns false if a request fails. */
export async function eachPage(
  exchange: (request: RealRequest) => Promise<RealReply>,
  list: string,
  cancel: AbortSignal,
  take: (reply: RealReply) => void,
): Promise<boolean> {
  let params: Value = {}
  for (let page = 0; page < arenaLimits.throughPages; page++) {
    const reply = await exchange({ method: `${list}/list`, params, json: writeJson(params), cancel })
    take(reply)
    if ('error' in reply) return false
    const cursor = ownText(contentOf(reply), 'nextCursor')
    if (cursor === undefined) return true
    params = { cursor }
  }
  return true
}
