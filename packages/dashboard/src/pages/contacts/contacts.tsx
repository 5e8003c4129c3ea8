/** The contacts of a grant: search, view, create and edit. */
import type { Contact, Grant } from '@waypost/sdk'
import { useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx'
import { SelectField } from '../../components/form.tsx'
import { Icon } from '../../components/icons.tsx'
import { Card } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { plural } from '../../format.ts'
import { useFilters } from '../../list/address.ts'
import { useLive } from '../../live.ts'
import { refresh } from '../../queries.ts'
import { GrantData } from '../grants/grant-data.tsx'
import { useGrantActivity } from '../grants/grant-tabs.tsx'
import '../../styles/contacts.css'
import { ContactDetails } from './contact-details.tsx'
import { Portrait } from './contact-facts.tsx'
import { ContactForm } from './contact-form.tsx'
import { type Account, keyOf, useContacts, useGroups } from './data.ts'
import { nameOf } from './names.ts'
import { fits } from './search.ts'

const triggers = ['contact.updated', 'contact.deleted']
const sources = [
  ['', 'Address book'],
  ['inbox', 'From mail'],
  ['domain', 'Directory'],
] as const

const columnsFor = (onOpen: (id: string) => void): readonly Column<Contact>[] => [
  {
    title: 'Name',
    cell: (contact) => (
      <span className="contact-name">
        <Portrait contact={contact} />
        <button type="button" className="link wrap" onClick={() => onOpen(contact.id)}>
          {nameOf(contact)}
        </button>
      </span>
    ),
  },
  {
    title: 'Address',
    cell: ({ emails }) => <span className="contact-address">{emails.map(({ email }) => email).join(', ')}</span>,
  },
  { title: 'Telephone', cell: ({ phone_numbers }) => phone_numbers.map(({ number }) => number).join(', ') },
  { title: 'Company', cell: ({ company_name }) => <span className="wrap">{company_name ?? ''}</span> },
]

function Contacts({ application, grant }: { application: string; grant: Grant }) {
  const account: Account = useMemo(() => ({ application, grant }), [application, grant])
  const [isCreating, setCreating] = useState(false)
  const { read, set } = useFilters()
  const filter = { search: read('search'), group: read('group'), source: read('source') }
  const { query, isSearching, isReading } = useContacts(account, filter)
  const { data: activity } = useGrantActivity(application, grant.id)
  const can = (operation: string): boolean => activity?.operations.includes(operation) === true
  const groups = useGroups(account, can('contactGroups.list')).data ?? []
  useLive({ application, grant: grant.id, triggers, onChange: () => void refresh(...keyOf(account)) })
  const columns = useMemo(() => columnsFor((id) => set({ contact: id })), [set])
  const open = read('contact')
  const isFiltered = filter.search !== '' || filter.group !== '' || filter.source !== ''
  return (
    <>
      <div className="contact-filters">
        <Filters>
          <TextFilter label="Search" name="search" placeholder="Name, full address or number" />
          {groups.length > 0 && (
            <ChoiceFilter label="Group" name="group" options={groups.map(({ id, name }) => [id, name] as const)} />
          )}
          <SelectField
            label="Source"
            name="source"
            options={sources}
            value={filter.source}
            onChange={(value) => set({ source: value })}
          />
        </Filters>
        {can('contacts.create') && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            New contact
          </Button>
        )}
      </div>
      <Card>
        <Loaded query={query} lines={8}>
          {(all) => {
            const rows = isSearching ? all.filter((contact) => fits(contact, filter.search)) : all
            return (
              <>
                {rows.length === 0 && !isReading ? (
                  <Empty title={isFiltered ? 'No matching contacts' : 'No contacts yet'} />
                ) : (
                  <Table label="Contacts" rows={rows} columns={columns} id={({ id }) => id} />
                )}
                <div className="foot">
                  <span role="status">
                    {isReading ? `Searching ${plural(all.length, 'contact')}…` : plural(rows.length, 'contact')}
                    {query.hasNextPage && !isReading ? ' shown' : ''}
                  </span>
                  {query.hasNextPage && !isReading && (
                    <Button small busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                      Show more
                    </Button>
                  )}
                </div>
              </>
            )
          }}
        </Loaded>
      </Card>
      {isCreating && (
        <ContactForm {...{ account, groups }} onClose={() => setCreating(false)} onDone={() => setCreating(false)} />
      )}
      {open && <ContactDetails key={open} {...{ account, groups }} id={open} onClose={() => set({ contact: '' })} />}
    </>
  )
}

export function ContactsPage({ application, id }: { application: string; id: string }) {
  return (
    <GrantData application={application} id={id} current="contacts">
      {(grant) => <Contacts application={application} grant={grant} />}
    </GrantData>
  )
}
