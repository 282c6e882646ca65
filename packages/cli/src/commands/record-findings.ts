/** `joust record --watch`: prints a finding as soon as a message from the agent matches an indicator. */
import { judgeEachMessage, recordedActors } from '@joust/arena'
import { createCelEvaluator } from '@joust/oatf'
import type { JudgedIndicator, TraceEntry } from '@joust/results'
import type { SuiteAttack } from '@joust/trials'
import { verdictEvidence } from '../render/evidence.ts'
import { tellSkipped } from '../run/judge.ts'
import { coloursFor } from '../terminal/colours.ts'
import { type Io, tell } from '../terminal/io.ts'

export interface Findings {
  /** Sets the redaction of printed text. Must be called before the first entry. */
  open(hide: (text: string) => string): void
  take(entry: TraceEntry): void
  count(): number
  /** True if some indicators cannot be judged; a warning has then been printed. */
  readonly isPartial: boolean
  /** Resolves when all entries have been judged. */
  close(): Promise<void>
}

/** Creates findings that report each matching indicator once. */
export function createFindings(attacks: readonly SuiteAttack[], io: Io): Findings {
  const reported = new Set<string>()
  const options = { cel: createCelEvaluator(), maxVerdicts: 1 }
  const isPartial = tellSkipped(attacks, options, io)
  let hide = (text: string) => text
  let last: Promise<void> = Promise.resolve()
  const judge = async (entry: TraceEntry) => {
    for (const { file, attack } of attacks) {
      const entries = recordedActors(attack, entry).map((actor) => ({ ...entry, actor }))
      for (const [position, { verdicts }] of (await judgeEachMessage(attack, entries, options)).entries()) {
        const verdict = verdicts.find(({ result }) => result === 'matched')
        const key = `${position} ${file}`
        if (verdict === undefined || reported.has(key)) continue
        reported.add(key)
        const { name, severity, indicators = [] } = attack.document.attack
        const what = indicators[position]?.description?.trim() ?? verdict.indicator_id
        const evidence = verdictEvidence(
          seenAt(verdict, entry),
          undefined,
          coloursFor(io, 'stderr'),
          Number.POSITIVE_INFINITY,
        )
        const head = ['finding', severity?.level, name].filter((part) => part !== undefined).join(': ')
        tell(io, hide(`${head}: ${what}; entry ${entry.seq}, ${evidence}`))
      }
    }
  }
  return {
    open(redact) {
      hide = redact
    },
    take(entry) {
      if (attacks.length === 0 || entry.flow !== 'in') return
      last = last.then(() => judge(entry))
    },
    count: () => reported.size,
    isPartial,
    close: () => last,
  }
}

/** Replaces the actor of the deciding trace entry with the recorded peer. */
function seenAt({ entry: deciding, ...verdict }: JudgedIndicator, { actor }: TraceEntry): JudgedIndicator {
  return deciding === undefined ? verdict : { ...verdict, entry: { ...deciding, actor } }
}
