import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'

const THEMES = ['auto', 'light', 'dark'] as const

/** A button that cycles through the themes and stores the choice in `localStorage` under `storedAs`. */
export function ThemeButton({ storedAs }: { readonly storedAs: string }): JSX.Element {
  const theme = useSignal(THEMES.find((one) => one === tryStorage(() => localStorage.getItem(storedAs))) ?? 'auto')
  useSignalEffect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
  })
  const next = () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
    tryStorage(() => localStorage.setItem(storedAs, theme.value))
  }
  return (
    <button type="button" class="theme" onClick={next}>
      <span>Theme: </span>
      {theme}
    </button>
  )
}

/** Returns undefined if the browser denies access to storage, as it may for pages opened from files. */
function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
