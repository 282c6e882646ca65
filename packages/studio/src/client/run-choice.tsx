/** The form that selects attacks, targets and trials. */
import { countText, shown, shownName, useIsPainted } from '@joust/report/components'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { ProjectInfo, RequestedTrials } from '../model/api.ts'
import { AnnouncedText, ArrowBox, Choice, useSearch } from './boxes.tsx'
import { linkTo } from './route.ts'
import type { StudioState } from './studio-state.ts'

interface RunChoiceProps {
  readonly state: StudioState
  readonly project: ProjectInfo
  /** True while a suite runs in this process, which can run only one suite at a time. */
  readonly isRunning: boolean
}

/** Maximum number of listed attacks. */
const FIRST = 200
/** Number of attacks listed in the first frame. They fill the visible part of the list. */
const AT_FIRST = 20

export function RunChoice({ state, project, isRunning }: RunChoiceProps): JSX.Element {
  const extra = project.attacks.flatMap(({ file, isExtra }) => (isExtra ? [file] : []))
  const excluded = useSignal<ReadonlySet<string>>(new Set(extra))
  const off = useSignal<ReadonlySet<string>>(new Set())
  const trials = useSignal<RequestedTrials>(project.trials)
  const { box, finds } = useSearch('Find attacks')
  const where = useSignal<'here' | 'workers'>('here')
  const matches = project.attacks.filter(({ file, name }) => finds(`${file} ${name}`))
  const listed = useIsPainted(false) ? FIRST : AT_FIRST
  const attacks = project.attacks.filter(({ file }) => !excluded.value.has(file)).map(({ file }) => file)
  const targets = project.targets.filter(({ name }) => !off.value.has(name)).map(({ name }) => name)
  // `aria-disabled` instead of `disabled`, which would remove the focus.
  const isBusy = isRunning && where.value === 'here'
  const start = (event: Event) => {
    event.preventDefault()
    if (!isBusy) void state.start({ attacks, targets, trials: trials.value }, where.value)
  }
  const setAll = (on: boolean) => {
    const next = new Set(excluded.value)
    for (const { file } of matches) on ? next.delete(file) : next.add(file)
    excluded.value = next
  }
  return (
    <form class="choice" onSubmit={start} aria-label="What to run">
      {project.problem !== undefined && <AnnouncedText text={project.problem} />}
      <TargetChoice targets={project.targets} off={off} />
      <fieldset class="attacks">
        <legend>
          Attacks{' '}
          <span class="muted">
            {attacks.length} of {project.attacks.length}
          </span>
        </legend>
        <div class="attack-tools">
          {box}
          <button type="button" onClick={() => setAll(true)}>
            All
          </button>
          <button type="button" onClick={() => setAll(false)}>
            None
          </button>
        </div>
        <ArrowBox class="attack-list" label="Attacks to run" row="label" cell="input">
          {matches.slice(0, listed).map(({ file, name }) => (
            <label key={file}>
              <input
                type="checkbox"
                tabIndex={-1}
                checked={!excluded.value.has(file)}
                onChange={() => (excluded.value = toggled(excluded.value, file))}
              />
              {shownName(name)} <span class="muted file">{shown(file)}</span>
            </label>
          ))}
          {matches.length > FIRST && (
            <p class="muted">… and {matches.length - FIRST} more: use the search to see them</p>
          )}
        </ArrowBox>
        {project.attacks.length === 0 && <p class="muted">No attack files match “attacks” in joust.yaml.</p>}
      </fieldset>
      <div class="start">
        <TrialsChoice trials={trials} />
        {project.queue !== undefined && (
          <Choice
            label="Where"
            value={where.value}
            options={[
              ['here', 'here'],
              ['workers', 'on workers'],
            ]}
            onChoose={(place) => (where.value = place === 'workers' ? 'workers' : 'here')}
          />
        )}
        <button
          type="submit"
          class="primary"
          disabled={attacks.length === 0 || targets.length === 0}
          aria-disabled={isBusy}
        >
          {isBusy ? 'Running …' : startText(attacks.length * targets.length, trials.value)}
        </button>
      </div>
    </form>
  )
}

/** An input for the number of trials. `auto` runs until the question in the project file is decided. */
function TrialsChoice({ trials }: { readonly trials: Signal<RequestedTrials> }): JSX.Element {
  const isAuto = trials.value === 'auto'
  return (
    <>
      <label>
        Trials{' '}
        <input
          type="number"
          min={1}
          max={1000}
          value={isAuto ? '' : trials.value}
          disabled={isAuto}
          onInput={({ currentTarget }) => (trials.value = Math.max(1, Math.floor(currentTarget.valueAsNumber) || 1))}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={isAuto}
          onChange={({ currentTarget }) => (trials.value = currentTarget.checked ? 'auto' : 1)}
        />{' '}
        Until decided
      </label>
    </>
  )
}

function startText(cells: number, trials: RequestedTrials): string {
  return trials === 'auto' ? `Start ${countText(cells, 'attack')}` : `Start ${countText(cells * trials, 'run')}`
}

function TargetChoice(props: {
  readonly targets: RunChoiceProps['project']['targets']
  readonly off: Signal<ReadonlySet<string>>
}): JSX.Element {
  const { targets, off } = props
  return (
    <fieldset class="targets">
      <legend>
        Targets{' '}
        <a class="muted" href={linkTo('write', ['joust.yaml'])}>
          in joust.yaml
        </a>
      </legend>
      {targets.map(({ name, kind }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={!off.value.has(name)}
            onChange={() => (off.value = toggled(off.value, name))}
          />
          {shownName(name)} <span class="muted">{kind}</span>
        </label>
      ))}
      {targets.length === 0 && <p class="muted">joust.yaml has no targets; add some under “targets”.</p>}
    </fieldset>
  )
}

function toggled<T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(one)) next.add(one)
  return next
}
