/* Preloaded by all test files and by the programs of ours that they start, most of which live a few seconds. */
import module from 'node:module'
import v8 from 'node:v8'

/*
 * A quarter of what a start on the embedded database costs is to compile its WebAssembly a second time, for a speed that
 * pays off after minutes.
 */
v8.setFlagsFromString('--no-wasm-tier-up')
v8.setFlagsFromString('--no-wasm-dynamic-tiering')

/*
 * For each module of a package Node 24 parses the `exports` in that package's manifest again to learn the module's format.
 * Drizzle's are 130 kB, and it has 127 modules: a third of the time that a test of the server takes to start. Its own
 * relative imports need none of that.
 */
const ofDrizzle = /\/node_modules\/drizzle-orm\/.*\.js$/
// A test that starts npm starts it under the system's Node, which may be older than these hooks.
module.registerHooks?.({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && context.parentURL !== undefined && ofDrizzle.test(context.parentURL)
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
