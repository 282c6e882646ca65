/** Texts of AG-UI: one message at a time, begun by its first piece. */
import { type AGUIEvent, EventType } from '@ag-ui/core'

/** Tells texts. */
interface TextEvents {
  /** Says a piece; one of another message ends the message that is open. */
  say(messageId: string, delta: string): void
  /** Whether some of a message was said, and it is not ended. */
  isOpen(messageId: string): boolean
  end(): void
}

/** Sends what is said. */
export function createTextEvents(send: (event: AGUIEvent) => void): TextEvents {
  let open: string | undefined
  const end = () => {
    if (open !== undefined) send({ type: EventType.TEXT_MESSAGE_END, messageId: open })
    open = undefined
  }
  return {
    isOpen: (messageId) => open === messageId,
    end,
    say(messageId, delta) {
      if (delta === '') return
      if (open !== messageId) {
        end()
        send({ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' })
        open = messageId
      }
      send({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta })
    },
  }
}
