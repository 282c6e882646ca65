/**
 * `node play.mjs DOCUMENT [URL]`: plays a document with the built packages, for peers that start the other side. A
 * client actor connects to URL. Without URL, a server actor uses the standard streams until its peer disconnects. The
 * last line on standard error is the run.
 */
import { readFileSync } from 'node:fs'
import { runAttack } from '@joust/arena'
import { load } from '@joust/oatf'

const [path, url] = process.argv.slice(2)
const loaded = load(readFileSync(path, 'utf8'))
if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))

/** The process that started this one. It closes this process's input when it is done. */
const parent = {
  name: 'parent',
  start: async () => ({
    endpoints: {},
    turn: () => new Promise((resolve) => process.stdin.once('close', resolve)),
    stop: async () => {},
  }),
}

const options = url === undefined ? { listen: { default: 'stdio' }, target: parent } : { connect: { default: { url } } }
const run = await runAttack(loaded.value, options)
console.error(JSON.stringify(run))
process.exitCode = run.ended === 'done' ? 0 : 1
