/** Form fields for the role of a person and the applications they can access. */
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

/** Reads the values of the fields. */
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
            ['all', 'All, including future ones'],
            ['some', 'Only selected applications'],
          ]}
          hint={some ? 'All other applications are hidden from this person.' : undefined}
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
