/** `node scripts/dist/check-exports.js`: exports that nobody imports. */
import { checkExports } from './export-checks.ts'
import { repositoryRoot } from './repository.ts'
import { report } from './violation.ts'

process.exitCode = report('exports', checkExports(repositoryRoot()))
