/**
 * `node import-each.mjs FILE…`: imports one program after the other in one process, and reports as JSON what each
 * printed.
 */
import { pathToFileURL } from 'node:url'

const write = process.stdout.write.bind(process.stdout)
const ended = []
for (const file of process.argv.slice(2)) {
  let printed = ''
  process.stdout.write = (chunk) => {
    printed += chunk
    return true
  }
  let failure
  try {
    await import(pathToFileURL(file).href)
  } catch (thrown) {
    failure = String(thrown?.stack ?? thrown)
  }
  ended.push({ printed, failure })
}
write(JSON.stringify(ended))
