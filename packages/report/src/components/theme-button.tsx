/** Light, dark, or as the system is set. */
import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'

const THEMES = ['auto', 'light', 'dark'] as const
const KEY = 'joust-report-theme'

/** The button that cycles through them; the choice is kept where the browser allows it. */
export function ThemeButton(): JSX.Element {
  const theme = useSignal(stored())
  useSignalEffect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
  })
  const next = () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
    keep(theme.value)
  }
  return (
    <button type="button" class="theme" onClick={next}>
      Theme: {theme}
    </button>
  )
}

function stored(): (typeof THEMES)[number] {
  try {
    const kept = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === kept) ?? 'auto'
  } catch {
    // Files may be denied storage; then nothing is kept.
    return 'auto'
  }
}

function keep(theme: string): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Files may be denied storage; then nothing is kept.
  }
}
