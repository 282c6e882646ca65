/** What to say about a key: its sentence, its clause, its type, and the rule that checks it. */
import { explanations } from '@joust/oatf/explain'
import type { DocumentKind } from '../model.ts'
import { agentText } from './agent-texts.ts'
import { attackText } from './attack-texts.ts'
import type { KeyRule } from './grammar.ts'

/** Markdown about a key. */
export function aboutKey(rule: KeyRule, kind: DocumentKind): string {
  const [section, text] = textOf(rule, kind)
  const head = `**${rule.name}** · ${keyType(rule)}${section === '' ? '' : ` · ${section}`}`
  const watched = rule.rule === undefined ? undefined : explanations().find(({ code }) => code === rule.rule)
  const parts = [head, text, watched === undefined ? '' : `\`${watched.code}\` (${watched.section}) ${watched.summary}`]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** The sentence alone. */
export function sentenceAbout(rule: KeyRule, kind: DocumentKind): string {
  return textOf(rule, kind)[1]
}

function textOf({ id, about = '' }: KeyRule, kind: DocumentKind): readonly [string, string] {
  if (kind === 'oatf') return attackText(id) ?? ['', about]
  if (kind === 'agent') return agentText(id)
  return ['', about === '' ? '' : `${about.charAt(0).toUpperCase()}${about.slice(1)}.`]
}

/** What the value of a key may be, and whether it has to be there, in a few words. */
export function keyType(rule: KeyRule): string {
  return `${typeText(rule)}${rule.required ? ' · required' : ''}`
}

function typeText({ types, choices }: KeyRule): string {
  const named = choices.filter((choice) => choice !== 'true' && choice !== 'false')
  if (named.length > 0) return `one of ${named.slice(0, 12).join(', ')}${named.length > 12 ? ', …' : ''}`
  const words = types.map((type) => typeNames[type] ?? type)
  return words.length === 0 ? 'anything' : words.join(' or ')
}

const typeNames: { readonly [type: string]: string } = {
  string: 'text',
  object: 'mapping',
  array: 'list',
  integer: 'whole number',
  boolean: 'true or false',
}
