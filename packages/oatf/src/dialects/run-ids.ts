import { own, type Path } from '@joust/source'
import { textOf } from '../rules/walk.ts'
import type { Edit } from './edits.ts'
import { lacksId } from './fresh-id.ts'
import { inputsOf } from './inputs.ts'
import type { Translation } from './translation.ts'

/** A run of an AG-UI agent without `threadId` or `runId` gets them (D-012). */
export const runIds: Translation = (places) => {
  const document = textOf(places.attack, 'id')
  return inputsOf(places).flatMap(({ path, value, name }) => {
    const base = document === undefined ? name : `${document}-${name}`
    const missing = ids.filter(({ key }) => lacksId(own(value, key)))
    if (missing.length === 0) return []
    const lacking = missing.map(({ key }) => `"${key}"`).join(' and ')
    return [
      {
        at: path,
        message: `a run without ${lacking} is begun with a fixed one`,
        edits: missing.map(({ key, suffix }) => inserted(path, key, `${base}-${suffix}`)),
      },
    ]
  })
}

const ids = [
  { key: 'threadId', suffix: 'thread' },
  { key: 'runId', suffix: 'run' },
] as const

function inserted(path: Path, key: string, value: string): Edit {
  return { op: 'set', path: [...path, key], value, before: 'messages', from: path }
}
