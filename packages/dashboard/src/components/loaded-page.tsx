import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card, Page } from './page.tsx'
import { Loaded } from './states.tsx'

/** The page of one object. Until it is loaded, and if it cannot be, a page with this title says so. */
export function LoadedPage<T>({
  query,
  title,
  back,
  children,
}: {
  query: UseQueryResult<T>
  title: string
  back: { to: string; label: string }
  children(data: T): ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Page title={title} back={back}>
      <Card>
        <Loaded query={query}>{() => null}</Loaded>
      </Card>
    </Page>
  )
}
