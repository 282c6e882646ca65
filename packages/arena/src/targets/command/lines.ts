/** One process for a conversation: a line of JSON in for each turn, a line out with the answer. */
import { endsWithin, onAbort } from '@joust/io'
import { writeJson } from '@joust/source'
import { ArenaError, orNotWired } from '../../model/errors.ts'
import { arenaLimits } from '../../model/limits.ts'
import type { Pipe } from '../../model/wiring.ts'
import { spawnPipe } from '../../transport/child-process.ts'
import type { Conversation } from '../front-door/reception.ts'
import { answerInLine } from './answer.ts'
import { fillPlaceholders } from './placeholders.ts'
import type { CommandSetting } from './turns.ts'

/** Starts the one process of a conversation; what it prints is kept. Rejects with an `ArenaError`. */
export async function openProcess(setting: CommandSetting, values = setting.values) {
  const [command = '', ...args] = orNotWired(fillPlaceholders(setting.command, values))
  const { env, cwd, log } = setting
  let printed = ''
  const keep = (text: string) => {
    printed = `${printed}${text}`.slice(-arenaLimits.printedText)
  }
  log.follow(() => printed)
  const pipe = await spawnPipe({ command, args, env, cwd, maxLineBytes: arenaLimits.answerText, onStderr: keep })()
  return { pipe, keep }
}

/** How a process ended that still owed an answer. */
export function endedEarly(pipe: Pipe, what = ''): string {
  return `ended before it had answered${what}: ${pipe.ending()?.split(';')[0] ?? 'its output is closed'}`
}

/** A conversation with a process. Rejects with an `ArenaError` when it cannot be started. */
export async function converseByLines(setting: CommandSetting, session: string): Promise<Conversation> {
  const { log, timeoutMs } = setting
  const { pipe, keep } = await openProcess(setting, new Map([...setting.values, ['session', session]]))
  let isClosing = false
  /** Whether a turn has no answer yet. */
  let owes = false
  const close = () => {
    isClosing = true
    return pipe.close()
  }
  const ahead = readAhead(pipe, setting.answer, keep)
  log.watch(() => (isClosing ? undefined : (ahead.surplus() ?? crashOf(pipe, owes))))
  const take = async (number: number): Promise<string> => {
    const said = await ahead.take()
    if (said.kind === 'ended') throw log.failure(endedEarly(pipe))
    if (said.kind === 'failed') throw log.failure(said.why)
    // An answer to another turn, by its own account.
    if (said.turn !== undefined && said.turn !== number) return take(number)
    // One that does not say which turn it belongs to may have been a greeting; then the answer is still to come.
    const isGreeting = number === 1 && said.turn === undefined && (await ahead.comes(arenaLimits.greetingMs))
    return isGreeting ? take(number) : said.text
  }
  return {
    async say({ prompt, input, number, signal }) {
      const isEarly = await ahead.comes(0)
      if (isEarly && number > 1) throw log.failure(SURPLUS)
      if (isEarly) await ahead.take()
      owes = true
      await pipe.send(writeJson({ prompt, session, turn: number, input }))
      const off = onAbort(signal, () => void close())
      const answer = take(number)
      const isThere = await endsWithin(answer, timeoutMs).finally(off)
      if (signal.aborted) throw new ArenaError('stopped', 'the run is over')
      if (!isThere) throw log.failure(`did not answer within ${timeoutMs / 1000} s`)
      const text = await answer
      owes = false
      return { text }
    },
    close,
  }
}

const SURPLUS =
  'answered more often than it was asked, so nobody knows which answer belongs to which prompt: put "turn" beside "answer"'

/** What a process says next: lines without an answer are progress. */
type Said =
  | { readonly kind: 'answer'; readonly text: string; readonly turn: number | undefined }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'ended' }

function readAhead(pipe: Pipe, path: string | undefined, keep: (text: string) => void) {
  const lines = pipe.lines[Symbol.asyncIterator]()
  const read = async (): Promise<Said> => {
    for (;;) {
      const line = await lines.next()
      if (line.done === true) return { kind: 'ended' }
      keep(`${line.value.text}\n`)
      const answer = answerInLine(line.value.text, path)
      if (!answer.ok) return { kind: 'failed', why: answer.error }
      if (answer.value !== undefined) return { kind: 'answer', ...answer.value }
    }
  }
  let arrived: Said | undefined
  let next: Promise<Said>
  const goOn = () => {
    arrived = undefined
    next = read().then((said) => {
      arrived = said
      return said
    })
  }
  goOn()
  return {
    /** Answers that nobody asked for. */
    surplus() {
      if (arrived?.kind === 'failed') return `answered, and then ${arrived.why}`
      return arrived?.kind === 'answer' ? SURPLUS : undefined
    },
    async take(): Promise<Said> {
      const said = await next
      if (said.kind !== 'ended') goOn()
      return said
    },
    /** Whether an answer has arrived, or arrives in time. */
    async comes(milliseconds: number): Promise<boolean> {
      await endsWithin(next, milliseconds)
      return arrived?.kind === 'answer'
    },
  }
}

/** How it crashed on its own; one that is done may leave. */
function crashOf(pipe: Pipe, owes: boolean): string | undefined {
  const ending = pipe.ending()
  if (ending === undefined || /^(?:exited with code 0|closed its output)/.test(ending)) return undefined
  return owes ? ending : `answered, and then ${ending}`
}
