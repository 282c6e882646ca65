/** The comparison of two runs: changed outcomes, and the first difference in the messages of an attack. */

import { evidenceOf, ResultBadge, ScrollBox, Sequence, shown, shownName, type Trace } from '@joust/report/components'
import { type AttackResults, outcomeVerdicts, type Results, type Trial, worstOf } from '@joust/results'
import { cut } from '@joust/source'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ResultsSummary } from '../model/api.ts'
import { useAnswer } from './ask.ts'
import { Answered, Choice, Fault, OutcomeTable } from './boxes.tsx'
import { linkTo } from './route.ts'
import { useAttack, useTrace } from './run-report.tsx'
import type { ViewProps } from './studio-state.ts'
import { type AttackRow, attackRows } from './trends.tsx'

interface CompareProps extends ViewProps {
  readonly list: readonly ResultsSummary[]
  /** Names of both runs, followed by the target and file of the selected attack. */
  readonly words: readonly string[]
}

export function CompareView({ list, words, go }: CompareProps): JSX.Element {
  const [before = '', after = '', target, file] = words
  const leftAnswer = useAnswer<Results>('/api/results', { name: before })
  const rightAnswer = useAnswer<Results>('/api/results', { name: after })
  const choose = (...names: readonly string[]) => go(linkTo('see', ['compare', ...names]))
  const options = list.map(({ name }) => [name, name] as const)
  return (
    <div class="see">
      <p class="crumbs">
        <a href={linkTo('see')}>All results</a>
      </p>
      <h1>Compare two runs</h1>
      <div class="attack-tools">
        <Choice label="Before" value={before} options={options} onChoose={(name) => choose(name, after)} />
        <Choice label="After" value={after} options={options} onChoose={(name) => choose(before, name)} />
      </div>
      <Answered answer={leftAnswer}>
        {(left) => (
          <Answered answer={rightAnswer}>
            {(right) =>
              target !== undefined && file !== undefined ? (
                <SideBySide {...{ before, after, target, file }} />
              ) : (
                <Changes {...{ before, after, left, right }} />
              )
            }
          </Answered>
        )}
      </Answered>
    </div>
  )
}

interface BothProps {
  readonly before: string
  readonly after: string
  readonly left: Results
  readonly right: Results
}

/** True if the outcomes of an attack differ. An attack that does not apply to a target may be omitted from a run. */
export function isChanged({ cells: [left, right] }: Pick<AttackRow<AttackResults>, 'cells'>): boolean {
  return (left?.outcome ?? 'not_applicable') !== (right?.outcome ?? 'not_applicable')
}

function Changes(props: BothProps): JSX.Element {
  const rows = attackRows([props.left, props.right])
  const changed = rows.filter(isChanged)
  return (
    <>
      <p role="status">
        {changed.length} of {rows.length} outcomes differ
      </p>
      <OutcomeTable
        label="Changes"
        columns={['Target', 'Before', 'After'].map((head) => [head, head])}
        rows={[...changed, ...rows.filter((row) => !isChanged(row))].map(({ key, target, first, file, cells }) => ({
          key,
          name: first.attack.name,
          link: linkTo('see', ['compare', props.before, props.after, target, file]),
          cells: (
            <>
              <td>{shownName(target)}</td>
              {cells.map((attack, side) => (
                <td key={side}>
                  {attack === undefined ? <span class="muted">not run</span> : <ResultBadge result={attack.outcome} />}{' '}
                  {attack !== undefined && attack.trials.length > 1 && <span class="muted">{trialsText(attack)}</span>}
                </td>
              ))}
            </>
          ),
        }))}
      />
    </>
  )
}

function trialsText(attack: AttackResults): string {
  const same = attack.trials.filter(({ outcome }) => outcome === attack.outcome).length
  return `${same} of ${attack.trials.length} trials`
}

