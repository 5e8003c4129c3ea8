/** The mark of everything that shows what is a customer's own, and what stands there where nobody may see it. */
import type { ReactNode } from 'react'
import { useRights } from '../rights.ts'
import { Icon } from './icons.tsx'
import { Empty } from './states.tsx'

/** Whether whoever is signed in may see what customers hold. */
export const useSeesCustomerData = (): boolean => useRights().customerData

/** Says whose data it is, and that opening it is written down. */
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

/** A view of a customer's own data under its mark, or the sentence that says why it is not shown. */
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
