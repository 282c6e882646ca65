/** Filters attacks by the options of the command line. */
import { extractProtocol, type LoadedAttack, severityRank } from '@joust/oatf'
import { compareCodePoints, compileRegex, didYouMean, firstFew, type Regex } from '@joust/source'
import type { ChoiceOptions } from '../options/choice.ts'

/** An attack and the name of its file. */
interface Candidate {
  readonly name: string
  readonly attack: LoadedAttack
}

/** The attacks that pass all options; the values of one option are alternatives. */
export function wantedOf<T extends Candidate>(candidates: readonly T[], filters: Partial<ChoiceOptions>): T[] {
  // The expressions were checked when the options were read.
  const expressions = (filters.grep ?? []).flatMap((pattern) => {
    const compiled = compileRegex(`(?i:${pattern})`)
    return compiled.ok ? [compiled.value] : []
  })
  return candidates.filter((one) => isWanted(one, filters) && (expressions.length === 0 || isFound(one, expressions)))
}

function isWanted({ attack: { document } }: Candidate, filters: Partial<ChoiceOptions>): boolean {
  const { attack } = document
  const { tag = [], id = [], severity, category = [], protocol = [] } = filters
  const { tags = [], category: own } = attack.classification ?? {}
  const level = attack.severity?.level
  if (id.length > 0 && (attack.id === undefined || !id.includes(attack.id))) return false
  if (tag.length > 0 && !tag.some((wanted) => tags.includes(wanted))) return false
  if (category.length > 0 && (own === undefined || !category.includes(own))) return false
  if (severity !== undefined && (level === undefined || severityRank(level) < severityRank(severity))) return false
  const spoken: readonly string[] = protocolsOf(attack.execution.actors)
  return protocol.length === 0 || protocol.some((name) => spoken.includes(name))
}

function isFound({ name, attack: { document } }: Candidate, expressions: readonly Regex[]): boolean {
  const texts = [document.attack.id ?? '', document.attack.name, name]
  return expressions.some((expression) =>
    texts.some((text) => {
      const result = expression.test(text)
      return result.ok && result.value
    }),
  )
}

/** The distinct protocols of actors. */
function protocolsOf(actors: readonly { readonly mode: string }[]): string[] {
  return [...new Set(actors.map(({ mode }) => extractProtocol(mode)))]
}

/** Errors for unknown ids, and for unknown tags if no attack is left. */
export function strangers(candidates: readonly Candidate[], filters: Partial<ChoiceOptions>, left: number): string[] {
  const ids = candidates.flatMap(({ attack }) => attack.document.attack.id ?? [])
  const tags = candidates.flatMap(({ attack }) => attack.document.attack.classification?.tags ?? [])
  return [
    ...(filters.id ?? []).flatMap((id) => unknown('id', id, ids)),
    ...(left > 0 ? [] : (filters.tag ?? []).flatMap((tag) => unknown('tag', tag, tags))),
  ]
}

const MOST_LISTED = 40

function unknown(noun: 'id' | 'tag', word: string, known: readonly string[]): string[] {
  if (known.includes(word)) return []
  const all = [...new Set(known)].sort(compareCodePoints)
  const list = all.length === 0 ? '' : `; available: ${firstFew(all, MOST_LISTED).join(', ')}`
  return [`--${noun} ${word}: no attack has this ${noun}${list}.${didYouMean(word, all)}`]
}
