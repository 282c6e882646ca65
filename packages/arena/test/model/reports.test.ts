import { expect, test } from 'vitest'
import { diagnostic } from '../../src/model/diagnostics.ts'
import { createReports } from '../../src/model/reports.ts'

test('the same diagnostic twice is counted, and told once', () => {
  const told: string[] = []
  const reports = createReports(({ message }) => told.push(message))
  for (const message of ['a', 'b', 'a']) reports.add(diagnostic('log-info', message))
  reports.add({ ...diagnostic('log-info', 'a'), actor: 'other' })
  expect(told).toEqual(['a', 'b', 'a'])
  expect(reports.all().map(({ message, times, actor }) => [message, times, actor])).toEqual([
    ['a', 2, undefined],
    ['b', undefined, undefined],
    ['a', undefined, 'other'],
  ])
})

test('a peer cannot make it grow without end', () => {
  const reports = createReports()
  for (let number = 0; number < 5000; number++) reports.add(diagnostic('message-malformed', `garbage ${number}`))
  const all = reports.all()
  expect(all).toHaveLength(1001)
  expect(all.at(-1)).toMatchObject({ code: 'more-diagnostics', message: '4000 more diagnostics were left out' })
})

test('one of each code and actor is kept, however many came before', () => {
  const reports = createReports()
  for (let number = 0; number < 2000; number++) reports.add(diagnostic('message-malformed', `garbage ${number}`))
  reports.add({ ...diagnostic('reply-missing', 'ping'), actor: 'client' })
  expect(reports.all().map(({ code }) => code)).toContain('reply-missing')
})
