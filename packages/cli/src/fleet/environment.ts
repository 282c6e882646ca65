/** The environment for a command that only submits a campaign, because only worker machines have the secrets. */
import type { Io } from '../terminal/io.ts'

/** Placeholder for an unset variable. It is valid as a key and as a URL, and is never sent. */
const STAND_IN = 'http://set-where-workers-run.invalid/'

const TERMINAL = /COLOR|^TERM|^CI$/

/** Returns an environment that has a placeholder for every unset variable. */
export function placeholderEnvironment(env: Io['env']): Io['env'] {
  const isUnset = (own: Io['env'], name: string | symbol): name is string =>
    typeof name === 'string' && own[name] === undefined && !TERMINAL.test(name)
  return new Proxy(env, {
    get: (own, name) => (isUnset(own, name) ? STAND_IN : Reflect.get(own, name)),
    getOwnPropertyDescriptor: (own, name) =>
      isUnset(own, name)
        ? { value: STAND_IN, configurable: true, enumerable: true }
        : Reflect.getOwnPropertyDescriptor(own, name),
  })
}
