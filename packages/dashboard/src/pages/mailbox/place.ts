/** The current folder, message and search in the URL, so that they can be shared. */
import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { type FilterName, filterNames, type MailFilter } from './mail-filter.ts'

export type MailView = 'threads' | 'messages'

/** All mail in all folders. */
export const everywhere = '*'

export interface MailPlace {
  /** Id of a folder, or `everywhere`; undefined means the inbox. */
  folder: string | undefined
  view: MailView
  /** The open thread, or the open message in the message view. */
  open: string | undefined
  filter: MailFilter
}

const isFilter = (name: string): name is FilterName => filterNames.some((each) => each === name)

export function placeIn(search: string): MailPlace {
  const params = new URLSearchParams(search)
  return {
    folder: params.get('folder') ?? undefined,
    view: params.get('view') === 'messages' ? 'messages' : 'threads',
    open: params.get('open') ?? undefined,
    filter: Object.fromEntries([...params].filter(([name, value]) => isFilter(name) && value !== '')),
  }
}

/** The query string of a place. */
export function searchOf({ folder, view, open, filter }: MailPlace): string {
  const params = new URLSearchParams()
  if (folder !== undefined) params.set('folder', folder)
  if (view !== 'threads') params.set('view', view)
  for (const [name, value] of Object.entries(filter)) if (value) params.set(name, value)
  if (open !== undefined) params.set('open', open)
  return params.size > 0 ? `?${params}` : ''
}

export const usePlace = (): MailPlace => {
  const search = useSearch()
  return useMemo(() => placeIn(search), [search])
}
