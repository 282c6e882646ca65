/** Renders `report.html`: results and their traces in one self-contained file. */
import { outcomeVerdicts, runsOf, type TargetResults } from '@joust/results'
import { writeJson } from '@joust/source'
import type { ReportData, TraceSummary } from '../components/data.ts'
import { reportStyle } from '../components/style/style.ts'
import type { OpenTrace, ReportInput } from '../content/input.ts'
import { defaultReportLimits, type ReportLimits } from '../content/limits.ts'
import { overviewAttack } from '../content/overview-attack.ts'
import { suiteNotes } from '../content/suite-notes.ts'
import { createTraceBlocks, dataBlock, type TraceBlocks } from './blocks.ts'
import { clientScript } from './client-script.ts'
import { traceText } from './trace-text.ts'

/**
 * Renders the report. Several targets, from one file or several, are shown together. A trace that cannot be read is
 * reported on its page.
 *
 * @example
 * const page = await renderHtml(results, (trace) => readTrace(trace))
 */
export async function renderHtml(
  results: ReportInput | readonly ReportInput[],
  open: OpenTrace,
  limits: Partial<ReportLimits> = {},
): Promise<string> {
  const all: readonly ReportInput[] = 'targets' in results ? [results] : results
  const columns = all.flatMap((of) => of.targets.map((target) => ({ target, of })))
  const blocks = createTraceBlocks()
  const traces = await readTraces(columns, open, { ...defaultReportLimits, ...limits }, blocks)
  // The page of an attack gets the whole attack from the block of its first trace.
  const report = reportData(columns, suiteNotes(all), traces)
  return reportPage(await dataBlock('report', report), await blocks.finish())
}

/** Yields the `ReportData` as JSON, one attack at a time, so that memory never holds the whole text twice. */
function* reportData(
  columns: readonly Column[],
  notes: ReportData['notes'],
  traces: ReportData['traces'],
): Generator<string> {
  const json = (value: unknown) => writeJson(withoutFolders(value))
  yield '{"runs":['
  for (const [number, { target, of }] of columns.entries()) {
    const { attacks, ...about } = target
    const { targets: _, ...results } = of
    yield `${number === 0 ? '' : ','}{"results":${json(results)},"target":${json(about).slice(0, -1)},"attacks":[`
    for (const [place, attack] of attacks.entries()) yield `${place === 0 ? '' : ','}${json(overviewAttack(attack))}`
    yield ']}}'
  }
  yield `],"notes":${json(notes)},"traces":${json(traces)}}`
}

interface Column {
  readonly target: TargetResults
  readonly of: ReportInput
}

/** Adds all traces to the blocks. Returns a summary of each trace, by column, attack and trial. */
async function readTraces(
  columns: readonly Column[],
  open: OpenTrace,
  limits: ReportLimits,
  blocks: TraceBlocks,
): Promise<TraceSummary[][][]> {
  // The remaining characters are shared evenly by the remaining traces.
  let remaining = limits.characters
  let waiting = columns.flatMap(({ target }) => target.attacks.flatMap(runsOf)).length
  const summaries: TraceSummary[][][] = columns.map(({ target }) =>
    Array.from({ length: target.attacks.length }, () => []),
  )
  for (const [number, { target, of }] of columns.entries()) {
    for (const [place, attack] of target.attacks.entries()) {
      for (const [order, run] of runsOf(attack).entries()) {
        const { trace, task, exposure, flows = [] } = run
        const verdicts = [...outcomeVerdicts(run), ...(task?.indicator_verdicts ?? [])]
        const deciding = new Set([
          ...verdicts.flatMap(({ entry }) => entry?.seq ?? []),
          ...flows.flatMap(({ from, to }) => [from.seq, to.seq]),
          exposure.bait_seq ?? 0,
        ])
        const bounds = { ...limits, characters: Math.max(0, remaining) / waiting }
        const readOne = (on: Parameters<OpenTrace>[2]) => open(trace, of, on)
        const whole = order === 0 ? withoutFolders(attack) : undefined
        const { text, summary } = await traceText(whole, readOne, deciding, bounds, exposure)
        remaining -= text.length
        waiting -= 1
        summaries[number]?.[place]?.push({ ...(await blocks.add(text)), ...summary })
      }
    }
  }
  return summaries
}

/**
 * Writes the page around the data blocks. The content security policy allows no requests, and only the page's own
 * script, which precedes the traces so that the first view is drawn while they are still being parsed.
 */
async function reportPage(report: string, traces: readonly string[]): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src ${await hashSource(clientScript)}`,
    `style-src ${await hashSource(reportStyle)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Joust report</title>
<style>${reportStyle}</style>
</head>
<body>
<noscript>This report needs JavaScript. Enable it, or read results.json.</noscript>
${report}<script>${clientScript}</script>
${traces.join('')}</body>
</html>
`
}

async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}

/** Fields that quote agents, attackers and authors. Paths in these fields are evidence. */
const QUOTED = new Set(['attack', 'answer', 'printed', 'evidence', 'match', 'approvals', 'task'])

/** Matches the folders in text that is only a path, which may contain spaces. */
const FOLDERS = /^(?:\/|[A-Za-z]:[\\/]).*[\\/]/
/** Matches text that is only an absolute path, and captures its last segment. */
const WHOLE = /^(?:\/|[A-Za-z]:[\\/])(?:[^\\/\s]+[\\/])*([^\\/\s]+)$/
// At least three segments, so that the path of a URL does not match.
const WITHIN = /(?<=^|[\s'"=(`])(?:(?:\/[^\s/'"`)]+){2,}\/|[A-Za-z]:\\(?:[^\s\\'"`)]+\\)*)(?=[^\s/\\'"`)])/g

/** Shortens absolute paths to their last segment, except in quotes, to hide the folders of the machine. */
export function withoutFolders<T>(value: T): T {
  // Only strings change, so the type remains valid.
  return cutIn(value) as T
}

function cutIn(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(WHOLE, '$1').replaceAll(WITHIN, '')
  if (Array.isArray(value)) return value.map(cutIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cutField(key, part)]))
}

function cutField(key: string, value: unknown): unknown {
  if (QUOTED.has(key)) return shortenName(value)
  return key === 'file' && typeof value === 'string' ? value.replace(FOLDERS, '') : cutIn(value)
}

/** Shortens the name of a document that could not be parsed. The name is then a path. */
function shortenName(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string') return value
  return { ...value, name: value.name.replace(WHOLE, '$1') }
}
