/** Icons that differ in shape, so that they are distinguishable without color. */
import { severityRank } from '@joust/oatf'
import type { JSX } from 'preact'
import { plainText } from './text.tsx'
import { wordFor } from './words.ts'

const PATHS: Readonly<Record<string, string>> = {
  // A filled octagon with a stroke through it.
  exploited: 'M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2zM7.2 4v5h1.6V4zm0 6.4V12h1.6v-1.6z',
  // A half-filled disc.
  partial: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.6v10.8A5.4 5.4 0 0 0 8 2.6z',
  // A ring with a check mark.
  resisted:
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM7.2 11 4.4 8.2l1.1-1.1 1.7 1.7 3.4-3.5 1.1 1.1z',
  // A dashed square with a question mark.
  inconclusive:
    'M1 1h4v1.5H2.500V5H1zm10 0h4v4h-1.500V2.500H11zM1 11h1.500v2.500H5V15H1zm12.500 0H15v4h-4v-1.500h2.500zM7.2 10.6h1.6v1.6H7.2zm.05-1.100C7.250 7.500 9 7.600 9 6.300c0-.6-.4-.9-1-.9-.7 0-1.100.4-1.200 1.100H5.200C5.300 4.900 6.400 4 8 4c1.600 0 2.700.9 2.700 2.200 0 1.900-1.900 1.900-1.900 3.300z',
  matched: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm-.8 10 4.500-4.600-1.100-1.100-3.400 3.500-1.700-1.700-1.100 1.100z',
  not_matched:
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM4.500 7.200h7v1.600h-7z',
  // Three dashes.
  not_applicable: 'M1.500 7h3v2h-3zm5 0h3v2h-3zm5 0h3v2h-3z',
  skipped: 'M1.500 7h3v2h-3zm5 0h3v2h-3zm5 0h3v2h-3z',
  warning: 'M8 1.500 15.500 14.500H.5zM7.200 6v4.200h1.600V6zm0 5.200v1.600h1.600v-1.600z',
  trigger: 'M9.500.5 3 9h3.700L6 15.500 13 6.500H8.800z',
  evidence: 'M3 1h1.500v14H3zm2.500.5h8L11.300 5l2.200 3.500h-8z',
  bait: 'M9 1h1.6v8.4a3.800 3.800 0 0 1-7.600 0V7.600l2.600 2.400-1 1a2.200 2.200 0 0 0 4.400-1.600z',
  // Two points joined by a bent line.
  flow: 'M1 1h5v5H4.3v4.2H10V7.500l5 3.500-5 3.500v-2.700H2.700V6H1z',
  copy: 'M5 1h9v10h-2.500v4H2V5h3zm1.500 1.500V5h5v4.500h1V2.500zM3.500 6.500v7H10v-7z',
  close:
    'm3.700 2.600 4.300 4.300 4.300-4.300 1.100 1.100L9.100 8l4.300 4.300-1.100 1.100L8 9.100l-4.300 4.300-1.100-1.100L6.900 8 2.600 3.700z',
}

/** An icon. Hidden from assistive technology, because it is always followed by text. */
export function Icon({ name }: { readonly name: string }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name === 'error' ? 'inconclusive' : name] ?? ''} fill-rule="evenodd" />
    </svg>
  )
}

/** The result of an attack or of the user's task. A completed task must not look like a successful attack. */
export function ResultBadge(props: {
  readonly result: string
  readonly word?: string | undefined
  readonly of?: 'attack' | 'task'
}): JSX.Element {
  const { result, of = 'attack' } = props
  const [state, sign, usual] = (of === 'task' ? TASK_SIGNS[result] : undefined) ?? [result, result, wordFor(result)]
  return (
    <span class={of === 'task' ? `result task-${state}` : `result result-${result}`}>
      <Icon name={sign} />
      <span>{plainText(props.word ?? usual)}</span>
    </span>
  )
}

const TASK_SIGNS: Readonly<Record<string, readonly [state: string, sign: string, word: string]>> = {
  matched: ['done', 'resisted', 'Matched'],
  not_matched: ['open', 'not_matched', 'Not matched'],
  error: ['unknown', 'inconclusive', 'Error'],
}

/** A severity, shown as bars and a word. */
export function SeverityBadge({ severity }: { readonly severity: string | undefined }): JSX.Element {
  if (severity === undefined) return <span class="muted">–</span>
  const weight = severityRank(severity)
  return (
    <span class={`severity severity-${severity}`}>
      <svg class="bars" viewBox="0 0 17 13" aria-hidden="true" focusable="false">
        {[1, 2, 3, 4].map((bar) => (
          <rect
            key={bar}
            x={bar * 4 - 3}
            y={11 - bar * 2.5}
            width={2.6}
            height={bar * 2.5 + 1}
            class={bar <= weight ? 'on' : 'off'}
          />
        ))}
      </svg>
      <span>{wordFor(severity)}</span>
    </span>
  )
}

export function Note(props: {
  readonly children: JSX.Element | string | (JSX.Element | string)[]
  readonly error?: boolean
}): JSX.Element {
  return (
    <p class={props.error === true ? 'note note-error' : 'note'}>
      <Icon name="warning" />
      <span>{props.children}</span>
    </p>
  )
}
