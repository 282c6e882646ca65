/** A campaign driven by its commands, for tests. */
import { folder, joust } from '../world.ts'

/** The campaign `n` in a database, submitted from a folder; workers have a folder of their own. */
export function campaignAt(url: string, cwd: string) {
  const queue = ['--queue', url]
  const look = (what: string, ...args: string[]) => joust(['campaign', what, 'n', ...queue, ...args], { cwd })
  return {
    url,
    look,
    submit: (args: readonly string[] = [], env = {}) =>
      joust(['run', ...args, ...queue, '--name', 'n', '--detach', '--quiet'], { cwd, env }),
    work: (args: readonly string[] = [], env = {}) =>
      joust(['worker', ...queue, '--drain', ...args], { cwd: folder(), env }),
    results: async () => JSON.parse((await look('results', '--json')).stdout),
    status: async () => (await look('status')).stdout,
  }
}
