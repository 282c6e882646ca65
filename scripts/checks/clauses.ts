/**
 * Checks clauses in doc comments: each includes its document, and the first OATF and OATF SDK clause in a file is a
 * link.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../repository.ts'
import { lineOf } from './syntax.ts'
import type { Violation } from './violation.ts'

const COMMENT = /\/\*\*[\s\S]*?\*\//g
/** Matches a clause with its document and the bracket of a link, or after a comma or word in a list. */
const CLAUSE = /(\[?)(OATF SDK|OATF|RFC \d+|SARIF|,|\band|\bto)?[\s*]*§\d/g

export function checkClauses(root: string): Violation[] {
  return ['.ts', '.tsx']
    .flatMap((ending) => filesBelow(root, 'packages', ending))
    .filter((file) => file.split('/')[2] === 'src')
    .flatMap((file) => clausesIn(file, readFileSync(join(root, file), 'utf8')))
}

function clausesIn(file: string, text: string): Violation[] {
  const linked = new Set<string>()
  const mend = 'write [OATF §6.2](https://oatf.io/…) for the first mention in the file, and OATF §6.2 for later ones'
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index: start }) =>
    [...comment.matchAll(CLAUSE)].flatMap(({ 1: bracket, 2: name = '', index }) => {
      const line = lineOf(text, start + index)
      if (name === '') return [{ file, line, message: 'clause without its document', mend }]
      if (!name.startsWith('OATF') || linked.has(name)) return []
      linked.add(name)
      return bracket === '' ? [{ file, line, message: `the first clause of ${name} is not a link`, mend }] : []
    }),
  )
}
