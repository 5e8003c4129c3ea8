/** Chooses one of many applications. The list is searched by name or ID. */
import { offeredApplications, useApplicationSummary, useFoundApplications } from '../queries.ts'
import { SearchChoice, useTypedText } from './search-choice.tsx'

interface ApplicationChoiceProps {
  label: string
  /** The id of the chosen application. */
  value: string | undefined
  /** Label of the option that chooses no application. Without it, one must be chosen. */
  none?: string
  onChoose(id: string): void
}

export function ApplicationChoice({ label, value, none, onChoose }: ApplicationChoiceProps) {
  const typed = useTypedText()
  const current = useApplicationSummary(value || undefined)
  const { data = [], isFetching } = useFoundApplications(typed.text, typed.isOpen)
  return (
    <SearchChoice
      {...{ label, typed }}
      listLabel="Applications found"
      placeholder="Name or ID"
      shown={value ? (current.data?.branding.name ?? '…') : (none ?? '')}
      options={[
        ...(none === undefined || typed.text ? [] : [{ id: '', name: none }]),
        ...data.map(({ application_id, branding }) => ({ id: application_id, name: branding.name })),
      ]}
      isSearching={isFetching}
      hasMore={data.length >= offeredApplications}
      none="No application found"
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === value}
      onChoose={({ id }) => onChoose(id)}
    >
      {({ name }) => name}
    </SearchChoice>
  )
}
