import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { builtClient } from '../../../cli/test/studio/pages.ts'

test('the page without the language worker is under 250 KB, and the first view is small', () => {
  const folder = builtClient()
  const size = (name: string) => gzipSync(readFileSync(`${folder}/${name}`)).length
  const page = readdirSync(folder).filter((name) => /\.(?:js|html)$/.test(name) && !name.startsWith('language-worker'))
  expect(page).toEqual(expect.arrayContaining(['index.html', 'studio.js']))
  expect(page.reduce((sum, name) => sum + size(name), 0)).toBeLessThan(250 * 1024)
  expect(size('studio.js')).toBeLessThan(60 * 1024)
  expect(readdirSync(folder)).toContain('language-worker.js')
})
