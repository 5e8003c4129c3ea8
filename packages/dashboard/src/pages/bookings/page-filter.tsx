/** Filters bookings by their page. */

import { api } from '../../api.ts'
import { ChoiceFilter } from '../../components/filters.tsx'
import { useData } from '../../queries.ts'
import { pagesKey } from '../booking-pages/data.ts'

export function PageFilter({ application }: { application: string }) {
  const { data = [] } = useData(pagesKey(application, 'names'), (signal) =>
    api(application).schedulingPages.list({ query: { limit: 200 }, signal }),
  )
  return <ChoiceFilter label="Booking page" name="page" options={data.map(({ id, name }) => [id, name] as const)} />
}
