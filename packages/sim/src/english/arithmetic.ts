/** Sums in a text: `15 + 27`, `6 times 7`, and the words by which tools that do sums are known. */
import { wordSet } from './lexicon.ts'
import { type Token, textOf } from './tokens.ts'

// biome-ignore format: a table
const OPERATIONS: readonly { readonly signs: ReadonlySet<string>; readonly words: ReadonlySet<string> }[] = [
  { signs: wordSet('+ plus'), words: wordSet('add adds adding addition sum plus') },
  { signs: wordSet('- − – minus less'), words: wordSet('subtract subtracts subtraction minus difference') },
  { signs: wordSet('* × x times'), words: wordSet('multiply multiplies multiplication times product') },
  { signs: wordSet('/ ÷ over'), words: wordSet('divide divides division quotient') },
]
const ANY = wordSet(`
  calculate calculates calculator calc arithmetic arithmetical math maths mathematical expression compute computes
  evaluate evaluates
`)
const LONGEST = 400
const SUM =
  /(?:^|[\s(])-?\d[\d,.]{0,20}\s*([+*×÷/x−–-]|plus|minus|less|times|over|multiplied by|divided by)\s*-?\(?\d[\d\s,.+*×÷/x−–()-]{0,200}/i

/** A sum as it is written, and its first sign. */
interface Sum {
  readonly text: string
  readonly sign: string
}

/** The sum that words ask for, if any. */
export function sumIn(tokens: readonly Token[]): Sum | undefined {
  const found = SUM.exec(textOf(tokens).slice(0, LONGEST))
  if (found === null) return undefined
  const sign = (found[1] ?? '').toLowerCase().replace('multiplied by', '*').replace('divided by', '/')
  return { text: found[0].trim().replace(/[\s,.]+$/, ''), sign }
}

/** Whether a tool with these words does such a sum: `exactly` that one, or `any`. */
export function doesSum({ sign }: Sum, words: readonly string[]): 'exactly' | 'any' | undefined {
  const operation = OPERATIONS.find(({ signs }) => signs.has(sign))
  if (words.some((word) => operation?.words.has(word))) return 'exactly'
  return words.some((word) => ANY.has(word)) ? 'any' : undefined
}

/** Signs between digits and the parentheses of calls set apart, so that numbers and names are words. */
export function withSpacedSigns(text: string): string {
  return text.replaceAll(/(\d)([+*×÷])(?=\d)/g, '$1 $2 ').replaceAll(/([A-Za-z0-9]_\w{1,60})\(/g, '$1 (')
}
