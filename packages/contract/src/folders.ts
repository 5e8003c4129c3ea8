import { z } from 'zod'
import { booleanParam, cursorPaging, GrantId, HexColor, line, selectParam, textParam } from './fields.ts'
import { sharedFrom } from './mail-filters.ts'
import { route } from './route.ts'

export const Folder = z
  .object({
    id: z.string().meta({
      description:
        'Id of the folder or label. For `imap` it encodes the path in URL-safe characters and changes when the folder is renamed.',
    }),
    grant_id: GrantId,
    object: z.literal('folder').meta({ description: 'Object type: always `folder`' }),
    name: z.string().meta({
      description:
        "Name shown to the user. For `imap`, `icloud` and `yahoo` it is the full path with the server's separator; for `google` a nested label is written `parent/child`.",
    }),
    attributes: z.array(z.string()).meta({
      description:
        "Special use of the folder: `\\Inbox`, `\\Sent`, `\\Drafts`, `\\Trash`, `\\Junk`, `\\Archive`, and other attributes of IMAP servers. Empty for the user's own folders. Use it to find the sent mail, because names differ by language.",
    }),
    system_folder: z.boolean().optional().meta({
      description:
        'Whether the provider creates it for every account, like the inbox; absent for `microsoft` and `ews`',
    }),
    parent_id: z.string().optional().meta({
      description: '`microsoft` and `ews`: id of the parent folder',
    }),
    child_count: z.int().optional().meta({
      description: '`microsoft` and `ews`: number of direct subfolders',
    }),
    total_count: z.int().optional().meta({
      description: 'Number of messages; absent if the server cannot open the folder',
    }),
    unread_count: z.int().optional().meta({ description: 'Number of unread messages' }),
    background_color: z.string().optional().meta({
      description: '`google`: background color of the label, such as `#16a765`, if set',
    }),
    text_color: z.string().optional().meta({
      description: '`google`: text color of the label, such as `#ffffff`, if set',
    }),
    former_id: z
      .string()
      .optional()
      .meta({ description: 'In `folder.updated`, if a rename changed the id: the previous id' }),
  })
  .meta({ id: 'Folder', description: 'A mail folder, or a Google label' })
export type Folder = z.output<typeof Folder>

export const FolderDraft = z
  .object({
    name: line(1024).min(1).meta({
      description:
        'Name of the folder. For a nested folder, use the separator of the IMAP server, or `parent/child` with `google`; with `microsoft` and `ews` use `parent_id` instead.',
    }),
    parent_id: line(1024).nullish().meta({
      description: '`microsoft` and `ews`: id of the parent folder; other providers refuse it',
    }),
    text_color: HexColor.nullish().meta({
      description: "`google`: text color from Gmail's palette, together with `background_color`",
    }),
    background_color: HexColor.nullish().meta({
      description: "`google`: background color from Gmail's palette, together with `text_color`",
    }),
  })
  .meta({ id: 'FolderDraft', description: 'A new folder' })
export type FolderDraft = z.output<typeof FolderDraft>

export const FolderChange = FolderDraft.partial({ name: true }).meta({
  id: 'FolderChange',
  description: 'Changes to a folder. Absent fields stay unchanged',
})
export type FolderChange = z.output<typeof FolderChange>

const hidden = {
  include_hidden_folders: booleanParam().meta({
    description: '`microsoft` and `ews`: `true` includes folders that Outlook hides. Default: `false`',
  }),
}

export const FolderListQuery = z.object({
  parent_id: textParam().meta({
    description: '`microsoft` and `ews`: only subfolders of the folder with this id; other providers refuse it',
  }),
  ...hidden,
  single_level: booleanParam().meta({
    description: '`microsoft` and `ews`: `true` returns one level, `false` (default) the whole tree in one list',
  }),
  ...sharedFrom,
  ...cursorPaging(),
  ...selectParam,
})
export type FolderListQuery = z.output<typeof FolderListQuery>

export const FolderQuery = z.object({ ...hidden, ...sharedFrom, ...selectParam })
export type FolderQuery = z.output<typeof FolderQuery>

const at = '/v3/grants/:grant_id/folders'

export const folders = {
  list: route({
    right: 'mail.read',
    method: 'GET',
    path: at,
    summary: 'List folders',
    description:
      'Returns all folders or labels of the mailbox in one flat list, including nested ones. With Google, a `select` without counts and colors is faster, because Google reports them for one label at a time.',
    audience: 'grant',
    query: FolderListQuery,
    returns: Folder,
    list: 'cursor',
  }),
  create: route({
    right: 'mail.organize',
    method: 'POST',
    path: at,
    summary: 'Create a folder',
    description: 'Creates a folder, or a Google label. A name that is already used fails with 409.',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...selectParam }),
    body: FolderDraft,
    returns: Folder,
    errors: ['conflict'],
  }),
  get: route({
    right: 'mail.read',
    method: 'GET',
    path: `${at}/:folder_id`,
    summary: 'Get one folder',
    description: 'Returns one folder or label with its counts.',
    audience: 'grant',
    query: FolderQuery,
    returns: Folder,
    errors: ['not_found'],
  }),
  update: route({
    right: 'mail.organize',
    method: 'PUT',
    path: `${at}/:folder_id`,
    summary: 'Change a folder',
    description:
      'Renames, moves or recolors a folder. With `imap`, a renamed folder gets a new id, which the response contains. System folders such as the inbox cannot be changed.',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...selectParam }),
    body: FolderChange,
    returns: Folder,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    right: 'mail.delete',
    method: 'DELETE',
    path: `${at}/:folder_id`,
    summary: 'Delete a folder',
    description: 'Deletes its messages too; with `google` they only lose the label.',
    audience: 'grant',
    query: z.object(sharedFrom),
    errors: ['not_found'],
  }),
}
