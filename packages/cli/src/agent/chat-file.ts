/** The file of a chat: the agent in its first line, then one turn per line. */
import { closeSync, fsyncSync } from 'node:fs'
import { openToWrite, readBounded, writeAll } from '@joust/io'
import { err, isRecord, messageOf, ok, own, parseJson, type Result } from '@joust/source'
import { commandLimits } from '../terminal/limits.ts'

/** A question and its answer. */
export interface ChatTurn {
  readonly question: string
  readonly answer: string
}

/** An open chat. */
export interface ChatFile {
  /** The turns so far. */
  readonly turns: readonly ChatTurn[]
  /** Adds a turn; it is on disk when this returns. Throws. */
  add(turn: ChatTurn): void
  close(): void
}

/** Opens or creates the file, or returns an error message. A line that a crash cut off is dropped. */
export function openChatFile(path: string, agent: string): Result<ChatFile, string> {
  const mark = `${JSON.stringify({ joust_chat: 1, agent })}\n`
  try {
    const file = openToWrite(path, { mark: '{"joust_chat":', append: true })
    const text = new TextDecoder().decode(readBounded(path, commandLimits.chatBytes))
    const read = text === '' ? ok([]) : readTurns(text, mark)
    if (!read.ok) {
      closeSync(file)
      return read
    }
    if (text === '') writeAll(file, mark)
    else if (!text.endsWith('\n')) writeAll(file, '\n')
    return ok({
      turns: read.value,
      add(turn) {
        writeAll(file, `${JSON.stringify(turn)}\n`)
        fsyncSync(file)
      },
      close: () => closeSync(file),
    })
  } catch (thrown) {
    return err(messageOf(thrown))
  }
}

function readTurns(text: string, mark: string): Result<readonly ChatTurn[], string> {
  if (!text.startsWith(mark)) return err('the file has a chat with another agent')
  const lines = text.slice(mark.length).split('\n')
  const turns: ChatTurn[] = []
  for (const [index, line] of lines.entries()) {
    const value = parseJson(line)
    const [question, answer] = [own(value, 'question'), own(value, 'answer')]
    if (isRecord(value) && typeof question === 'string' && typeof answer === 'string') turns.push({ question, answer })
    // The last line, and one that was followed by a line break only after a crash, may be incomplete.
    else if (line !== '' && value !== undefined) return err(`line ${index + 2} is damaged`)
  }
  return ok(turns)
}
