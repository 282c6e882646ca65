/**
 * Headless Chromium, controlled with the DevTools protocol over a pipe, without a library. The browser has no network
 * access, because its proxy is a closed port, even for loopback names.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ArenaError } from '@joust/arena'
import { startChild } from '@joust/arena/wire'
import { keepTail, openRunFolders, type RunningProcess, systemClock, within } from '@joust/io'
import { own, ownText, type Value, type ValueRecord } from '@joust/source'
import { targetLimits } from '../limits.ts'

export interface BrowserEvent {
  readonly method: string
  readonly params: Value
  /** The session of the page that sent the event. */
  readonly session: string
}

export interface Chromium {
  /** Sends a command. Resolves with null if the command fails, because the page may be closed. Rejects on timeout. */
  send(method: string, params?: ValueRecord, session?: string): Promise<Value>
  close(): Promise<void>
}

/** Program names, in order of preference. The variable `CHROMIUM` overrides them. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

const FLAGS = [
  ...['--headless', '--remote-debugging-pipe', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-extensions', '--mute-audio'],
  ...['--proxy-server=http://127.0.0.1:9', '--proxy-bypass-list=<-loopback>'],
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** Finds Chromium by the variable `CHROMIUM` or in `PATH`; undefined if Chromium is not installed. */
export function findChromium({ CHROMIUM = '', PATH = '' } = process.env): string | undefined {
  if (CHROMIUM !== '') return isProgram(CHROMIUM) ? CHROMIUM : undefined
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts the browser. Rejects with an `ArenaError` if none is installed. */
export async function startChromium(onEvent: (event: BrowserEvent) => void): Promise<Chromium> {
  const command = findChromium()
  if (command === undefined) {
    const names = process.env.CHROMIUM ?? `one of ${PROGRAMS.join(', ')}`
    throw new ArenaError(
      'target_failed',
      `cannot render apps without Chromium; not found: ${names} (set CHROMIUM to its path)`,
    )
  }
  const folders = await openRunFolders()
  // As root, Chromium refuses to start with its own sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const args = [...FLAGS, ...sandbox, `--user-data-dir=${folders.work}`]
  try {
    const child = await startChild({ command, args, env: folders.env, pipes: 2 })
    const { send } = connect(child, onEvent)
    return {
      send,
      async close() {
        child.signal('SIGKILL')
        await child.end(targetLimits.outputMs)
        await folders.remove()
      },
    }
  } catch (thrown) {
    await folders.remove()
    throw thrown
  }
}

function connect(child: RunningProcess, onEvent: (event: BrowserEvent) => void): Pick<Chromium, 'send'> {
  const [input, output] = child.pipes
  const tail = keepTail([child.stdout, child.stderr], targetLimits.failureLine)
  const waiting = new Map<number, (answer: Value) => void>()
  let next = 1
  let rest = ''
  const take = (text: string) => {
    // The browser always writes valid JSON.
    const message: Value = JSON.parse(text)
    const id = own(message, 'id')
    if (typeof id !== 'number') {
      const session = ownText(message, 'sessionId') ?? ''
      return onEvent({ method: ownText(message, 'method') ?? '', params: own(message, 'params') ?? null, session })
    }
    waiting.get(id)?.(own(message, 'result') ?? null)
    waiting.delete(id)
  }
  output?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) take(part)
    if (rest.length > targetLimits.browserMessage) child.signal('SIGKILL')
  })
  const gone = child.gone.then(({ text }): never => {
    throw new ArenaError('target_failed', `Chromium ${text}: ${tail().trim()}`)
  })
  gone.catch(() => {})
  return {
    async send(method, params = {}, session = '') {
      const id = next++
      const answer = new Promise<Value>((resolve) => waiting.set(id, resolve))
      const from = session === '' ? {} : { sessionId: session }
      input?.write(`${JSON.stringify({ id, method, params, ...from })}\0`)
      return within(systemClock, targetLimits.browserMs, Promise.race([answer, gone]), undefined, () => {
        throw new ArenaError('timed_out', `Chromium did not respond to ${method}`)
      })
    },
  }
}
