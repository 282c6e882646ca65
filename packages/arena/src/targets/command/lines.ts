/** One process for a conversation: a line of JSON in for each turn, a line out with the answer. */
import { endsWithin, onAbort } from '@joust/io'
import { writeJson } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import { bounds } from '../../model/limits.ts'
import type { Pipe } from '../../model/pipe.ts'
import { spawnPipe } from '../../transport/child-process.ts'
import type { Conversation } from '../front-door/conversation.ts'
import { answerInLine } from './answer.ts'
import { fillPlaceholders } from './placeholders.ts'
import type { CommandSetting } from './turns.ts'

/** A conversation with a process. Rejects with an `ArenaError` when it cannot be started. */
export async function converseByLines(setting: CommandSetting, session: string): Promise<Conversation> {
  const { env, cwd, log, timeoutMs } = setting
  const filled = fillPlaceholders(setting.command, new Map([...setting.values, ['session', session]]))
  if (!filled.ok) throw new ArenaError('not_wired', filled.error)
  const [command = '', ...args] = filled.value
  let said = ''
  const keep = (text: string) => {
    said = `${said}${text}`.slice(-bounds.printedText)
  }
  log.follow(() => said)
  const pipe = await spawnPipe({ command, args, env, cwd, maxLineBytes: bounds.answerText, onStderr: keep })()
  const lines = pipe.lines[Symbol.asyncIterator]()
  let isClosing = false
  const close = () => {
    isClosing = true
    return pipe.close()
  }
  log.watch(() => (isClosing ? undefined : crashOf(pipe)))
  /** The first line that has an answer; what comes before it is progress. */
  const readAnswer = async (): Promise<string> => {
    for (;;) {
      const line = await lines.next()
      if (line.done === true) throw log.failure(endingOf(pipe))
      keep(`${line.value.text}\n`)
      const answer = answerInLine(line.value.text, setting.answer)
      if (!answer.ok) throw log.failure(answer.error)
      if (answer.value !== undefined) return answer.value
    }
  }
  return {
    async say({ prompt, input, number, signal }) {
      await pipe.send(writeJson({ prompt, session, turn: number, input }))
      const off = onAbort(signal, () => void close())
      const answer = readAnswer()
      const isThere = await endsWithin(answer, timeoutMs).finally(off)
      if (signal.aborted) throw new ArenaError('stopped', 'the run is over')
      if (!isThere) throw log.failure(`did not answer within ${timeoutMs / 1000} s`)
      return { text: await answer }
    },
    close,
  }
}

/** How it went down by itself; one that is done may leave. */
function crashOf(pipe: Pipe): string | undefined {
  const ending = pipe.ending()
  return ending === undefined || /^(?:exited with code 0|closed its output)/.test(ending)
    ? undefined
    : `answered, and then ${ending}`
}

function endingOf(pipe: Pipe): string {
  return `ended before it had answered: ${pipe.ending()?.split(';')[0] ?? 'its output is closed'}`
}
