/** What a file is: by its first bytes, otherwise by its name. What its sender says about it proves nothing. */

/** The bytes at the beginning that are enough. */
export const FILE_HEAD = 1_024

interface Kind {
  readonly type: string
  /** Words for people. */
  readonly what: string
  /** Endings of names. */
  readonly endings: string
  /** Other names of the type, which are no contradiction. */
  readonly also?: RegExp
  readonly matches?: (head: Buffer, text: string) => boolean
}

const begins =
  (...codes: number[]) =>
  (head: Buffer): boolean =>
    codes.every((code, at) => head[at] === code)
const says =
  (pattern: RegExp) =>
  (_: Buffer, text: string): boolean =>
    pattern.test(text)

const OFFICE =
  'docx docm dotx dotm xlsx xlsm xltx xlsb pptx pptm ppsx odt ods odp odg epub jar apk xpi kmz pages numbers key vsdx'

/** The first that matches decides. */
const KINDS: readonly Kind[] = [
  {
    type: 'application/pdf',
    what: 'a PDF document',
    endings: 'pdf ai',
    also: /pdf|illustrator/,
    matches: says(/^[\s\ufeff]{0,20}%PDF-/),
  },
  {
    type: 'application/vnd.microsoft.portable-executable',
    what: 'a Windows program',
    endings: 'exe dll scr com sys cpl ocx msix',
    also: /msdownload|dosexec|executable|x-exe/,
    matches: begins(0x4d, 0x5a),
  },
  {
    type: 'application/x-elf',
    what: 'a Linux program',
    endings: 'elf so',
    also: /elf|executable|sharedlib/,
    matches: begins(0x7f, 0x45, 0x4c, 0x46),
  },
  {
    type: 'application/x-mach-binary',
    what: 'a Mac program',
    endings: 'dylib',
    also: /mach/,
    matches: (head) =>
      [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(head.length > 3 ? head.readUInt32BE(0) : 0),
  },
  {
    type: 'application/x-ms-shortcut',
    what: 'a Windows shortcut',
    endings: 'lnk',
    also: /shortcut/,
    matches: begins(0x4c, 0, 0, 0, 1, 0x14, 2),
  },
  {
    type: 'text/x-shellscript',
    what: 'a script',
    endings: 'sh bash zsh py pl rb command',
    also: /script|python|perl|ruby|x-sh|text\/plain/,
    matches: says(/^#!/),
  },
  {
    type: 'image/png',
    what: 'an image',
    endings: 'png',
    also: /image\/(?:x-|a)?png/,
    matches: begins(0x89, 0x50, 0x4e, 0x47),
  },
  {
    type: 'image/jpeg',
    what: 'an image',
    endings: 'jpg jpeg jpe jfif',
    also: /image\/p?jpe?g/,
    matches: begins(0xff, 0xd8, 0xff),
  },
  { type: 'image/gif', what: 'an image', endings: 'gif', matches: says(/^GIF8[79]a/) },
  { type: 'image/webp', what: 'an image', endings: 'webp', matches: says(/^RIFF[\s\S]{4}WEBP/) },
  { type: 'image/tiff', what: 'an image', endings: 'tif tiff', matches: says(/^(?:II\*|MM\0\*)/) },
  {
    type: 'image/heic',
    what: 'an image',
    endings: 'heic heif avif',
    also: /hei[cf]|avif/,
    matches: says(/^[\s\S]{4}ftyp(?:hei|mif1|avi)/),
  },
  {
    type: 'video/mp4',
    what: 'a video',
    endings: 'mp4 m4v mov m4a',
    also: /mp4|quicktime|m4a/,
    matches: says(/^[\s\S]{4}ftyp/),
  },
  { type: 'audio/mpeg', what: 'a sound', endings: 'mp3', also: /mpeg|mp3/, matches: says(/^ID3/) },
  { type: 'audio/wav', what: 'a sound', endings: 'wav', also: /wav/, matches: says(/^RIFF[\s\S]{4}WAVE/) },
  {
    type: 'application/zip',
    what: 'an archive',
    endings: `zip ${OFFICE}`,
    also: /zip|compressed|opendocument|openxmlformats|ms-(?:word|excel|powerpoint)|epub|java-archive|android|iwork|visio/,
    matches: begins(0x50, 0x4b, 3, 4),
  },
  {
    type: 'application/gzip',
    what: 'an archive',
    endings: 'gz tgz',
    also: /gzip|tgz|compressed/,
    matches: begins(0x1f, 0x8b),
  },
  {
    type: 'application/x-7z-compressed',
    what: 'an archive',
    endings: '7z',
    also: /7z/,
    matches: begins(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c),
  },
  {
    type: 'application/vnd.rar',
    what: 'an archive',
    endings: 'rar',
    also: /rar/,
    matches: begins(0x52, 0x61, 0x72, 0x21),
  },
  { type: 'application/x-bzip2', what: 'an archive', endings: 'bz2 tbz', also: /bzip/, matches: says(/^BZh/) },
  {
    type: 'application/x-ole-storage',
    what: 'an old Office document or an installer',
    endings: 'doc xls ppt msg msi mpp pub vsd dot xlt',
    also: /ms-|msword|ole|outlook|visio|msi/,
    matches: begins(0xd0, 0xcf, 0x11, 0xe0),
  },
  { type: 'application/rtf', what: 'a document', endings: 'rtf', also: /rtf|msword/, matches: says(/^\{\\rtf/) },
  {
    type: 'application/postscript',
    what: 'a PostScript program',
    endings: 'ps eps',
    also: /postscript|eps/,
    matches: says(/^%!PS/),
  },
  {
    type: 'image/svg+xml',
    what: 'a drawing that can have scripts',
    endings: 'svg',
    matches: says(
      /^[\s\ufeff]{0,20}(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!(?:--|DOCTYPE svg)[^>]{0,300}>\s{0,20})?<svg[\s>]/i,
    ),
  },
  {
    type: 'text/html',
    what: 'a web page',
    endings: 'html htm xhtml shtml mht hta',
    also: /html|hta/,
    matches: says(
      /^[\s\ufeff]{0,200}(?:<!--[^>]{0,300}>\s{0,20})?<(?:!doctype html|html|head|body|script|iframe|meta)[\s>]/i,
    ),
  },
  {
    type: 'text/calendar',
    what: 'a calendar file',
    endings: 'ics ifb',
    also: /calendar|\/ics/,
    matches: says(/^[\s\ufeff]{0,20}BEGIN:VCALENDAR/i),
  },
  {
    type: 'text/vcard',
    what: 'a contact',
    endings: 'vcf vcard',
    also: /vcard/,
    matches: says(/^[\s\ufeff]{0,20}BEGIN:VCARD/i),
  },
  // By name alone.
  {
    type: 'application/x-msdos-program',
    what: 'a Windows script',
    endings: 'bat cmd vbs vbe js jse wsf wsh ps1 psm1 reg msc hta jnlp',
    also: /javascript|script|x-bat|text\/plain/,
  },
  { type: 'text/plain', what: 'a text', endings: 'txt text log md ini cfg', also: /^text\/|markdown|json|xml|yaml/ },
  { type: 'text/csv', what: 'a table', endings: 'csv tsv', also: /csv|excel|tab-separated|text\/plain/ },
  { type: 'application/json', what: 'data', endings: 'json', also: /json|text\/plain/ },
  { type: 'application/xml', what: 'data', endings: 'xml xsd xsl', also: /xml|text\/plain/ },
  { type: 'message/rfc822', what: 'a message', endings: 'eml', also: /rfc822|text\/plain|eml/ },
  {
    type: 'application/x-iso9660-image',
    what: 'a disk image',
    endings: 'iso img vhd vhdx dmg',
    also: /iso|disk|img|dmg/,
  },
]

const byEnding = new Map(
  KINDS.flatMap((kind) => kind.endings.split(' ').map((ending): [string, Kind] => [ending, kind])),
)
/** Claims that say nothing. */
const NOTHING =
  /^(?:application\/(?:octet-stream|x-unknown|unknown|binary|x-download|force-download)|binary\/octet-stream|)$/

export interface FileFacts {
  filename: string
  /** The type that the sender claims. */
  contentType: string
  /** The first bytes, where they are known. */
  head?: Uint8Array | undefined
}

export interface FileType {
  type: string
  /** What is wrong with the claim or the name; undefined if they fit. */
  mismatch: string | undefined
}

const endingOf = (filename: string): string =>
  /\.([a-z\d]{1,10})[\s.]{0,50}$/i.exec(filename.slice(-80).replace(/[\p{Cf}\p{Cc}]/gu, ''))?.[1]?.toLowerCase() ?? ''

const fits = ({ type, also }: Kind, claimed: string): boolean => claimed === type || (also?.test(claimed) ?? false)

export function fileType({ filename, contentType, head }: FileFacts): FileType {
  const claimed = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const bytes = head && Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, FILE_HEAD))
  const text = bytes?.toString('latin1').replace(/^\xef\xbb\xbf/, '') ?? ''
  const content = bytes && KINDS.find(({ matches }) => matches?.(bytes, text))
  const ending = endingOf(filename)
  const named = byEnding.get(ending)
  const problems: string[] = []
  if (content && ending !== '' && named !== content && !content.endings.split(' ').includes(ending)) {
    // A name that is unknown to us contradicts nothing, unless people could open the file.
    if (named || /program|script|page|shortcut/.test(content.what))
      problems.push(`its name ends like ${named?.what ?? `.${ending}`}`)
  }
  const real = content ?? named
  if (real && !NOTHING.test(claimed) && !fits(real, claimed)) problems.push(`it is declared as ${claimed}`)
  const isText = claimed.startsWith('text/') || named?.type.startsWith('text/')
  if (!content && bytes && isText && text.includes('\0') && !/^(?:\xff\xfe|\xfe\xff)/.test(text))
    problems.push('it is not text')
  // The type of a file in an archive format, such as a document, is that of its name.
  const type =
    content &&
    named === content &&
    named.type === 'application/zip' &&
    ending !== 'zip' &&
    !NOTHING.test(claimed) &&
    fits(content, claimed)
      ? claimed
      : (real?.type ?? claimed)
  const what = real?.what ?? 'unknown'
  return {
    type: type || 'application/octet-stream',
    mismatch:
      problems.length === 0
        ? undefined
        : `By its ${content ? 'content' : 'name'} it is ${what}, but ${problems.join(', and ')}`,
  }
}
