/** A command for each turn: it gets the prompt on standard input or as a word, and the answer is what it prints. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endsWithin, onAbort, type ProcessExit } from '@joust/io'
import { writeJson } from '@joust/source'
import { ArenaError, orNotWired } from '../../model/errors.ts'
import { arenaLimits } from '../../model/limits.ts'
import { startChild } from '../../transport/child-process.ts'
import type { Conversation, Turn } from '../front-door/reception.ts'
import { answerIn } from './answer.ts'
import { fillPlaceholders, placeholdersIn } from './placeholders.ts'
import { type CommandLog, followCommand, type RunningCommand } from './process.ts'

/** What all turns of a run have in common. */
export interface CommandSetting {
  /** The words of the first turn, and of later ones. */
  readonly command: readonly string[]
  readonly next: readonly string[] | undefined
  /** The path to the answer in what is printed; undefined where all of it is the answer. */
  readonly answer: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Where requests are written to. */
  readonly folder: string
  /** What placeholders stand for, apart from those of a turn. */
  readonly values: ReadonlyMap<string, string>
  readonly timeoutMs: number
  readonly log: CommandLog
  /** The conversation of the last turn: words such as `--continue` mean that one. */
  readonly recent: { session?: string }
}

/** A conversation whose turns are commands. */
export function converseByCommands(setting: CommandSetting, session: string): Conversation {
  let running: Promise<RunningCommand> | undefined
  const stop = async () => {
    const started = await running?.catch(() => undefined)
    await started?.stop()
  }
  return {
    async say(turn) {
      const { words, notes } = await wordsOf(setting, turn, session)
      const [command = '', ...args] = words
      const stdin = placeholdersIn(template(setting, turn)).includes('prompt') ? '' : turn.prompt
      const { env, cwd, log } = setting
      running = startChild({ command, args, env: { ...promptVariable(turn.prompt), ...env }, cwd }).then((child) =>
        followCommand(child, stdin),
      )
      const started = await running
      log.follow(started.printed)
      const off = onAbort(turn.signal, () => void started.stop())
      const exit = await inTime(started, setting.timeoutMs).finally(off)
      log.watch(() => faultOf(started, setting.answer))
      return { text: answerOf(setting, turn, started, exit), ...(notes.length > 0 && { notes }) }
    },
    close: stop,
  }
}

function answerOf(
  { answer, timeoutMs, log }: CommandSetting,
  { signal }: Turn,
  running: RunningCommand,
  exit: ProcessExit | undefined,
): string {
  // A run that is over has ended the command.
  if (signal.aborted) throw new ArenaError('stopped', 'the run is over')
  if (exit === undefined) throw log.failure(`did not end within ${timeoutMs / 1000} s`)
  log.ended(exit)
  if (exit.code !== 0) throw log.failure(exit.text)
  const found = answerIn(running.output(), answer)
  if (!found.ok) throw log.failure(found.error)
  return found.value
}

/** Why what was taken for its answer may be incomplete. */
function faultOf(running: RunningCommand, path: string | undefined): string | undefined {
  if (running.isHeld())
    return 'ended while something that it had started still held its standard output open: what that did later was not seen'
  // With a path, the answer is the last of many lines.
  return running.isCut() && path === undefined
    ? `printed more than ${arenaLimits.answerText} characters, of which only the end was read`
    : undefined
}

/** How a command ended; undefined when it had to be ended. */
async function inTime(running: RunningCommand, timeoutMs: number): Promise<ProcessExit | undefined> {
  if (await endsWithin(running.exited, timeoutMs)) return running.ended
  await running.stop()
  return undefined
}

function template({ command, next }: CommandSetting, { number }: Turn): readonly string[] {
  return number === 1 ? command : (next ?? command)
}

async function wordsOf(
  setting: CommandSetting,
  turn: Turn,
  session: string,
): Promise<{ readonly words: readonly string[]; readonly notes: readonly string[] }> {
  const written = template(setting, turn)
  const names = placeholdersIn(written)
  if (turn.number > 1 && setting.next === undefined && !goesOn(names))
    throw new ArenaError(
      'target_failed',
      'the command cannot continue a conversation: nothing says how to call it for later turns',
    )
  if (turn.number > 1 && !goesOn(names) && setting.recent.session !== session)
    throw new ArenaError(
      'target_failed',
      'the command can only continue its last conversation, and this is a different one',
    )
  setting.recent.session = session
  const input = join(setting.folder, `input-${session}-${turn.number}.json`)
  if (names.includes('input')) await writeFile(input, writeJson(turn.input, 2), { mode: 0o600 })
  const values = new Map([...setting.values, ['prompt', turn.prompt], ['input', input], ['session', session]])
  return keepFromFlags(written, orNotWired(fillPlaceholders(written, values)))
}

/** What an environment cannot hold is left out: no program would start with it. */
function promptVariable(prompt: string): Readonly<Record<string, string>> {
  return prompt.includes('\0') || prompt.length > arenaLimits.variableText ? {} : { PROMPT: prompt }
}

/** Whether the words of the first turn also work for later ones. */
function goesOn(names: readonly string[]): boolean {
  return names.includes('session') || names.includes('input')
}

/** A word that begins with what somebody said must not become a flag: a leading space prevents that. */
function keepFromFlags(written: readonly string[], filled: readonly string[]) {
  const isFlag = (word: string, index: number) =>
    word.startsWith('-') && written[index]?.startsWith('-') === false && written[index - 1] !== '--'
  const words = filled.map((word, index) => (isFlag(word, index) ? ` ${word}` : word))
  const notes = filled.some(isFlag)
    ? ['the prompt begins with a dash: a space was put before it, so that it is not read as a flag']
    : []
  return { words, notes }
}
