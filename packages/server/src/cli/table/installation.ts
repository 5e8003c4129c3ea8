/** Commands for the installation: the service itself, its store, its keys, its health. */
import type { Noun } from '../program/command.ts'
import { app } from './options.ts'

export const serve: Noun = {
  summary: 'Run the service',
  own: {
    summary: 'Run the service',
    more: 'Settings are environment variables; example.env lists all of them with their defaults. Stop it with SIGTERM or SIGINT.',
    examples: {
      'waypost serve': 'on 127.0.0.1:3000, with SQLite in ./data',
      'WAYPOST_PORT=8080 waypost serve': 'on another port',
    },
    json: 'no effect: the log is always JSON',
    plain: async () => (await import('../serve.ts')).serveCommand,
  },
}

export const dev: Noun = {
  summary: 'Run the service with simulated providers',
  own: {
    summary: 'Run the service with simulated Google, Microsoft, Exchange and Yahoo servers, for development',
    more: 'It prints their URLs and accounts. Data is in ./data/dev, separate from that of `waypost serve`.',
    examples: { 'waypost dev': 'the service on 127.0.0.1:3000, the simulators on other ports' },
    json: 'no effect: the log is always JSON',
    plain: async () => (await import('../serve.ts')).devCommand,
  },
}

export const mcp: Noun = {
  summary: 'An MCP server on standard input and output, for assistants on this machine',
  own: {
    summary: 'Connect an assistant on this machine to a running service (MCP over standard input and output)',
    more: 'The assistant starts this command. It needs an API key with the right "mcp" in WAYPOST_API_KEY or in a file. The service decides what the key may do. Problems are printed to standard error. See docs/agents.md.',
    options: {
      url: {
        value: 'URL',
        summary: 'base URL of the service (default: WAYPOST_BASE_URL, or http://127.0.0.1:3000)',
      },
      'key-file': { value: 'FILE', summary: 'file with the API key, instead of WAYPOST_API_KEY', completes: 'files' },
    },
    examples: {
      'waypost mcp --key-file ~/.waypost-agent.key': 'for the service on this machine',
      'WAYPOST_API_KEY=wprk_… waypost mcp --url https://waypost.example.com': 'for another one',
    },
    json: 'no effect: standard output always carries the protocol',
    plain: async () => (await import('../mcp/command.ts')).mcpCommand,
  },
}

export const dashboard: Noun = {
  summary: 'The dashboard',
  verbs: {
    link: {
      summary: 'Create a link that signs in the administrator, once, within 15 minutes',
      examples: { 'waypost dashboard link': 'the first person to open it is the administrator' },
      json: '{"link": "http://…"}',
      onStore: async () => (await import('../people.ts')).dashboardLink,
    },
    password: {
      summary: "Turn the installation's password (user admin) on or off, or create a new one",
      more: 'Off: nobody can sign in with it, and its sessions end. An owner must be able to sign in without it. People, links and API keys are not affected. New: the service generates a password, which must be changed at the first sign-in, within a day.',
      words: [{ name: 'SWITCH', summary: 'on, off or new', choices: ['on', 'off', 'new'] }],
      examples: {
        'waypost dashboard password off': 'once owners can sign in with their own accounts',
        'waypost dashboard password on': 'for an owner who is locked out',
        'waypost dashboard password new': 'if nobody knows it anymore',
      },
      json: '{"installation_password": true}, or {"user": "admin", "password": "…"}',
      onStore: async () => (await import('../people.ts')).dashboardPassword,
    },
  },
}

export const importV2: Noun = {
  summary: 'Import virtual accounts from an export of version 2',
  own: {
    summary: 'Import virtual accounts from a v2 export; run it again to catch up (docs/import-v2.md)',
    words: [{ name: 'FILE', summary: 'the export', completes: 'files' }],
    options: { app, 'dry-run': { summary: 'show what would be done, without saving anything' } },
    examples: {
      'waypost import-v2 export.json --dry-run': 'shows what would happen',
      'waypost import-v2 export.json --app "My application"': 'into an application other than the sandbox',
    },
    json: 'the report: {"application_id": "…", "dry_run": false, "accounts": {…}, "calendars": {…}, "events": {…}, "skipped": […], "altered": […], …}',
    onStore: async () => (await import('../import-v2.ts')).importV2,
  },
}

