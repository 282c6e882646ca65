/** Simulated MCP servers, for attacks on servers. */
import { posix } from 'node:path'
import { type Connect, defaultRunLimits, lackingOfServed, type Pipe, type Target } from '@joust/arena'
import {
  type Answered,
  answerPlainly,
  createMemoryPipe,
  failure,
  type JsonRpcMessage,
  jsonRpcCodes,
  type PlainServer,
  RESOURCE_NOT_FOUND,
  readMessage,
  writeAnswer,
  writeRequest,
} from '@joust/arena/wire'
import { isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import type { Disposition, SimulatedHost } from './host.ts'
import { roundTools, type SimulatedRounds, safeRounds, vulnerableRounds } from './rounds.ts'

const ROOTS = 'roots'

const SERVED_TOOL = 'assistant'

/** An in-memory MCP server, for attacks that need tools or methods that a served agent lacks. */
export const serverHost: SimulatedHost = {
  name: 'server',
  fits: (needs) => lackingOfServed({ ...needs, servers: [] }, SERVED_TOOL).length > 0,
  create: simulatedServer,
}

/** Creates a simulated server as a target. Each client actor gets its own instance. */
function simulatedServer(kind: Disposition): Target {
  return {
    name: `a ${kind} server`,
    async start({ clients }) {
      const pipes: Pipe[] = []
      const connect = (): Connect => ({
        kind: 'pipe',
        async open() {
          const [near, far] = createMemoryPipe(defaultRunLimits.messageBytes)
          pipes.push(near)
          if (kind === 'credulous') void serve(far, credulousWorld(), vulnerableRounds())
          else void serve(far, cautiousWorld(), safeRounds())
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

async function serve(pipe: Pipe, world: World, rounds: SimulatedRounds): Promise<void> {
  for await (const { text } of pipe.lines) {
    const message = readMessage(text, defaultRunLimits.messageBytes)
    if (message.kind !== 'batch') await handle(message, pipe, world, rounds)
  }
}

async function handle(message: JsonRpcMessage, pipe: Pipe, world: World, rounds: SimulatedRounds): Promise<void> {
  if (message.kind === 'notification' && message.method === 'notifications/initialized')
    await pipe.send(writeRequest(ROOTS, 'roots/list'))
  if (message.kind === 'response' && message.id === ROOTS && !message.failed) world.setRoots(message.content)
  if (message.kind !== 'request') return
  const server: PlainServer = {
    name: 'simulated',
    isModern: true,
    capabilities: { tools: {}, resources: {}, tasks: {} },
    methods: {
      'tools/list': () => ({ result: { tools: [...listedTools, ...roundTools] } }),
      'tools/call': (params) => rounds.call(params) ?? world.callTool(params),
      'tasks/get': rounds.task,
      'resources/list': () => ({ result: { resources: listedResources } }),
      'resources/read': world.readResource,
    },
  }
  await pipe.send(writeAnswer(message.id, await answerPlainly(server, message)))
}

interface World {
  callTool(params: Value): Answered
  readResource(params: Value): Answered
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

const listedTools = [
  toolOf('count_lines', 'Counts the lines of a note.', { path: text }, ['path']),
  toolOf('read_note', 'Reads a note from the folder.', { path: text }, ['path']),
  toolOf('fetch_page', 'Fetches a page.', { url: text }, ['url']),
  toolOf('search_notes', 'Finds notes that contain a word.', { query: text }, ['query']),
  toolOf('show_environment', 'Shows how the server was set up.', {}, []),
]

const listedResources = [{ uri: `file://${FOLDER}/welcome.txt`, name: 'welcome' }]

function credulousWorld(): World {
  let folder = FOLDER
  const handlers = {
    read_note: (args: ValueRecord) => fileAt(posix.resolve(folder, textIn(args, 'path'))),
    fetch_page: (args: ValueRecord) => page(new URL(textIn(args, 'url'))),
    search_notes: (args: ValueRecord) => query(`SELECT text FROM notes WHERE text LIKE '%${textIn(args, 'query')}%'`),
    count_lines: (args: ValueRecord) => shell(`wc -l ${textIn(args, 'path')}`),
    show_environment: () => 'PATH=/usr/bin\nHOME=/srv/notes\nNOTES_TOKEN=ntk-control',
    debug: () => 'There are 2 notes.',
  }
  return {
    callTool(params) {
      try {
        const { name, args } = callOf(params)
        // The vulnerability: a lookup on an object also returns `constructor`.
        const handler: unknown = Reflect.get(handlers, name)
        if (typeof handler !== 'function') throw new Error(`unknown tool ${name}`)
        return answered(String(handler(args)))
      } catch (thrown) {
        return failed(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
      }
    },
    readResource(params) {
      const uri = ownText(params, 'uri') ?? ''
      const content = URL.canParse(uri) ? files.get(new URL(uri).pathname) : undefined
      return content === undefined ? notFound() : { result: { contents: [{ uri, text: content }] } }
    },
    setRoots(result) {
      const uri = ownText(ownList(result, 'roots')[0], 'uri')
      if (uri !== undefined && URL.canParse(uri)) folder = new URL(uri).pathname
    },
  }
}

function cautiousWorld(): World {
  const handlers = new Map<string, (args: ValueRecord) => Answered>([
    ['read_note', (args) => insideOnly(textIn(args, 'path'))],
    ['fetch_page', () => failed('Only pages of notes.example are fetched.')],
    ['search_notes', () => answered('No note contains these words.')],
    ['count_lines', (args) => insideOnly(textIn(args, 'path'))],
    ['show_environment', () => answered('Version 1.0.0, no plugins.')],
  ])
  return {
    callTool(params) {
      const { name, args } = callOf(params)
      const handler = handlers.get(name)
      const required = listedTools.find((tool) => tool.name === name)?.inputSchema.required
      const isComplete = Array.isArray(required) && required.every((key) => typeof own(args, String(key)) === 'string')
      if (handler === undefined || !isComplete)
        return failure(jsonRpcCodes.invalidParams, 'Unknown tool, or missing arguments.')
      return handler(args)
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
  return isInside ? answered(fileAt(place)) : failed('That is not the path of a note.')
}

function fileAt(place: string): string {
  return files.get(place) ?? 'There is no such note.'
}

/** Returns the content of a `data:` URL, or a connection error for any other URL. */
function page({ host, pathname }: URL): string {
  return host === '' ? pathname : `fetch failed: connect ECONNREFUSED ${host}`
}

/** Implements just enough SQL to detect injection: a `UNION` of two concatenated literals. */
function query(statement: string): string {
  const [, added = ''] = /LIKE '[^']*'(.*)$/s.exec(statement) ?? []
  const joined = /^ ?UNION SELECT '([^']*)' ?\|\| ?'([^']*)' *(?:--|$)/i.exec(added)
  if (joined !== null) return `${joined[1]}${joined[2]}`
  return added === '' ? 'No note contains these words.' : `ERROR: syntax error at or near "${added.trim()}"`
}

/** Implements just enough shell to detect injection: `echo` and multiplication. */
function shell(line: string): string {
  const computed = line.replaceAll(/\$\(\((\d+)\*(\d+)\)\)/g, (_, left, right) => String(Number(left) * Number(right)))
  const commands = computed.split(/&&|\|\||[;|\n]/).map((command) => command.trim())
  return commands.map((command) => (command.startsWith('echo ') ? command.slice(5) : 'sh: done')).join('\n')
}

function callOf(params: Value): { readonly name: string; readonly args: ValueRecord } {
  const args = own(params, 'arguments')
  return { name: ownText(params, 'name') ?? '', args: isRecord(args) ? args : {} }
}

function textIn(args: ValueRecord, key: string): string {
  return String(own(args, key) ?? '')
}

function answered(answer: string): Answered {
  return { result: { content: [{ type: 'text', text: answer }] } }
}

function failed(reason: string): Answered {
  return { result: { content: [{ type: 'text', text: reason }], isError: true } }
}

function notFound(): Answered {
  return failure(RESOURCE_NOT_FOUND, 'There is no such resource.')
}
