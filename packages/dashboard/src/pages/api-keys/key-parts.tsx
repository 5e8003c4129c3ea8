/** Parts of the list and the page of API keys. */
import type { ApiKey } from '@waypost/sdk'
import { api } from '../../api.ts'
import { ConfirmButton } from '../../components/dialog.tsx'
import { refresh } from '../../queries.ts'

export function Revoke({ apiKey }: { apiKey: ApiKey }) {
  return (
    <ConfirmButton
      small
      label="Revoke"
      title={`Revoke ${apiKey.name}?`}
      confirm="Revoke key"
      onConfirm={() => api().apiKeys.delete({ application_id: apiKey.application_id, id: apiKey.id })}
      reload={() => refresh('api-keys')}
      done={`${apiKey.name} was revoked`}
    >
      <p>
        Requests with <code>{apiKey.hint}</code> are refused immediately on every node. This cannot be undone.
      </p>
    </ConfirmButton>
  )
}

const creators: Record<ApiKey['created_by']['type'], string> = {
  person: 'by a person',
  installation: 'with the installation’s password or a one-time link',
  command: 'with a command on the server',
  start: 'at the first start or from settings',
  service_account: 'by a service account',
  unknown: 'creator not recorded',
}

/** Describes who created a key. */
export const sayCreator = ({ type, name }: ApiKey['created_by']): string =>
  name === null ? creators[type] : `by ${name}`
