import { z } from 'zod'
import { booleanParam, cursorPaging, GrantId, HexColour, line, selectParam, textParam } from './fields.ts'
import { sharedFrom } from './mail-filters.ts'
import { route } from './route.ts'

export const Folder = z
  .object({
    id: z.string().meta({
      description:
        'Id of the folder or label. With `imap` it is made of the path, in characters that stand in an address without being encoded, and changes when the folder is renamed.',
    }),
    grant_id: GrantId,
    object: z.literal('folder').meta({ description: 'What the object is: always `folder`' }),
    name: z.string().meta({
      description:
        'Name as the user sees it. With `imap`, `icloud` and `yahoo` it is the whole path, with the separator of the server; with `google` a label within another is written `parent/child`.',
    }),
    attributes: z.array(z.string()).meta({
      description:
        'What the folder is for: `\\Inbox`, `\\Sent`, `\\Drafts`, `\\Trash`, `\\Junk`, `\\Archive`, and what an IMAP server says beside them. Empty for folders of the user. Find the sent mail by this and not by the name, which differs by language.',
    }),
    system_folder: z.boolean().optional().meta({
      description: 'Whether the provider has it for everybody, as the inbox; not with `microsoft` and `ews`',
    }),
    parent_id: z.string().optional().meta({
      description: '`microsoft` and `ews`: id of the folder that it lies in',
    }),
    child_count: z.int().optional().meta({
      description: '`microsoft` and `ews`: how many folders lie in it, those within them not counted',
    }),
    total_count: z.int().optional().meta({
      description: 'How many messages it holds; left out where the server does not open the folder',
    }),
    unread_count: z.int().optional().meta({ description: 'How many of its messages are unread' }),
    background_color: z.string().optional().meta({
      description: '`google`: colour of the label, such as `#16a765`, where it was given one',
    }),
    text_color: z.string().optional().meta({
      description: '`google`: colour of its name, such as `#ffffff`, where it was given one',
    }),
    former_id: z
      .string()
      .optional()
      .meta({ description: 'In `folder.updated` of a folder that has another id since it was renamed: the id before' }),
  })
  .meta({ id: 'Folder', description: 'A folder of a mailbox, or a label at Google' })
export type Folder = z.output<typeof Folder>

export const FolderDraft = z
  .object({
    name: line(1024).min(1).meta({
      description:
        'Name of the folder. One within another is written with the separator of the IMAP server, or as `parent/child` with `google`; with `microsoft` and `ews` give `parent_id` instead.',
    }),
    parent_id: line(1024).nullish().meta({
      description: '`microsoft` and `ews`: id of the folder that it is to lie in; others refuse it',
    }),
    text_color: HexColour.nullish().meta({
      description: '`google`: colour of the name, of the palette of Gmail and together with `background_color`',
    }),
    background_color: HexColour.nullish().meta({
      description: '`google`: colour of the label, of the palette of Gmail and together with `text_color`',
    }),
  })
  .meta({ id: 'FolderDraft', description: 'A folder to be made' })
export type FolderDraft = z.output<typeof FolderDraft>

export const FolderChange = FolderDraft.partial({ name: true }).meta({
  id: 'FolderChange',
  description: 'What is to be another about a folder; what is left out stays',
})
export type FolderChange = z.output<typeof FolderChange>

const hidden = {
  include_hidden_folders: booleanParam().meta({
    description: '`microsoft` and `ews`: `true` shows folders that Outlook hides, too. Default: `false`',
  }),
}

export const FolderListQuery = z.object({
  parent_id: textParam().meta({
    description: '`microsoft` and `ews`: only the folders within the one of this id; others refuse it',
  }),
  ...hidden,
  single_level: booleanParam().meta({
    description: '`microsoft` and `ews`: `true` gives one level only, `false` (default) the whole tree in one list',
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
    method: 'GET',
    path: at,
    summary: 'List folders, those within others included',
    description:
      'All folders or labels of the mailbox in one flat list. A `select` without counts and colours is quicker at Google, which tells them of one label at a time.',
    audience: 'grant',
    query: FolderListQuery,
    returns: Folder,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create a folder',
    description: 'A folder, or a label at Google. A name that is taken is answered with 409.',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...selectParam }),
    body: FolderDraft,
    returns: Folder,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:folder_id`,
    summary: 'Get one folder',
    description: 'One folder or label by its id, with its counts.',
    audience: 'grant',
    query: FolderQuery,
    returns: Folder,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:folder_id`,
    summary: 'Change a folder',
    description:
      'Renames, moves or colours a folder. With `imap` a renamed folder has another id, which the answer carries. Folders of the system, such as the inbox, cannot be changed.',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...selectParam }),
    body: FolderChange,
    returns: Folder,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:folder_id`,
    summary: 'Delete a folder',
    description: 'Its messages go with it; with `google` they lose the label and stay.',
    audience: 'grant',
    query: z.object(sharedFrom),
    errors: ['not_found'],
  }),
}
