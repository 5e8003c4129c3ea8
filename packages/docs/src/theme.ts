/** Light, dark, or the system's theme. The choice is stored in this browser and shared with the dashboard. */
import { applyTheme, currentTheme, type Theme, themes } from '@waypost/dashboard/theme'

const names: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' }

/** Cycles through the themes on click. */
export function openThemes(button: HTMLButtonElement, themed: (theme: Theme) => void): void {
  const show = (theme: Theme): void => {
    applyTheme(theme)
    themed(theme)
    button.dataset.theme = theme
    button.setAttribute('aria-label', `Colors: ${names[theme].toLowerCase()}`)
    button.title = `Colors: ${names[theme].toLowerCase()}`
  }
  show(currentTheme())
  button.addEventListener('click', () => {
    show(themes[(themes.indexOf(currentTheme()) + 1) % themes.length] ?? 'system')
  })
}
