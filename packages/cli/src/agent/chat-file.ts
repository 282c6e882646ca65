/** A chat file: the first line identifies the agent, each further line contains a turn. */
import { closeSync, fsyncSync, ftruncateSync, statSync } from 'node:fs'
import { openToWrite, readBounded, writeAll } from '@joust/io'
import { lockFile } from '@joust/runtime'
import { err, errorCode, messageOf, ok, own, parseJson, type Result } from '@joust/source'
import { commandLimits } from '../terminal/limits.ts'

export interface ChatTurn {
  readonly question: string
  readonly answer: string
}

export interface ChatFile {
  readonly turns: readonly ChatTurn[]
  /** Appends a turn and flushes it to disk; returns an error message if that fails. */
  add(turn: ChatTurn): string | undefined
  close(): void
}

/**
 * Opens or creates the file and locks it for this process; the error is a message. An incomplete last line, as after a
 * crash, is removed. Any other malformed line is an error, so that no turn is lost silently.
 */
export function openChatFile(path: string, agent: string): Result<ChatFile, string> {
  let unlock: (() => void) | undefined
  const failed = (message: string) => {
    unlock?.()
    return err(message)
  }
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return err('this is a directory, not a file')
    const locked = lockFile(path)
    if (!locked.ok) return locked
    unlock = locked.value
    const file = openToWrite(path, { mark: '{"joust_chat":', append: true })
    const turns = readTurns(path, file, `${JSON.stringify({ joust_chat: 1, agent })}\n`)
    if (!turns.ok) {
      closeSync(file)
      return failed(turns.error)
    }
    return ok({
      turns: turns.value,
      add(turn) {
        try {
          writeAll(file, `${JSON.stringify(turn)}\n`)
          fsyncSync(file)
          return undefined
        } catch (thrown) {
          return messageOf(thrown)
        }
      },
      close() {
        closeSync(file)
        unlock?.()
      },
    })
  } catch (thrown) {
    return failed(errorCode(thrown) === 'ENOENT' ? 'no such folder' : messageOf(thrown))
  }
}

/** Reads the turns, writes the first line of a new file and removes an incomplete last line. */
function readTurns(path: string, file: number, mark: string): Result<readonly ChatTurn[], string> {
  const bytes = readBounded(path, commandLimits.chatBytes)
  const end = bytes.lastIndexOf(0x0a) + 1
  const text = new TextDecoder().decode(bytes.subarray(0, end))
  if (bytes.length > 0 && !text.startsWith(mark)) return err('the file contains a chat with a different agent')
  const turns: ChatTurn[] = []
  for (const [index, line] of text.slice(mark.length).split('\n').entries()) {
    const value = parseJson(line)
    const [question, answer] = [own(value, 'question'), own(value, 'answer')]
    if (typeof question === 'string' && typeof answer === 'string') turns.push({ question, answer })
    else if (line !== '') return err(`line ${index + 2} is damaged; correct or delete it`)
  }
  if (end < bytes.length) ftruncateSync(file, end)
  if (bytes.length === 0) writeAll(file, mark)
  return ok(turns)
}
