/** The README for readers who have the package alone: guides that lie in the repository are read at a service. */
export const publishedReadme = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\(\.\.\/\.\.\/docs\/([\w-]+)\.md(?:#[\w-]+)?\)/g, '$1: `/docs/guides/$2` of your service')
    .replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')
