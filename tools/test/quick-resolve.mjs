import module from 'node:module'

/*
 * Preloaded by all unit tests. For each module of a package Node 24 parses the `exports` in that
 * package's manifest again to learn the module's format. Drizzle's are 130 kB, and it has 127 modules: a third of the
 * time that a test of the server takes to start. Its own relative imports need none of that.
 */
const ofDrizzle = /\/node_modules\/drizzle-orm\/.*\.js$/
// A test that starts npm starts it under the system's Node, which may be older than these hooks.
module.registerHooks?.({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && context.parentURL !== undefined && ofDrizzle.test(context.parentURL)
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
