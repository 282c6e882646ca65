/** Conversations over Agent Client Protocol version 1: one process, one session, one prompt per turn. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Pipe, TargetArena } from '@joust/arena'
import { ArenaError, arenaLimits } from '@joust/arena'
import type { JsonRpcResponse } from '@joust/arena/wire'
import { endsWithin, onAbort } from '@joust/io'
import { own, ownList, ownText, type Value } from '@joust/source'
import type { Answer, Conversation, Turn } from '../chat/conversations.ts'
import { endedEarly, openProcess } from '../command/lines.ts'
import type { CommandSetting } from '../command/turns.ts'
import { targetLimits } from '../limits.ts'
import { type AcpConnection, connectAcp, errorText } from './connection.ts'
import type { Permissions } from './permissions.ts'

const PROTOCOL_VERSION = 1

/** Error code that `session/new` returns if the user has not logged in. */
const AUTH_REQUIRED = -32000

interface AcpSession {
  readonly id: string
  readonly pipe: Pipe
  readonly connection: AcpConnection
  /** The agent's text in the current turn. */
  readonly answer: { text: string; isNewParagraph: boolean }
}

/** Starts a conversation. Rejects with an `ArenaError` if the agent cannot be started or refuses a session. */
export async function converseByAcp(
  setting: CommandSetting,
  arena: TargetArena,
  permissions: Permissions,
): Promise<Conversation> {
  const { pipe, keep } = await openProcess(setting)
  const off = onAbort(arena.signal, () => void pipe.close())
  const answer = { text: '', isNewParagraph: false }
  const connection = connectAcp(pipe, {
    onNotification: (method, params) => method === 'session/update' && addText(answer, own(params, 'update')),
    onRequest: async (method, params) =>
      method === 'session/request_permission' ? permissions.answer(params) : undefined,
    onStray: (line) => keep(`${line}\n`),
  })
  try {
    const id = await openSession(setting, arena, pipe, connection)
    await untilListed(arena)
    const session = { id, pipe, connection, answer }
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

/** Collects the agent's text. A tool call starts a new paragraph. */
function addText(answer: AcpSession['answer'], update: Value | undefined): void {
  const kind = own(update, 'sessionUpdate')
  if (kind === 'tool_call') answer.isNewParagraph = answer.text !== ''
  if (kind !== 'agent_message_chunk') return
  const text = ownText(own(update, 'content'), 'text')
  if (text === undefined) return
  answer.text = `${answer.text}${answer.isNewParagraph ? '\n\n' : ''}${text}`.slice(-arenaLimits.answerText)
  answer.isNewParagraph = false
}

async function openSession(
  { cwd, log }: CommandSetting,
  { servers }: TargetArena,
  pipe: Pipe,
  { call }: AcpConnection,
): Promise<string> {
  const ask = async (method: string, params: Value): Promise<JsonRpcResponse> => {
    const answer = call(method, params)
    if (!(await endsWithin(answer, targetLimits.acpStartMs)))
      throw log.failure(`did not respond to ${method} within ${targetLimits.acpStartMs / 1000} s`)
    return (await answer) ?? gone(log, pipe, method)
  }
  const handshake = await ask('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'client', version: '1.0.0' },
  })
  if (handshake.failed) throw log.failure(`refused initialize: ${errorText(handshake)}`)
  const version = own(handshake.content, 'protocolVersion')
  if (version !== PROTOCOL_VERSION)
    throw log.failure(`uses Agent Client Protocol version ${String(version)}, expected ${PROTOCOL_VERSION}`)
  const mcpServers = servers
    .filter(({ mode }) => mode === 'mcp_server')
    .map(({ actor, address }) => ({ type: 'http', name: actor, url: address, headers: [] }))
  const supportsHttp = own(own(own(handshake.content, 'agentCapabilities'), 'mcpCapabilities'), 'http')
  if (mcpServers.length > 0 && supportsHttp !== true)
    throw log.failure('does not support MCP servers over HTTP: agentCapabilities.mcpCapabilities.http is not true')
  const session = await ask('session/new', { cwd, mcpServers })
  if (session.failed)
    throw log.failure(`did not start a session: ${errorText(session)}${loginHint(session, handshake)}`)
  const id = ownText(session.content, 'sessionId')
  if (id === undefined || id === '')
    throw log.failure('did not start a session: the session/new response has no sessionId')
  return id
}

function loginHint({ content }: JsonRpcResponse, handshake: JsonRpcResponse): string {
  if (own(content, 'code') !== AUTH_REQUIRED) return ''
  const names = ownList(handshake.content, 'authMethods').map((method) => String(own(method, 'id')))
  const methods = names.length === 0 ? '' : ` (${names.join(', ')})`
  return `; login required${methods}: pass the agent's API key with --pass-env, or use your home directory with --use-home`
}

/** Waits until the agent has listed the tools, because agents accept prompts before connecting to their servers. */
async function untilListed({ servers, hasListed, signal }: TargetArena): Promise<void> {
  const actors = servers.filter(({ mode }) => mode === 'mcp_server').map(({ actor }) => actor)
  const end = Date.now() + targetLimits.acpListingMs
  while (hasListed !== undefined && !signal.aborted && Date.now() < end && !actors.every(hasListed)) await sleep(25)
}

async function prompt(
  { log, timeoutMs }: CommandSetting,
  { id, pipe, connection, answer }: AcpSession,
  { prompt: text, signal }: Turn,
): Promise<Answer> {
  answer.text = ''
  answer.isNewParagraph = false
  const call = connection.call('session/prompt', { sessionId: id, prompt: [{ type: 'text', text }] })
  const isInTime = await endsWithin(call, timeoutMs)
  // The end of the run closes the pipe.
  if (signal.aborted) throw new ArenaError('stopped', 'the run has ended')
  if (!isInTime) {
    connection.notify('session/cancel', { sessionId: id })
    throw log.failure(`did not answer within ${timeoutMs / 1000} s`, 'timed_out')
  }
  const response = (await call) ?? gone(log, pipe, 'the prompt')
  if (response.failed) throw log.failure(`failed: ${errorText(response)}`)
  const reason = own(response.content, 'stopReason')
  // A refusal is an answer. Any other reason means that the turn is unfinished.
  if (reason === 'end_turn') return { text: answer.text }
  if (reason === 'refusal') return { text: answer.text, refused: true }
  throw log.failure(`stopped early: stop reason ${String(reason)}`)
}

function gone({ failure }: CommandSetting['log'], pipe: Pipe, request: string): never {
  throw failure(endedEarly(pipe, ` ${request}`))
}
