import type { Plugin } from 'vite'

const HELPER = /^\0vite\/preload-helper\.js$/

/**
 * What is wrapped around each `import()`: fetches the styles of what is imported, then the script. A link that is there
 * but has no sheet is still under way or failed: another one waits for the same file, or fetches it again.
 */
const code = `
const style = (path) => document.querySelector('link[href="/' + path + '"]')?.sheet || new Promise((done, failed) => {
  const link = document.createElement('link')
  const onerror = () => (link.remove(), failed())
  Object.assign(link, { rel: 'stylesheet', href: '/' + path, onload: done, onerror })
  document.head.append(link)
})
export const __vitePreload = (load, styles) => Promise.all((styles || []).map(style)).then(load)
`

/** Takes the place of Vite's own helper, which also preloads scripts: 0.9 KB of what every first visit fetches. */
export const stylesFirst = (): Plugin => ({
  name: 'befaqt:styles-first',
  enforce: 'pre',
  apply: (_, { isSsrBuild }) => !isSsrBuild,
  load: { filter: { id: HELPER }, handler: () => code },
})
