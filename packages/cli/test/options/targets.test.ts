/** The options of `joust run` that each kind of target takes. The compiler asks for a new kind here. */
import { expect, test } from 'vitest'
import type { TargetedTable } from '../../src/options/option.ts'
import { runOptions } from '../../src/options/run.ts'
import type { TargetKind } from '../../src/options/targets.ts'

const table: TargetedTable = runOptions
const modelled = ['approve', 'inProcess', 'script']
const proxied = ['modelUpstream', 'noModelProxy', 'withModel', 'ownTools']
const called = [...proxied, 'modelEnv', 'gateway']
const running = [...called, 'modelListen', 'gatewayHeader', 'mcpStdio']
const started = ['execModel', 'paste', 'passEnv', 'useHome', ...called]

/** Whether an agent of this kind can be asked something, and its options besides those of all such agents. */
const kinds = {
  agent: { asked: true, options: ['bind', ...modelled] },
  model: { asked: true, options: modelled },
  endpoint: {
    asked: true,
    options: [...running, 'passEnv', 'useHome', 'header', 'token'],
  },
  command: { asked: true, options: ['execNext', 'jsonLines', 'answerPath', 'carries', 'mcpStdio', ...started] },
  acp: { asked: true, options: [...started, 'approve'] },
  http: { asked: true, options: ['paste', ...running] },
  function: { asked: true, options: ['carries', 'paste', ...called] },
  'self-play': { asked: false, options: [] },
  none: { asked: false, options: ['modelListen', 'modelUpstream', 'withModel', 'ownTools'] },
} satisfies { readonly [kind in TargetKind]: { readonly asked: boolean; readonly options: readonly string[] } }

test('those that can be asked something have a prompt', () => {
  const asked = Object.entries(kinds).flatMap(([kind, row]) => (row.asked ? [kind] : []))
  expect([...runOptions.prompt.targets].sort()).toEqual(asked.sort())
})

/** The targets that can be asked something, and those whose model can be observed. */
const ofAll = [`${runOptions.prompt.targets}`, `${runOptions.price.targets}`]

test.each(Object.entries(kinds))('%s', (kind, { options }) => {
  const own = Object.entries(table).filter(
    ([, { targets }]) => targets !== 'all' && targets.some((one) => one === kind) && !ofAll.includes(`${targets}`),
  )
  expect(own.map(([key]) => key).sort()).toEqual([...options].sort())
})
