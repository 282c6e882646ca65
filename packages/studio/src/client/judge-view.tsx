/** Judge a trace: what an attack's indicators find in recorded messages, as the attack is edited. */

import type { Results } from '@joust/arena'
import type { OutlineItem } from '@joust/language'
import { plainText, shown } from '@joust/report/components'
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
import type { GivenTrace, ViewProps } from './studio-state.ts'

const EMPTY =
  'Give a trace and an attack: every indicator is shown with what it matches, and with the step that drops each message.'

/** How long typing has to pause before the trace is judged again. */
const PAUSE_MS = 250

function givenIn(query: string): GivenTrace | undefined {
  const asked = new URLSearchParams(query)
  const [results, trace] = [asked.get('results'), asked.get('trace')]
  return results === null || trace === null ? undefined : { name: `${trace} of ${results}`, text: trace, results }
}

/** The attack of a trace as it was run: its file may be outside the folder, or gone. */
async function attackOf({ text: trace, results }: GivenTrace): Promise<string | undefined> {
  const read = await ask<Results>('/api/results', { name: results ?? '' })
  const attacks = read.ok ? read.value.targets.flatMap((target) => target.attacks) : []
  return attacks.find(({ trials }) => trials.some((trial) => trial.trace === trace))?.attack.text
}

export function JudgeView({ state, route, go }: ViewProps): JSX.Element {
  const { trace, attack, path, query } = state.judging
  const { judged, fault } = useJudgement(trace, attack)
  const outline = useRef<readonly OutlineItem[]>([])
  // The attack, with the language support of the file editor; nothing is saved.
  const { place, write, look } = useEditor('judged.oatf.yaml', attack.value, state.language(), {
    onChange: (text) => (attack.value = text),
    onChecked: (checked) => (outline.current = checked.outline),
  })
  const choose = async (wanted: string) => {
    if (wanted === '') return
    const read = await ask<FileText>('/api/file', { path: wanted })
    fault.value = read.ok ? '' : read.error.message
    path.value = read.ok ? wanted : ''
    if (read.ok) write(read.value.text)
  }
  // An address with a run is taken once; edits made after that stay.
  useEffect(() => {
    const given = givenIn(route.query)
    if (given === undefined || route.query === query.value) return
    query.value = route.query
    trace.value = given
    void choose(new URLSearchParams(route.query).get('attack') ?? '').then(async () => {
      const asRun = path.value === '' ? await attackOf(given) : undefined
      if (asRun === undefined) return
      fault.value = ''
      write(asRun)
    })
  }, [route.query])
  const show = (id: string) => {
    const indicator = outline.current.flatMap(({ children }) => children).find(({ name }) => name === id)
    if (indicator !== undefined) look(indicator.range.start)
  }
  const edit = async () => {
    const file = await openFile(path.value)
    file.text.value = attack.value
    keepDraft(state.drafts, file)
    go(linkTo('write', file.path.split('/')))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen with the keyboard just below
    <div
      class="judge"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(trace, event.dataTransfer?.files[0])
      }}
    >
      <h1>Judge a trace</h1>
      <div class="judge-inputs">
        <TraceChoice trace={trace} />
        <Choice label="Attack" value={path.value} options={attackOptions(state.files.value)} onChoose={choose} />
        {path.value !== '' && (
          <button type="button" onClick={edit} title="Takes the text below to the editor, where it can be saved">
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
  return [['', 'choose one, or write below'], ...attacks.map((file) => [file, file] as const)]
}

/** What the attack makes of the trace, asked again when either has changed; the last answer stays beside a fault. */
function useJudgement(trace: Signal<GivenTrace | undefined>, attack: Signal<string>) {
  const judged = useSignal<TraceJudgement | undefined>(undefined)
  const fault = useSignal('')
  useWork(
    async (left) => {
      const { text, results } = trace.value ?? {}
      if (text === undefined || attack.value.trim() === '') return
      await pause(PAUSE_MS)
      // Something newer was typed meanwhile.
      if (left.aborted) return
      // JSON leaves out what is undefined.
      const asked = await change<TraceJudgement>('/api/judge', { attack: attack.value, trace: text, results })
      if (left.aborted) return
      if (asked.ok) judged.value = asked.value
      fault.value = asked.ok ? '' : asked.error.message
    },
    [trace.value, attack.value],
  )
  return { judged, fault }
}

async function take(trace: Signal<GivenTrace | undefined>, file: File | undefined): Promise<void> {
  if (file !== undefined) trace.value = { name: file.name, text: await file.text() }
}

function TraceChoice({ trace }: { readonly trace: Signal<GivenTrace | undefined> }): JSX.Element {
  return (
    <label class="drop">
      <span>
        {trace.value === undefined
          ? 'Drop a trace here, or choose one: of joust or ThoughtJack, as JSON lines'
          : `Trace: ${shown(trace.value.name)}`}
      </span>
      <input
        type="file"
        accept=".jsonl,.ndjson,.json"
        onChange={({ currentTarget }) => take(trace, currentTarget.files?.[0])}
      />
    </label>
  )
}
