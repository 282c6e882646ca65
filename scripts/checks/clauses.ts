/** Clauses in doc comments: each names its document, and the first one of OATF and of its SDK in a file is a link. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../repository.ts'
import { lineOf } from './syntax.ts'
import type { Violation } from './violation.ts'

const COMMENT = /\/\*\*[\s\S]*?\*\//g
/** Matches a clause with the name of its document and the bracket of a link, or after a comma or word in a list. */
const CLAUSE = /(\[?)(OATF SDK|OATF|RFC \d+|SARIF|,|\band|\bto)?[\s*]*§\d/g

/** Checks the doc comments of all packages. */
export function checkClauses(root: string): Violation[] {
  return ['.ts', '.tsx']
    .flatMap((ending) => filesBelow(root, 'packages', ending))
    .filter((file) => file.split('/')[2] === 'src')
    .flatMap((file) => clausesIn(file, readFileSync(join(root, file), 'utf8')))
}

function clausesIn(file: string, text: string): Violation[] {
  const linked = new Set<string>()
  const mend = 'write [OATF §6.2](https://oatf.io/…) at its first place in the file, and OATF §6.2 after it'
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index: start }) =>
    [...comment.matchAll(CLAUSE)].flatMap(({ 1: bracket, 2: name = '', index }) => {
      const line = lineOf(text, start + index)
      if (name === '') return [{ file, line, message: 'a clause without its document', mend }]
      if (!name.startsWith('OATF') || linked.has(name)) return []
      linked.add(name)
      return bracket === '' ? [{ file, line, message: `the first clause of ${name} is not a link`, mend }] : []
    }),
  )
}
