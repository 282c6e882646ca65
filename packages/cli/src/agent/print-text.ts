/** Prints the text of an agent to stdout as the text arrives. */
import type { Agent } from '@joust/agentformat'
import { createAnswerText, type EventListener, outputText, type RunEvent } from '@joust/runtime'
import { printable, type Value } from '@joust/source'
import type { Io } from '../terminal/io.ts'

export interface TextPrinter {
  readonly onEvent: EventListener
  /** Ends the output; prints the whole text if none was streamed. */
  end(output: Value | undefined): void
}

/** Creates a printer that streams the text of the root agent. An answer with several fields is printed at the end. */
export function printText(agent: Agent, io: Io): TextPrinter {
  const { output } = agent.document.interface
  let message: string | undefined
  let read = createAnswerText(output)
  let isOpen = false
  let answer = ''
  const close = () => {
    if (isOpen) io.stdout.write('\n')
    isOpen = false
  }
  const take = (event: RunEvent) => {
    // Progress and approvals start on a new line.
    if (event.type !== 'model-text') close()
    if (event.agent.length > 0) return
    if (event.type === 'model-text') {
      if (message !== event.message) {
        close()
        message = event.message
        read = createAnswerText(output)
        answer = ''
      }
      const text = read(event.delta)
      answer += text
      isOpen ||= text !== ''
      io.stdout.write(printableLines(text))
    }
  }
  return {
    onEvent: take,
    end(value) {
      close()
      const text = value === undefined ? '' : outputText(output, value)
      if (text !== answer && value !== undefined) io.stdout.write(`${printableLines(text)}\n`)
    },
  }
}

/** Escapes control characters other than line breaks and tabs. */
function printableLines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part) => (/^(?:\r?\n|\t)$/.test(part) ? part : printable(part)))
    .join('')
}
