import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { change } from './ask.ts'
import { ScrolledText } from './scrolled-text.tsx'
import type { StudioState } from './studio-state.ts'

export function SetUp({ state }: { readonly state: StudioState }): JSX.Element {
  const said = useSignal('')
  const setUp = async () => {
    const done = await change<{ text: string }>('/api/init', {})
    said.value = done.ok ? done.value.text : done.error.message
    await state.refresh()
  }
  return (
    <section class="empty" aria-labelledby="set-up-title">
      <h1 id="set-up-title">Nothing to run here yet</h1>
      <p>
        A <code>joust.yaml</code> says which attacks are let loose on which agents. <code>joust init</code> looks at
        this folder and writes one, with a first attack and simulated agents to try it on. It never writes over
        anything.
      </p>
      <p>
        <button type="button" class="primary" onClick={setUp}>
          Write joust.yaml and a first attack
        </button>
      </p>
      {said.value !== '' && <ScrolledText class="problem" label="What was done" text={said.value} />}
    </section>
  )
}
