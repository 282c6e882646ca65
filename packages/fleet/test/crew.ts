/** Workers and coordinators as processes, for tests that kill them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import { type CampaignSpec, type CampaignStatus, type Fleet, openFleet } from '../src/index.ts'

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

/** A process, and what it has said. */
export interface Member {
  readonly process: ChildProcess
  readonly lines: string[]
  /** Waits for a line. */
  said(pattern: RegExp, times?: number): Promise<void>
  readonly gone: Promise<void>
}

/** The processes of one test; all are gone when it is over. */
export async function withCrew(
  url: string,
  work: (crew: {
    readonly fleet: Fleet
    start(options: object): Member
    done(): Promise<CampaignStatus>
    status(): Promise<CampaignStatus>
  }) => Promise<void>,
): Promise<void> {
  const members: Member[] = []
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
        const member = startMember({ url, name: `w${members.length}`, ...options })
        members.push(member)
        return member
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
    for (const { process: child } of members) child.kill('SIGKILL')
    await Promise.all(members.map(({ gone }) => gone))
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
  return {
    process: child,
    lines,
    gone,
    async said(pattern, times = 1) {
      while (lines.filter((line) => pattern.test(line)).length < times) {
        if (child.exitCode !== null) throw new Error(`it ended without saying ${pattern}:\n${lines.join('\n')}`)
        await pause(20)
      }
    },
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** How often each run was entered, by what workers say. */
export function entriesOf(members: readonly Member[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of members.flatMap(({ lines }) => lines)) {
    if (line.startsWith('recorded ')) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}
