/** `node scripts/dist/check-exports.js`: finds unused exports, and undocumented options and functions. */
import { checkExports } from './checks/exports.ts'
import { checkPublicDocs } from './checks/public-docs.ts'
import { report } from './checks/violation.ts'
import { repositoryRoot } from './repository.ts'

const root = repositoryRoot()
process.exitCode = report('exports', [...checkExports(root), ...checkPublicDocs(root)])
