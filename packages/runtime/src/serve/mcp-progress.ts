/** Progress of a run for an MCP client that asked for it: clients give up on a call that stays silent. */
import type { Notification, ProgressToken } from '@modelcontextprotocol/server'
import type { EventListener, RunEvent } from '../model/events.ts'

/** Sends a notification for each step of a run; undefined where the client gave no token. */
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
      // The run ends by its signal when the client has gone.
      sent = sent.then(() => notify({ method: 'notifications/progress', params })).catch(() => {})
    },
    sent: () => sent,
  }
}

/** The step that an event is, in words; undefined for events that are not a step. */
function stepText(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'agent-started':
      return `${event.id} started`
    case 'agent-finished':
      return `${event.agent.at(-1) ?? 'the agent'} finished`
    case 'model-called':
      return 'the model is asked'
    case 'model-answered':
      return 'the model answered'
    case 'model-failed':
      return 'the model failed'
    case 'approval-asked':
      return `${event.target} waits for approval`
    case 'approval-answered':
      return `${event.target} was ${event.approved ? 'approved' : 'denied'}`
    case 'tool-called':
      return `${event.name} is called`
    case 'tool-answered':
      return `${event.name} answered`
    case 'tool-failed':
      return `${event.name} failed`
    default:
      return undefined
  }
}
