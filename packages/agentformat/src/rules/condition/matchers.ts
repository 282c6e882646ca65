import { isRecord, type Path, type Value } from '@joust/source'
import { groupSites } from '../path-sites.ts'
import type { AgentWalk } from '../walk.ts'

/** An object of operators and where it is. */
interface OperatorsSite {
  readonly operators: { readonly [name: string]: Value }
  readonly path: Path
}

/** Every matcher of a document that is an object of operators. */
export function* operatorSites(walk: AgentWalk): Generator<OperatorsSite> {
  for (const site of walk.conditions) {
    for (const { group, path } of groupSites(site)) {
      for (const [key, matcher] of Object.entries(group.args_match ?? {})) {
        if (isRecord(matcher)) yield { operators: matcher, path: [...path, 'args_match', key] }
      }
    }
  }
}
