/** The creator of an API key: the kind, and the person. Unknown for existing keys. */
export const keyCreators = `
alter table api_keys add column creator text;
alter table api_keys add column creator_person_id text;
alter table api_keys add column creator_name text;
create index api_keys_by_creator on api_keys (creator_person_id) where creator_person_id is not null;
`
