/** `node scripts/dist/complete-lock.js`: adds the platform packages that npm left out of our lock files. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeLock, type LockFile, lockFiles, missingPlatformPackages } from './lock-file.ts'
import { repositoryRoot } from './repository.ts'

for (const name of lockFiles) {
  const file = join(repositoryRoot(), name)
  const lock: LockFile = JSON.parse(readFileSync(file, 'utf8'))
  const missing = Object.keys(missingPlatformPackages(lock))
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`)
  console.log(`${name}: ${missing.length} entries added`)
}
