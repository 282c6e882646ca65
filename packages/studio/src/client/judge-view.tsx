/** The Judge view, which judges a trace again whenever the attack is edited. */

import type { OutlineItem } from '@joust/language'
import { plainText, shown } from '@joust/report/components'
import { type AttackResults, type Results, runsOf } from '@joust/results'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { FileText, TraceJudgement } from '../model/api.ts'
import { ask, change, pause, useWork } from './ask.ts'
import { AnnouncedText, Choice } from './boxes.tsx'
import { useEditor } from './editor.ts'
import { Judgement } from './judgement.tsx'
import { keepDraft, openFile } from './open-file.ts'
import { linkTo } from './route.ts'
import type { SelectedTrace, ViewProps } from './studio-state.ts'

const EMPTY =
  'Choose a trace and an attack to see what each indicator matches, and which filter step drops each message.'

/** Milliseconds of inactivity before the trace is judged again. */
const PAUSE_MS = 250

function traceInQuery(query: string): SelectedTrace | undefined {
  const params = new URLSearchParams(query)
  const [results, trace] = [params.get('results'), params.get('trace')]
  return results === null || trace === null ? undefined : { name: `${trace} of ${results}`, text: trace, results }
}

/** Returns the text of the attack that produced a trace. The attack's file may be deleted or outside the folder. */
async function attackOf({ text: trace, results }: SelectedTrace): Promise<string | undefined> {
  const name = results ?? ''
  const read = await ask<Results>('/api/results', { name })
  for (const { name: target, attacks } of read.ok ? read.value.targets : []) {
    const file = attacks.find((attack) => runsOf(attack).some((run) => run.trace === trace))?.file
    if (file === undefined) continue
    const attack = await ask<AttackResults>('/api/attack', { name, target, file })
    return attack.ok ? attack.value.attack.text : undefined
  }
  return undefined
}

export function JudgeView({ state, route, go }: ViewProps): JSX.Element {
  const { trace, attack, path, query } = state.judging
  const { judged, fault } = useJudgement(trace, attack)
  const outline = useRef<readonly OutlineItem[]>([])
  // The text of this editor is not saved.
  const { place, write, scrollTo } = useEditor('judged.oatf.yaml', attack.value, state.language(), {
    onChange: (text) => (attack.value = text),
    onChecked: (checked) => (outline.current = checked.outline),
  })
  const choose = async (file: string) => {
    if (file === '') return
    const read = await ask<FileText>('/api/file', { path: file })
    fault.value = read.ok ? '' : read.error.message
    path.value = read.ok ? file : ''
    if (read.ok) write(read.value.text)
  }
  // A URL that selects a run is applied once, so that later edits are kept.
  useEffect(() => {
    const selected = traceInQuery(route.query)
    if (selected === undefined || route.query === query.value) return
    query.value = route.query
    trace.value = selected
    void choose(new URLSearchParams(route.query).get('attack') ?? '').then(async () => {
      const asRun = path.value === '' ? await attackOf(selected) : undefined
      if (asRun === undefined) return
      fault.value = ''
      write(asRun)
    })
  }, [route.query])
  const show = (id: string) => {
    const indicator = outline.current.flatMap(({ children }) => children).find(({ name }) => name === id)
    if (indicator !== undefined) scrollTo(indicator.range.start)
  }
  const edit = async () => {
    const file = await openFile(path.value)
    file.text.value = attack.value
    keepDraft(state.drafts, file)
    go(linkTo('write', file.path.split('/')))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the file input below is accessible by keyboard
    <div
      class="judge"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void upload(trace, event.dataTransfer?.files[0])
      }}
    >
      <h1>Judge a trace</h1>
      <div class="judge-inputs">
        <TraceChoice trace={trace} />
        <Choice label="Attack" value={path.value} options={attackOptions(state.files.value)} onChoose={choose} />
        {path.value !== '' && (
          <button type="button" onClick={edit} title="Opens the text below in the editor, where it can be saved">
            Edit {plainText(path.value)}
          </button>
        )}
      </div>
      <div class="judge-body">
        <div class="editor" ref={place} />
        <div class="judge-result">
          {fault.value !== '' && <AnnouncedText text={fault.value} />}
          {judged.value === undefined ? (
            <p class="muted">{EMPTY}</p>
          ) : (
            <Judgement judged={judged.value} onChoose={show} />
          )}
        </div>
      </div>
    </div>
  )
}

function attackOptions(files: readonly string[] = []): (readonly [string, string])[] {
  const attacks = files.filter((file) => /\.oatf\./.test(file))
  return [['', 'choose an attack, or write one below'], ...attacks.map((file) => [file, file] as const)]
}

/** Judges the trace when the trace or the attack changes. Keeps the last judgement after an error. */
function useJudgement(trace: Signal<SelectedTrace | undefined>, attack: Signal<string>) {
  const judged = useSignal<TraceJudgement | undefined>(undefined)
  const fault = useSignal('')
  useWork(
    async (signal) => {
      const { text, results } = trace.value ?? {}
      if (text === undefined || attack.value.trim() === '') return
      await pause(PAUSE_MS)
      // Superseded by later input.
      if (signal.aborted) return
      // JSON omits undefined values.
      const answer = await change<TraceJudgement>('/api/judge', { attack: attack.value, trace: text, results })
      if (signal.aborted) return
      if (answer.ok) judged.value = answer.value
      fault.value = answer.ok ? '' : answer.error.message
    },
    [trace.value, attack.value],
  )
  return { judged, fault }
}

async function upload(trace: Signal<SelectedTrace | undefined>, file: File | undefined): Promise<void> {
  if (file !== undefined) trace.value = { name: file.name, text: await file.text() }
}

function TraceChoice({ trace }: { readonly trace: Signal<SelectedTrace | undefined> }): JSX.Element {
  return (
    <label class="drop">
      <span>
        {trace.value === undefined
          ? 'Drop or choose a Joust or ThoughtJack trace (JSON Lines)'
          : `Trace: ${shown(trace.value.name)}`}
      </span>
      <input
        type="file"
        accept=".jsonl,.ndjson,.json"
        onChange={({ currentTarget }) => upload(trace, currentTarget.files?.[0])}
      />
    </label>
  )
}
