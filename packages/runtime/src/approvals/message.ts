/** The message for an approver (OPEN-41). Arguments may be chosen by a model, so they come cut and without hidden characters. */

import { cut, isRecord, own, printable, type Value, valueToText } from '@joust/source'
import { runtimeLimits } from '../model/limits.ts'

/** What a template can name. */
export interface MessageVariables {
  readonly tool_name?: string
  readonly tool_args?: Value
  readonly agent_id: string
  readonly agent_name: string
  readonly agent_alias?: string
  readonly input?: Value
}

/** Fills a template. What is not there stays visible as missing. */
export function fillTemplate(template: string, variables: MessageVariables): string {
  return template.replaceAll(/\{\{([^{}]*)\}\}/g, (_, name: string) => {
    const value = lookUp(name.trim(), variables)
    return value === undefined ? `[missing: ${printable(name.trim())}]` : shown(value)
  })
}

/** A value as one line of text that a person can read. */
export function shown(value: Value): string {
  const text = valueToText(value, 'document')
  if (!text.ok) return '[too deep to show]'
  return printable(cut(text.value, runtimeLimits.approvalCharacters))
}

function lookUp(name: string, variables: MessageVariables): Value | undefined {
  let value: Value | undefined = { ...variables }
  for (const segment of name.split('.')) {
    if (!isRecord(value)) return undefined
    value = own(value, segment)
  }
  return value
}
