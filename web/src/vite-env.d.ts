/** What the client build wrote: by source file, its chunk with what it imports. Source: Vite's `ManifestChunk`. */
declare module 'virtual:client-manifest' {
  const manifest: import('vite').Manifest
  export default manifest
}
