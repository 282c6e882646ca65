/** Calculations in text, such as `15 + 27` or `6 times 7`, and words that identify tools for them. */
import { numberOf } from './facts.ts'
import { wordSet } from './lexicon.ts'
import { type Token, textOf } from './tokens.ts'

interface Operation {
  readonly signs: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  readonly apply: (one: number, other: number) => number
}

// biome-ignore format: a table
const OPERATIONS: readonly Operation[] = [
  { signs: wordSet('+ plus'), words: wordSet('add adds adding addition sum plus'), apply: (one, other) => one + other },
  { signs: wordSet('- − – minus less'), words: wordSet('subtract subtracts subtraction minus difference'), apply: (one, other) => one - other },
  { signs: wordSet('* × x times'), words: wordSet('multiply multiplies multiplication times product'), apply: (one, other) => one * other },
  { signs: wordSet('/ ÷ over'), words: wordSet('divide divides division quotient'), apply: (one, other) => one / other },
]
const ANY = wordSet(`
  calculate calculates calculator calc arithmetic arithmetical math maths mathematical expression compute computes
  evaluate evaluates
`)
const LONGEST = 400
const SUM =
  /(?:^|[\s(])-?\d[\d,.]{0,20}\s*([+*×÷/x−–-]|plus|minus|less|times|over|multiplied by|divided by)\s*-?\(?\d[\d\s,.+*×÷/x−–()-]{0,200}/i

interface Sum {
  readonly text: string
  readonly sign: string
}

export function sumIn(tokens: readonly Token[]): Sum | undefined {
  const match = SUM.exec(textOf(tokens).slice(0, LONGEST))
  if (match === null) return undefined
  const sign = (match[1] ?? '').toLowerCase().replace('multiplied by', '*').replace('divided by', '/')
  return { text: match[0].trim().replace(/[\s,.]+$/, ''), sign }
}

/** Returns undefined for more than two numbers. */
export function resultOf({ text, sign }: Sum): number | undefined {
  const [one, other, ...more] = (text.match(/\d[\d,.]*/g) ?? []).map(numberOf)
  if (one === undefined || other === undefined || more.length > 0 || !/^\d/.test(text)) return undefined
  const result = OPERATIONS.find(({ signs }) => signs.has(sign))?.apply(one, other)
  return Number.isFinite(result) ? result : undefined
}

/** `exactly`: the words mean this operation. `any`: they mean any calculation. */
export function doesSum({ sign }: Sum, words: readonly string[]): 'exactly' | 'any' | undefined {
  const operation = OPERATIONS.find(({ signs }) => signs.has(sign))
  if (words.some((word) => operation?.words.has(word))) return 'exactly'
  return words.some((word) => ANY.has(word)) ? 'any' : undefined
}

/** Spaces around operators and before parentheses make numbers and names separate words. */
export function withSpacedSigns(text: string): string {
  return text.replaceAll(/(\d)([+*×÷])(?=\d)/g, '$1 $2 ').replaceAll(/([A-Za-z0-9]_\w{1,60})\(/g, '$1 (')
}
