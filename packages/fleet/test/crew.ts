/** Workers and coordinators: as processes for tests that kill them, as guests in this one otherwise. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { knownShapes } from '@joust/arena'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import { type CampaignSpec, type CampaignStatus, type Fleet, openFleet } from '../src/index.ts'
import { takePart } from './member.mjs'

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url))

/** A campaign of these documents on one target. */
export function campaignOf(
  files: readonly string[],
  trials: number,
  more: { readonly plan?: object; readonly needs?: readonly string[]; readonly said?: string } = {},
): CampaignSpec {
  const attack = loadedAttack(selfPlay('x', [`x${more.said ?? ''}`]))
  const attacks = files.map((file) => ({ file, fingerprint: attack.fingerprint, text: attack.text, severity: 'high' }))
  const about = { kind: 'self-play', name: 'client=server' } as const
  const targets = [{ name: 'self', about, setup: { needs: [...(more.needs ?? [])] } }]
  return { name: 'c', plan: { trials, ...more.plan }, targets, attacks }
}

/** A participant, and what it has said. */
export interface Guest {
  readonly lines: string[]
  /** Waits for a line. */
  said(pattern: RegExp, times?: number): Promise<void>
  readonly gone: Promise<void>
}

/** A guest with a process of its own. */
export interface Member extends Guest {
  readonly process: ChildProcess
}

/** The participants of one test; all are gone when it is over. */
export async function withCrew(
  url: string,
  work: (crew: {
    readonly fleet: Fleet
    /** As a process, which can be killed. */
    start(options: object): Member
    /** Within this process, which costs far less. */
    invite(options: object): Guest
    done(): Promise<CampaignStatus>
    status(): Promise<CampaignStatus>
  }) => Promise<void>,
): Promise<void> {
  const members: Member[] = []
  const guests: Guest[] = []
  const over = new AbortController()
  const named = () => ({ url, name: `w${members.length + guests.length}` })
  const fleet = await openFleet(url)
  const status = async () => {
    const found = await fleet.status('c')
    if (found === undefined) throw new Error('the campaign is gone')
    return found
  }
  try {
    await work({
      fleet,
      start(options) {
        const member = startMember({ ...named(), ...options })
        members.push(member)
        return member
      },
      invite(options) {
        const guest = inviteGuest({ ...named(), ...options }, over.signal)
        guests.push(guest)
        return guest
      },
      status,
      async done() {
        for (;;) {
          const found = await status()
          if (found.open === 0) return found
          await pause(100)
        }
      },
    })
  } finally {
    over.abort()
    for (const { process: child } of members) child.kill('SIGKILL')
    await Promise.all([...members, ...guests].map(({ gone }) => gone))
    await fleet.close()
  }
}

function startMember(options: object): Member {
  const child = spawn(process.execPath, [CHILD, JSON.stringify({ role: 'worker', ...options })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)))
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return { process: child, lines, gone, said: listenTo(lines, () => child.exitCode !== null) }
}

function inviteGuest(options: object, signal: AbortSignal): Guest {
  const lines: string[] = []
  let left = false
  const gone = takePart({ role: 'worker', ...options }, { openFleet, knownShapes }, (line) => lines.push(line), signal)
    .catch((thrown: unknown) => void lines.push(`failed: ${thrown}`))
    .finally(() => {
      left = true
    })
  return { lines, gone, said: listenTo(lines, () => left) }
}

function listenTo(lines: readonly string[], hasLeft: () => boolean): Guest['said'] {
  return async (pattern, times = 1) => {
    // The last line may be read after the process has ended.
    for (let left = false; lines.filter((line) => pattern.test(line)).length < times; await pause(20)) {
      if (left) throw new Error(`it ended without saying ${pattern}:\n${lines.join('\n')}`)
      left = hasLeft()
    }
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** How often each run was entered, according to the workers. */
export function entriesOf(members: readonly Guest[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of members.flatMap(({ lines }) => lines)) {
    if (line.startsWith('recorded ')) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}
