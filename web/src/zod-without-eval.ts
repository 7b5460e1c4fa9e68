/*
 * zod compiles its checks with eval unless told not to when it loads, and our content security policy refuses
 * eval. Set here instead of by `z.config`, so that pages without forms need not load zod to say it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
