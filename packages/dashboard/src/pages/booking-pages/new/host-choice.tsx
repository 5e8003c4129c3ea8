/** Adds an account to the hosts of a page. Accounts are found by address or name. */
import type { AdminGrant } from '@waypost/sdk'
import { useId, useState } from 'react'
import { useCombobox } from '../../../components/combobox.tsx'
import { providerTitle } from '../../connectors/kinds.ts'
import { offeredAccounts, useFoundAccounts } from '../data.ts'

export function HostChoice({
  application,
  label,
  except,
  onChoose,
}: {
  application: string
  label: string
  /** Grants that are already chosen. */
  except: readonly string[]
  onChoose(grant: AdminGrant): void
}) {
  const [typed, setTyped] = useState<string>()
  const id = useId()
  const isOpen = typed !== undefined
  const found = useFoundAccounts(application, typed ?? '', isOpen)
  const options = (found.data ?? []).filter((grant) => !except.includes(grant.id))
  const close = (): void => setTyped(undefined)
  const combobox = useCombobox({
    label: 'Accounts found',
    length: options.length,
    isOpen,
    onChoose(index) {
      const chosen = options[index]
      if (!chosen) return
      close()
      onChoose(chosen)
    },
    onClose: close,
    onOpen: () => setTyped(''),
  })
  return (
    <div className="choice field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        spellCheck={false}
        autoComplete="off"
        placeholder="Address or name"
        value={typed ?? ''}
        onClick={() => !isOpen && setTyped('')}
        onBlur={close}
        onChange={(event) => {
          combobox.first()
          setTyped(event.currentTarget.value)
        }}
        {...combobox.field}
      />
      {isOpen && (
        <div className="choice-list">
          <div {...combobox.list}>
            {options.map((grant, index) => (
              <div key={grant.id} {...combobox.option(index)}>
                <span className="wrap">{grant.email}</span>{' '}
                <span className="quiet small">{grant.name || providerTitle(grant.provider)}</span>
              </div>
            ))}
          </div>
          {options.length === 0 && (
            <p className="quiet small">{found.isFetching ? 'Searching…' : 'No other valid account found'}</p>
          )}
          {(found.data?.length ?? 0) >= offeredAccounts && <p className="quiet small">Type to find others</p>}
        </div>
      )}
    </div>
  )
}
