/** Light, dark, or as the system is set. */
import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'

const THEMES = ['auto', 'light', 'dark'] as const

/** The button that cycles through them; the choice is kept under a name, where the browser allows it. */
export function ThemeButton({ storedAs }: { readonly storedAs: string }): JSX.Element {
  const theme = useSignal(stored(storedAs))
  useSignalEffect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
  })
  const next = () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
    keep(storedAs, theme.value)
  }
  return (
    <button type="button" class="theme" onClick={next}>
      <span>Theme: </span>
      {theme}
    </button>
  )
}

function stored(name: string): (typeof THEMES)[number] {
  try {
    const kept = localStorage.getItem(name)
    return THEMES.find((theme) => theme === kept) ?? 'auto'
  } catch {
    // Files may be denied storage; then nothing is kept.
    return 'auto'
  }
}

function keep(name: string, theme: string): void {
  try {
    localStorage.setItem(name, theme)
  } catch {
    // Files may be denied storage; then nothing is kept.
  }
}
