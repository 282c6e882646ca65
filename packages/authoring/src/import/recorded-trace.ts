/** Creates the trace of a conversation that was recorded elsewhere, with a user, one MCP server and an answer. */
import { endLine, type TraceEntry, versionLine } from '@joust/results'
import { type Value, writeJson } from '@joust/source'

export type RecordedStep =
  | { readonly kind: 'call'; readonly name: string; readonly arguments: Value; readonly answer: string }
  | { readonly kind: 'text'; readonly text: string }

interface RecordedConversation {
  readonly attack: string
  readonly task: string
  readonly steps: readonly RecordedStep[]
}

type Message = Pick<TraceEntry, 'actor' | 'mode' | 'protocol' | 'phase' | 'direction' | 'flow' | 'surface' | 'content'>

const user = { actor: 'user', mode: 'ag_ui_client', protocol: 'ag_ui', phase: 'request' }
const server = { actor: 'tools', mode: 'mcp_server', protocol: 'mcp', phase: 'serving' }

/** Returns trace lines that match the names in `caseDocument`. Times are placeholders. */
export function recordedTrace({ attack, task, steps }: RecordedConversation): string[] {
  const content = { threadId: attack, runId: attack, messages: [{ id: 'message-1', role: 'user', content: task }] }
  const messages: Message[] = [
    { ...user, direction: 'request', flow: 'out', surface: 'run_agent_input', content },
    event('RUN_STARTED', { threadId: attack, runId: attack }),
    ...steps.flatMap(stepMessages),
    event('RUN_FINISHED', { threadId: attack, runId: attack }),
  ]
  const entries = messages.map((message, index) => ({
    seq: index + 1,
    at: new Date(index).toISOString(),
    elapsed_ms: index,
    ...message,
  }))
  const end = endLine({ ended: 'done', foreign: true, entries: entries.length })
  return [versionLine({ attack: { id: attack } }), ...entries.map((entry) => writeJson(entry)), end]
}

function stepMessages(step: RecordedStep, index: number): Message[] {
  if (step.kind === 'text') {
    const messageId = `message-${index + 2}`
    return [
      event('TEXT_MESSAGE_START', { messageId, role: 'assistant' }),
      event('TEXT_MESSAGE_CONTENT', { messageId, delta: step.text }),
      event('TEXT_MESSAGE_END', { messageId }),
    ]
  }
  const request = { name: step.name, arguments: step.arguments }
  const response = { content: [{ type: 'text', text: step.answer }] }
  return [
    { ...server, direction: 'request', flow: 'in', surface: 'tools/call', content: request },
    { ...server, direction: 'response', flow: 'out', surface: 'tools/call', content: response },
  ]
}

function event(type: string, fields: { readonly [name: string]: string }): Message {
  return { ...user, direction: 'response', flow: 'in', surface: type.toLowerCase(), content: { type, ...fields } }
}
