/** Starts a process of a served agent and waits until it is ready. */

import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ArenaError } from '@joust/arena'
import { createHttpSend, startChild } from '@joust/arena/wire'
import { keepTail, type ProcessExit, withTimeout } from '@joust/io'
import { messageOf } from '@joust/source'
import { unreachable } from '../endpoint/reach.ts'
import { failureText, outputText } from '../failure-text.ts'
import { targetLimits } from '../limits.ts'

/** Signs that a process is ready. All specified signs are required. */
export interface ReadySigns {
  /** A URL that responds with a status below 500. */
  readonly url?: string
  /** A local port that accepts connections. */
  readonly port?: number
  /** A string in the output. */
  readonly line?: string
  /** Timeout in milliseconds. @default 60000 */
  readonly timeoutMs?: number
}

interface ProcessPlan extends ReadySigns {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export interface ServedProcess {
  readonly exited: Promise<unknown>
  /** Describes how the process exited, with the end of its output; undefined while the process is running. */
  fault(): string | undefined
  /** Ends the process and its children. Never rejects. */
  end(): Promise<void>
}

/** Starts a process. Rejects with an `ArenaError` that contains the end of the output. */
export async function startServed(
  { words, env, cwd, ...signs }: ProcessPlan,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<ServedProcess> {
  const [command = '', ...args] = words
  const name = basename(command)
  const child = await startChild({ command, args, env, cwd })
  child.stdin.end()
  const { line = '' } = signs
  let hasPrinted = line === ''
  const printed = keepTail([child.stdout, child.stderr], targetLimits.printedText, (text) => {
    hasPrinted ||= printed().includes(line)
    onText(text)
  })
  let exit: ProcessExit | undefined
  void child.exited.then((ended) => {
    exit = ended
  })
  const fault = () => exit && failureText(`${name} ${exit.text}`, printed())
  const end = async () => {
    await child.end(targetLimits.serveEndMs)
  }
  const missing = async () => (await notReady(signs)) ?? (hasPrinted ? undefined : `it has not printed "${line}"`)
  try {
    await untilReady(name, missing, { fault, timeoutMs: signs.timeoutMs, printed, signal })
  } catch (thrown) {
    await end()
    throw thrown
  }
  return { exited: child.exited, fault, end }
}

interface Waiting {
  readonly fault: () => string | undefined
  readonly timeoutMs: number | undefined
  readonly printed: () => string
  readonly signal: AbortSignal
}

/** Waits until the process is ready. Rejects with an `ArenaError` if it exits, on timeout, and when the run ends. */
export async function untilReady(
  name: string,
  missing: () => Promise<string | undefined>,
  { fault, timeoutMs = targetLimits.serveMs, printed, signal }: Waiting,
): Promise<void> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const ended = fault()
    if (ended !== undefined) throw new ArenaError('target_failed', `serve: ended before it was ready: ${ended}`)
    const reason = await missing()
    // The response may be from another process that has taken the address.
    if (reason === undefined && fault() === undefined) return
    if (signal.aborted) throw new ArenaError('stopped', 'the run has ended')
    if (Date.now() > end) {
      const what = `serve: ${name} was not ready within ${timeoutMs / 1000} s`
      throw new ArenaError('target_failed', `${what}: ${reason}; ${outputTail(printed())}`)
    }
    await sleep(targetLimits.servePollMs)
  }
}

export function outputTail(text: string): string {
  return text.trim() === '' ? 'no output' : outputText(text)
}

/** Returns the URL of a local port, for IPv4 or IPv6. */
export function addressOfPort(port: number): string {
  return `http://localhost:${port}`
}

async function notReady({ url, port }: ReadySigns): Promise<string | undefined> {
  const closed = port === undefined ? undefined : await unreachable(addressOfPort(port))
  if (closed !== undefined || url === undefined) return closed
  return (await unreachable(url)) ?? answerFault(url)
}

/** Returns the reason why a URL does not respond; undefined if the URL responds. */
async function answerFault(url: string): Promise<string | undefined> {
  const over = new AbortController()
  const { signal, close } = withTimeout(over.signal, targetLimits.endpointMs)
  try {
    const { status } = await createHttpSend()({ method: 'GET', url, headers: {}, signal })
    return status < 500 ? undefined : `${url} answers with status ${status}`
  } catch (thrown) {
    return `${url} does not answer: ${messageOf(thrown)}`
  } finally {
    over.abort()
    close()
  }
}
