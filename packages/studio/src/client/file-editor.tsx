/** One file: the editor, its problems, saving and undoing, and its picture. */
import type { EditorView } from '@codemirror/view'
import type { AgentPicture, AttackPicture, Finding, Fix } from '@joust/language'
import { shown } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ProofText } from '../model/api.ts'
import { change } from './ask.ts'
import { ScrolledText } from './controls.tsx'
import { applyEdits, goTo, mends, openEditor } from './editor.ts'
import type { AskLanguage } from './language-client.ts'
import { counted } from './numbers.ts'
import type { OpenFile } from './open-file.ts'
import { Picture } from './picture.tsx'

interface FileEditorProps {
  readonly file: OpenFile
  readonly ask: AskLanguage
  /** Where to put the cursor when it opens. */
  readonly at: number
  readonly onFile: (file: string, at?: number) => void
  readonly onSaved: () => void
}

export function FileEditor({ file, ask, at, onFile, onSaved }: FileEditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const findings = useSignal<readonly Finding[]>([])
  const fixes = useSignal<readonly Fix[]>([])
  const picture = useSignal<AttackPicture | AgentPicture | undefined>(undefined)
  const cursor = useSignal(0)
  const save = async () => {
    await file.save()
    onSaved()
  }
  const draw = async () => {
    const drawn = await ask('picture', { name: file.path, text: file.text.value })
    if (drawn !== undefined) picture.value = drawn
  }
  useEffect(() => {
    if (place.current === null) return
    const opened = openEditor(place.current, file.path, file.text.value, ask, {
      onChange: (text) => (file.text.value = text),
      onCursor: (offset) => (cursor.value = offset),
      onFindings: (found, known) => {
        performance.mark('joust-findings')
        findings.value = found
        fixes.value = known
        void draw()
      },
      onSave: () => void save(),
      onLeave: onFile,
    })
    view.current = opened
    if (at > 0) goTo(opened, at)
    // Works wherever the focus is; the editor itself handles the key too.
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.key !== 's') return
      event.preventDefault()
      void save()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      opened.destroy()
    }
  }, [])
  const write = (text: string) => {
    const { current } = view
    if (current !== undefined && current.state.doc.toString() !== text)
      current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }
  const isAgent = /\.agf\.(?:ya?ml|json)$/.test(file.path)
  const isBroken = findings.value.some(({ severity }) => severity === 'error')
  const go = (offset: number) => view.current !== undefined && goTo(view.current, offset)
  const fix = ({ edits }: Fix) => view.current !== undefined && applyEdits(view.current, edits)
  return (
    <div class="file">
      <div class="file-pane">
        <FileBar file={file} findings={findings.value} onSave={save} onText={write} />
        <div class="editor" ref={place} />
        <Problems findings={findings.value} fixes={fixes.value} text={file.text.value} onGo={go} onFix={fix} />
      </div>
      {picture.value !== undefined && (
        <div class="picture-pane">
          <Picture picture={picture.value} cursor={cursor.value} onGo={go} onFile={onFile} />
        </div>
      )}
      {picture.value === undefined && isAgent && isBroken && (
        <p class="picture-pane empty muted">The graph is drawn once the agent has no errors.</p>
      )}
    </div>
  )
}

function FileBar(props: {
  readonly file: OpenFile
  readonly findings: readonly Finding[]
  readonly onSave: () => Promise<void>
  readonly onText: (text: string) => void
}): JSX.Element {
  const { file, findings, onSave, onText } = props
  const proof = useSignal<ProofText | 'running' | undefined>(undefined)
  const changed = file.isChanged()
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const undo = async () => {
    const text = await file.undo()
    if (text !== undefined) onText(text)
  }
  const prove = async () => {
    proof.value = 'running'
    const asked = await change<ProofText>('/api/prove', { path: file.path })
    proof.value = asked.ok ? asked.value : { proven: false, text: asked.error.message }
  }
  const settle = (whose: 'theirs' | 'ours') => {
    file.settle(whose)
    onText(file.text.value)
  }
  return (
    <div class="file-bar">
      <div class="file-line">
        <h1>
          <bdi>{shown(file.path)}</bdi>
        </h1>
        <span class="muted" role="status">
          {changed ? 'not saved' : 'saved'}
          {` · ${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}`}
        </span>
        <span class="file-buttons">
          <button type="button" class="primary" disabled={!changed} onClick={onSave} title="Ctrl+S">
            Save
          </button>
          <button type="button" disabled={file.stored.value?.undo !== true} onClick={undo}>
            Undo save
          </button>
          {/\.oatf\./.test(file.path) && (
            <button
              type="button"
              disabled={changed || proof.value === 'running'}
              onClick={prove}
              title="Runs the saved file against simulated agents"
            >
              {proof.value === 'running' ? 'Proving …' : 'Prove'}
            </button>
          )}
        </span>
      </div>
      {file.fault.value !== '' && (
        <p class="problem" role="alert">
          {shown(file.fault.value)}
        </p>
      )}
      {file.theirs.value !== undefined && (
        <p class="settle">
          <button type="button" onClick={() => settle('theirs')}>
            Take theirs
          </button>{' '}
          <button type="button" onClick={() => settle('ours')}>
            Keep mine; saving writes over theirs
          </button>
        </p>
      )}
      {typeof proof.value === 'object' && (
        <ScrolledText class={proof.value.proven ? 'problem proven' : 'problem'} label="Proof" text={proof.value.text} />
      )}
    </div>
  )
}

/** What validation and lint report, one line each. */
function Problems(props: {
  readonly findings: readonly Finding[]
  readonly fixes: readonly Fix[]
  readonly text: string
  readonly onGo: (offset: number) => void
  readonly onFix: (fix: Fix) => void
}): JSX.Element {
  const { findings, fixes, text, onGo, onFix } = props
  return (
    <details class="problems" open={findings.length > 0}>
      <summary>Lint: {findings.length === 0 ? 'nothing found' : `${findings.length} found`}</summary>
      <ul>
        {findings.map((finding) => (
          <li key={`${finding.code} ${finding.range.start} ${finding.message}`}>
            <button type="button" class={`plain finding-${finding.severity}`} onClick={() => onGo(finding.range.start)}>
              <span class="number">{text.slice(0, finding.range.start).split('\n').length}</span> <b>{finding.code}</b>{' '}
              {shown(finding.message)}
            </button>
            {fixes
              .filter((fix) => mends(fix, finding))
              .map((fix) => (
                <button type="button" class="fix" key={fix.title} onClick={() => onFix(fix)}>
                  {shown(fix.title)}
                </button>
              ))}
          </li>
        ))}
      </ul>
    </details>
  )
}
