/** Progress notifications for MCP clients, which time out on a silent call. */
import type { Notification, ProgressToken } from '@modelcontextprotocol/server'
import type { EventListener, RunEvent } from '../model/events.ts'

/** Sends a notification for each step of a run; undefined if the client sent no token. */
export function createProgress(
  progressToken: ProgressToken | undefined,
  notify: (notification: Notification) => Promise<void>,
): { readonly take: EventListener; sent(): Promise<void> } | undefined {
  if (progressToken === undefined) return undefined
  let progress = 0
  let sent = Promise.resolve()
  return {
    take(event) {
      const message = stepText(event)
      if (message === undefined) return
      progress += 1
      const params = { progressToken, progress, message }
      // Errors are ignored; a disconnect aborts the run through its signal.
      sent = sent.then(() => notify({ method: 'notifications/progress', params })).catch(() => {})
    },
    sent: () => sent,
  }
}

/** Describes a step; undefined for other events. */
function stepText(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'agent-started':
      return `${event.id} started`
    case 'agent-finished':
      return `${event.agent.at(-1) ?? 'the agent'} finished`
    case 'model-called':
      return 'calling the model'
    case 'model-answered':
      return 'the model answered'
    case 'model-failed':
      return 'the model failed'
    case 'approval-asked':
      return `waiting for approval of ${event.target}`
    case 'approval-answered':
      return `${event.target} was ${event.approved ? 'approved' : 'denied'}`
    case 'tool-called':
      return `calling ${event.name}`
    case 'tool-answered':
      return `${event.name} answered`
    case 'tool-failed':
      return `${event.name} failed`
    default:
      return undefined
  }
}
