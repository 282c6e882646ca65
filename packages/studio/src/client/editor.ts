/** The document editor: CodeMirror with language support. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  indentService,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import type { Finding, Fix } from '@joust/language'
import { plainText } from '@joust/report/components'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'preact/hooks'
import {
  applyEdits,
  goTo,
  type MoveEvents,
  navigation,
  replaceText,
  scrollToOffset,
  showLinks,
} from './editor-moves.ts'
import { type AskLanguage, type Checked, nothingChecked } from './language-client.ts'

interface EditorEvents extends MoveEvents {
  readonly onChange: (text: string) => void
  readonly onChecked: (checked: Checked) => void
  readonly onCursor?: (offset: number) => void
  readonly onSave?: () => void
}

/** Milliseconds of inactivity before the text is checked. */
const PAUSE_MS = 30

/** Creates an editor in an element of the page. The editor's methods do nothing while it is not mounted. */
export function useEditor(name: string, text: string, ask: AskLanguage, events: EditorEvents) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  useEffect(() => {
    if (place.current === null) return
    const extensions = [...plainEditor(name), ...languageSupport(name, ask, events)]
    const editor = new EditorView({ parent: place.current, state: EditorState.create({ doc: text, extensions }) })
    // Scrollable elements must be focusable by keyboard.
    editor.scrollDOM.tabIndex = 0
    view.current = editor
    return () => editor.destroy()
  }, [])
  const method =
    <T>(work: (view: EditorView, value: T) => void) =>
    (value: T) => {
      if (view.current !== undefined) work(view.current, value)
    }
  return {
    place,
    go: method(goTo),
    scrollTo: method(scrollToOffset),
    write: method(replaceText),
    apply: method(applyEdits),
  }
}

function plainEditor(name: string): Extension[] {
  const nonce = document.querySelector('meta[name=style-nonce]')?.getAttribute('content') ?? ''
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    // Shows bidirectional controls and invisible characters as symbols.
    highlightSpecialChars(),
    foldGutter(),
    history(),
    indentOnInput(),
    yamlIndent,
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    syntaxHighlighting(colors),
    yaml(),
    lintGutter(),
    typingOver,
    theme,
    placeholder('oatf: "0.1"'),
    EditorView.contentAttributes.of({ 'aria-label': plainText(name) }),
  ]
}

/** Aligns a new line with the last key, or indents it if the key has no value yet. The YAML parser cannot do this. */
const yamlIndent = indentService.of((context, pos) => {
  const { text } = context.lineAt(pos, -1)
  const [, space = '', dashes = ''] = /^( *)((?:- +)*)/.exec(text) ?? []
  const opens = /:\s*(?:[|>][-+]?)?\s*(?:#.*)?$/.test(text)
  return space.length + dashes.length + (opens ? 2 : 0)
})

/** Handles typing over a selection, where the browser would add an inline style, which the policy forbids. */
const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data } = event
    if (inputType !== 'insertText' || data === null || view.composing || view.state.selection.main.empty) return false
    view.dispatch({ ...view.state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true })
    event.preventDefault()
    return true
  },
})

function languageSupport(name: string, ask: AskLanguage, events: EditorEvents): Extension[] {
  const fileOf = (state: EditorState) => ({ name, text: state.doc.toString() })
  const format = (view: EditorView) => {
    void ask('format', fileOf(view.state)).then((edits) => applyEdits(view, edits ?? []))
    return true
  }
  const save = () => {
    events.onSave?.()
    return true
  }
  return [
    ...navigation(name, ask, events),
    keymap.of([
      { key: 'Mod-s', run: save, preventDefault: true },
      { key: 'Shift-Alt-f', run: format },
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...searchKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    autocompletion({ override: [(context) => complete(context, name, ask)] }),
    hoverTooltip(async (view, offset) => {
      const hover = await ask('hover', fileOf(view.state), offset)
      if (hover === undefined) return null
      return { pos: hover.range.start, end: hover.range.end, create: () => ({ dom: hoverBox(hover.text) }) }
    }),
    linter(
      async (view) => {
        const file = fileOf(view.state)
        // An empty file has no findings yet.
        const checked = file.text.trim() === '' ? undefined : await ask('check', file)
        return diagnose(view, checked ?? nothingChecked, events)
      },
      { delay: PAUSE_MS },
    ),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) events.onChange(state.doc.toString())
      if (docChanged || selectionSet) events.onCursor?.(state.selection.main.head)
    }),
  ]
}

