/**
 * Runs a command with no network except loopback: `node scripts/loopback.mjs COMMAND…`. If such a namespace cannot be
 * created, the command runs after a warning.
 */
import { spawnSync } from 'node:child_process'

const [, , ...words] = process.argv
const alone = ['--map-root-user', '--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

const tried = spawnSync('unshare', [...alone, 'true'], { encoding: 'utf8' })
const isAlone = tried.status === 0
if (!isAlone) {
  const why = (tried.error?.message ?? tried.stderr).trim() || `unshare exited with ${tried.status}`
  process.stderr.write(`NOT ISOLATED: cannot create a loopback-only namespace (${why}); the network is reachable\n`)
}
const [command = '', ...args] = isAlone ? ['unshare', ...alone, ...words] : words
const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
if (error !== undefined) process.stderr.write(`${error.message}\n`)
process.exit(status ?? 1)
