import type { SealContext } from '@waypost/platform/crypto/secrets'

/** The context of the values in an encrypted column. A value opens only in the application and row that it was sealed for. */
export const sealedColumn =
  (table: string, column: string) =>
  (application: string, row: string): SealContext => ({ table, column, application, row })
