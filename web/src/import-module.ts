const failures = new Map<string, number>()

/**
 * What `import()` of a script becomes in the browser's build (web/build.ts). A browser remembers a script that it could not
 * fetch and fails every later import of its URL at once (HTML, "fetch a single module script"; Chromium since 2026), so
 * one that failed is tried again under another URL. That does not help when a script that it imports failed: then only a
 * reload does, which entry-start.ts offers.
 * @param file name of the script, relative to this one's
 */
function importModule(file: string): Promise<unknown> {
  const failed = failures.get(file) ?? 0
  const url = failed === 0 ? file : `${file}?again=${failed}`
  return import(/* @vite-ignore */ url).catch((error: unknown) => {
    failures.set(file, failed + 1)
    if (failed > 0) fetch(new URL(url, import.meta.url)).then(needReload, () => undefined)
    throw error
  })
}

const needReload = ({ ok }: Response): boolean => ok && window.dispatchEvent(new Event('script-failed'))

Object.assign(globalThis, { importModule })
