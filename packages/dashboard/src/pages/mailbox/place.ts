/** Which folder, message and search is looked at: in the address of the page, so that it can be sent to others. */
import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { type FilterName, filterNames, type MailFilter } from './mail-filter.ts'

export type MailView = 'threads' | 'messages'

/** All mail, whatever folder it is in. */
export const everywhere = '*'

export interface MailPlace {
  /** Id of a folder, or `everywhere`; the inbox where it is not said. */
  folder: string | undefined
  view: MailView
  /** The thread, or in the view of messages the message, that is open. */
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

/** The address of a place, relative to the page. */
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
