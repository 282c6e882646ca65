/** The indicators of a trial: method, path, filtered messages, and evidence. */

import type { ResultIndicator, ResultIndicatorVerdict } from '@joust/results'
import { cut, isList, isRecord } from '@joust/source'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { EvidenceText } from './evidence.tsx'
import { ResultBadge } from './icons.tsx'
import { shown } from './text.tsx'
import { contentOf, type Message, type Trace } from './trace.ts'
import { countText, numberText, wordFor } from './words.ts'

/** Maximum number of values shown per message. */
const VALUES = 4
const VALUE_LENGTH = 160

export interface IndicatorsProps {
  readonly indicators: readonly ResultIndicator[]
  readonly verdicts: readonly ResultIndicatorVerdict[]
  readonly of: 'attack' | 'task'
  readonly trace: Trace
  readonly onOpen: (seq: number) => void
  /** Shows a line of the document. Absent if there is no document. */
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
      {indicator !== undefined && <Method indicator={indicator} onLine={onLine} />}
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

function Method(props: {
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
  const title = 'Messages that passed each filter step'
  return (
    <ol class="funnel" aria-label={title} title={title}>
      {steps.map(({ name, value, messages }) => (
        <li key={name} class={messages === 0 ? 'step step-empty' : 'step'}>
          <span class="step-name">
            {name} {value !== undefined && <code>{shown(value)}</code>}
          </span>
          <b>{numberText(messages)}</b>
        </li>
      ))}
    </ol>
  )
}

type PathProps = Pick<IndicatorsProps, 'trace' | 'onOpen'> & { readonly indicator: ResultIndicator }

function PathValues(props: PathProps): JSX.Element {
  const open = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => (open.value = currentTarget.open)}>
      <summary>Values at the path</summary>
      {open.value && <PathList {...props} />}
    </details>
  )
}

function PathList({ trace, onOpen, indicator }: PathProps): JSX.Element {
  const { resolved, more } = resolutions(indicator, trace)
  if (resolved.length === 0) return <p class="muted">No message passed the filter.</p>
  return (
    <>
      <ol class="resolved">
        {resolved.map(({ place, values }) => {
          const seq = trace.messages[place]?.seq ?? 0
          return (
            <li key={place}>
              <button type="button" class="plain number" onClick={() => onOpen(seq)}>
                #{seq}
              </button>
              <div>
                {values.length === 0 && <span class="muted">no value</span>}
                {values.slice(0, VALUES).map(({ path, value }) => (
                  <div key={path}>
                    <code class="path">{path === '' ? 'message' : shown(path)}</code>{' '}
                    <bdi class="quote">{shown(valueText(value))}</bdi>
                  </div>
                ))}
                {values.length > VALUES && (
                  <div class="muted">and {countText(values.length - VALUES, 'more value')}</div>
                )}
              </div>
            </li>
          )
        })}
      </ol>
      {more > 0 && <p class="muted">and {countText(more, 'more message')}, not examined here</p>}
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
  readonly value: string | undefined
  readonly messages: number
}

interface Resolved {
  readonly path: string
  readonly value: unknown
}

const EXAMINED = 100

/** Returns the number of messages that passed each filter step, as counted by the judge. */
export function filterSteps(
  indicator: ResultIndicator | undefined,
  { considered }: Pick<ResultIndicatorVerdict, 'considered'>,
): FilterStep[] {
  if (considered === undefined) return []
  return [
    { name: 'protocol', value: indicator?.protocol, messages: considered.protocol },
    { name: 'surface', value: indicator?.surface, messages: considered.surface },
    { name: 'actor', value: indicator?.actor, messages: considered.actor },
    { name: 'direction', value: indicator?.direction, messages: considered.direction },
    { name: 'evaluated', value: undefined, messages: considered.evaluated },
  ].filter(({ name, value }) => value !== undefined || name === 'evaluated')
}

/** Resolves the path of an indicator in the evaluated messages. `more` is the number of unexamined messages. */
export function resolutions(
  indicator: ResultIndicator,
  trace: Trace,
): { resolved: { place: number; values: Resolved[] }[]; more: number } {
  const places = trace.messages.flatMap((message, place) => (passesFilter(indicator, message) ? [place] : []))
  const resolved = places.slice(0, EXAMINED).map((place) => {
    const { value, cut } = contentOf(trace, place)
    return { place, values: cut ? [] : resolvePath(indicator.target, value) }
  })
  return { resolved, more: places.length - resolved.length }
}

/** Resolves a path with wildcards. Returns each value with its own path. */
export function resolvePath(path: string, value: unknown): Resolved[] {
  let values: Resolved[] = [{ path: '', value }]
  for (const segment of path === '' ? [] : path.split('.')) {
    const each = segment.endsWith('[*]')
    const field = each ? segment.slice(0, -3) : segment
    values = values.flatMap((from) => {
      if (!isRecord(from.value) || !Object.hasOwn(from.value, field)) return []
      const next = from.value[field]
      const here = from.path === '' ? field : `${from.path}.${field}`
      if (!each) return [{ path: here, value: next }]
      if (!isList(next)) return []
      return next.map((element, place) => ({ path: `${here}[${place}]`, value: element }))
    })
  }
  return values
}

function passesFilter({ protocol, surface, actor, direction }: ResultIndicator, message: Message): boolean {
  if (message.broken === true || message.malformed !== undefined) return false
  if (protocol !== undefined && message.protocol !== protocol) return false
  if (actor !== undefined && message.actor !== actor) return false
  if (surface !== undefined && message.surface !== surface) return false
  return direction === undefined || direction === (message.response === true ? 'response' : 'request')
}
