/** Reads the rights of a restricted API key or an agent from the fields of a form. */
import type { ApprovalKind, KeyGrants, KeyOperation, KeyRights } from '@waypost/sdk'
import type { Values } from '../../components/form.tsx'
import { FieldError } from '../../components/form-problems.ts'
import { type ChosenGrant, operationOrder } from './rights.ts'

const orNull = (lines: string[]): string[] | null => (lines.length === 0 ? null : lines)

function grantsOf(values: Values, chosen: readonly ChosenGrant[]): KeyGrants | null {
  const kind = values.text('grants')
  if (kind === 'chosen') {
    if (chosen.length === 0) throw new FieldError('grants', 'Choose at least one grant, or allow all.')
    return { ids: chosen.map(({ id }) => id) }
  }
  if (kind !== 'metadata') return null
  const key = values.text('metadata_key')
  const value = values.text('metadata_value')
  if (!key || !value) throw new FieldError('metadata_key', 'Enter a key and a value.')
  return { metadata: { [key]: value } }
}

/** The rights that the fields of a form describe. */
export function rightsIn(values: Values, chosen: readonly ChosenGrant[]): KeyRights {
  const operations = values.all('operations') as KeyOperation[]
  if (operations.length === 0) throw new FieldError('operations', 'Choose at least one.')
  return {
    operations: operationOrder.filter((operation) => operations.includes(operation)),
    grants: grantsOf(values, chosen),
    recipients: orNull(values.lines('recipients')),
    messages_per_hour: values.number('messages_per_hour') ?? null,
    networks: orNull(values.lines('networks')),
    approval: values.all('approval') as ApprovalKind[],
    elicitation: values.checked('elicitation'),
  }
}
