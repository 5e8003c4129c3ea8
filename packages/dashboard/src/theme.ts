/** Light, dark, or the system's theme; stored in this browser. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'waypost-theme'
const isTheme = (text: string | null): text is Theme => themes.some((theme) => theme === text)

export function currentTheme(): Theme {
  const retained = localStorage.getItem(key)
  return isTheme(retained) ? retained : 'system'
}

export function applyTheme(theme: Theme = currentTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  localStorage.setItem(key, theme)
}
