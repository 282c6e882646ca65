/** The environment of a command that only submits a campaign: secrets are on the machines of the workers. */
import type { Io } from '../terminal/io.ts'

/** The placeholder for an unset variable. It is valid as key and as address, and is never sent. */
const STAND_IN = 'http://set-where-workers-run.invalid/'

/** Variables about the terminal of this machine. */
const HERE = /COLOR|^TERM|^CI$/

/** An environment that returns a placeholder for every unset variable. */
export function placeholderEnvironment(env: Io['env']): Io['env'] {
  const isOpen = (own: Io['env'], name: string | symbol): name is string =>
    typeof name === 'string' && own[name] === undefined && !HERE.test(name)
  return new Proxy(env, {
    get: (own, name) => (isOpen(own, name) ? STAND_IN : Reflect.get(own, name)),
    getOwnPropertyDescriptor: (own, name) =>
      isOpen(own, name)
        ? { value: STAND_IN, configurable: true, enumerable: true }
        : Reflect.getOwnPropertyDescriptor(own, name),
  })
}
