/** What a request may have at Exchange 2010, files in base64 included. Later versions accept 64 MB. */
export const maxRequestBytes = 35_000_000
