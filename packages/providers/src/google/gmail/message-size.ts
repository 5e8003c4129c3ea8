/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/send: the maximum file size. */
export const maxMessageBytes = 36_700_160
