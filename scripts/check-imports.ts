/** `node scripts/dist/check-imports.js`: checks imports against scripts/layers.ts. */
import { checkImports } from './checks/imports.ts'
import { report } from './checks/violation.ts'
import { repositoryRoot } from './repository.ts'

process.exitCode = report('imports', checkImports(repositoryRoot()))
