/** Commands about the installation: the service itself, its store, its keys, its health. */
import type { Noun } from '../program/command.ts'
import { app } from './options.ts'

export const serve: Noun = {
  summary: 'Run the service',
  own: {
    summary: 'Run the service',
    more: 'Settings are environment variables; example.env has all of them with their defaults. SIGTERM and SIGINT end it.',
    examples: [
      { line: 'waypost serve', what: 'on 127.0.0.1:3000, with SQLite in ./data' },
      { line: 'WAYPOST_PORT=8080 waypost serve', what: 'on another port' },
    ],
    json: 'the same as without: what is logged is JSON always',
    plain: async () => (await import('../serve.ts')).serveCommand,
  },
}

export const dev: Noun = {
  summary: 'Run the service beside simulated providers',
  own: {
    summary: 'Run the service beside a simulated Google, Microsoft, Exchange and Yahoo, to develop against',
    more: 'It prints where they are and which accounts they have. Data is in ./data/dev, apart from that of `waypost serve`.',
    examples: [{ line: 'waypost dev', what: 'the service on 127.0.0.1:3000, the simulators on ports of their own' }],
    json: 'the same as without: what is logged is JSON always',
    plain: async () => (await import('../dev.ts')).devCommand,
  },
}

export const dashboard: Noun = {
  summary: "The administrator's page",
  verbs: {
    link: {
      summary: 'Make a link that signs the administrator in, once, within 15 minutes',
      examples: [{ line: 'waypost dashboard link', what: 'whoever opens it first is the administrator' }],
      json: '{"link": "http://…"}',
      onStore: async () => (await import('../dashboard.ts')).dashboardLink,
    },
    password: {
      summary: 'Switch the password of the installation (user admin) on or off, or make a new one',
      more: 'Off: nobody signs in with it, and the sessions that it began end. An owner must be able to sign in without it. People, links and API keys are not affected. New: the service makes up a password, which must be changed at the first sign-in, within a day.',
      words: [{ name: 'SWITCH', summary: 'on, off or new', choices: ['on', 'off', 'new'] }],
      examples: [
        { line: 'waypost dashboard password off', what: 'once owners sign in by themselves' },
        { line: 'waypost dashboard password on', what: 'for an owner who is locked out' },
        { line: 'waypost dashboard password new', what: 'when nobody knows it any more' },
      ],
      json: '{"installation_password": true}, or {"user": "admin", "password": "…"}',
      onStore: async () => (await import('../people.ts')).dashboardPassword,
    },
  },
}

export const importV2: Noun = {
  summary: 'Import virtual accounts from an export of version 2',
  own: {
    summary: 'Import virtual accounts from an export of v2; run it again to catch up (docs/import-v2.md)',
    words: [{ name: 'FILE', summary: 'the export', completes: 'files' }],
    options: { app, 'dry-run': { summary: 'say what would be done, and keep nothing' } },
    examples: [
      { line: 'waypost import-v2 export.json --dry-run', what: 'what would happen' },
      {
        line: 'waypost import-v2 export.json --app "My application"',
        what: 'into another application than the sandbox',
      },
    ],
    json: 'the report: {"application_id": "…", "dry_run": false, "accounts": {…}, "calendars": {…}, "events": {…}, "skipped": […], "altered": […], …}',
    onStore: async () => (await import('../import-v2.ts')).importV2,
  },
}

export const db: Noun = {
  summary: 'The store',
  verbs: {
    migrate: {
      summary: 'Bring the store to the newest form; the server does so at every start',
      more: 'An empty PostgreSQL database gets its tables. The first `waypost serve` then makes the application and its key.',
      examples: [{ line: 'waypost db migrate', what: 'before new nodes are started, say' }],
      json: '{"store": "sqlite", "applied": "nothing to do"}',
      plain: async () => (await import('../store.ts')).dbMigrate,
    },
    compact: {
      summary: 'Write the SQLite file anew without the space of removed rows, while no server runs on it',
      examples: [
        {
          line: 'waypost db compact',
          what: 'once, for a file that an earlier version made; from then on it gives space back by itself',
        },
      ],
      json: '{"store": "sqlite", "bytes_before": 1400000000, "bytes_after": 90000000}',
      onStore: async () => (await import('../store.ts')).dbCompact,
    },
  },
}

export const secrets: Noun = {
  summary: 'The key that seals stored credentials',
  verbs: {
    rotate: {
      summary: 'Put every stored secret under a new key; can be interrupted and run again',
      examples: [{ line: 'waypost secrets rotate', what: 'beside the running service' }],
      json: '{"key": "…", "rewrapped": 120, "under_old_keys": 0, "dropped": 1}',
      onStore: async () => (await import('../store.ts')).secretsRotate,
    },
  },
}

export const completion: Noun = {
  summary: 'Completion of this command in a shell',
  verbs: {
    bash: {
      summary: 'Print the completion for bash',
      examples: [
        { line: 'source <(waypost completion bash)', what: 'in this shell, or as a line of ~/.bashrc' },
        {
          line: 'waypost completion bash > ~/.local/share/bash-completion/completions/waypost',
          what: 'for every shell, where bash-completion is installed',
        },
      ],
      json: '{"script": "…"}',
      plain: async () => (await import('../program/completion.ts')).completionBash,
    },
    zsh: {
      summary: 'Print the completion for zsh',
      examples: [
        { line: 'source <(waypost completion zsh)', what: 'in this shell, or as a line of ~/.zshrc after compinit' },
        { line: 'waypost completion zsh > ~/.zfunc/_waypost', what: 'for every shell that has ~/.zfunc in its fpath' },
      ],
      json: '{"script": "…"}',
      plain: async () => (await import('../program/completion.ts')).completionZsh,
    },
    names: {
      summary: 'Print the names of the applications, which the completions offer after --app',
      examples: [{ line: 'waypost completion names', what: 'nothing where there is no store' }],
      json: 'an array of names: ["Sandbox", …]',
      plain: async () => (await import('../application-names.ts')).completionNames,
    },
  },
}
