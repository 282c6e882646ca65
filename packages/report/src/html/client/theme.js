/** Light, dark, or as the system has it. */
import { h } from './dom.js'

const THEMES = ['auto', 'light', 'dark']
const THEME_KEY = 'joust-report-theme'

/**
 * The button that goes through them; the choice is kept where the browser allows it.
 * @returns {HTMLElement}
 */
export function themeButton() {
  let theme = stored()
  const button = h('button', { type: 'button', class: 'theme' })
  const show = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    button.textContent = `Theme: ${theme}`
  }
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
    keep(theme)
    show()
  })
  show()
  return button
}

/** @returns {string} */
function stored() {
  try {
    const kept = localStorage.getItem(THEME_KEY)
    return kept !== null && THEMES.includes(kept) ? kept : 'auto'
  } catch {
    // Files may be denied storage; then nothing is kept.
    return 'auto'
  }
}

/** @param {string} theme */
function keep(theme) {
  try {
    localStorage.setItem(THEME_KEY, theme)
  } catch {
    // As above.
  }
}
