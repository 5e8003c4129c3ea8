/** The README for users who have only the package: links to guides become URLs of a running service. */
export const publishedReadme = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\(\.\.\/\.\.\/docs\/([\w-]+)\.md(?:#[\w-]+)?\)/g, '$1: `/docs/guides/$2` of your service')
    .replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')
