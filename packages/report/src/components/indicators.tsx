/** The indicators of a trial: what each looked for, what its filter left, and why it did or did not match. */

import type { ResultIndicator, ResultIndicatorVerdict } from '@joust/arena'
import { cut, isList, isRecord } from '@joust/source'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { EvidenceText } from './evidence.tsx'
import { ResultBadge } from './icons.tsx'
import { shown } from './text.tsx'
import { contentOf, type Message, type Trace } from './trace.ts'
import { countText, numberText, wordFor } from './words.ts'

/** How many values of a path are shown for one message, and how long each may be. */
const VALUES = 4
const VALUE_LENGTH = 160

export interface IndicatorsProps {
  readonly indicators: readonly ResultIndicator[]
  readonly verdicts: readonly ResultIndicatorVerdict[]
  readonly of: 'attack' | 'task'
  readonly trace: Trace
  readonly onOpen: (seq: number) => void
  /** Shows a line of the document; absent where there is none. */
  readonly onLine?: ((line: number) => void) | undefined
}

export function Indicators(props: IndicatorsProps): JSX.Element {
  return (
    <>
      {props.verdicts.map((verdict) => (
        <IndicatorCard key={verdict.indicator_id} {...props} verdict={verdict} />
      ))}
    </>
  )
}

function IndicatorCard(props: IndicatorsProps & { readonly verdict: ResultIndicatorVerdict }): JSX.Element {
  const { indicators, of, trace, onOpen, onLine, verdict } = props
  const { indicator_id: id, result, entry } = verdict
  const indicator = indicators.find((one) => one.id === id)
  return (
    <article class={`indicator ${of === 'task' ? 'task' : 'indicator'}-${result}`}>
      <header>
        <ResultBadge result={result} of={of} />
        <code class="id">{shown(id)}</code>
      </header>
      {indicator?.description !== undefined && <p class="description">{shown(indicator.description)}</p>}
      {indicator !== undefined && <LookedFor indicator={indicator} onLine={onLine} />}
      <EvidenceText verdict={verdict} />
      {entry !== undefined && (
        <button type="button" class="open-message" onClick={() => onOpen(entry.seq)}>
          Show message #{entry.seq}
        </button>
      )}
      <Funnel indicator={indicator} verdict={verdict} />
      {indicator !== undefined && result !== 'skipped' && (
        <PathValues indicator={indicator} trace={trace} onOpen={onOpen} />
      )}
    </article>
  )
}

function LookedFor(props: {
  readonly indicator: ResultIndicator
  readonly onLine: IndicatorsProps['onLine']
}): JSX.Element {
  const { method, target, tier, line } = props.indicator
  const { onLine } = props
  return (
    <p class="looked-for">
      {wordFor(method)} on <code class="path">{target === '' ? 'whole message' : shown(target)}</code>
      {tier !== undefined && ` · ${wordFor(tier)}`}
      {line !== undefined && ' · '}
      {line !== undefined && onLine === undefined && `line ${line}`}
      {line !== undefined && onLine !== undefined && (
        <button type="button" class="plain link" onClick={() => onLine(line)}>
          line {line}
        </button>
      )}
    </p>
  )
}

function Funnel(props: {
  readonly indicator: ResultIndicator | undefined
  readonly verdict: ResultIndicatorVerdict
}): JSX.Element | null {
  const steps = filterSteps(props.indicator, props.verdict)
  if (steps.length === 0 || props.verdict.result === 'matched') return null
  const title = 'How many messages were left after each step of the filter'
  return (
    <ol class="funnel" aria-label={title} title={title}>
      {steps.map(({ name, wanted, left }) => (
        <li key={name} class={left === 0 ? 'step step-empty' : 'step'}>
          <span class="step-name">
            {name} {wanted !== undefined && <code>{shown(wanted)}</code>}
          </span>
          <b>{numberText(left)}</b>
        </li>
      ))}
    </ol>
  )
}

type PathProps = Pick<IndicatorsProps, 'trace' | 'onOpen'> & { readonly indicator: ResultIndicator }

/** The values at the path, computed on demand. */
function PathValues(props: PathProps): JSX.Element {
  const open = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => (open.value = currentTarget.open)}>
      <summary>What the path led to</summary>
      {open.value && <PathList {...props} />}
    </details>
  )
}

