/** What every page has: the switch between light and dark, and the search over reference and guides. */
import type { Theme } from '../../dashboard/src/theme.ts'
import { openSearch } from './search.ts'
import { openThemes } from './theme.ts'

export function openSite({ themed = () => {} }: { themed?: (theme: Theme) => void } = {}): void {
  const theme = document.querySelector<HTMLButtonElement>('#theme')
  if (theme) openThemes(theme, themed)
  const search = document.querySelector<HTMLButtonElement>('#search')
  if (search) openSearch(search)
}
