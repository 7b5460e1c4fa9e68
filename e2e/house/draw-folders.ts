import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Arrow, type Drawn, drawn, importsBetweenFolders, shortest } from './graph.ts'
import { root } from './project.ts'

/** Where the drawing lies, in the project. */
export const DRAWING = 'docs/folders.md'

const HEAD = `# Folders and what they use
Drawn by \`npm run docs:folders\` from the imports of production code, types too; a test compares. An arrow leads from who uses to what is used; one that a longer way replaces is left out. No two folders use each other, at any depth, and no two files (\`e2e/house/graph.test.ts\`).
`

/** The text of docs/folders.md. */
export const drawing = (): string =>
  [
    HEAD,
    ...drawn
      .filter((workspace) => topFolders(workspace).length > 0)
      .map((workspace) => [`## ${workspace}`, mermaid(workspace)].join('\n')),
  ].join('\n')

/** What the outermost folders use. */
const topFolders = (workspace: Drawn): Arrow[] =>
  importsBetweenFolders(workspace).filter(({ from }) => !from.includes('/'))

function mermaid(workspace: Drawn): string {
  const lines = shortest(topFolders(workspace)).map(({ from, to }) => `  ${from} --> ${to}`)
  return ['```mermaid', 'graph TD', ...lines.sort(), '```', ''].join('\n')
}

if (import.meta.main) writeFileSync(join(root, DRAWING), drawing())
