/** Model calls in the agent's conversation with its user, as opposed to background calls (titles, summaries). */
import type { MainCalls, ModelEntry } from '@joust/results'
import { fingerprint } from '@joust/source'
import type { ObservedCall } from '../model/target.ts'
import { hasWords } from './final-answer.ts'
import { PREFLIGHT_TOOL } from './untested.ts'

/** The number of characters that identify a system prompt; the end of the prompt often depends on the run. */
const BEGINNING = 80

/** Identifies the beginning of the system prompt, ignoring numbers and paths. */
export function promptMark(messages: ModelEntry['messages']): string {
  const system = messages.filter(({ role }) => role === 'system').map((one) => ('text' in one ? one.text : ''))
  const text = system
    .join(' ')
    .replaceAll(/\d+|[/\\]\S+/g, '#')
    .replaceAll(/\s+/g, ' ')
  return fingerprint(text.trim().slice(0, BEGINNING))
}

/**
 * Describes the preflight calls whose answers the user saw, or that called the preflight tool. Returns undefined if
 * there are none.
 */
export function mainCallsIn(calls: readonly ObservedCall[], shown: readonly string[]): MainCalls | undefined {
  const texts = shown.map(withoutSpace)
  const main = calls.filter(({ answer, finish, wire }) => {
    if (wire === 'in-process') return false
    if (answer.calls.some(({ name }) => name.includes(PREFLIGHT_TOOL))) return true
    const text = withoutSpace(answer.text)
    return finish.kind === 'complete' && hasWords(text) && texts.some((one) => one.includes(text))
  })
  if (main.length === 0) return undefined
  const hasOwn = main.every(({ tools }) => tools.some(({ name }) => !name.includes(PREFLIGHT_TOOL)))
  return { prompts: [...new Set(main.map(({ messages }) => promptMark(messages)))], ...(hasOwn && { tools: true }) }
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
