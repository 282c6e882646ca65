/** Light, dark, or as the system is set. */
import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'

const THEMES = ['auto', 'light', 'dark'] as const

/** The button that cycles through them; the choice is kept under a name, where the browser allows it. */
export function ThemeButton({ storedAs }: { readonly storedAs: string }): JSX.Element {
  const theme = useSignal(THEMES.find((one) => one === whereAllowed(() => localStorage.getItem(storedAs))) ?? 'auto')
  useSignalEffect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
  })
  const next = () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
    whereAllowed(() => localStorage.setItem(storedAs, theme.value))
  }
  return (
    <button type="button" class="theme" onClick={next}>
      <span>Theme: </span>
      {theme}
    </button>
  )
}

/** Files may be denied storage; then nothing is kept. */
function whereAllowed<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
