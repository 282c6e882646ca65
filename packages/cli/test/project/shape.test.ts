import type { Shape } from '@joust/source'
import { expect, test } from 'vitest'
import { runOptions } from '../../src/options/run.ts'
import { fileOptions, isOfTarget, projectShape, withoutKey } from '../../src/project/shape.ts'

/** Every path of keys that a shape knows. */
function paths(shape: Shape): string[] {
  if (shape.kind === 'choice') return [...paths(shape.mapping), ...paths(shape.other)]
  if (shape.kind === 'map') return paths(shape.item)
  if (shape.kind !== 'object') return []
  return Object.entries(shape.fields).flatMap(([name, field]) => [
    name,
    ...paths(field.shape).map((path) => `${name}.${path}`),
  ])
}

const known = paths(projectShape)

test('every option of run has its key', () => {
  expect(fileOptions.map(({ option }) => option).sort()).toEqual(
    Object.keys(runOptions)
      .filter((option) => !withoutKey.includes(option))
      .sort(),
  )
  for (const { row, path } of fileOptions) {
    const place = [...(isOfTarget({ row }) ? ['targets'] : []), ...path].join('.')
    expect(known).toContain(place)
  }
})

test('the keys that the design names', () => {
  expect(known).toEqual(
    expect.arrayContaining([
      ...['attacks', 'targets', 'bindings', 'trials', 'concurrency', 'budget', 'fail_on', 'report', 'redact'],
      ...['budget.tokens', 'budget.calls', 'budget.time', 'targets.agent', 'targets.model', 'targets.exec'],
      ...['targets.ag_ui', 'targets.a2a', 'targets.mcp', 'targets.headers', 'targets.http', 'targets.module'],
    ]),
  )
})
