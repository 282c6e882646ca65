/** Documentation of a key: its type, description and rule. */
import { explanations } from '@joust/oatf/explain'
import type { Path } from '@joust/source'
import type { DocumentKind } from '../model.ts'
import type { KeyRule } from './grammar.ts'

export function aboutKey(rule: KeyRule, kind: DocumentKind, path: Path): string {
  const page = kind === 'agent' ? ` · Agent Format, ${pageOf(path)}` : ''
  const explanation = rule.rule === undefined ? undefined : explanations().find(({ code }) => code === rule.rule)
  const parts = [
    `**${rule.name}** · ${keyType(rule)}${page}`,
    sentenceAbout(rule, kind),
    explanation === undefined ? '' : `\`${explanation.code}\` (OATF ${explanation.section}) ${explanation.summary}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Returns only the description. In project files, this is the help text of an option. */
export function sentenceAbout({ about = '' }: KeyRule, kind: DocumentKind): string {
  return kind === 'project' && about !== '' ? `${about.charAt(0).toUpperCase()}${about.slice(1)}.` : about
}

function pageOf(path: Path): string {
  if (path.at(-1) === 'input_mapping') return 'path expressions'
  if (path.some((key) => CONDITIONS.has(key))) return 'condition matchers'
  if (path.includes('approval')) return 'approval'
  if (path[1] === 'governance_policies') return 'governance'
  return path[0] === 'execution_policy' ? 'policy catalog' : 'field reference'
}

const CONDITIONS: ReadonlySet<unknown> = new Set(['args_match', 'when', 'exit_condition', 'condition'])

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
