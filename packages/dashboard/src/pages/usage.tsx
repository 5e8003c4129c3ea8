/** Billed grants by month and provider. */

import type { Usage } from '@waypost/sdk'
import { api } from '../api.ts'
import { BarChart, type Series } from '../components/chart.tsx'
import { Card, Page, Tiles } from '../components/page.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Table } from '../components/table.tsx'
import { count, sayMonth } from '../format.ts'
import { useData } from '../queries.ts'
import { providerTitle } from './connectors/kinds.ts'

const colors = [1, 3, 4, 5, 6, 2] as const

function seriesOf(months: Usage['months']): Series[] {
  const providers = [...new Set(months.flatMap(({ by_provider }) => Object.keys(by_provider)))].sort()
  return providers.map((provider, index) => ({
    name: providerTitle(provider),
    color: colors[index % colors.length] ?? 1,
    values: months.map(({ by_provider }) => by_provider[provider] ?? 0),
  }))
}

const byProvider = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([provider, grants]) => `${providerTitle(provider)} ${count(grants)}`)
    .join(' · ') || '–'

export function UsagePage({ application }: { application: string }) {
  const query = useData(['usage', application], (signal) => api().usage.get({ application_id: application, signal }))
  return (
    <Page title="Usage" lead="Each grant is billed for every month in which it exists, used or not.">
      <Loaded query={query}>
        {(usage) => {
          const oldestFirst = usage.months.slice(0, 12).reverse()
          return (
            <>
              <Tiles
                tiles={[
                  ['Billed this month', count(usage.billed_grants)],
                  ['By provider', byProvider(usage.by_provider), true],
                ]}
              />
              <Card>
                {oldestFirst.length === 0 ? (
                  <Empty title="No usage yet">Billing starts with the first grant of this application.</Empty>
                ) : (
                  <div className="card-body">
                    <BarChart
                      title="Billed grants by month"
                      unit="grants"
                      labels={oldestFirst.map(({ month }) => sayMonth(month))}
                      series={seriesOf(oldestFirst)}
                    />
                  </div>
                )}
              </Card>
              {usage.months.length > 0 && (
                <Card title="Months">
                  <Table
                    label="Months"
                    rows={usage.months}
                    id={({ month }) => month}
                    columns={[
                      { title: 'Month', cell: ({ month }) => sayMonth(month) },
                      { title: 'By provider', cell: (month) => byProvider(month.by_provider) },
                      { title: 'Billed grants', kind: 'end tight', cell: ({ billed_grants }) => count(billed_grants) },
                    ]}
                  />
                </Card>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
