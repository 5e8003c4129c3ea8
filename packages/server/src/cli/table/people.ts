/** `waypost people …`. */
import type { Noun, Option, Word } from '../program/command.ts'
import { limit } from './options.ts'

const module = () => import('../people.ts')

const address: Word = { name: 'ADDRESS', summary: 'the e-mail address of the person' }
const role: Option = {
  value: 'ROLE',
  summary: 'what the person may do',
  choices: ['owner', 'administrator', 'viewer'],
}
const apps: Option = {
  value: 'APPLICATIONS',
  summary: 'all, or ids or names of applications with commas between them',
}
const name: Option = { value: 'NAME', summary: 'what the person is called' }
const revokeKeys: Option = { summary: 'revoke the API keys that the person created; they stay valid otherwise' }
const one = '{"id": "…", "email": "…", "name": "…", "role": "viewer", "applications": "all", "state": "active", …}'
const invited = '{"id": "…", "email": "…", "state": "invited", "invitation_link": "http://…", …}'

export const people: Noun = {
  summary: 'The people who administer the service, with their roles',
  list: 'list',
  verbs: {
    list: {
      summary: 'List the people',
      options: { limit },
      examples: [{ line: 'waypost people list', what: 'addresses, roles and states' }],
      json: `an array of people, as GET /v3/admin/people answers them: [${one}]`,
      onStore: async () => (await module()).peopleList,
    },
    invite: {
      summary: 'Invite a person; the link to choose a password by is shown once',
      words: [address],
      options: { role: { ...role, usual: 'administrator' }, apps: { ...apps, usual: 'all' }, name },
      examples: [
        { line: 'waypost people invite ada@example.com --role owner', what: 'who may do everything' },
        {
          line: 'waypost people invite bob@example.com --role viewer --apps Billing',
          what: 'who reads one application',
        },
      ],
      json: invited,
      onStore: async () => (await module()).peopleInvite,
    },
    link: {
      summary: 'Make a new link for a person who lost the invitation or the password',
      words: [address],
      examples: [{ line: 'waypost people link ada@example.com', what: 'the link before ends' }],
      json: invited,
      onStore: async () => (await module()).peopleLink,
    },
    change: {
      summary: 'Change the role, the applications or the name of a person',
      words: [address],
      options: { role, apps, name, 'revoke-keys': revokeKeys },
      examples: [{ line: 'waypost people change bob@example.com --role administrator --apps all', what: 'at once' }],
      json: one,
      onStore: async () => (await module()).peopleChange,
    },
    block: {
      summary: 'Block a person; their sessions end',
      words: [address],
      options: { 'revoke-keys': revokeKeys },
      examples: [{ line: 'waypost people block bob@example.com', what: 'nothing of them is lost' }],
      json: one,
      onStore: async () => (await module()).peopleBlock,
    },
    unblock: {
      summary: 'Let a blocked person in again',
      words: [address],
      examples: [{ line: 'waypost people unblock bob@example.com', what: 'with the password that they had' }],
      json: one,
      onStore: async () => (await module()).peopleUnblock,
    },
    'remove-totp': {
      summary: 'Remove the second factor of a person who lost it; their sessions end',
      words: [address],
      examples: [{ line: 'waypost people remove-totp ada@example.com', what: 'the password alone does from then on' }],
      json: one,
      onStore: async () => (await module()).peopleRemoveTotp,
    },
    'second-factor': {
      summary: 'Choose which roles need a second factor',
      more: 'People of these roles without one can do nothing but set it up. Sign-in with OpenID Connect is not affected.',
      words: [{ name: 'ROLES', summary: 'all, none, or roles with commas between them' }],
      examples: [
        { line: 'waypost people second-factor all', what: 'everybody needs one' },
        { line: 'waypost people second-factor owner,administrator', what: 'viewers do not' },
        { line: 'waypost people second-factor none', what: 'nobody does: the way out when owners are locked out' },
      ],
      json: '{"second_factor_required_for": ["owner", "administrator"]}',
      onStore: async () => (await module()).peopleSecondFactor,
    },
    remove: {
      summary: 'Remove a person; what they did stays in the audit under their name',
      more: 'API keys that the person created stay valid and are listed; --revoke-keys revokes them.',
      words: [address],
      options: { 'revoke-keys': revokeKeys },
      examples: [
        { line: 'waypost people remove bob@example.com', what: 'the last owner who can sign in stays' },
        { line: 'waypost people remove bob@example.com --revoke-keys', what: 'with the API keys that they created' },
      ],
      json: '{"id": "…", "email": "…", "state": "removed", "api_keys": […], "api_keys_revoked": false}',
      onStore: async () => (await module()).peopleRemove,
    },
  },
}
