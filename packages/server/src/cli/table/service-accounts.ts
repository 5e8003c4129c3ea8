/** `waypost service-accounts …`. */
import { ServiceAccountPermission } from '@waypost/contract'
import type { Noun, Word } from '../program/command.ts'

const module = () => import('../service-accounts.ts')

const id: Word = { name: 'ID', summary: 'id of the service account' }
const one = '{"id": "…", "name": "…", "permissions": ["apikey.get"], "applications": "all", "status": "active", …}'

export const serviceAccounts: Noun = {
  summary: 'Programs that sign requests to administration routes with an RSA key',
  list: 'list',
  verbs: {
    list: {
      summary: 'List service accounts',
      examples: { 'waypost service-accounts list': 'names, permissions and states' },
      json: `an array of service accounts, as returned by GET /v3/admin/service-accounts: [${one}]`,
      onStore: async () => (await module()).serviceAccountsList,
    },
    create: {
      summary: 'Create a service account; its private key is shown once',
      more: `Permissions: ${ServiceAccountPermission.options.join(', ')}.`,
      words: [{ name: 'NAME', summary: 'name of the service account' }],
      options: {
        permissions: { value: 'PERMISSIONS', summary: 'comma-separated permissions' },
        apps: { value: 'APPLICATIONS', summary: 'all, or comma-separated ids or names of applications', usual: 'all' },
        'expires-in': { value: 'DAYS', summary: 'days until it expires (default: never)', atLeast: 1 },
        'public-key': {
          value: 'FILE',
          summary: 'file with your own RSA public key in PEM format (default: a new key pair)',
          completes: 'files',
        },
      },
      examples: {
        'waypost service-accounts create Deployments --permissions apikey.create,apikey.delete --apps Billing':
          'for one application',
        'waypost service-accounts create Auditor --permissions audit.get --public-key auditor.pem':
          'with a key of your own',
      },
      json: `{"id": "…", …, "credential": {"type": "service_account", "private_key_id": "…", "private_key": "-----BEGIN PRIVATE KEY-----…", …}}`,
      onStore: async () => (await module()).serviceAccountsCreate,
    },
    block: {
      summary: 'Refuse the signatures of a service account',
      words: [id],
      examples: { 'waypost service-accounts block ID': 'from the next request, on every node' },
      json: one,
      onStore: async () => (await module()).serviceAccountsBlock,
    },
    unblock: {
      summary: 'Accept the signatures of a blocked service account again',
      words: [id],
      examples: { 'waypost service-accounts unblock ID': 'with the same key' },
      json: one,
      onStore: async () => (await module()).serviceAccountsUnblock,
    },
    revoke: {
      summary: 'Remove a service account; its actions stay in the audit log',
      words: [id],
      examples: { 'waypost service-accounts revoke ID': 'API keys that it created stay valid' },
      json: '{"id": "…", "status": "revoked"}',
      onStore: async () => (await module()).serviceAccountsRevoke,
    },
  },
}
