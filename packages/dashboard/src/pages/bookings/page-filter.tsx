/** Filters bookings by their page. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { ChoiceFilter } from '../../components/filters.tsx'
import { pagesKey } from '../booking-pages/data.ts'

export function PageFilter({ application }: { application: string }) {
  const { data = [] } = useQuery({
    queryKey: pagesKey(application, 'names'),
    queryFn: async ({ signal }) =>
      (await api(application).schedulingPages.list({ query: { limit: 200 }, signal })).data,
  })
  return <ChoiceFilter label="Booking page" name="page" options={data.map(({ id, name }) => [id, name] as const)} />
}