async function complete(context: CompletionContext, name: string, ask: AskLanguage): Promise<CompletionResult | null> {
  const items = (await ask('complete', { name, text: context.state.doc.toString() }, context.pos)) ?? []
  const [first] = items
  if (first === undefined) return null
  return {
    from: first.edit.start,
    to: Math.max(first.edit.end, context.pos),
    options: items.map(({ label, kind, detail, about, edit }) => ({
      label,
      type: kind === 'key' ? 'property' : kind === 'name' ? 'variable' : 'enum',
      apply: edit.text,
      ...(detail !== undefined && { detail }),
      ...(about !== undefined && { info: () => hoverBox(about) }),
    })),
  }
}

function diagnose(view: EditorView, checked: Checked, events: EditorEvents): Diagnostic[] {
  const { findings, fixes, links } = checked
  events.onChecked(checked)
  showLinks(view, links)
  const length = view.state.doc.length
  return findings.map((finding) => ({
    from: Math.min(finding.range.start, length),
    to: Math.min(Math.max(finding.range.end, finding.range.start), length),
    severity: finding.severity === 'error' ? 'error' : finding.severity === 'warning' ? 'warning' : 'info',
    message: `${finding.code}: ${plainText(finding.message)}`,
    actions: fixes
      .filter((fix) => isFixFor(fix, finding))
      .map(({ title, edits }) => ({ name: plainText(title), apply: () => applyEdits(view, edits) })),
  }))
}

export function isFixFor(fix: Fix, finding: Finding): boolean {
  return fix.finding?.code === finding.code && fix.finding.range.start === finding.range.start
}

/** Renders the Markdown subset used in hover text; everything else stays plain text, as it may come from a document. */
function hoverBox(text: string): HTMLElement {
  const box = document.createElement('div')
  box.className = 'hover-box'
  for (const [index, part] of text.split(/```\w*\n([\s\S]*?)\n```/).entries())
    box.append(...(index % 2 === 1 ? [element('pre', part)] : sectionsOf(part.trim())))
  return box
}

function sectionsOf(text: string): (HTMLElement | string)[] {
  return text
    .split(/(?:^|\n+)---(?:\n+|$)/)
    .flatMap((section, index) => [...(index === 0 ? [] : [document.createElement('hr')]), ...spansOf(section)])
}

/** Renders bold text and code as elements, and removes backslash escapes. */
function spansOf(text: string): (HTMLElement | string)[] {
  const plain = (part: string) => plainText(part.replaceAll(/\\([<(])/g, '$1'))
  return text.split(/(\*\*.+?\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**')) return element('b', plain(part.slice(2, -2)))
    return part.startsWith('`') ? element('code', part.slice(1, -1)) : plain(part)
  })
}

function element(name: 'b' | 'code' | 'pre', text: string): HTMLElement {
  const node = document.createElement(name)
  node.textContent = plainText(text)
  return node
}

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--green)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.typeName], color: 'var(--violet)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--muted)' },
])

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--sheet)', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, Menlo, Consolas, "Liberation Mono", monospace', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunk)', color: 'var(--muted)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--mark) 40%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent) !important',
  },
  '.cm-tooltip': { backgroundColor: 'var(--sheet)', color: 'var(--ink)', border: '1px solid var(--edge)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--ground)' },
  '.cm-panels': { backgroundColor: 'var(--sunk)', color: 'var(--ink)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--edge)' },
  '.cm-dialog': { display: 'flex', gap: '8px', alignItems: 'center', padding: '6px 36px 6px 14px' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--sheet)', border: '1px solid var(--edge)' },
  '.cm-textfield': { backgroundColor: 'var(--sheet)', border: '1px solid var(--edge)' },
  '.cm-file-link': { textDecoration: 'underline', textUnderlineOffset: '2px' },
})
