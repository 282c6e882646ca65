/** What of the documents a run leaves out, said before it begins, once for each document. */
import { type SuiteAttack, shortfallsOf } from '@joust/arena'
import { printable } from '@joust/source'
import type { Io } from '../terminal/io.ts'

/** Tells of actors, indicators and texts that nobody will play, evaluate or write: such a document lets no agent pass. */
export function tellShortfalls(attacks: readonly SuiteAttack[], judge: string | undefined, io: Io): void {
  for (const { file, attack } of attacks) {
    for (const { code, message } of shortfallsOf(attack, { cel: true, semantic: judge }))
      io.stderr.write(`joust: ${printable(`${file}: ${code}: ${message}`)}\n`)
  }
}
