/** What the commands of a run printed and how the last one ended: for results, and for the reason when one failed. */
import type { ProcessExit } from '@joust/io'
import { ArenaError } from '../../model/errors.ts'
import { bounds } from '../../model/limits.ts'

/** Kept for all turns of a run. */
export interface CommandLog {
  /** Takes what a command prints: called for it when needed. */
  follow(printed: () => string): void
  ended(exit: ProcessExit): void
  /** Takes what may have gone wrong after an answer: asked when the run is over. */
  watch(fault: () => string | undefined): void
  /** What went wrong after an answer, a sentence each. */
  faults(): readonly string[]
  /** A failure with the end of the output. */
  failure(what: string): ArenaError
  printed(): string
  exitCode(): number | undefined
}

/** An empty log; `who` is whom it is about. */
export function createCommandLog(who: string): CommandLog {
  const outputs: (() => string)[] = []
  const watched: (() => string | undefined)[] = []
  let exit: ProcessExit | undefined
  const printed = () =>
    outputs
      .map((output) => output())
      .filter((text) => text !== '')
      .join('\n')
      .slice(-bounds.printedText)
  return {
    follow: (output) => void outputs.push(output),
    ended(how) {
      exit = how
    },
    watch: (fault) => void watched.push(fault),
    faults: () => watched.flatMap((fault) => fault() ?? []).map((fault) => `${who} ${fault}`),
    failure(what) {
      const tail = (outputs.at(-1)?.() ?? '').trim().slice(-bounds.commandTail)
      const said = tail === '' ? 'it printed nothing' : `its output ends with:\n${tail}`
      return new ArenaError('target_failed', `${who} ${what}; ${said}`)
    },
    printed,
    exitCode: () => exit?.code,
  }
}
