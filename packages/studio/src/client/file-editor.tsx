/** A file: the editor, its findings, saving and undo, and its diagram. */
import type { AgentPicture, AttackPicture, FileSpan, Finding } from '@joust/language'
import { countText, shown, shownName } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ProofText } from '../model/api.ts'
import { change } from './ask.ts'
import { AnnouncedText, Fault } from './boxes.tsx'
import { isFixFor, useEditor } from './editor.ts'
import { type AskLanguage, type Checked, nothingChecked } from './language-client.ts'
import type { OpenFile } from './open-file.ts'
import { Outline, Places } from './outline.tsx'
import { Picture } from './picture.tsx'

interface FileEditorProps {
  readonly file: OpenFile
  readonly ask: AskLanguage
  /** Initial offset of the cursor. */
  readonly at: number
  readonly onFile: (file: string, at?: number) => void
  readonly onSaved: () => void
  /** Called to discard a file that was never saved. */
  readonly onDiscard: () => void
}

export function FileEditor(props: FileEditorProps): JSX.Element {
  const { file, onFile } = props
  const { place, go, write, apply, checked, places, picture, cursor, save } = useFileEditor(props)
  const problems = useRef<HTMLDetailsElement>(null)
  const { findings, outline } = checked.value
  const isChecked = checked.value !== nothingChecked
  const lint = () => {
    if (problems.current === null) return
    problems.current.open = true
    problems.current.querySelector('summary')?.focus()
  }
  return (
    <div class="file">
      <div class="file-pane">
        <FileBar {...props} {...{ findings, save, write, lint }} />
        <div class="editor" ref={place} />
        {places.value.length > 0 && (
          <Places
            places={places.value}
            file={file}
            onGo={({ name, start }) => (name === file.path ? go(start) : onFile(name, start))}
            onClose={() => (places.value = [])}
          />
        )}
        <Problems {...checked.value} {...{ go, apply, isChecked }} text={file.text.value} element={problems} />
      </div>
      {/* Rendered from the start, so that the buttons do not move once the text has been checked. */}
      {(!isChecked || picture.value !== undefined || outline.length > 0) && (
        <div class="picture-pane">
          {picture.value !== undefined ? (
            <Picture picture={picture.value} cursor={cursor.value} onGo={go} onFile={onFile} />
          ) : (
            isChecked &&
            /\.agf\.(?:ya?ml|json)$/i.test(file.path) && (
              <p class="picture muted">The graph appears once the agent has no errors.</p>
            )
          )}
          {outline.length > 0 && (
            <details class="outline" open={picture.value === undefined}>
              <summary>Outline</summary>
              <Outline items={outline} cursor={cursor.value} onGo={go} />
            </details>
          )}
        </div>
      )}
    </div>
  )
}

