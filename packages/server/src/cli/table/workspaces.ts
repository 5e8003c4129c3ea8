/** `waypost workspaces …`. */
import type { Noun } from '../program/command.ts'
import { app } from './options.ts'

const module = () => import('../workspaces.ts')

export const workspaces: Noun = {
  summary: 'Groups of grants, usually the accounts of one customer',
  list: 'list',
  verbs: {
    list: {
      summary: 'List the workspaces of an application: the default one, then the oldest first',
      options: { app },
      examples: {
        'waypost workspaces list': 'of the sandbox application',
        'waypost workspaces list --app "My application"': 'of another application',
      },
      json: 'an array of workspaces, as returned by GET /v3/workspaces: [{"workspace_id": "…", "name": "Example Travel", "domain": "example.com", "auto_group": true, "default": false, …}]',
      onStore: async () => (await module()).workspacesList,
    },
    create: {
      summary: 'Create a workspace',
      words: [{ name: 'NAME', summary: 'name of the workspace' }],
      options: {
        app,
        domain: { value: 'DOMAIN', summary: 'new grants with an address in this domain join the workspace' },
      },
      examples: {
        'waypost workspaces create "Example Travel" --domain example.com': 'for the accounts of a domain',
        'waypost workspaces create "Tour guides"': 'grants are assigned by hand',
      },
      json: 'the workspace: {"workspace_id": "…", "name": "Example Travel", "domain": "example.com", "auto_group": true, …}',
      onStore: async () => (await module()).workspacesCreate,
    },
    group: {
      summary: 'Move grants of the default workspace to the workspaces of their domains',
      more: 'Starts a job in the background, which a running server carries out. A domain without a workspace gets one. Grants in other workspaces stay there.',
      options: { app, domain: { value: 'DOMAIN', summary: 'only grants with an address in this domain' } },
      examples: {
        'waypost workspaces group --domain example.com': 'grants that existed before the workspace',
        'waypost workspaces group': 'all domains',
      },
      json: '{"job_id": "…", "message": "The grants are grouped in the background. …"}',
      onStore: async () => (await module()).workspacesGroup,
    },
    assign: {
      summary: 'Move a grant to a workspace',
      words: [
        { name: 'WORKSPACE', summary: 'the workspace: its id or its domain; or default' },
        { name: 'GRANT', summary: 'the grant: its id, its address, or external:<external id>' },
      ],
      options: { app },
      examples: {
        'waypost workspaces assign example.com me@example.org': 'to the workspace of a domain',
        'waypost workspaces assign default me@example.org': 'back to the default workspace',
      },
      json: '{"workspace_id": "…", "grants_assigned": ["…"], "grants_removed": null, …}',
      onStore: async () => (await module()).workspacesAssign,
    },
  },
}
