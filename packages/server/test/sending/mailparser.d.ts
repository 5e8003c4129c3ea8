/** The part of mailparser that the tests use; the package has no types of its own. */
declare module 'mailparser' {
  export interface ParsedAddress {
    value: { name: string; address?: string }[]
    text: string
  }
  export interface ParsedAttachment {
    contentType: string
    contentDisposition?: string
    filename?: string
    content: Buffer
    headers: Map<string, string | { value: string; params: Record<string, string> }>
  }
  export interface ParsedMail {
    headers: Map<string, unknown>
    headerLines: { key: string; line: string }[]
    subject?: string
    from?: ParsedAddress
    to?: ParsedAddress
    replyTo?: ParsedAddress
    text?: string
    html?: string | false
    attachments: ParsedAttachment[]
  }
  export function simpleParser(source: Buffer | string): Promise<ParsedMail>
}
