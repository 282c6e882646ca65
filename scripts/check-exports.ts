/** `node scripts/dist/check-exports.js`: finds exports that nobody imports. */
import { checkExports } from './checks/exports.ts'
import { report } from './checks/violation.ts'
import { repositoryRoot } from './repository.ts'

process.exitCode = report('exports', checkExports(repositoryRoot()))
