/** Folders as people know them: those that every mailbox has first, one within the other. */
import type { Folder } from '@waypost/sdk'

export interface ShownFolder {
  folder: Folder
  /** What it is called within the one that it lies in. */
  name: string
  depth: number
}

/** What folders are for, in the order that mail programs show them in, and in words. */
const uses: readonly (readonly [attribute: string, name: string])[] = [
  ['\\Inbox', 'Inbox'],
  ['\\Drafts', 'Drafts'],
  ['\\Sent', 'Sent'],
  ['\\Archive', 'Archive'],
  ['\\All', 'All mail'],
  ['\\Junk', 'Junk'],
  ['\\Trash', 'Trash'],
]
/** Labels of Gmail that are marks of messages and no folders. */
const marks = new Set(['UNREAD', 'CHAT'])
const separators = ['/', '.', '\\']

const useOf = ({ attributes }: Folder): number =>
  uses.findIndex(([attribute]) => attributes.some((each) => each.toLowerCase() === attribute.toLowerCase()))

/** Whether a folder is for this, such as `\Drafts`. */
export const isFor = (folder: Folder | undefined, attribute: string): boolean =>
  folder !== undefined && uses[useOf(folder)]?.[0] === attribute

/** The folder that one lies in: by its id, or by the beginning of its path. */
function parentOf(folder: Folder, all: readonly Folder[]): Folder | undefined {
  if (folder.parent_id !== undefined) return all.find(({ id }) => id === folder.parent_id)
  const above = all.filter(
    ({ id, name }) => id !== folder.id && separators.some((sign) => folder.name.startsWith(`${name}${sign}`)),
  )
  return above.sort((a, b) => b.name.length - a.name.length)[0]
}

/** Gmail writes its own labels in capitals. */
const words = (name: string): string => {
  const bare = name.replace(/^CATEGORY_/, '')
  return /^[A-Z_]{3,}$/.test(bare) ? `${bare[0]}${bare.slice(1).toLowerCase().replaceAll('_', ' ')}` : name
}

export function nameOf(folder: Folder, parent?: Folder): string {
  const use = uses[useOf(folder)]
  // The name of a folder of everybody differs by server and language; who has several of a use sees their own names.
  if (use && !parent) return use[1]
  const own =
    parent && folder.parent_id === undefined && folder.name.startsWith(parent.name)
      ? folder.name.slice(parent.name.length + 1)
      : folder.name
  return folder.system_folder ? words(own) : own
}

/** All folders in the order of the tree. */
export function folderTree(folders: readonly Folder[]): ShownFolder[] {
  const all = folders.filter(({ id, system_folder }) => !(system_folder && marks.has(id)))
  const children = Map.groupBy(all, (folder) => {
    // What everybody has stands at the top, also where a server keeps all folders below the inbox.
    return useOf(folder) === -1 || folder.parent_id !== undefined ? parentOf(folder, all)?.id : undefined
  })
  const order = (folder: Folder): number => (useOf(folder) === -1 ? uses.length : useOf(folder))
  const shown: ShownFolder[] = []
  const seen = new Set<string>()
  const add = (parent: Folder | undefined, depth: number): void => {
    const here = (children.get(parent?.id) ?? []).map((folder) => ({ folder, name: nameOf(folder, parent) }))
    here.sort((a, b) => order(a.folder) - order(b.folder) || a.name.localeCompare(b.name))
    for (const { folder, name } of here) {
      if (seen.has(folder.id)) continue
      seen.add(folder.id)
      shown.push({ folder, name, depth })
      add(folder, depth + 1)
    }
  }
  add(undefined, 0)
  // What lies in something that is not told is shown all the same.
  for (const folder of all) if (!seen.has(folder.id)) shown.push({ folder, name: nameOf(folder), depth: 0 })
  return shown
}
