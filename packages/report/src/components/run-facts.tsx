/** Facts about a trial in addition to its messages: actors, wiring, approvals, diagnostics, times. */
import {
  type ActorOutcome,
  type AttackResults,
  type Price,
  type RunDiagnostic,
  type ThroughCall,
  type Trial,
  throughDecision,
  usageOf,
  usageText,
} from '@joust/results'
import { splitBlock } from '@joust/source'
import type { ComponentChildren, JSX } from 'preact'
import { ScrollBox, ScrolledText } from './boxes.tsx'
import type { TraceSummary } from './data.ts'
import { Facts } from './headline.tsx'
import { Icon, Note } from './icons.tsx'
import { plainText, shown, shownName } from './text.tsx'
import { durationText, wordFor } from './words.ts'

type Finding = Pick<RunDiagnostic, 'severity' | 'code' | 'message' | 'suggestion' | 'path' | 'actor' | 'times'>

/** A section about a trial. Omitted if it is empty. */
export function Block(props: {
  readonly title: string
  readonly isEmpty?: boolean
  readonly children: ComponentChildren
}): JSX.Element | null {
  if (props.isEmpty === true) return null
  return (
    <section class="block">
      <h2>{props.title}</h2>
      {props.children}
    </section>
  )
}

export function RunFacts(props: {
  readonly attack: AttackResults
  readonly trial: Trial
  readonly summary: TraceSummary | undefined
  readonly price: Price | undefined
}): JSX.Element {
  const { verdict, diagnostics, actors, wiring = [], approvals = [], printed, through = [] } = props.trial
  const findings = [...diagnostics, ...(verdict.diagnostics ?? [])].map((one) => withoutPrinted(one, printed))
  return (
    <>
      <Block title="Diagnostics" isEmpty={findings.length === 0}>
        <Findings findings={findings} />
      </Block>
      <Block title="Program output" isEmpty={printed === undefined}>
        <ScrolledText class="json" text={printed ?? ''} />
      </Block>
      <Block title="Calls to real servers" isEmpty={through.length === 0}>
        <ThroughTable calls={through} />
      </Block>
      <Block title="Approvals" isEmpty={approvals.length === 0}>
        <ul class="plain-list">
          {approvals.map(({ request, approved }, place) => (
            <li key={place}>
              <b>{approved ? 'Approved' : 'Refused'}</b> {shownName(request)}
            </li>
          ))}
        </ul>
      </Block>
      <Block title="Actors" isEmpty={actors.length === 0}>
        {actors.map((actor) => (
          <Actor key={actor.name} actor={actor} />
        ))}
      </Block>
      <Block title="Wiring" isEmpty={wiring.length === 0}>
        <ul class="plain-list">
          {wiring.map((line) => (
            <li key={line}>
              <code>{shown(line)}</code>
            </li>
          ))}
        </ul>
      </Block>
      <Block title="Run">
        <Facts pairs={factsOf(props)} />
      </Block>
    </>
  )
}

function factsOf({ attack, trial, summary, price }: Parameters<typeof RunFacts>[0]): [string, string | undefined][] {
  const { usage, exit_code: code } = trial
  const all = usageOf({ attacks: [attack] })
  return [
    ['duration', durationText(trial.duration_ms)],
    ['ended', wordFor(trial.ended).toLowerCase()],
    ['exit code', code === undefined ? undefined : String(code)],
    ['messages', summary === undefined ? undefined : String(summary.messages)],
    ['trace', trial.trace],
    ['model', usage && usageText(usage, price)],
    ['all runs', all && usageText(all, price)],
    ['judged by', trial.verdict.source],
  ]
}

function ThroughTable({ calls }: { readonly calls: readonly ThroughCall[] }): JSX.Element {
  return (
    <ScrollBox class="table-frame through-calls" aria-label="Calls to real servers">
      <table>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Calls</th>
            <th scope="col">Decision</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call, place) => (
            <tr key={place}>
              <th scope="row">
                {shownName(`${call.server}/${call.tool}`)}
                {call.method && ` (${call.method})`}
              </th>
              <td>{call.calls}</td>
              <td>{shown([throughDecision(call), ...notesOf(call)].join('; '))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function notesOf({ overlaid = 0, failed = 0, may_change }: ThroughCall): string[] {
  return [
    ...(overlaid > 0 ? [`${overlaid} with text from the attack`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(may_change === true ? ['may have changed something'] : []),
  ]
}

/** Omits a traceback that is also in the program output, which is shown separately. */
function withoutPrinted(finding: Finding, printed: string | undefined): Finding {
  const [message, block] = splitBlock(finding.message)
  return printed?.includes(block.slice(block.lastIndexOf('\n') + 1)) === true ? { ...finding, message } : finding
}

function Message({ text }: { readonly text: string }): JSX.Element {
  const [head, block] = splitBlock(text)
  return (
    <>
      {shown(head)}
      {block !== '' && <ScrolledText class="json" text={block} />}
    </>
  )
}

export function Findings({ findings }: { readonly findings: readonly Finding[] }): JSX.Element | null {
  if (findings.length === 0) return null
  return (
    <ul class="findings">
      {findings.map(({ severity, code, message, suggestion, path, actor, times }, place) => (
        <li key={place} class={`finding finding-${severity}`}>
          <Icon name={severity === 'error' ? 'exploited' : 'warning'} />
          <div>
            <span class="finding-head">
              {wordFor(severity)} <code>{shown(code)}</code>
              {actor !== undefined && <bdi> · {shown(actor)}</bdi>}
              {times !== undefined && ` · ${times} times`}
            </span>
            <div>
              <Message text={message} />
              {suggestion !== undefined && <bdi> Did you mean "{shown(suggestion.with)}"?</bdi>}
            </div>
            {path !== undefined && path !== '' && <code class="path">{shown(path)}</code>}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Actor({ actor }: { readonly actor: ActorOutcome }): JSX.Element {
  const { name, mode, status, address, phases, error } = actor
  return (
    <div class="actor">
      <div>
        <b>{shown(name)}</b>{' '}
        <span class="muted">
          {shown(mode)} · {status}
        </span>
      </div>
      {address !== undefined && <code class="path">{shown(address)}</code>}
      {error !== undefined && <Note>{plainText(error)}</Note>}
      <ol class="phases">
        {phases.map(({ phase, elapsed_ms, reason }, place) => (
          <li key={place}>
            <i class={`swatch lane-band-${place % 3}`} />
            <b>{shown(phase)}</b>{' '}
            <span class="muted">
              {durationText(elapsed_ms)} · {reason === 'start' ? 'start' : reason === 'timeout' ? 'timeout' : 'trigger'}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