function useFileEditor({ file, ask, at, onFile, onSaved }: FileEditorProps) {
  const checked = useSignal(nothingChecked)
  const places = useSignal<readonly FileSpan[]>([])
  const picture = useSignal<AttackPicture | AgentPicture | undefined>(undefined)
  const cursor = useSignal(0)
  const save = async () => {
    if (!file.isChanged()) return
    await file.save()
    onSaved()
  }
  const draw = async () => {
    const next = await ask('picture', { name: file.path, text: file.text.value })
    if (next !== undefined) picture.value = next
  }
  const editor = useEditor(file.path, file.text.value, ask, {
    onChange: (text) => (file.text.value = text),
    onCursor: (offset) => (cursor.value = offset),
    onChecked: (result) => {
      performance.mark('joust-findings')
      checked.value = result
      void draw()
    },
    onPlaces: (references) => (places.value = references),
    onSave: () => void save(),
    onLeave: onFile,
  })
  useEffect(() => {
    if (at > 0) editor.go(at)
    // Independent of the focus. The editor itself also handles the key.
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.key !== 's') return
      event.preventDefault()
      void save()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return { ...editor, checked, places, picture, cursor, save }
}

function FileBar(
  props: FileEditorProps &
    Pick<ReturnType<typeof useFileEditor>, 'save' | 'write'> & {
      readonly findings: readonly Finding[]
      readonly lint: () => void
    },
): JSX.Element {
  const { file, findings, save, write, lint, onSaved, onDiscard } = props
  const proof = useSignal<(ProofText & { readonly of: string }) | 'running' | undefined>(undefined)
  const changed = file.isChanged()
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const undo = async () => {
    const text = await file.undo()
    if (text !== undefined) write(text)
    onSaved()
  }
  const prove = async () => {
    proof.value = 'running'
    const of = file.text.value
    const answer = await change<ProofText>('/api/prove', { path: file.path })
    proof.value = { ...(answer.ok ? answer.value : { proven: false, text: answer.error.message }), of }
  }
  const settle = (whose: 'theirs' | 'ours') => {
    file.settle(whose)
    write(file.text.value)
  }
  return (
    <div class="file-bar">
      <div class="file-line">
        <h1>{shownName(file.path)}</h1>
        <span class="muted" role="status">
          {changed ? 'not saved' : file.stored.value === undefined ? 'not found' : 'saved'}
          {` · ${countText(errors, 'error')}, ${countText(findings.length - errors, 'warning')}`}
        </span>
        <span class="file-buttons">
          <button type="button" class="primary" disabled={!changed} onClick={save} title="Ctrl+S">
            Save
          </button>
          <button type="button" disabled={file.stored.value?.undo !== true} onClick={undo}>
            Undo save
          </button>
          {changed && file.stored.value === undefined && (
            <button type="button" onClick={() => confirm('Discard this file? It was never saved.') && onDiscard()}>
              Discard
            </button>
          )}
          <button type="button" onClick={lint} title="Shows the findings below the editor">
            Lint
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
      <Fault text={file.fault.value} />
      {file.theirs.value !== undefined && (
        <p class="settle">
          <button type="button" onClick={() => settle('theirs')}>
            Load the version on disk
          </button>{' '}
          <button type="button" onClick={() => settle('ours')}>
            Keep my version; saving overwrites the file
          </button>
        </p>
      )}
      {typeof proof.value === 'object' && <Proof {...proof.value} isStale={proof.value.of !== file.text.value} />}
    </div>
  )
}

/** The output of `joust prove`. It does not apply if the text has changed since. */
function Proof({ text, proven, isStale }: ProofText & { readonly isStale: boolean }): JSX.Element {
  return (
    <>
      {/* Shown in both states, so that the first change does not move the editor. */}
      <p class="muted">{isStale ? 'Outdated: save and prove again.' : 'Proof of the current text'}</p>
      <AnnouncedText label={isStale ? 'Outdated proof' : 'Proof'} text={text} good={proven && !isStale} />
    </>
  )
}

function Problems(
  props: Checked &
    Pick<ReturnType<typeof useFileEditor>, 'go' | 'apply'> & {
      readonly text: string
      readonly isChecked: boolean
      readonly element: RefObject<HTMLDetailsElement | null>
    },
): JSX.Element {
  const { findings, fixes, text, go, apply, element } = props
  // Decided once, because opening or closing the list during typing would move the editor.
  const isOpen = useRef<boolean | undefined>(undefined)
  if (isOpen.current === undefined && props.isChecked) isOpen.current = findings.length > 0
  return (
    <details class="problems" open={isOpen.current === true} ref={element}>
      <summary>Lint: {findings.length === 0 ? 'no findings' : countText(findings.length, 'finding')}</summary>
      <ul>
        {findings.map((finding) => (
          <li key={`${finding.code} ${finding.range.start} ${finding.message}`}>
            <button type="button" class={`plain finding-${finding.severity}`} onClick={() => go(finding.range.start)}>
              <span class="number">{text.slice(0, finding.range.start).split('\n').length}</span> <b>{finding.code}</b>{' '}
              {shown(finding.message)}
            </button>
            {fixes
              .filter((fix) => isFixFor(fix, finding))
              .map((fix) => (
                <button type="button" class="fix" key={fix.title} onClick={() => apply(fix.edits)}>
                  {shown(fix.title)}
                </button>
              ))}
          </li>
        ))}
      </ul>
    </details>
  )
}
