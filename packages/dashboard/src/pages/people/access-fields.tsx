/** The role of a person, and the applications that they reach. */
import type { ReachedApplications, Role } from '@waypost/sdk'
import { useState } from 'react'
import { CheckField, Choices, FieldError, SelectField, type Values } from '../../components/form.tsx'
import { useApplications } from '../../queries.ts'
import { roleNames, roles } from '../../rights.ts'
import { roleWords } from '../account/profile.tsx'

export interface Access {
  role: Role
  applications: ReachedApplications
}

/** What the fields say. */
export function accessIn(values: Values): Access {
  const role = roles.find((each) => each === values.text('role')) ?? 'viewer'
  if (role === 'owner' || values.text('reach') !== 'some') return { role, applications: 'all' }
  const applications = values.all('applications')
  if (applications.length === 0) throw new FieldError('applications', 'Choose at least one.')
  return { role, applications }
}

export function AccessFields({ access }: { access: Access }) {
  const { data = [] } = useApplications()
  const [role, setRole] = useState<Role>(access.role)
  const [some, setSome] = useState(access.applications !== 'all')
  const isReached = (id: string): boolean => access.applications !== 'all' && access.applications.includes(id)
  return (
    <>
      <SelectField
        label="Role"
        name="role"
        value={role}
        onChange={(value) => setRole(roles.find((each) => each === value) ?? role)}
        options={roles.map((each) => [each, roleNames[each]])}
        hint={roleWords[role]}
      />
      {role !== 'owner' && (
        <SelectField
          label="Applications"
          name="reach"
          value={some ? 'some' : 'all'}
          onChange={(value) => setSome(value === 'some')}
          options={[
            ['all', 'All, also those to come'],
            ['some', 'Some of them'],
          ]}
          hint={some ? 'Others do not exist for the person.' : undefined}
        />
      )}
      {role !== 'owner' && some && (
        <Choices legend="Which" name="applications">
          {data.map(({ application_id: id, branding }) => (
            <CheckField key={id} name="applications" value={id} checked={isReached(id)} label={branding.name} />
          ))}
        </Choices>
      )}
    </>
  )
}
