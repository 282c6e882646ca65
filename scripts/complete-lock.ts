/** `node scripts/dist/complete-lock.js`: adds the platform packages that npm left out of package-lock.json. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeLock, type LockFile, missingPlatformPackages } from './lock-file.ts'
import { repositoryRoot } from './repository.ts'

const file = join(repositoryRoot(), 'package-lock.json')
const lock: LockFile = JSON.parse(readFileSync(file, 'utf8'))
const missing = Object.keys(missingPlatformPackages(lock))
if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`)
console.log(`package-lock.json: ${missing.length} entries added`)
