/** `node scripts/dist/check-imports.js`: who imports whom, against scripts/layers.ts. */
import { checkImports } from './import-checks.ts'
import { repositoryRoot } from './repository.ts'
import { report } from './violation.ts'

process.exitCode = report('imports', checkImports(repositoryRoot()))
