/** `waypost people …`. */
import type { Noun, Option, Word } from '../program/command.ts'
import { limit } from './options.ts'

const module = () => import('../people.ts')

const address: Word = { name: 'ADDRESS', summary: 'email address of the person' }
const role: Option = {
  value: 'ROLE',
  summary: 'role of the person',
  choices: ['owner', 'administrator', 'viewer'],
}
const apps: Option = {
  value: 'APPLICATIONS',
  summary: 'all, or comma-separated ids or names of applications',
}
const name: Option = { value: 'NAME', summary: 'name of the person' }
const revokeKeys: Option = { summary: 'revoke the API keys that the person created; otherwise they stay valid' }
const one = '{"id": "…", "email": "…", "name": "…", "role": "viewer", "applications": "all", "state": "active", …}'
const invited = '{"id": "…", "email": "…", "state": "invited", "invitation_link": "http://…", …}'

export const people: Noun = {
  summary: 'People who administer the service, with their roles',
  list: 'list',
  verbs: {
    list: {
      summary: 'List people',
      options: { limit },
      examples: { 'waypost people list': 'addresses, roles and states' },
      json: `an array of people, as returned by GET /v3/admin/people: [${one}]`,
      onStore: async () => (await module()).peopleList,
    },
    invite: {
      summary: 'Invite a person; the link for choosing a password is shown once',
      words: [address],
      options: { role: { ...role, usual: 'administrator' }, apps: { ...apps, usual: 'all' }, name },
      examples: {
        'waypost people invite ada@example.com --role owner': 'with full access',
        'waypost people invite bob@example.com --role viewer --apps Billing': 'with read access to one application',
      },
      json: invited,
      onStore: async () => (await module()).peopleInvite,
    },
    link: {
      summary: 'Create a new link for a person who lost the invitation or password',
      words: [address],
      examples: { 'waypost people link ada@example.com': 'earlier links stop working' },
      json: invited,
      onStore: async () => (await module()).peopleLink,
    },
    change: {
      summary: 'Change the role, the applications or the name of a person',
      words: [address],
      options: { role, apps, name, 'revoke-keys': revokeKeys },
      examples: { 'waypost people change bob@example.com --role administrator --apps all': 'takes effect immediately' },
      json: one,
      onStore: async () => (await module()).peopleChange,
    },
    block: {
      summary: 'Block a person and end their sessions',
      words: [address],
      options: { 'revoke-keys': revokeKeys },
      examples: { 'waypost people block bob@example.com': 'no data is lost' },
      json: one,
      onStore: async () => (await module()).peopleBlock,
    },
    unblock: {
      summary: 'Unblock a person',
      words: [address],
      examples: { 'waypost people unblock bob@example.com': 'with their previous password' },
      json: one,
      onStore: async () => (await module()).peopleUnblock,
    },
    'remove-totp': {
      summary: 'Remove the second factor of a person who lost it, and end their sessions',
      words: [address],
      examples: { 'waypost people remove-totp ada@example.com': 'the password alone is then sufficient' },
      json: one,
      onStore: async () => (await module()).peopleRemoveTotp,
    },
    'second-factor': {
      summary: 'Choose which roles need a second factor',
      more: 'People with these roles must set up a second factor before they can do anything else. Sign-in with OpenID Connect is not affected.',
      words: [{ name: 'ROLES', summary: 'all, none, or comma-separated roles' }],
      examples: {
        'waypost people second-factor all': 'everyone needs one',
        'waypost people second-factor owner,administrator': 'viewers do not',
        'waypost people second-factor none': 'nobody needs one: use it if owners are locked out',
      },
      json: '{"second_factor_required_for": ["owner", "administrator"]}',
      onStore: async () => (await module()).peopleSecondFactor,
    },
    remove: {
      summary: 'Remove a person; their actions stay in the audit log under their name',
      more: 'API keys that the person created stay valid and are listed; --revoke-keys revokes them.',
      words: [address],
      options: { 'revoke-keys': revokeKeys },
      examples: {
        'waypost people remove bob@example.com': 'the last owner who can sign in cannot be removed',
        'waypost people remove bob@example.com --revoke-keys': 'including the API keys that they created',
      },
      json: '{"id": "…", "email": "…", "state": "removed", "api_keys": […], "api_keys_revoked": false}',
      onStore: async () => (await module()).peopleRemove,
    },
  },
}
