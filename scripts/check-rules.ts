/**
 * `node scripts/dist/check-rules.js`: checks the rule, lint, step and dialect tables, their files and tests, and
 * clauses in comments.
 */
import { checkClauses } from './checks/clauses.ts'
import { checkCodes, checkResolved } from './checks/codes.ts'
import { checkRules } from './checks/rules.ts'
import { report } from './checks/violation.ts'
import { repositoryRoot } from './repository.ts'

const root = repositoryRoot()
process.exitCode = report('rules', [
  ...checkRules(root),
  ...checkCodes(root),
  ...checkResolved(root),
  ...checkClauses(root),
])
