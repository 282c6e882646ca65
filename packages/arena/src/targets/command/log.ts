/** What the commands of a run printed and how the last one ended: for results, and for the reason when one failed. */
import type { ProcessExit } from '@joust/io'
import { ArenaError } from '../../model/errors.ts'
import { bounds } from '../../model/limits.ts'

/** Kept for all turns of a run. */
export interface CommandLog {
  /** Takes what a command prints: called for it when needed. */
  follow(printed: () => string): void
  ended(exit: ProcessExit): void
  /** A failure with the end of the output. */
  failure(what: string): ArenaError
  printed(): string
  exitCode(): number | undefined
}

/** An empty log. */
export function createCommandLog(): CommandLog {
  const outputs: (() => string)[] = []
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
    failure(what) {
      const tail = (outputs.at(-1)?.() ?? '').trim().slice(-bounds.commandTail)
      const said = tail === '' ? 'it printed nothing' : `its output ends with:\n${tail}`
      return new ArenaError('target_failed', `the command ${what}; ${said}`)
    },
    printed,
    exitCode: () => exit?.code,
  }
}
