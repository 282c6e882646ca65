/** The components in another page: a diagram and a matrix that grow while they are shown. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect } from 'vitest'
import { browserTests } from '../html/browser.ts'
import { actors, attack, messages, results } from '../html/sample.ts'

const inBrowser = await browserTests()
const own = fileURLToPath(new URL('../../src/components/', import.meta.url))

/** A page that embeds the components and receives its data in parts. */
const source = `
import { signal } from '@preact/signals'
import { h, render } from 'preact'
import { Matrix, matrixRows, noFilter, Sequence, traceOf } from '@joust/report/components'
const { entries, actors, run } = JSON.parse(document.getElementById('data').textContent)
const count = signal(1)
const rows = () => matrixRows([{ ...run, target: { ...run.target, attacks: run.target.attacks.slice(0, count.value) } }])
const common = { actors, agent: 'agent', evidence: new Map(), selected: undefined, onOpen() {} }
const Page = () => h('div', {},
  h(Matrix, { names: ['desk'], rows: rows(), sort: noFilter.sort, onSort() {}, linkTo: () => '#' }),
  h(Sequence, { ...common, trace: traceOf(entries.slice(0, count.value)) }))
render(h(Page), document.body.appendChild(document.createElement('main')))
window.grow = () => count.value++
`

async function page(): Promise<string> {
  const id = join(own, 'page-of-a-test.js')
  const build = await rolldown({
    input: id,
    platform: 'browser',
    external: [/^node:/],
    resolve: { conditionNames: ['joust-source', 'browser', 'import', 'default'] },
    plugins: [
      {
        name: 'page',
        resolveId: (asked) => (asked === id ? id : null),
        load: (asked) => (asked === id ? source : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'iife', minify: true })
  await build.close()
  const { targets, ...rest } = results([attack('a'), attack('b')])
  const data = { entries: messages, actors, run: { target: targets[0], results: rest } }
  return `<!doctype html><script type="application/json" id="data">${JSON.stringify(data)}</script><body><script>${output[0].code}</script>`
}

inBrowser('a matrix and a diagram update with their signal', page, async (page) => {
  const state = async () => [await page.count('tbody tr'), await page.count('.row-message')]
  expect(await state()).toEqual([1, 1])
  await page.evaluate('window.grow()')
  await page.until(`document.querySelectorAll('.row-message').length === 2`)
  expect(await state()).toEqual([2, 2])
})
