/** What a client of MCP says it can be asked: in its handshake or, in the newer version, with every request. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** Requests of servers, and the capability that a client must have announced before one may be sent. */
export const questions = [
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
] as const

const abilities: ReadonlyMap<string, string> = new Map(questions)
const META = 'io.modelcontextprotocol/clientCapabilities'

/** The capabilities that a request of the client states; undefined where it states none. */
export function toldAbilities(method: string, params: Value): ValueRecord | undefined {
  if (!isRecord(params)) return undefined
  const told = method === 'initialize' ? own(params, 'capabilities') : own(own(params, '_meta'), META)
  if (isRecord(told)) return told
  return method === 'initialize' ? {} : undefined
}

/** Whether a client with these capabilities accepts a server's request; what needs no capability is always accepted. */
export function takesQuestion(told: ValueRecord | undefined, method: string, params: Value): boolean {
  const name = abilities.get(method)
  if (name === undefined) return true
  const ability = own(told, name)
  if (!isRecord(ability)) return false
  // A client that just declares elicitation accepts forms only.
  const isLink = name === 'elicitation' && own(params, 'mode') === 'url'
  return !isLink || isRecord(own(ability, 'url'))
}
