/** [OATF SDK §3.5](https://oatf.io/sdk/entry-points/), asynchronous: CEL and JSONPath are imported on first use. */
import { type Diagnostic, err, isRecord, own, type Result, type Source } from '@joust/source'
import type { LoadedAttack, LoadOptions } from './loaded-attack.ts'
import { checkAttack, readAttack } from './loading.ts'
import type { OatfError } from './model/errors.ts'
import type { Libraries } from './model/evaluators.ts'
import { TASK } from './rules/task.ts'
import { indicatorSites, type Walk } from './walk/walk.ts'

export { isTranslation, translateSource } from './dialects/translate.ts'
export { serialize } from './serialize.ts'
export { versionFirst } from './version-first.ts'

/**
 * Like `load`, but also accepts a parsed text and returns all findings for an invalid document.
 *
 * @example
 * const loaded = await loadOnDemand(text)
 * if (loaded.ok) console.log(loaded.value.document.attack.name)
 */
export async function loadOnDemand(
  input: string | Source,
  options: LoadOptions = {},
): Promise<Result<LoadedAttack, (OatfError | Diagnostic)[]>> {
  const reading = readAttack(input, options)
  if (!reading.ok) return reading
  const loaded = checkAttack(reading.value, await librariesFor(reading.value.walk))
  return loaded.ok ? loaded : err(loaded.error.findings())
}

async function librariesFor(walk: Walk): Promise<Libraries> {
  const cel = hasExpressions(walk) ? (await import('./adapters/cel-library.ts')).celLibrary : undefined
  const jsonPath =
    walk.extractors.length > 0 ? (await import('./adapters/json-path.ts')).jsonPathSyntaxError : undefined
  return { ...(cel && { cel }), ...(jsonPath && { jsonPath }) }
}

/** True if the attack or its task has an indicator with an expression. */
function hasExpressions({ indicators, attack, execution }: Walk): boolean {
  const task = own(attack, TASK)
  const more = isRecord(task) ? indicatorSites(task, execution) : []
  return [...indicators, ...more].some((indicator) => Object.hasOwn(indicator.value, 'expression'))
}
