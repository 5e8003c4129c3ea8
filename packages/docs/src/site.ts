/** Parts of every page: the theme switch, and the search for reference and guides. */
import type { Theme } from '@waypost/dashboard/theme'
import { openSearch } from './search.ts'
import { openThemes } from './theme.ts'

export function openSite({ themed = () => {} }: { themed?: (theme: Theme) => void } = {}): void {
  const theme = document.querySelector<HTMLButtonElement>('#theme')
  if (theme) openThemes(theme, themed)
  const search = document.querySelector<HTMLButtonElement>('#search')
  if (search) openSearch(search)
}
