/** Prints the progress of an agent, one line per event. */
import type { EventListener, RunEvent, Usage } from '@joust/runtime'
import { compactJson, count, cut, printable, type Value } from '@joust/source'
import { coloursFor } from '../terminal/colours.ts'
import type { Io } from '../terminal/io.ts'

const LONGEST = 120

export interface ProgressOptions {
  /** True to start each line with the run id, for concurrent runs. */
  readonly nameRuns: boolean
  /** True to show only calls, approvals and problems, as in a chat. */
  readonly brief: boolean
}

const ROUTINE: readonly RunEvent['type'][] = ['agent-started', 'model-answered', 'run-finished', 'run-failed']

export function createProgress(
  root: string,
  io: Io,
  { nameRuns = false, brief = false }: Partial<ProgressOptions> = {},
): EventListener {
  const colours = coloursFor(io, 'stderr')
  return (event) => {
    const text = brief && ROUTINE.includes(event.type) ? undefined : lineOf(event)
    if (text === undefined) return
    const who = [...(nameRuns ? [event.run] : []), [root, ...event.agent].join('/')].join(' ')
    io.stderr.write(`${colours.dim(printable(who))}  ${printable(text)}\n`)
  }
}

function lineOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'agent-started':
      return `started (${event.policy})`
    case 'model-answered':
      return event.calls.length === 0 ? `${event.model} answered` : undefined
    case 'model-failed':
      return `${event.model} failed: ${event.reason}${again(event.retryInMs)}`
    case 'tool-called':
      return `calls ${event.name} ${shown(event.args)}`
    case 'tool-failed':
      return failureText(event.name, shown(event.content))
    case 'approval-answered':
      return `${event.target} was ${event.approved ? 'approved' : 'denied'}${reason(event.reason)}`
    case 'limit-reached':
      return `limit reached: ${event.limit} is ${event.max}`
    case 'warning':
      return `warning: ${event.message}`
    case 'run-resumed':
      return event.finished
        ? 'already finished: replayed from the journal'
        : `continues: ${count(event.steps, 'recorded step')} replayed from the journal`
    case 'run-finished':
      return `done: ${usageText(event.usage)}`
    case 'run-failed':
      return `failed: ${usageText(event.usage)}`
    default:
      return undefined
  }
}

/** Adds a prefix that messages from the runtime already have, but messages from a server do not. */
function failureText(name: string, content: string): string {
  const begin = `${name} failed`
  return content.startsWith(begin) ? content : `${begin}: ${content}`
}

function again(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : `, retrying in ${(milliseconds / 1000).toFixed(1)} s`
}

function reason(text: string | undefined): string {
  return text === undefined ? '' : ` (${text})`
}

function shown(value: Value): string {
  if (typeof value === 'string') return cut(value, LONGEST)
  const text = compactJson(value, 'document')
  return text.ok ? cut(text.value, LONGEST) : '[too deep to show]'
}

function usageText({ modelCalls, toolCalls, totalTokens, estimated }: Usage): string {
  const parts = [count(modelCalls, 'model call'), count(toolCalls, 'tool call'), count(totalTokens, 'token')]
  return `${parts.join(', ')}${estimated ? ' (estimated)' : ''}`
}
