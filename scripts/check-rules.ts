/** `node scripts/dist/check-rules.js`: the rule, lint, step and dialect tables, their files and tests. */
import { checkCodes, checkResolved } from './code-checks.ts'
import { repositoryRoot } from './repository.ts'
import { checkRules } from './rule-checks.ts'
import { report } from './violation.ts'

const root = repositoryRoot()
process.exitCode = report('rules', [...checkRules(root), ...checkCodes(root), ...checkResolved(root)])
