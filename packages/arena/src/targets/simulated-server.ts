/** Two MCP servers in memory, for proving attacks on servers: one falls for every attack it can, the other for none. */
import { posix } from 'node:path'
import { isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import {
  type Answered,
  failure,
  type JsonRpcMessage,
  jsonRpcCodes,
  readMessage,
  writeAnswer,
  writeRequest,
} from '../drivers/json-rpc.ts'
import { answerPlainly, type PlainServer } from '../drivers/mcp/plain-server.ts'
import { RESOURCE_NOT_FOUND } from '../drivers/mcp/protocol.ts'
import { defaultRunLimits } from '../model/limits.ts'
import type { Target } from '../model/target.ts'
import type { Connect, Pipe } from '../model/wiring.ts'
import { createMemoryPipe } from '../transport/memory-pipe.ts'

const ROOTS = 'roots'

/** A simulated server as a target; every client actor has one of its own. */
export function simulatedServer(kind: Disposition): Target {
  return {
    name: `a ${kind} server`,
    async start({ clients }) {
      const pipes: Pipe[] = []
      const connect = (): Connect => ({
        kind: 'pipe',
        async open() {
          const [near, far] = createMemoryPipe(defaultRunLimits.messageBytes)
          pipes.push(near)
          void serve(far, kind === 'credulous' ? credulousWorld() : cautiousWorld())
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
  const server: PlainServer = {
    name: 'simulated',
    capabilities: { tools: {}, resources: {} },
    methods: {
      'tools/list': () => ({ result: { tools: listedTools } }),
      'tools/call': world.callTool,
      'resources/list': () => ({ result: { resources: listedResources } }),
      'resources/read': world.readResource,
    },
  }
  await pipe.send(writeAnswer(message.id, await answerPlainly(server, message)))
}

/** Which of the two servers it is. */
type Disposition = 'credulous' | 'cautious'

interface World {
  callTool(params: Value): Answered
  readResource(params: Value): Answered
  /** The client says which folders are its own. */
  setRoots(result: Value): void
}

const FOLDER = '/srv/notes'

const files = new Map([
  [`${FOLDER}/welcome.txt`, 'The canteen opens at eleven.'],
  ['/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnotes:x:1000:1000::/srv/notes:/bin/false'],
])

const text = { type: 'string' }
const toolOf = (name: string, description: string, properties: Value, required: Value) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required },
})

/** The tools that both list. */
const listedTools = [
  toolOf('count_lines', 'Counts the lines of a note.', { path: text }, ['path']),
  toolOf('read_note', 'Reads a note of the folder.', { path: text }, ['path']),
  toolOf('fetch_page', 'Fetches a page.', { url: text }, ['url']),
  toolOf('search_notes', 'Finds notes that hold a word.', { query: text }, ['query']),
  toolOf('show_environment', 'Shows how the server was set up.', {}, []),
]

/** The only resource of both. */
const listedResources = [{ uri: `file://${FOLDER}/welcome.txt`, name: 'welcome' }]

function credulousWorld(): World {
  let folder = FOLDER
  const handlers = {
    read_note: (given: ValueRecord) => fileAt(posix.resolve(folder, textIn(given, 'path'))),
    fetch_page: (given: ValueRecord) => `fetch failed: connect ECONNREFUSED ${new URL(textIn(given, 'url')).host}`,
    search_notes: (given: ValueRecord) => query(`SELECT text FROM notes WHERE text LIKE '%${textIn(given, 'query')}%'`),
    count_lines: (given: ValueRecord) => shell(`wc -l ${textIn(given, 'path')}`),
    show_environment: () => 'PATH=/usr/bin\nHOME=/srv/notes\nNOTES_TOKEN=ntk-control',
    debug: () => 'There are 2 notes.',
  }
  return {
    callTool(params) {
      try {
        const { name, given } = callOf(params)
        // The mistake is to look names up on an object, which also has `constructor`.
        const handler: unknown = Reflect.get(handlers, name)
        if (typeof handler !== 'function') throw new Error(`unknown tool ${name}`)
        return said(String(handler(given)))
      } catch (thrown) {
        return refused(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
      }
    },
    readResource(params) {
      const uri = ownText(params, 'uri') ?? ''
      const found = URL.canParse(uri) ? files.get(new URL(uri).pathname) : undefined
      return found === undefined ? notFound() : { result: { contents: [{ uri, text: found }] } }
    },
    setRoots(result) {
      const uri = ownText(ownList(result, 'roots')[0], 'uri')
      if (uri !== undefined && URL.canParse(uri)) folder = new URL(uri).pathname
    },
  }
}

function cautiousWorld(): World {
  const handlers = new Map<string, (given: ValueRecord) => Answered>([
    ['read_note', (given) => insideOnly(textIn(given, 'path'))],
    ['fetch_page', () => refused('Only pages of notes.example are fetched.')],
    ['search_notes', () => said('No note holds these words.')],
    ['count_lines', (given) => insideOnly(textIn(given, 'path'))],
    ['show_environment', () => said('Version 1.0.0, no plugins.')],
  ])
  return {
    callTool(params) {
      const { name, given } = callOf(params)
      const handler = handlers.get(name)
      const required = listedTools.find((tool) => tool.name === name)?.inputSchema.required
      const isComplete = Array.isArray(required) && required.every((key) => typeof own(given, String(key)) === 'string')
      if (handler === undefined || !isComplete)
        return failure(jsonRpcCodes.invalidParams, 'There is no such tool, or arguments are missing.')
      return handler(given)
    },
    readResource(params) {
      const uri = ownText(params, 'uri') ?? ''
      if (!listedResources.some((one) => one.uri === uri)) return notFound()
      return { result: { contents: [{ uri, text: files.get(new URL(uri).pathname) ?? '' }] } }
    },
    setRoots() {},
  }
}

function insideOnly(path: string): Answered {
  const place = posix.resolve(FOLDER, path)
  const isInside = /^[\w./-]+$/.test(path) && place.startsWith(`${FOLDER}/`)
  return isInside ? said(fileAt(place)) : refused('That is not the path of a note.')
}

function fileAt(place: string): string {
  return files.get(place) ?? 'There is no such note.'
}

/** Just enough SQL to show whether a text has become part of a statement: a `UNION` of two joined literals. */
function query(statement: string): string {
  const joined = /UNION SELECT '([^']*)' ?\|\| ?'([^']*)'/i.exec(statement)
  return joined === null ? 'No note holds these words.' : `${joined[1]}${joined[2]}`
}

/** Just enough shell to show whether a text has become a command: `echo` and products. */
function shell(line: string): string {
  const computed = line.replaceAll(/\$\(\((\d+)\*(\d+)\)\)/g, (_, left, right) => String(Number(left) * Number(right)))
  const commands = computed.split(/&&|\|\||[;|\n]/).map((command) => command.trim())
  return commands.map((command) => (command.startsWith('echo ') ? command.slice(5) : 'sh: done')).join('\n')
}

function callOf(params: Value): { readonly name: string; readonly given: ValueRecord } {
  const given = own(params, 'arguments')
  return { name: ownText(params, 'name') ?? '', given: isRecord(given) ? given : {} }
}

function textIn(given: ValueRecord, key: string): string {
  return String(own(given, key) ?? '')
}

function said(answer: string): Answered {
  return { result: { content: [{ type: 'text', text: answer }] } }
}

function refused(reason: string): Answered {
  return { result: { content: [{ type: 'text', text: reason }], isError: true } }
}

function notFound(): Answered {
  return failure(RESOURCE_NOT_FOUND, 'There is no such resource.')
}