function SideBySide(props: Pick<BothProps, 'before' | 'after'> & { readonly target: string; readonly file: string }) {
  const { before, after, target, file } = props
  const [leftAnswer, rightAnswer] = [useAttack(before, target, file), useAttack(after, target, file)]
  const [leftAttack, rightAttack] = [leftAnswer, rightAnswer].map((one) => (one?.ok === true ? one.value : undefined))
  const [one, another] = [worstOf(leftAttack?.trials ?? []), worstOf(rightAttack?.trials ?? [])]
  const left = useTrace(before, one?.trace)
  const right = useTrace(after, another?.trace)
  const chosen = useSignal<number | undefined>(undefined)
  // A run may lack the attack.
  for (const answer of [leftAnswer, rightAnswer])
    if (answer?.ok === false && answer.error.status !== 404) return <Fault text={answer.error.message} />
  if (leftAnswer === undefined || rightAnswer === undefined || left === undefined || right === undefined)
    return <p class="muted">Loading …</p>
  const difference = firstDifference(left, right)
  /** Index of the open message in both traces. By default, this is the first difference. */
  const place = chosen.value ?? difference
  return (
    <>
      <h2>
        {shownName(rightAttack?.attack.name ?? leftAttack?.attack.name ?? file)} on {shownName(target)}
      </h2>
      <p role="status">{differenceText(one, another, difference)}</p>
      <div class="side-by-side">
        {[
          { title: 'Before', trial: one, trace: left, other: right },
          { title: 'After', trial: another, trace: right, other: left },
        ].map(({ title, trial, trace, other }) => (
          <section key={title} aria-label={title}>
            <h3>
              {title} {trial !== undefined && <ResultBadge result={trial.outcome} />}
            </h3>
            <Sequence
              label={`${title}: sequence`}
              trace={trace}
              actors={trial?.actors ?? []}
              agent={target}
              evidence={evidenceOf(trial === undefined ? [] : outcomeVerdicts(trial))}
              bait={trial?.exposure.bait_seq}
              flows={trial?.flows}
              selected={trace.messages[place ?? -1]?.seq}
              onOpen={(message) => (chosen.value = trace.messages.findIndex(({ seq }) => seq === message))}
            />
            {place !== undefined && (
              <Difference label={`${title}: message`} line={trace.lines[place]} other={other.lines[place]} />
            )}
          </section>
        ))}
      </div>
    </>
  )
}

function differenceText(before: Trial | undefined, after: Trial | undefined, index: number | undefined): string {
  if (before === undefined || after === undefined)
    return `No trial in the ${before === undefined ? 'Before' : 'After'} run.`
  if (index === undefined) return 'The messages are the same.'
  if (index === 0) return 'The messages differ from the first one on.'
  return `The messages differ from message ${index + 1} on; earlier ones are the same except for ids and times.`
}

/** Matches text that differs in each run: generated ids, including message ids, times and ports. */
const VOLATILE =
  /run-[0-9a-f]{16}(?:\.[\w-]+)*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?|127\.0\.0\.1:\d+|localhost:\d+/gi

/** Returns the index of the first message that differs, apart from ids, times and ports. Undefined if there is none. */
export function firstDifference(left: Trace, right: Trace): number | undefined {
  const length = Math.max(left.messages.length, right.messages.length)
  for (let place = 0; place < length; place++) if (textAt(left, place) !== textAt(right, place)) return place
  return undefined
}

function textAt({ messages, lines }: Trace, place: number): string {
  const message = messages[place]
  if (message === undefined) return ''
  const { actor, phase, surface, out, response } = message
  return JSON.stringify([actor, phase, surface, out, response, withoutVolatile(lines[place] ?? '')])
}

function withoutVolatile(line: string): string {
  return line.replaceAll(VOLATILE, '…')
}

/** Shows a message and highlights the lines that are missing from the other message. */
function Difference(props: {
  readonly label: string
  readonly line: string | undefined
  readonly other: string | undefined
}): JSX.Element {
  const panel = useRef<HTMLElement>(null)
  // The difference may be far down in a long message.
  useLayoutEffect(() => {
    const mark = panel.current?.querySelector('mark')
    panel.current?.scrollTo({ top: Math.max(0, (mark?.offsetTop ?? 0) - 60) })
  }, [props.line, props.other])
  const theirs = new Set(pretty(props.other).split('\n').map(withoutVolatile))
  // Without a counterpart, every line differs, so none is highlighted.
  const isSame = (line: string) => [props.line, props.other].includes(undefined) || theirs.has(withoutVolatile(line))
  return (
    <ScrollBox class="difference" aria-label={props.label} element={panel}>
      {pretty(props.line)
        .split('\n')
        .map((line, place) => (
          <div key={place}>{isSame(line) ? shown(line) : <mark>{shown(line)}</mark>}</div>
        ))}
    </ScrollBox>
  )
}

/** Maximum number of compared characters per message. */
const MAX_CHARACTERS = 4000

function pretty(line: string | undefined): string {
  if (line === undefined) return 'No such message.'
  return cut(JSON.stringify(JSON.parse(line), null, 2), MAX_CHARACTERS)
}
