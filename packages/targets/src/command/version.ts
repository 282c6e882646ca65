import { startChild } from '@joust/arena/wire'
import { childEnvironment, endsWithin, openRunFolders } from '@joust/io'
import { err, messageOf, ok, type Result } from '@joust/source'
import { targetLimits } from '../limits.ts'
import type { Preset } from '../presets/preset.ts'
import { followCommand } from './process.ts'

/** Returns the version that an agent prints; undefined if it prints none, an error if it cannot be started. */
export async function installedVersion(
  { version = [] }: Preset,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Result<string | undefined, string>> {
  const [command, ...args] = version
  if (command === undefined) return ok(undefined)
  const folders = await openRunFolders()
  try {
    const env = { ...childEnvironment([], environment), ...folders.env }
    const running = followCommand(await startChild({ command, args, env }), '')
    const isOver = await endsWithin(running.exited, targetLimits.versionMs)
    await running.stop()
    return ok(isOver ? /\d+\.\d+(?:\.\d+)*/.exec(running.printed())?.[0] : undefined)
  } catch (thrown) {
    return err(messageOf(thrown))
  } finally {
    await folders.remove()
  }
}

/** True if the preset was tested with this version. Ignores the patch number. */
export function isTried({ tried }: Preset, version: string): boolean {
  const minor = (text: string) => text.split('.').slice(0, 2).join('.')
  return tried !== undefined && minor(tried) === minor(version)
}
