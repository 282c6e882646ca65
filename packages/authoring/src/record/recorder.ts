/** Records a live agent: its MCP servers, A2A agents, clients and model, as a trace and a session. */
import { join } from 'node:path'
import {
  beginsWith,
  type Clock,
  makeFolder,
  openTemporaryFolder,
  replaceOwn,
  systemClock,
  type TemporaryFolder,
} from '@joust/io'
import type { ModelCall } from '@joust/models'
import { createRedactor, type EndReason, type RedactOptions, type TraceEntry } from '@joust/results'
import { didYouMean, err, ok, type Result } from '@joust/source'
import { createSessionBuilder, type SessionBuilder } from '../session/build-session.ts'
import { rewriteConfig } from '../session/config/entries.ts'
import { configSecrets, resolvedUrl } from '../session/config/secrets.ts'
import type { ServerEntry } from '../session/config/server-entry.ts'
import { SESSION_MARK, writeSession } from '../session/write-session.ts'
import type { Peer } from './dialogue.ts'
import { recordLimits } from './limits.ts'
import { type Relay, startRelay } from './relay.ts'
import { shimWords } from './shim.ts'
import { startStdioRecorder } from './stdio.ts'
import { createTape, type Tape } from './tape.ts'

/** File names of a recording. */
export const TRACE_FILE = 'trace.jsonl'
export const SESSION_FILE = 'session.yaml'

/** Options for {@link startRecorder}. */
export interface RecorderOptions {
  /** The folder for the recording. Created if it does not exist. */
  readonly folder: string
  /** The configuration of the agent's MCP servers. @default none (only `peers` are recorded) */
  readonly config?: { readonly path: string; readonly text: string }
  /** A2A agents that the agent uses, or clients of the agent with the agent's real URL. @default [] */
  readonly peers?: readonly (Peer & { readonly url: URL })[]
  /** Bearer tokens by server, for servers that require a login. @default {} */
  readonly tokens?: Readonly<Record<string, string>>
  /** Variables that the configuration may refer to. @default {} */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The user's task. @default the first task in the recording */
  readonly task?: string
  /** Secrets in addition to known formats. @default {} */
  readonly redact?: RedactOptions
  /**
   * @default the system clock
   */
  readonly clock?: Clock
  /** Called with each message before redaction. @default none */
  readonly onEntry?: (entry: TraceEntry) => void
  /** Called with notes for the user, such as the reason why a server is not recorded. @default none */
  readonly onNote?: (note: string) => void
}

/** A recording in progress. */
export interface Recording {
  /** A private temporary folder, removed by `close`. */
  readonly scratch: string
  /** The text of the rewritten configuration. */
  readonly config?: string
  readonly servers: readonly string[]
  /** Relay URLs for `peers`, by name. */
  readonly addresses: Readonly<Record<string, string>>
  recordModel(call: ModelCall): void
  counts: Tape['counts']
  /** Redacts a text in the same way as the recorded files. */
  hide(text: string): string
  /** Finishes the trace and the session. Returns an error message if one of them could not be written. */
  close(ended: EndReason): Promise<Result<undefined, string>>
}

/**
 * Starts recording. Returns an error message for invalid options. Rejects on system errors.
 *
 * @example
 * const recording = unwrap(await startRecorder({ folder: 'session', config: { path: '.mcp.json', text } }))
 */
export async function startRecorder(options: RecorderOptions): Promise<Result<Recording, string>> {
  const { folder, config, environment = {}, clock = systemClock, onNote = () => {} } = options
  const listed = config === undefined ? ok({ servers: [] }) : rewriteConfig(config.path, config.text, () => undefined)
  if (!listed.ok) return err(`${config?.path}: ${listed.error}`)
  const { redact = {}, tokens = {}, peers = [] } = options
  const names = [...listed.value.servers, ...peers].map(({ name }) => name)
  const stranger = Object.keys(tokens).find((name) => !names.includes(name))
  if (stranger !== undefined) return err(`unknown server ${stranger} in the tokens.${didYouMean(stranger, names)}`)
  const named = { ...configSecrets(listed.value.servers, environment), ...tokenNames(tokens) }
  const redactor = createRedactor({ ...redact, named })
  if (!redactor.ok) return err(redactor.error.map(({ message }) => message).join('; '))
  makeFolder(folder)
  const task = options.task && redactor.value.text(options.task)
  const session = createSessionFile(join(folder, SESSION_FILE), clock, task)
  const tape = createTape(join(folder, TRACE_FILE), clock, redactor.value, {
    hasDeltas: options.peers?.some(({ mode }) => mode === 'ag_ui_client') === true,
    onWritten: session.take,
    onModelWritten: session.takeModel,
    ...(options.onEntry && { onEntry: options.onEntry }),
    onFault: ({ message }) => onNote(`${message}; later messages are not recorded`),
  })
  const closers: (() => Promise<unknown>)[] = []
  const scratch: TemporaryFolder = openTemporaryFolder('joust-record-')
  closers.push(() => scratch.remove())
  try {
    const stdio = await startStdioRecorder(scratch.path, tape)
    closers.unshift(stdio.close)
    const relays = createRelays(options, tape, closers)
    const addresses: Record<string, string> = {}
    for (const { name, mode, url } of options.peers ?? [])
      addresses[name] = (await relays.open({ name, mode }, url)).url
    const places = await placesFor(listed.value.servers, options, stdio.path, relays.open)
    const rewritten = config && rewriteConfig(config.path, config.text, ({ name }) => places.get(name))
    return ok({
      scratch: scratch.path,
      ...(rewritten?.ok === true && { config: rewritten.value.text }),
      servers: [...places.keys()],
      addresses,
      recordModel: tape.recordModel,
      counts: tape.counts,
      hide: redactor.value.text,
      async close(ended) {
        for (const close of closers.splice(0)) await close()
        const faults = [await failureOf(() => tape.close(ended)), await failureOf(async () => session.close())]
        const [fault] = faults.flatMap((one) => one ?? [])
        return fault === undefined ? ok(undefined) : err(fault)
      },
    })
  } catch (thrown) {
    for (const close of closers) await close()
    throw thrown
  }
}

