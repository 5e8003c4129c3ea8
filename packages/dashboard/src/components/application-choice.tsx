/** Chooses one of many applications. The list is searched by name or ID. */
import { useId, useState } from 'react'
import { offeredApplications, useApplicationSummary, useFoundApplications } from '../queries.ts'
import { useCombobox } from './combobox.tsx'

export function ApplicationChoice({
  label,
  value,
  none,
  onChoose,
}: {
  label: string
  /** The id of the chosen application. */
  value: string | undefined
  /** Label of the option that chooses no application. Without it, one must be chosen. */
  none?: string
  onChoose(id: string): void
}) {
  const [typed, setTyped] = useState<string>()
  const id = useId()
  const isOpen = typed !== undefined
  const current = useApplicationSummary(value || undefined)
  const found = useFoundApplications(typed ?? '', isOpen)
  const options = [
    ...(none === undefined || typed ? [] : [{ id: '', name: none }]),
    ...(found.data ?? []).map(({ application_id, branding }) => ({ id: application_id, name: branding.name })),
  ]
  const close = (): void => setTyped(undefined)
  const combobox = useCombobox({
    label: 'Applications found',
    length: options.length,
    isOpen,
    onChoose(index) {
      const chosen = options[index]
      if (!chosen) return
      close()
      onChoose(chosen.id)
    },
    onClose: close,
    onOpen: () => setTyped(''),
  })
  const shown = value ? (current.data?.branding.name ?? '…') : (none ?? '')
  return (
    <div className="choice">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        spellCheck={false}
        autoComplete="off"
        placeholder={isOpen ? 'Name or ID' : undefined}
        value={typed ?? shown}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => !isOpen && setTyped('')}
        onBlur={close}
        onChange={(event) => {
          combobox.first()
          setTyped(isOpen ? event.currentTarget.value : event.currentTarget.value.replace(shown, ''))
        }}
        {...combobox.field}
      />
      {isOpen && (
        <div className="choice-list">
          <div {...combobox.list}>
            {options.map((option, index) => (
              <div key={option.id} {...combobox.option(index)} data-current={option.id === value || undefined}>
                {option.name}
              </div>
            ))}
          </div>
          {options.length === 0 && (
            <p className="quiet small">{found.isFetching ? 'Searching…' : 'No application found'}</p>
          )}
          {(found.data?.length ?? 0) >= offeredApplications && <p className="quiet small">Type to find others</p>}
        </div>
      )}
    </div>
  )
}
