/**
 * `node check-packed.mjs TARBALL…`: what publint (strict) and attw (ES modules only) find in packages, as JSON; both
 * are loaded once.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'

const ignored = ['node10', 'node16-cjs']
const found = {}
for (const file of process.argv.slice(2)) {
  const data = new Uint8Array(readFileSync(file))
  const { messages } = await publint({ strict: true, pack: { tarball: data.slice().buffer } })
  const analysis = await checkPackage(createPackageFromTarballData(data))
  // A command without types cannot have problems with them.
  const problems = analysis.types ? analysis.problems : []
  found[basename(file)] = [...messages, ...problems.filter(({ resolutionKind }) => !ignored.includes(resolutionKind))]
}
console.log(JSON.stringify(found))
