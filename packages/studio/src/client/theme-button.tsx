/** Light, dark, or as the system has it. */
import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'

const THEMES = ['auto', 'light', 'dark'] as const
const KEY = 'joust-studio-theme'

export function ThemeButton(): JSX.Element {
  const theme = useSignal(THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'auto')
  useSignalEffect(() => {
    localStorage.setItem(KEY, theme.value)
    if (theme.value === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
  })
  const next = () => (theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto')
  return (
    <button type="button" class="theme" onClick={next}>
      <span class="theme-word">Theme: </span>
      {theme}
    </button>
  )
}
