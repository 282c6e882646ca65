/** What is known of a trial beside its messages: actors, wiring, approvals, findings, times. */
import type { ActorOutcome, RunDiagnostic, Trial } from '@joust/arena'
import type { ComponentChildren, JSX } from 'preact'
import type { TraceSummary } from './data.ts'
import { Facts } from './headline.tsx'
import { Icon, Note } from './icons.tsx'
import { plainText, shown } from './text.tsx'
import { countText, durationText, wordFor } from './words.ts'

type Finding = Pick<RunDiagnostic, 'severity' | 'code' | 'message' | 'suggestion' | 'path' | 'actor' | 'times'>

/** A section of what is said of a trial. */
export function Block({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <section class="block">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** The sections that have something to say. */
export function RunFacts(props: { readonly trial: Trial; readonly summary: TraceSummary | undefined }): JSX.Element {
  const { trial, summary } = props
  const { verdict, diagnostics, actors, wiring = [], approvals = [], printed, usage } = trial
  const findings = [...diagnostics, ...(verdict.diagnostics ?? [])]
  const tokens = usage === undefined ? 0 : usage.input_tokens + usage.output_tokens
  return (
    <>
      {findings.length > 0 && (
        <Block title="Diagnostics">
          <Findings findings={findings} />
        </Block>
      )}
      {printed !== undefined && (
        <Block title="Printed">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
          <pre class="json" tabIndex={0}>
            {shown(printed)}
          </pre>
        </Block>
      )}
      {approvals.length > 0 && (
        <Block title="Approvals">
          <ul class="plain-list">
            {approvals.map(({ request, approved }, place) => (
              <li key={place}>
                <b>{approved ? 'Approved' : 'Refused'}</b> <bdi>{shown(request)}</bdi>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {actors.length > 0 && (
        <Block title="Actors">
          {actors.map((actor) => (
            <Actor key={actor.name} actor={actor} />
          ))}
        </Block>
      )}
      {wiring.length > 0 && (
        <Block title="Wiring">
          <ul class="plain-list">
            {wiring.map((line) => (
              <li key={line}>
                <code>{shown(line)}</code>
              </li>
            ))}
          </ul>
        </Block>
      )}
      <Block title="Run">
        <Facts
          pairs={[
            ['duration', durationText(trial.duration_ms)],
            ['ended', wordFor(trial.ended).toLowerCase()],
            ['exit code', trial.exit_code === undefined ? undefined : String(trial.exit_code)],
            ['messages', summary === undefined ? undefined : String(summary.messages)],
            ['trace', trial.trace],
            ['model', usage && `${countText(usage.calls, 'call')}, ${countText(tokens, 'token')}`],
            ['judged by', verdict.source],
          ]}
        />
      </Block>
    </>
  )
}

/** What is to be said about a run. */
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
              {shown(message)}
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
              {durationText(elapsed_ms)} · {reason === 'start' ? 'start' : reason === 'timeout' ? 'time' : 'trigger'}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
