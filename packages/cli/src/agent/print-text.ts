/** Prints the text of an agent to stdout as it arrives. */
import type { Agent } from '@joust/agentformat'
import { type EventListener, outputText, type RunEvent } from '@joust/runtime'
import { own, printable, type Value } from '@joust/source'
import type { Io } from '../terminal/io.ts'

/** The printer of one run. */
export interface TextPrinter {
  readonly onEvent: EventListener
  /** Ends the output; prints the whole text if none was streamed. */
  end(output: Value | undefined): void
}

/** Streams the text of the root; a structured answer is incomplete JSON until its end, and is printed then. */
export function printText(agent: Agent, io: Io): TextPrinter {
  const { output } = agent.document.interface
  const isPlain = own(output, 'type') === 'string'
  let open: string | undefined
  let answer = ''
  const close = () => {
    if (open !== undefined) io.stdout.write('\n')
    open = undefined
  }
  const take = (event: RunEvent) => {
    if (event.agent.length > 0 || !isPlain) return
    if (event.type === 'model-text' && event.delta !== '') {
      if (open !== event.message) {
        close()
        answer = ''
      }
      open = event.message
      answer += event.delta
      io.stdout.write(printableLines(event.delta))
    }
    // Progress and approvals start on a new line.
    if (event.type === 'model-answered' && event.calls.length > 0) close()
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

/** Line breaks and tabs stay; other control characters are escaped. */
function printableLines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part) => (/^(?:\r?\n|\t)$/.test(part) ? part : printable(part)))
    .join('')
}
