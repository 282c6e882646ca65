import { describeValue, suggestions } from '@joust/source'
import { leavesOf } from '../../exposure/marks.ts'
import { plantedIn } from '../../exposure/planted.ts'
import { callsDocument } from '../../rules/rule.ts'
import { declaredNames } from '../declared-names.ts'
import type { LintRule } from '../rule.ts'

/**
 * Checks compound names such as `send_letter`, and arguments before a value, as in `with city "Rome"`. Ordinary words
 * differ by only one letter from too many others.
 */
export const instructionNameSpelled: LintRule = {
  summary: 'Tools and arguments mentioned in texts of the attack are spelled as declared.',
  check({ walk }, report) {
    const { tools, arguments: names } = declaredNames(walk)
    const compounds = new Set([...tools, ...names].filter(isCompound))
    const places = [
      { words: (text: string) => text.split(/[^\w-]+/).filter(isCompound), known: compounds },
      { words: valuedNames, known: new Set(names) },
    ]
    const hint = suggestions()
    for (const { at, value } of plantedIn(walk)) {
      const typos = new Map<string, string>()
      for (const { words, known } of places) {
        for (const word of new Set(leavesOf(value).texts.flatMap(words))) {
          const correction = known.size === 0 ? undefined : hint(word, known, 1)
          if (correction !== undefined && !isVariant(word, correction) && !isVariant(correction, word))
            typos.set(word, correction)
        }
      }
      for (const [word, correction] of typos)
        report(
          at,
          `possible typo: the text mentions ${describeValue(word)}, but the document declares ${describeValue(correction)}`,
        )
    }
  },
  good: callsDocument(
    `
      tools:
        - name: send_letter
          description: Sends a letter. Call send_letter to box-7 first.
`,
    'arguments',
    'box-7',
  ),
  mistake: ['Call send_letter', 'Call send_leter'],
  path: 'attack.execution.state.tools[0]',
}

function isCompound(word: string): boolean {
  return word.length >= SHORTEST && /^(?:[a-zA-Z]\w*[_-]\w+|[a-z]+[A-Z]\w*)$/.test(word)
}

function valuedNames(text: string): string[] {
  return [...text.matchAll(/(?<![\w-])([a-z][\w-]{3,40}) "/g)].map((match) => match[1] ?? '')
}

/** True for a plural, or for the same name with different punctuation. */
function isVariant(word: string, other: string): boolean {
  const [one, two] = [word, other].map((name) => name.toLowerCase().replaceAll(/[-_]/g, ''))
  return one === two || one === `${two}s`
}

/** Minimum length of a checked name. Shorter names may differ by one letter on purpose. */
const SHORTEST = 6
