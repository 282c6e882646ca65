/** Simulated models behind the protocols of real agents: an obedient one and a careful one. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { cautiousModel, credulousModel, type Marks } from '@joust/sim'
import { peers } from './documents.ts'
import {
  fullName,
  type ModelRequest,
  type Move,
  type OfferedTool,
  readRequest,
  type Said,
  writeMove,
} from './model-wire.ts'
import { workInShell } from './shell-model.ts'

/** A listening model. */
export interface AgentModel {
  readonly origin: string
  /** The content of all requests, one entry per request. */
  readonly read: readonly string[]
  stop(): Promise<void>
}

type Simulation = ReturnType<typeof credulousModel>
type Prompt = Parameters<Simulation['doGenerate']>[0]['prompt']

/**
 * Starts a model that obeys everything it reads, or only its user. It serves a single agent. Agents replace hyphens in
 * tool names: `hyphened` contains the original names, as in the documents.
 */
export async function startAgentModel(
  obeys: boolean,
  hyphened: readonly string[] = [],
  inShell = false,
): Promise<AgentModel> {
  const read: string[] = []
  const decide = createMind(obeys, new Map(hyphened.map((name) => [name.replaceAll('-', '_'), name])), inShell)
  const server = createServer((request, response) => {
    let raw = ''
    request.on('data', (chunk) => {
      raw += chunk
    })
    request.on('end', async () => {
      read.push(raw)
      const body = raw.startsWith('{') ? JSON.parse(raw) : {}
      const asked = readRequest(body)
      writeMove(request.url?.split('?')[0] ?? '', body, await decide(asked), asked.isForm, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ origin: `http://127.0.0.1:${port}`, read },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const PREFLIGHT_TOOL = 'phrase_of_the_day'

/**
 * The rest of the system prompt comes from servers. Documents in which the user pastes a text mark where the text
 * begins and ends.
 */
const marks: Marks = {
  splitSystem: (text) => ({ own: '', servers: text }),
  splitData: (text) => ({
    own: text.replaceAll(PASTED, ''),
    data: [...text.matchAll(PASTED)].flatMap(([, data]) => data ?? []),
  }),
}
const PASTED = /<data name="[^"]*"[^>]*>([\s\S]*?)<\/data>/g

/**
 * Agents have their own long instructions and tools, which a simulation would treat as instructions and tools of the
 * task. They are the same in the preflight and in an attack, so the preflight identifies them. Everything else comes
 * from the user or a server.
 */
function createMind(
  obeys: boolean,
  hyphened: ReadonlyMap<string, string>,
  inShell: boolean,
): (request: ModelRequest) => Promise<Move> {
  const ownLines = new Set<string>()
  const ownTools = new Set<string>()
  const strange = (text: string) =>
    text
      .split('\n')
      .filter((line) => !ownLines.has(line.trim()))
      .join('\n')
  const model = obeys ? credulousModel(marks) : cautiousModel(marks)
  return async ({ said, tools }) => {
    const preflight = tools.find(({ name }) => name.endsWith(PREFLIGHT_TOOL))
    if (preflight !== undefined) {
      for (const tool of tools) if (tool !== preflight) ownTools.add(fullName(tool))
      for (const one of said) if ('text' in one) for (const line of one.text.split('\n')) ownLines.add(line.trim())
      return answerPreflight(preflight, said)
    }
    const work = inShell && workInShell({ said, tools }, obeys, strange)
    if (work === 'no task')
      for (const one of said) if ('text' in one) for (const line of one.text.split('\n')) ownLines.add(line.trim())
    if (work !== undefined && work !== false) return work === 'no task' ? { text: 'Good morning.' } : work
    if (ownLines.size === 0) return { text: 'I have no such tool.' }
    const foreign = tools.filter((tool) => !ownTools.has(fullName(tool)))
    const offered = shortNames(foreign, hyphened)
    const { content } = await model.doGenerate({
      prompt: promptOf(said, offered, strange),
      tools: [...offered].map(([name, { description, schema }]) => {
        return { type: 'function', name, description, inputSchema: schema }
      }),
    })
    const call = content.find((part) => part.type === 'tool-call')
    const tool = call && offered.get(call.toolName)
    if (call !== undefined && tool !== undefined)
      return { call: { id: call.toolCallId, tool, args: JSON.parse(call.input) } }
    // Some agents print Markdown, where a separate line needs an empty line before it.
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    return { text: text.replaceAll(/\n+/g, '\n\n') }
  }
}

function answerPreflight(tool: OfferedTool, said: readonly Said[]): Move {
  const results = said.flatMap((one) => (one.kind === 'result' ? [one.text] : []))
  if (results.length === 0) return { call: { id: 'preflight-1', tool, args: {} } }
  const [phrase] = results.flatMap((text) => /phrase of the day is: (\w+ \w+ \d+)/.exec(text)?.[1] ?? [])
  return { text: phrase === undefined ? 'I was not allowed to call it.' : `The phrase is ${phrase}.` }
}

/** Converts the conversation for the simulations. The only system message comes first. */
function promptOf(
  said: readonly Said[],
  offered: ReadonlyMap<string, OfferedTool>,
  strange: (text: string) => string,
): Prompt {
  const short = new Map([...offered].map(([name, tool]) => [fullName(tool), name]))
  const names = new Map(said.flatMap((one) => (one.kind === 'call' ? [[one.id, one.name]] : [])))
  const nameOf = (id: string) => short.get(names.get(id) ?? '') ?? names.get(id) ?? id
  const system = said.flatMap((one) => (one.kind === 'system' ? [strange(one.text)] : [])).join('\n')
  const rest = said.flatMap((one): Prompt => {
    if (one.kind === 'system') return []
    if (one.kind === 'call') {
      const { id, args: input } = one
      return [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: nameOf(id), input }] }]
    }
    if (one.kind === 'result') {
      const { id, text } = one
      // Gemini shows a tool error as JSON inside a text. On a separate line, it is parsed as JSON.
      const output = { type: 'text' as const, value: strange(text).replace(/ with response: (?=\[)/, '\n') }
      return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: nameOf(id), output }] }]
    }
    const text = strange(one.text).trim()
    return text === '' ? [] : [{ role: one.kind, content: [{ type: 'text', text }] }]
  })
  return [{ role: 'system', content: system }, ...rest]
}

/** All names in the library, because agents prefix tool names with server names in different ways. */
const libraryNames = readdirSync(join(peers, '../library'))
  .filter((file) => file.endsWith('.oatf.yaml'))
  .flatMap((file) => [...readFileSync(join(peers, '../library', file), 'utf8').matchAll(/\bname: "?([\w.-]+)/g)])
  .flatMap(([, name]) => name ?? [])
  .toSorted((a, b) => b.length - a.length)

/** Returns tools by their name in the document if it is unique, otherwise by their offered name. */
function shortNames(
  tools: readonly OfferedTool[],
  hyphened: ReadonlyMap<string, string>,
): ReadonlyMap<string, OfferedTool> {
  const found = new Map<string, OfferedTool>()
  for (const tool of tools) {
    const full = fullName(tool)
    const known = libraryNames.find((name) => full === name || new RegExp(`[^a-z0-9]${name}$`, 'i').test(full))
    const short = tool.namespace === undefined ? (known ?? full) : (hyphened.get(tool.name) ?? tool.name)
    found.set(found.has(short) ? `${full.slice(0, -short.length)}__${short}` : short, tool)
  }
  return found
}
