// Requests of EWS, written by hand.

interface FolderWish {
  readonly base?: string
  /** Of `AdditionalProperties`. */
  readonly more?: string
}

export function folderShape({ base = 'Default', more = '' }: FolderWish = {}): string {
  const additional = more === '' ? '' : `<t:AdditionalProperties>${more}</t:AdditionalProperties>`
  return `<m:FolderShape><t:BaseShape>${base}</t:BaseShape>${additional}</m:FolderShape>`
}

/** Distinguished ids. */
export const standard = (...names: string[]): string =>
  names.map((name) => `<t:DistinguishedFolderId Id="${name}"/>`).join('')

/** A distinguished id in the mailbox of somebody else. */
export const standardOf = (email: string, name: string): string =>
  `<t:DistinguishedFolderId Id="${name}"><t:Mailbox><t:EmailAddress>${email}</t:EmailAddress></t:Mailbox></t:DistinguishedFolderId>`

export const getFolder = (ids: string, wish: FolderWish = {}): string =>
  `<m:GetFolder>${folderShape(wish)}<m:FolderIds>${ids}</m:FolderIds></m:GetFolder>`

export function findFolder(
  traversal: string,
  { parent = 'msgfolderroot', view = '', ...wish }: FolderWish & { parent?: string; view?: string } = {},
): string {
  const inside = `${folderShape(wish)}${view}<m:ParentFolderIds>${standard(parent)}</m:ParentFolderIds>`
  return `<m:FindFolder Traversal="${traversal}">${inside}</m:FindFolder>`
}
