import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isReportFormat, reportFormatNames, reportFormats, sideBySide } from '../src/formats.ts'
import { opening } from './html/sample.ts'
import { results } from './results.ts'

const beginnings = {
  html: '<!doctype html>',
  json: '{\n  "version": 3,',
  junit: '<?xml version="1.0"',
  sarif: '{\n  "$schema": "https://json.schemastore.org/sarif-2.1.0.json"',
  md: '## Joust: ',
  github: '::error ',
  otlp: '{\n  "resourceSpans": [',
} as const

test('the names and files of formats are stable', () => {
  expect(reportFormatNames.map((name) => `${name} ${reportFormats[name].file} ${reportFormats[name].media}`)).toEqual([
    'html report.html text/html',
    'json results.json application/json',
    'junit junit.xml application/xml',
    'sarif results.sarif application/sarif+json',
    'md summary.md text/markdown',
    'github annotations.txt text/plain',
    'otlp spans.json application/json',
  ])
  expect(isReportFormat('md')).toBe(true)
  expect(isReportFormat('toString')).toBe(false)
})

test.each(reportFormatNames)('%s renders its format', async (name) => {
  const text = await reportFormats[name].render([results], opening([]))
  expect(text.slice(0, beginnings[name].length)).toBe(beginnings[name])
})

test.each(reportFormatNames)('%s shows several results side by side, or rejects them', async (name) => {
  const two = reportFormats[name].render([results, results], opening([]))
  if (name === 'html')
    expect(
      gunzipSync(Buffer.from(/id="report">([^<]*)/.exec(await two)?.[1] ?? '', 'base64'))
        .toString()
        .split(results.targets[0]?.name ?? '').length,
    ).toBeGreaterThan(2)
  else if (sideBySide.includes(name))
    expect((await two).split(results.targets[0]?.name ?? '').length).toBeGreaterThan(2)
  else await expect(two).rejects.toThrow('the format takes exactly one result')
})
