import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { distFolder } from './vite.config.ts'

/** Where the build lists the files of the phone pages. */
export const FIELD_MANIFEST = '.vite/field-manifest.json'
/** The service worker has to lie above what it serves, under a name that never changes. */
export const FIELD_WORKER = 'field-sw.js'

/**
 * The phone pages of suppliers: a small build of their own, beside that of the shop, so that neither is loaded for the
 * other (docs/decisions/0056-phone-pages.md).
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: join(distFolder, 'client'),
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    manifest: FIELD_MANIFEST,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { field: 'field.html', worker: 'src/field/service-worker.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'worker' ? FIELD_WORKER : 'assets/[name]-[hash].js'),
      },
    },
  },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
})