export const db: Noun = {
  summary: 'The store',
  verbs: {
    migrate: {
      summary: 'Migrate the store to the current schema; the server does this at every start',
      more: 'It shows progress, and also runs the steps that a node would run in the background. An empty PostgreSQL database gets its tables. The first `waypost serve` then creates the application and its key.',
      options: {
        plan: { summary: 'show the steps, their locks and what they wait for, without changing anything' },
      },
      examples: {
        'waypost db migrate --plan': 'what an upgrade would do, and whether old nodes may keep running',
        'waypost db migrate': 'for example before starting new nodes',
      },
      json: '{"store": "sqlite", "applied": "nothing to do"}; with --plan {"store": "postgresql", "version": "…", "is_empty": false, "migrations": [], "steps": [{"change": 49, "step": "…", "kind": "expand", "runs": "…", "locks": […], "old_nodes_keep_running": true, "waits_for": [], …}], "old_nodes_keep_running": true}',
      plain: async () => (await import('../migrate.ts')).dbMigrate,
    },
    distribute: {
      summary: 'Distribute a store on PostgreSQL over the workers of a Citus cluster, while no node runs',
      more: 'The database is on the coordinator, and the workers are already added to it. An interrupted run is continued by the next one. Each table is compared with its number of rows before. See docs/scale.md.',
      options: {
        plan: { summary: 'print what would be done, and what is missing, without changing anything' },
        // Enough for 32 workers; each table has as many files on them.
        shards: {
          value: 'N',
          summary: 'parts of each table, which workers divide among them',
          atLeast: 1,
          usual: '32',
        },
      },
      examples: {
        'waypost db distribute --plan': 'the steps, the size of each table, and what is missing',
        'waypost db distribute': 'after a backup, with all nodes stopped',
      },
      json: '{"distributed": true, "tables": 46, "rows": 120000}; with --plan {"cluster": {…}, "problems": […], "warnings": […], "steps": […]}',
      plain: async () => (await import('../distribute.ts')).dbDistribute,
    },
    compact: {
      summary: 'Rewrite the SQLite file without unused space, while no server uses it',
      examples: {
        'waypost db compact': 'once, for a file created by an earlier version; later the file frees space itself',
      },
      json: '{"store": "sqlite", "bytes_before": 1400000000, "bytes_after": 90000000}',
      onStore: async () => (await import('../store.ts')).dbCompact,
    },
  },
}

export const secrets: Noun = {
  summary: 'The key that encrypts stored credentials',
  verbs: {
    rotate: {
      summary: 'Encrypt every stored secret with a new key; can be interrupted and run again',
      examples: { 'waypost secrets rotate': 'while the service runs' },
      json: '{"key": "…", "rewrapped": 120, "under_old_keys": 0, "dropped": 1}',
      onStore: async () => (await import('../store.ts')).secretsRotate,
    },
  },
}

export const version: Noun = {
  summary: 'The version of this program',
  own: {
    summary: 'Print the version, the Node that runs it, the platform and the newest schema of the store that it knows',
    more: 'It needs no settings and no store. `waypost --version` prints the version alone.',
    examples: { 'waypost version --json': 'for a script, or for a bug report' },
    json: '{"version": "1.0.0", "node": "26.10.0", "platform": "linux-x64", "schema": 48}',
    plain: async () => (await import('../version.ts')).versionCommand,
  },
}

export const completion: Noun = {
  summary: 'Shell completion',
  verbs: {
    bash: {
      summary: 'Print the completion script for bash',
      examples: {
        'source <(waypost completion bash)': 'in this shell, or as a line in ~/.bashrc',
        'waypost completion bash > ~/.local/share/bash-completion/completions/waypost':
          'for every shell, if bash-completion is installed',
      },
      json: '{"script": "…"}',
      plain: async () => (await import('../program/completion.ts')).completionBash,
    },
    zsh: {
      summary: 'Print the completion script for zsh',
      examples: {
        'source <(waypost completion zsh)': 'in this shell, or as a line in ~/.zshrc after compinit',
        'waypost completion zsh > ~/.zfunc/_waypost': 'for every shell with ~/.zfunc in its fpath',
      },
      json: '{"script": "…"}',
      plain: async () => (await import('../program/completion.ts')).completionZsh,
    },
    names: {
      summary: 'Print the names of the applications, for completion after --app',
      examples: { 'waypost completion names': 'prints nothing if there is no store' },
      json: 'an array of names: ["Sandbox", …]',
      plain: async () => (await import('../named.ts')).completionNames,
    },
  },
}
