/** Conversations with one command per turn: prompt as argument or standard input, answer in the output. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ArenaError, arenaLimits, unwrapWiring } from '@joust/arena'
import { startChild } from '@joust/arena/wire'
import { endsWithin, onAbort, type ProcessExit } from '@joust/io'
import { writeJson } from '@joust/source'
import type { Conversation, Turn } from '../chat/conversations.ts'
import { targetLimits } from '../limits.ts'
import { answerIn } from './answer.ts'
import type { Launch } from './launches.ts'
import { fillPlaceholders, placeholdersIn } from './placeholders.ts'
import { type CommandLog, followCommand, type RunningCommand } from './process.ts'

export interface CommandSetting {
  /** Words of the command for the first turn; `next` contains those for later turns. */
  readonly command: readonly string[]
  readonly next: readonly string[] | undefined
  /** Path to the answer in the output; undefined if the entire output is the answer. */
  readonly answer: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly folder: string
  /** Placeholder values that do not depend on the turn. */
  readonly values: ReadonlyMap<string, string>
  readonly timeoutMs: number
  readonly log: CommandLog
  /** Called with the words of each process before it starts. */
  readonly onLaunch?: (launch: Launch) => void
  /** The conversation of the last turn, which flags such as `--continue` refer to. */
  readonly recent: { session?: string }
}

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
      setting.onLaunch?.({ words, prompt: turn.prompt })
      running = startChild({ command, args, env: { ...promptVariable(turn.prompt), ...env }, cwd }).then((child) =>
        followCommand(child, stdin),
      )
      const started = await running
      log.follow(started.printed, started.lastError)
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
  // The command was stopped at the end of the run.
  if (signal.aborted) throw new ArenaError('stopped', 'the run has ended')
  if (exit === undefined) throw log.failure(`did not exit within ${timeoutMs / 1000} s`)
  log.ended(exit)
  if (exit.code !== 0) throw log.failure(exit.text)
  const text = answerIn(running.output(), answer)
  if (!text.ok) throw log.failure(text.error)
  return text.value
}

function faultOf(running: RunningCommand, path: string | undefined): string | undefined {
  if (running.isHeld())
    return 'exited while a child process still held its standard output open: later output was not read'
  // With a path, the answer is in the last of many lines.
  return running.isCut() && path === undefined
    ? `printed more than ${arenaLimits.answerText} characters; only the end was read`
    : undefined
}

/** Waits for a command to exit. On timeout, stops the command and returns undefined. */
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
  const parts = template(setting, turn)
  const names = placeholdersIn(parts)
  if (turn.number > 1 && setting.next === undefined && !hasTurns(names))
    throw new ArenaError('target_failed', 'the command cannot continue a conversation: no command for later turns')
  if (turn.number > 1 && !hasTurns(names) && setting.recent.session !== session)
    throw new ArenaError('target_failed', 'the command can only continue its last conversation, not an earlier one')
  setting.recent.session = session
  const input = join(setting.folder, `input-${session}-${turn.number}.json`)
  if (names.includes('input')) await writeFile(input, writeJson(turn.input, 2), { mode: 0o600 })
  const values = new Map([...setting.values, ['prompt', turn.prompt], ['input', input], ['session', session]])
  return escapeFlags(parts, unwrapWiring(fillPlaceholders(parts, values)))
}

/** Omits a prompt that is not valid in an environment variable, because the program would not start. */
function promptVariable(prompt: string): Readonly<Record<string, string>> {
  return prompt.includes('\0') || prompt.length > targetLimits.variableText ? {} : { PROMPT: prompt }
}

/** True if the placeholders in the words of the first turn make these words work for later turns. */
function hasTurns(names: readonly string[]): boolean {
  return names.includes('session') || names.includes('input')
}

/** Adds a space before a word that starts with inserted text and looks like a flag. */
function escapeFlags(parts: readonly string[], filled: readonly string[]) {
  const isFlag = (word: string, index: number) =>
    word.startsWith('-') && parts[index]?.startsWith('-') === false && parts[index - 1] !== '--'
  const words = filled.map((word, index) => (isFlag(word, index) ? ` ${word}` : word))
  const notes = filled.some(isFlag)
    ? ['the prompt starts with a dash: a space was added so that it is not read as a flag']
    : []
  return { words, notes }
}
