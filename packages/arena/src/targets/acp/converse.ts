/** A conversation over the Agent Client Protocol, version 1: one process, one session, a prompt for each turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import { endsWithin, onAbort } from '@joust/io'
import { own, ownList, ownText, type Value } from '@joust/source'
import type { JsonRpcResponse } from '../../drivers/json-rpc.ts'
import { ArenaError } from '../../model/errors.ts'
import { arenaLimits } from '../../model/limits.ts'
import type { TargetArena } from '../../model/target.ts'
import type { Pipe } from '../../model/wiring.ts'
import { endedEarly, openProcess } from '../command/lines.ts'
import type { CommandSetting } from '../command/turns.ts'
import type { Answer, Conversation, Turn } from '../front-door/reception.ts'
import { type AcpConnection, connectAcp, errorText } from './connection.ts'
import type { Permissions } from './permissions.ts'

const PROTOCOL_VERSION = 1

/** The error of `session/new` when nobody has logged in. */
const AUTH_REQUIRED = -32000

/** A process that speaks the protocol, and its session. */
interface AcpSession {
  readonly id: string
  readonly pipe: Pipe
  readonly connection: AcpConnection
  /** What it has said since the turn began. */
  readonly said: { text: string; isNew: boolean }
}

/** Begins a conversation. Rejects with an `ArenaError` when the agent cannot be started or refuses a session. */
export async function converseByAcp(
  setting: CommandSetting,
  arena: TargetArena,
  permissions: Permissions,
): Promise<Conversation> {
  const { pipe, keep } = await openProcess(setting)
  const off = onAbort(arena.signal, () => void pipe.close())
  const said = { text: '', isNew: false }
  const connection = connectAcp(pipe, {
    told: (method, params) => method === 'session/update' && take(said, own(params, 'update')),
    asked: async (method, params) => (method === 'session/request_permission' ? permissions.answer(params) : undefined),
    stray: (line) => keep(`${line}\n`),
  })
  try {
    const id = await openSession(setting, arena, pipe, connection)
    await untilListed(arena)
    const session = { id, pipe, connection, said }
    return {
      say: (turn) => prompt(setting, session, turn),
      async close() {
        off()
        await pipe.close()
      },
    }
  } catch (thrown) {
    off()
    await pipe.close()
    throw thrown
  }
}

/** Collects the words of the agent; what it says after a tool call is a paragraph of its own. */
function take(said: AcpSession['said'], update: Value | undefined): void {
  const kind = own(update, 'sessionUpdate')
  if (kind === 'tool_call') said.isNew = said.text !== ''
  if (kind !== 'agent_message_chunk') return
  const text = ownText(own(update, 'content'), 'text')
  if (text === undefined) return
  said.text = `${said.text}${said.isNew ? '\n\n' : ''}${text}`.slice(-arenaLimits.answerText)
  said.isNew = false
}

async function openSession(
  { cwd, log }: CommandSetting,
  { servers }: TargetArena,
  pipe: Pipe,
  { call }: AcpConnection,
): Promise<string> {
  const ask = async (method: string, params: Value): Promise<JsonRpcResponse> => {
    const answer = call(method, params)
    if (!(await endsWithin(answer, arenaLimits.acpStartMs)))
      throw log.failure(`did not answer ${method} within ${arenaLimits.acpStartMs / 1000} s`)
    return (await answer) ?? gone(log, pipe, method)
  }
  const hello = await ask('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'client', version: '1.0.0' },
  })
  if (hello.failed) throw log.failure(`refused initialize: ${errorText(hello)}`)
  const version = own(hello.content, 'protocolVersion')
  if (version !== PROTOCOL_VERSION)
    throw log.failure(`speaks version ${String(version)} of the Agent Client Protocol, not ${PROTOCOL_VERSION}`)
  const mcpServers = servers
    .filter(({ mode }) => mode === 'mcp_server')
    .map(({ actor, address }) => ({ type: 'http', name: actor, url: address, headers: [] }))
  const takes = own(own(own(hello.content, 'agentCapabilities'), 'mcpCapabilities'), 'http')
  if (mcpServers.length > 0 && takes !== true)
    throw log.failure('takes no MCP servers over HTTP: its agentCapabilities.mcpCapabilities.http is not true')
  const begun = await ask('session/new', { cwd, mcpServers })
  if (begun.failed) throw log.failure(`did not start a session: ${errorText(begun)}${loginHint(begun, hello)}`)
  const id = ownText(begun.content, 'sessionId')
  if (id === undefined || id === '')
    throw log.failure('did not start a session: its answer to session/new has no sessionId, which is a text')
  return id
}

function loginHint({ content }: JsonRpcResponse, hello: JsonRpcResponse): string {
  if (own(content, 'code') !== AUTH_REQUIRED) return ''
  const names = ownList(hello.content, 'authMethods').map((method) => String(own(method, 'id')))
  const known = names.length === 0 ? '' : ` (${names.join(', ')})`
  return `; it needs a login${known}: pass its key with --pass-env, or your own home with --use-home`
}

/** Agents accept prompts while they still connect to servers; a prompt that comes first meets a model without tools. */
async function untilListed({ servers, hasListed, signal }: TargetArena): Promise<void> {
  const actors = servers.filter(({ mode }) => mode === 'mcp_server').map(({ actor }) => actor)
  const end = Date.now() + arenaLimits.acpListingMs
  while (hasListed !== undefined && !signal.aborted && Date.now() < end && !actors.every(hasListed)) await sleep(25)
}

async function prompt(
  { log, timeoutMs }: CommandSetting,
  { id, pipe, connection, said }: AcpSession,
  { prompt: text, signal }: Turn,
): Promise<Answer> {
  said.text = ''
  said.isNew = false
  const answer = connection.call('session/prompt', { sessionId: id, prompt: [{ type: 'text', text }] })
  const isThere = await endsWithin(answer, timeoutMs)
  // A run that is over has closed the pipe.
  if (signal.aborted) throw new ArenaError('stopped', 'the run is over')
  if (!isThere) {
    connection.tell('session/cancel', { sessionId: id })
    throw log.failure(`did not answer within ${timeoutMs / 1000} s`)
  }
  const ended = (await answer) ?? gone(log, pipe, 'the prompt')
  if (ended.failed) throw log.failure(`failed: ${errorText(ended)}`)
  const reason = own(ended.content, 'stopReason')
  // A refusal is an answer of the agent; anything else means that it did not finish.
  if (reason === 'end_turn') return { text: said.text }
  if (reason === 'refusal') return { text: said.text, refused: true }
  throw log.failure(`stopped before it was done: its stop reason is ${String(reason)}`)
}

function gone({ failure }: CommandSetting['log'], pipe: Pipe, what: string): never {
  throw failure(endedEarly(pipe, ` ${what}`))
}
