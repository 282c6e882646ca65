/** The environment of a command that only submits: secrets are where the workers are. */
import type { Io } from '../terminal/io.ts'

/** What stands in for a variable that is not set here. It passes for key and address; nothing is ever sent with it. */
const STAND_IN = 'http://set-where-workers-run.invalid/'

/** Variables about the terminal of this machine. */
const HERE = /COLOR|^TERM|^CI$/

/** The same environment, with a value for every name that is not in it. */
export function standInFor(env: Io['env']): Io['env'] {
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
