/** Two MCP servers in memory, to prove attacks on servers by: one falls for every one of them that it can, the other for none. */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { isRecord, own, type Value } from '@joust/source'
import {
  type JsonRpcMessage,
  jsonRpcCodes,
  readMessage,
  writeError,
  writeRequest,
  writeResult,
} from '../drivers/json-rpc.ts'
import { defaultRunLimits } from '../model/limits.ts'
import type { Pipe } from '../model/pipe.ts'
import type { Target } from '../model/target.ts'
import type { Connect } from '../model/wiring.ts'
import { createMemoryPipe } from '../transport/memory-pipe.ts'
import {
  type Answered,
  type ControlKind,
  createWorld,
  listedResources,
  listedTools,
  type World,
} from './control-server/world.ts'

const ROOTS = 'roots'

/** A control server as a target; every client actor has one of its own. */
export function controlServer(kind: ControlKind): Target {
  return {
    name: `a ${kind} server`,
    async start({ clients }) {
      const pipes: Pipe[] = []
      const connect = (): Connect => ({
        kind: 'pipe',
        async open() {
          const [near, far] = createMemoryPipe(defaultRunLimits.messageBytes)
          pipes.push(near)
          void serve(far, createWorld(kind))
          return near
        },
      })
      return {
        endpoints: Object.fromEntries(clients.map(({ actor }) => [actor, connect()])),
        wiring: clients.map(({ actor, mode }) => `actor ${actor} (${mode}) → a ${kind} server in memory`),
        stop: async () => void (await Promise.all(pipes.map((pipe) => pipe.close()))),
      }
    },
  }
}

async function serve(pipe: Pipe, world: World): Promise<void> {
  for await (const { text } of pipe.lines) {
    const message = readMessage(text, defaultRunLimits.messageBytes)
    if (message.kind !== 'batch') await take(message, pipe, world)
  }
}

async function take(message: JsonRpcMessage, pipe: Pipe, world: World): Promise<void> {
  if (message.kind === 'notification' && message.method === 'notifications/initialized') {
    await pipe.send(writeRequest(ROOTS, 'roots/list'))
  }
  if (message.kind === 'response' && message.id === ROOTS && !message.failed) world.setRoots(message.content)
  if (message.kind !== 'request') return
  const { id, method, params } = message
  const answered = answer(method, params, world)
  await pipe.send('result' in answered ? writeResult(id, answered.result) : writeError(id, answered.error))
}

function answer(method: string, params: Value, world: World): Answered {
  switch (method) {
    case 'initialize':
      return { result: initialized(params) }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: listedTools } }
    case 'tools/call':
      return world.callTool(params)
    case 'resources/list':
      return { result: { resources: listedResources } }
    case 'resources/read':
      return world.readResource(params)
    default:
      return { error: { code: jsonRpcCodes.methodNotFound, message: `there is no method ${method}` } }
  }
}

function initialized(params: Value): Value {
  const asked = isRecord(params) ? own(params, 'protocolVersion') : undefined
  return {
    protocolVersion: typeof asked === 'string' ? asked : DEFAULT_MCP_VERSION,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'control', version: '1.0.0' },
  }
}
