/** Entry actions of a phase (`on_enter`, [OATF §5.2](https://oatf.io/specification/execution-profile/)). */
import { type Action, HEADERS } from '@joust/oatf'
import { isRecord, messageOf, own, type Value } from '@joust/source'
import type { Driver, Scene, Stage } from '../drivers/driver.ts'

interface Entering {
  /** Resolves when all messages have been sent. Never rejects. */
  readonly written: Promise<void>
  /** Resolves when every message has been answered or has timed out. Never rejects. */
  readonly answered: Promise<void>
}

/** Performs the entry actions of a phase in order. Templates are filled first (OATF §5.6). */
export function enterPhase(
  actions: readonly Action[],
  scene: Scene,
  driver: Driver,
  stage: Stage,
  path: string,
): Entering {
  // The type does not say that an action is plain data.
  const filled = actions.map((action) => stage.fill(action as Value))
  const replies: Promise<void>[] = []
  const write = async () => {
    for (const [index, action] of filled.entries()) {
      const at = `${path}.on_enter[${index}]`
      try {
        await perform(action, at)
      } catch (thrown) {
        stage.report('content-malformed', `an entry action failed: ${messageOf(thrown)}`, at)
      }
    }
  }
  const perform = async (action: Value, at: string): Promise<void> => {
    const name = isRecord(action) ? Object.keys(action).find((key) => !key.startsWith('x-')) : undefined
    if (!isRecord(action) || name === undefined)
      return stage.report('action-malformed', 'entry action without a name', at)
    const value = own(action, name) ?? null
    if (name === 'log') return log(stage, value, at)
    const headers = own(action, HEADERS)
    if (name !== 'send') {
      const whole = headers !== undefined && isRecord(value) ? { [HEADERS]: headers, ...value } : value
      if ((await driver.enact?.(name, whole, scene)) === true) return
      return stage.report('unknown-action', `unknown entry action ${name} for ${stage.mode}`, at)
    }
    const method = own(value, 'method')
    if (!isRecord(value) || typeof method !== 'string')
      return stage.report('action-malformed', 'send needs a method', at)
    const params = own(value, 'params')
    const entry = { method, ...(params !== undefined && { params }), ...(headers !== undefined && { headers }) }
    const { reply } = await driver.send(entry, scene)
    if (reply !== undefined) replies.push(reply)
  }
  const written = actions.length === 0 ? Promise.resolve() : write()
  return { written, answered: written.then(() => Promise.allSettled(replies)).then(() => {}) }
}

function log(stage: Stage, value: Value, at: string): void {
  const message = isRecord(value) ? own(value, 'message') : value
  const level = own(value, 'level')
  const code = level === 'warn' || level === 'error' ? (`log-${level}` as const) : 'log-info'
  stage.report(code, String(message), at)
}
