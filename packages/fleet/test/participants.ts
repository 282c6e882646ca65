/** Workers and coordinators: in their own processes for tests that kill them, in this process otherwise. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { knownShapes } from '@joust/results'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import { type CampaignSpec, type CampaignStatus, type Fleet, openFleet } from '../src/index.ts'
import { participate } from './participant.mjs'

const CHILD = fileURLToPath(new URL('participant-process.mjs', import.meta.url))

/** A campaign of these documents on one target. */
export function campaignOf(
  files: readonly string[],
  trials: number,
  more: { readonly plan?: object; readonly needs?: readonly string[]; readonly text?: string } = {},
): CampaignSpec {
  const attack = loadedAttack(selfPlay('x', [`x${more.text ?? ''}`]))
  const attacks = files.map((file) => ({ file, fingerprint: attack.fingerprint, text: attack.text, severity: 'high' }))
  const about = { kind: 'self-play', name: 'client=server' } as const
  const targets = [{ name: 'self', about, setup: { needs: [...(more.needs ?? [])] } }]
  return { name: 'c', plan: { trials, ...more.plan }, targets, attacks }
}

/** A worker or coordinator and its log lines. */
export interface Participant {
  readonly lines: string[]
  /** Waits for a line. */
  waitFor(pattern: RegExp, times?: number): Promise<void>
  readonly exited: Promise<void>
}

/** A participant in its own process. */
export interface ParticipantProcess extends Participant {
  readonly process: ChildProcess
}

/** Runs a test with participants and stops them afterwards. */
export async function withParticipants(
  url: string,
  work: (context: {
    readonly fleet: Fleet
    /** In its own process, which can be killed. */
    startProcess(options: object): ParticipantProcess
    /** In this process, which is much faster. */
    startLocal(options: object): Participant
    done(): Promise<CampaignStatus>
    status(): Promise<CampaignStatus>
  }) => Promise<void>,
): Promise<void> {
  const processes: ParticipantProcess[] = []
  const locals: Participant[] = []
  const stop = new AbortController()
  const defaults = () => ({ url, name: `w${processes.length + locals.length}` })
  const fleet = await openFleet(url)
  const status = async () => {
    const current = await fleet.status('c')
    if (current === undefined) throw new Error('missing campaign')
    return current
  }
  try {
    await work({
      fleet,
      startProcess(options) {
        const participant = createProcess({ ...defaults(), ...options })
        processes.push(participant)
        return participant
      },
      startLocal(options) {
        const participant = createLocal({ ...defaults(), ...options }, stop.signal)
        locals.push(participant)
        return participant
      },
      status,
      async done() {
        for (;;) {
          const current = await status()
          if (current.open === 0) return current
          await pause(100)
        }
      },
    })
  } finally {
    stop.abort()
    for (const { process: child } of processes) child.kill('SIGKILL')
    await Promise.all([...processes, ...locals].map(({ exited }) => exited))
    await fleet.close()
  }
}

function createProcess(options: object): ParticipantProcess {
  const child = spawn(process.execPath, [CHILD, JSON.stringify({ role: 'worker', ...options })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)))
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return { process: child, lines, exited, waitFor: waitForLine(lines, () => child.exitCode !== null) }
}

function createLocal(options: object, signal: AbortSignal): Participant {
  const lines: string[] = []
  let hasExited = false
  const exited = participate(
    { role: 'worker', ...options },
    { openFleet, knownShapes },
    (line) => lines.push(line),
    signal,
  )
    .catch((thrown: unknown) => void lines.push(`failed: ${thrown}`))
    .finally(() => {
      hasExited = true
    })
  return { lines, exited, waitFor: waitForLine(lines, () => hasExited) }
}

function waitForLine(lines: readonly string[], hasExited: () => boolean): Participant['waitFor'] {
  return async (pattern, times = 1) => {
    // The last line may be read after the process has exited.
    for (let isLast = false; lines.filter((line) => pattern.test(line)).length < times; await pause(20)) {
      if (isLast) throw new Error(`expected a line that matches ${pattern}, got:\n${lines.join('\n')}`)
      isLast = hasExited()
    }
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Counts how often each run was recorded, according to the workers. */
export function countRecorded(participants: readonly Participant[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of participants.flatMap(({ lines }) => lines)) {
    if (line.startsWith('recorded ')) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}