function PathList({ trace, onOpen, indicator }: PathProps): JSX.Element {
  const { looked, more } = resolutions(indicator, trace)
  if (looked.length === 0) return <p class="muted">The filter left no message.</p>
  return (
    <>
      <ol class="resolved">
        {looked.map(({ place, found }) => {
          const seq = trace.messages[place]?.seq ?? 0
          return (
            <li key={place}>
              <button type="button" class="plain number" onClick={() => onOpen(seq)}>
                #{seq}
              </button>
              <div>
                {found.length === 0 && <span class="muted">nothing there</span>}
                {found.slice(0, VALUES).map(({ path, value }) => (
                  <div key={path}>
                    <code class="path">{path === '' ? 'message' : shown(path)}</code>{' '}
                    <bdi class="quote">{shown(valueText(value))}</bdi>
                  </div>
                ))}
                {found.length > VALUES && <div class="muted">and {countText(found.length - VALUES, 'more value')}</div>}
              </div>
            </li>
          )
        })}
      </ol>
      {more > 0 && <p class="muted">and {countText(more, 'more message')}, not looked into here</p>}
    </>
  )
}

function valueText(value: unknown): string {
  const plain = (part: unknown) => (typeof part === 'bigint' ? String(part) : part)
  const text = typeof value === 'object' ? JSON.stringify(value, (_, part) => plain(part)) : String(value)
  return cut(text, VALUE_LENGTH)
}

interface FilterStep {
  readonly name: string
  readonly wanted: string | undefined
  readonly left: number
}

interface Resolved {
  readonly path: string
  readonly value: unknown
}

/** Messages that are examined; there may be thousands. */
const LOOKED_INTO = 100

/** How many messages each step of the filter left, as the judge counted them. */
export function filterSteps(
  indicator: ResultIndicator | undefined,
  { considered }: Pick<ResultIndicatorVerdict, 'considered'>,
): FilterStep[] {
  if (considered === undefined) return []
  return [
    { name: 'protocol', wanted: indicator?.protocol, left: considered.protocol },
    { name: 'surface', wanted: indicator?.surface, left: considered.surface },
    { name: 'actor', wanted: indicator?.actor, left: considered.actor },
    { name: 'direction', wanted: indicator?.direction, left: considered.direction },
    { name: 'evaluated', wanted: undefined, left: considered.evaluated },
  ].filter(({ name, wanted }) => wanted !== undefined || name === 'evaluated')
}

/** What the path of an indicator led to in the messages that were evaluated; `more` were not examined. */
export function resolutions(
  indicator: ResultIndicator,
  trace: Trace,
): { looked: { place: number; found: Resolved[] }[]; more: number } {
  const places = trace.messages.flatMap((message, place) => (passesFilter(indicator, message) ? [place] : []))
  const looked = places.slice(0, LOOKED_INTO).map((place) => {
    const { value, cut } = contentOf(trace, place)
    return { place, found: cut ? [] : resolvePath(indicator.target, value) }
  })
  return { looked, more: places.length - looked.length }
}

/** The values at a path with wildcards, and where each is. */
export function resolvePath(path: string, value: unknown): Resolved[] {
  let reached: Resolved[] = [{ path: '', value }]
  for (const segment of path === '' ? [] : path.split('.')) {
    const each = segment.endsWith('[*]')
    const field = each ? segment.slice(0, -3) : segment
    reached = reached.flatMap((from) => {
      if (!isRecord(from.value) || !Object.hasOwn(from.value, field)) return []
      const found = from.value[field]
      const here = from.path === '' ? field : `${from.path}.${field}`
      if (!each) return [{ path: here, value: found }]
      if (!isList(found)) return []
      return found.map((element, place) => ({ path: `${here}[${place}]`, value: element }))
    })
  }
  return reached
}

function passesFilter({ protocol, surface, actor, direction }: ResultIndicator, message: Message): boolean {
  if (message.broken === true || message.malformed !== undefined) return false
  if (protocol !== undefined && message.protocol !== protocol) return false
  if (actor !== undefined && message.actor !== actor) return false
  if (surface !== undefined && message.surface !== surface) return false
  return direction === undefined || direction === (message.response === true ? 'response' : 'request')
}