/** Returns placeholder names for the user's tokens. */
function tokenNames(tokens: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => [
      `${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_TOKEN`,
      token,
    ]),
  )
}

async function failureOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

/** Starts relays, and reports each problem that prevents recording once. */
function createRelays({ tokens = {}, onNote }: RecorderOptions, tape: Tape, closers: (() => Promise<unknown>)[]) {
  return {
    async open(peer: Peer, upstream: URL): Promise<Relay> {
      const token = Object.hasOwn(tokens, peer.name) ? tokens[peer.name] : undefined
      let isTold = false
      const onLogin = () => {
        if (!isTold) onNote?.(loginNote(peer.name, upstream))
        isTold = true
      }
      const elsewhere = new Set<string>()
      const onElsewhere = (url: string) => {
        if (!elsewhere.has(url)) onNote?.(`${peer.name}: its agent card refers to ${url}, which is not recorded`)
        elsewhere.add(url)
      }
      const tools = { peer, upstream, tape, onLogin, onElsewhere }
      const relay = await startRelay({ ...tools, ...(token !== undefined && { token }) })
      closers.unshift(relay.close)
      return relay
    },
  }
}

function loginNote(name: string, upstream: URL): string {
  return `${name} requires a login and is not recorded: OAuth does not accept the recorder's address in place of ${upstream.origin}${upstream.pathname}; pass a token with --token ${name}=TOKEN`
}

/** Returns the replacement for each server. Reports servers that cannot be recorded. */
async function placesFor(
  servers: readonly ServerEntry[],
  { environment = {}, onNote }: RecorderOptions,
  socket: string,
  open: (peer: Peer, upstream: URL) => Promise<Relay>,
): Promise<ReadonlyMap<string, Pick<ServerEntry, 'command' | 'url'>>> {
  const places = new Map<string, Pick<ServerEntry, 'command' | 'url'>>()
  for (const { name, command, url, isOff, isOldTransport } of servers) {
    if (isOff === true) continue
    const upstream = url === undefined ? undefined : resolvedUrl(url, environment)
    if (command !== undefined) places.set(name, { command: shimWords(socket, name, command) })
    else if (upstream !== undefined) places.set(name, { url: (await open({ name, mode: 'mcp_server' }, upstream)).url })
    else if (url === undefined) onNote?.(`${name} is not recorded: it has neither a command nor a URL`)
    else onNote?.(`${name} is not recorded: only the agent can resolve its URL ${url}`)
    if (upstream !== undefined && isOldTransport === true)
      onNote?.(`${name} uses the HTTP+SSE transport; messages to other URLs are not recorded`)
  }
  return places
}

/**
 * Creates `session.yaml`, which is rewritten while the session grows. If the recorder crashes, the last version of the
 * session and the whole trace remain.
 */
function createSessionFile(path: string, clock: Clock, task: string | undefined) {
  const builder: SessionBuilder = createSessionBuilder(new Date(clock.now()).toISOString(), task)
  let [nextAt, isDue] = [0, false]
  let cancel: (() => void) | undefined
  let fault: Error | undefined
  const write = () => {
    cancel?.()
    cancel = undefined
    isDue = false
    const begun = clock.now()
    try {
      replaceOwn(path, writeSession(builder.session()), (file) => beginsWith(file, SESSION_MARK))
    } catch (thrown) {
      fault ??= new Error(`cannot write ${path}: ${thrown instanceof Error ? thrown.message : thrown}`)
    }
    nextAt = clock.now() + (clock.now() - begun + 1) * recordLimits.sessionPause
  }
  const schedule = () => {
    if (isDue || fault !== undefined) return
    isDue = true
    cancel = clock.setTimer(Math.max(0, nextAt - clock.now()), write)
  }
  return {
    take(entry: Parameters<SessionBuilder['take']>[0]) {
      builder.take(entry)
      schedule()
    },
    takeModel(entry: Parameters<SessionBuilder['takeModel']>[0]) {
      builder.takeModel(entry)
      schedule()
    },
    close() {
      write()
      if (fault !== undefined) throw fault
    },
  }
}
