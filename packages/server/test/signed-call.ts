/** Calls that a service account signs with the published client, and an owner who creates service accounts. */
import type { NewServiceAccount, ServiceAccountDraft } from '@waypost/contract'
import { type BuildServiceAccountHeadersParams, ServiceAccountSigner } from 'nylas'
import type { Answer, TestService } from './harness.ts'

export const accountsPath = '/v3/admin/service-accounts'

export async function makeServiceAccount(
  service: TestService,
  draft: Partial<ServiceAccountDraft> = {},
): Promise<NewServiceAccount> {
  const permissions = ['apikey.create', 'apikey.get', 'apikey.delete']
  const body = { name: 'Deployments', permissions, ...draft }
  const answer = await service.call('POST', accountsPath, { admin: true, body })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

export function signerOf({ credential }: Pick<NewServiceAccount, 'credential'>): ServiceAccountSigner {
  if (!credential) throw new Error('the service account has a key of its own')
  return new ServiceAccountSigner({ privateKeyPem: credential.private_key, privateKeyId: credential.private_key_id })
}

export type SignedOptions = Pick<BuildServiceAccountHeadersParams, 'body' | 'nonce' | 'timestamp'> & {
  headers?: Record<string, string>
}

/** A call that the published client signs, without the query in the signed path. */
export function callSigned(
  service: TestService,
  signer: ServiceAccountSigner,
  [method, target]: readonly [method: string, target: string],
  { headers: more = {}, ...options }: SignedOptions = {},
): Promise<Answer> {
  const [path = ''] = target.split('?', 1)
  const { headers, serializedBody } = signer.buildHeaders({ method, path, ...options })
  const body = serializedBody === undefined ? {} : { body: serializedBody }
  return service.call(method, target, { key: null, headers: { ...headers, ...more }, ...body })
}
