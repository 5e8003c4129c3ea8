import type { ServiceAccount, serviceAccounts } from '../service-accounts.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId } from './shared.ts'

const publicKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAy8Dbv8prpJ/0kKhlGeJY
…
-----END PUBLIC KEY-----
`

const deployer: ServiceAccount = {
  id: 'b7d1f0c4-2a65-4e98-8c3b-90e4a7f6d215',
  name: 'Deployments',
  permissions: ['apikey.create', 'apikey.get', 'apikey.delete'],
  applications: [applicationId],
  status: 'active',
  public_key: publicKey,
  expires_at: null,
  last_used_at: 1_742_932_740,
  created_at: 1_736_421_000,
  updated_at: 1_736_421_000,
}
const params = { service_account_id: deployer.id }
const { name, permissions } = deployer

export const serviceAccountExamples: ExamplesOf<typeof serviceAccounts> = {
  list: { answer: [deployer] },
  create: {
    body: { name, permissions, applications: [applicationId] },
    answer: {
      ...deployer,
      last_used_at: null,
      credential: {
        type: 'service_account',
        name,
        private_key_id: deployer.id,
        private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ…\n',
        organization_id: '7c1e90b3-58da-4f27-b6c4-e2d83a0f9615',
        region: 'us',
        permissions,
      },
    },
  },
  get: { params, answer: deployer },
  update: { params, body: { blocked: true }, answer: { ...deployer, status: 'blocked', updated_at: 1_742_933_000 } },
  delete: { params },
}
