/** Adds an account to the hosts of a page. Accounts are found by address or name. */
import type { AdminGrant } from '@waypost/sdk'
import { SearchChoice, useTypedText } from '../../../components/search-choice.tsx'
import { providerTitle } from '../../connectors/kinds.ts'
import { offeredAccounts, useFoundAccounts } from '../data.ts'

interface HostChoiceProps {
  application: string
  label: string
  /** Grants that are already chosen. */
  except: readonly string[]
  onChoose(grant: AdminGrant): void
}

export function HostChoice({ application, label, except, onChoose }: HostChoiceProps) {
  const typed = useTypedText()
  const { data = [], isFetching } = useFoundAccounts(application, typed.text, typed.isOpen)
  return (
    <SearchChoice
      {...{ label, typed, onChoose }}
      className="field"
      listLabel="Accounts found"
      placeholder="Address or name"
      options={data.filter(({ id }) => !except.includes(id))}
      isSearching={isFetching}
      hasMore={data.length >= offeredAccounts}
      none="No other valid account found"
      keyOf={({ id }) => id}
    >
      {({ email, name, provider }) => (
        <>
          <span className="wrap">{email}</span> <span className="quiet small">{name || providerTitle(provider)}</span>
        </>
      )}
    </SearchChoice>
  )
}
