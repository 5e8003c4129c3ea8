/** A provider may say that what makes it tell of changes ends: whichever node watches the grant asks for it anew. */
export const renewedPushes = `
alter table nudges add column renews_push integer not null default 0;
`
