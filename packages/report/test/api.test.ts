import { expect, test } from 'vitest'
import * as components from '../src/components/index.ts'
import * as findings from '../src/findings.ts'
import * as formats from '../src/formats.ts'
import * as api from '../src/index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual([
    'defaultReportLimits',
    'evidenceLines',
    'headline',
    'overviewAttack',
    'renderBenchmark',
    'renderGithub',
    'renderHtml',
    'renderJunit',
    'renderMarkdown',
    'renderOtlp',
    'renderSarif',
    'suiteNotes',
  ])
})

test('formats exports these names and no others', () => {
  expect(Object.keys(formats).sort()).toEqual([
    'benchmarkNames',
    'isReportFormat',
    'reportFormatNames',
    'reportFormats',
    'sideBySide',
  ])
})

test('findings exports these names and no others', () => {
  expect(Object.keys(findings).sort()).toEqual(['renderFindingsGithub', 'renderFindingsSarif'])
})

test('components exports these names and no others', () => {
  expect(Object.keys(components).sort()).toEqual([
    'AttackDetail',
    'DataFlows',
    'DocumentView',
    'FilterBar',
    'Headline',
    'Matrix',
    'MessagePanel',
    'Overview',
    'ReportPages',
    'ResultBadge',
    'SEVERITY_ORDER',
    'ScrollBox',
    'ScrolledText',
    'SearchBox',
    'Sequence',
    'SeverityBadge',
    'ThemeButton',
    'TrialEvidence',
    'countText',
    'counterpartOf',
    'createPlaceNames',
    'evidenceOf',
    'isShown',
    'matrixRows',
    'moveInGrid',
    'noFilter',
    'numberText',
    'plainText',
    'readFilter',
    'reportStyle',
    'shown',
    'shownName',
    'sortRows',
    'targetNames',
    'traceOf',
    'useIsPainted',
    'writeFilter',
  ])
})
