/** The notice above customer data, and the text shown when the user must not see it. */
import type { ReactNode } from 'react'
import { useRights } from '../rights.ts'
import { Icon } from './icons.tsx'
import { Empty } from './states.tsx'

/** Whether the signed-in user may see customer data. */
export const useSeesCustomerData = (): boolean => useRights().customerData

/** Says whose data it is and that access is logged. */
export function CustomerDataMark({ of }: { of: string | undefined }) {
  return (
    <p className="customer-data">
      <Icon name="eye" />
      <span>
        You are viewing {of ? <bdi className="wrap">{`${of}’s`}</bdi> : 'a customer’s'} data. Access is logged.
      </span>
    </p>
  )
}

/** Shows customer data below the notice, or explains why it is not available. */
export function CustomerData({ of, children }: { of: string | undefined; children: ReactNode }) {
  const { role, customerData } = useRights()
  if (customerData) {
    return (
      <>
        <CustomerDataMark of={of} />
        {children}
      </>
    )
  }
  return (
    <section className="card">
      <Empty title="Customer data is not available">
        {role === 'viewer' ? (
          'Viewers cannot see the contents of customer accounts. Ask an owner for another role.'
        ) : (
          <>
            The operator of this installation turned it off (<code>WAYPOST_CUSTOMER_DATA=off</code>).
          </>
        )}
      </Empty>
    </section>
  )
}
