/** Conversations with one process each, which reads a line of JSON per turn and writes a line with the answer. */

import { ArenaError, arenaLimits, type Pipe, unwrapWiring } from '@joust/arena'
import { spawnPipe } from '@joust/arena/wire'
import { endsWithin, onAbort } from '@joust/io'
import { writeJson } from '@joust/source'
import type { Conversation } from '../chat/conversations.ts'
import { outputText } from '../failure-text.ts'
import { targetLimits } from '../limits.ts'
import { answerInLine } from './answer.ts'
import { fillPlaceholders } from './placeholders.ts'
import type { CommandSetting } from './turns.ts'

/** Starts the process of a conversation and records its output. Rejects with an `ArenaError` if that fails. */
export async function openProcess(setting: CommandSetting, values = setting.values) {
  const words = unwrapWiring(fillPlaceholders(setting.command, values))
  const [command = '', ...args] = words
  setting.onLaunch?.({ words })
  const { env, cwd, log } = setting
  let printed = ''
  const keep = (text: string) => {
    printed = `${printed}${text}`.slice(-targetLimits.printedText)
  }
  log.follow(() => printed)
  const pipe = await spawnPipe({ command, args, env, cwd, maxLineBytes: arenaLimits.answerText, onStderr: keep })()
  return { pipe, keep }
}

/** Describes why a process ended before it answered. */
export function endedEarly(pipe: Pipe, request = ''): string {
  return `exited before it answered${request}: ${pipe.ending()?.split(';')[0] ?? 'its output is closed'}`
}

/** Starts a conversation with a process. Rejects with an `ArenaError` if the process cannot be started. */
export async function converseByLines(setting: CommandSetting, session: string): Promise<Conversation> {
  const { log, timeoutMs } = setting
  const { pipe, keep } = await openProcess(setting, new Map([...setting.values, ['session', session]]))
  let isClosing = false
  let isPending = false
  const close = () => {
    isClosing = true
    return pipe.close()
  }
  const ahead = readAhead(pipe, setting.answer, keep)
  log.watch(() => (isClosing ? undefined : (ahead.surplus() ?? crashOf(pipe, isPending, log.printed()))))
  const take = async (number: number): Promise<string> => {
    const output = await ahead.take()
    if (output.kind === 'ended') throw log.failure(endedEarly(pipe))
    if (output.kind === 'failed') throw log.failure(output.reason)
    // Skip an answer to another turn.
    if (output.turn !== undefined && output.turn !== number) return take(number)
    // A first answer without a turn number may be a greeting, followed by the real answer.
    const isGreeting = number === 1 && output.turn === undefined && (await ahead.arrives(targetLimits.greetingMs))
    return isGreeting ? take(number) : output.text
  }
  return {
    async say({ prompt, input, number, signal }) {
      const isEarly = await ahead.arrives(0)
      if (isEarly && number > 1) throw log.failure(SURPLUS)
      if (isEarly) await ahead.take()
      isPending = true
      await pipe.send(writeJson({ prompt, session, turn: number, input }))
      const off = onAbort(signal, () => void close())
      const answer = take(number)
      const isInTime = await endsWithin(answer, timeoutMs).finally(off)
      if (signal.aborted) throw new ArenaError('stopped', 'the run has ended')
      if (!isInTime) throw log.failure(`did not answer within ${timeoutMs / 1000} s`, 'timed_out')
      const text = await answer
      isPending = false
      return { text }
    },
    close,
  }
}

const SURPLUS =
  'printed more answers than prompts were sent, so answers cannot be matched to prompts: add "turn" next to "answer"'

/** The next answer, failure or end of a process. Lines without an answer are skipped. */
type ProcessOutput =
  | { readonly kind: 'answer'; readonly text: string; readonly turn: number | undefined }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'ended' }

function readAhead(pipe: Pipe, path: string | undefined, keep: (text: string) => void) {
  const lines = pipe.lines[Symbol.asyncIterator]()
  const read = async (): Promise<ProcessOutput> => {
    for (;;) {
      const line = await lines.next()
      if (line.done === true) return { kind: 'ended' }
      const answer = answerInLine(line.value.text, path)
      // The reason already contains the line.
      if (!answer.ok) return { kind: 'failed', reason: answer.error }
      keep(`${line.value.text}\n`)
      if (answer.value !== undefined) return { kind: 'answer', ...answer.value }
    }
  }
  let arrived: ProcessOutput | undefined
  let next: Promise<ProcessOutput>
  const readNext = () => {
    arrived = undefined
    next = read().then((output) => {
      arrived = output
      return output
    })
  }
  readNext()
  return {
    /** Describes surplus output, which no prompt asked for. */
    surplus() {
      if (arrived?.kind === 'failed') return `answered, and then ${arrived.reason}`
      return arrived?.kind === 'answer' ? SURPLUS : undefined
    },
    async take(): Promise<ProcessOutput> {
      const output = await next
      if (output.kind !== 'ended') readNext()
      return output
    },
    /** True if an answer has arrived or arrives within the time limit. */
    async arrives(milliseconds: number): Promise<boolean> {
      await endsWithin(next, milliseconds)
      return arrived?.kind === 'answer'
    },
  }
}

/** Describes a crash; undefined for a normal exit. Omits the output if a pending turn reports it. */
function crashOf(pipe: Pipe, isPending: boolean, printed: string): string | undefined {
  const ending = pipe.ending()
  if (ending === undefined || /^(?:exited with code 0|closed its output)/.test(ending)) return undefined
  const [exit = ''] = ending.split(';')
  return isPending ? exit : `answered, and then ${exit}; ${outputText(printed)}`
}
