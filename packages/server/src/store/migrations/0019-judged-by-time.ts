/** When the time alone changes the state of a destination. Those that are there are judged once, at the next look. */
export const judgedByTime = `
alter table lanes add column judge_at bigint default 0;
create index lanes_to_judge on lanes (judge_at) where judge_at is not null;
`
