/**
 * Every address that visitors have a use for, with the file under routes/ that answers it, in the order of spec §2. Those
 * of staff are in desk-routes.ts.
 */
export const routes = [
  ['/', 'home'],
  ['/about/:page', 'about.$page'],
  ['/category', 'category'],
  ['/category/:catTitle', 'category.$catTitle'],
  ['/product', 'product'],
  ['/product/:product_id', 'product.$product_id'],
  ['/SFMBox/byId', 'sfm-box.by-id'],
  ['/SFMBox/byId/:id', 'sfm-box.by-id.$id'],
  ['/SFMBox/check', 'sfm-box.check'],
  ['/lab', 'lab'],
  ['/cart', 'cart'],
  ['/checkout', 'checkout'],
  ['/favourites', 'favourites'],
  ['/user/signin', 'user.signin'],
  ['/user/signup', 'user.signup'],
  ['/user/activate/:token', 'user.activate.$token'],
  ['/user/firstadmin/:token', 'user.firstadmin.$token'],
  ['/user/restore/:token', 'user.restore.$token'],
  ['/user/forgotpassword', 'user.forgotpassword'],
  ['/user/resetpassword/:emailToken', 'user.resetpassword.$emailToken'],
  ['/user/email/:token', 'user.email.$token'],
  ['/user/staff/:token', 'user.staff.$token'],
  ['/user/profile', 'user.profile'],
  ['/user/order', 'user.order'],
  ['/user/order/:id', 'user.order.$id'],
  ['/user/notice/:act/:token', 'user.notice'],
  ['*', 'not-found'],
] as const

/** Names the file under routes/ with the screen, and in loaders/ what it fetches. */
export type RouteName = (typeof routes)[number][1]

/** Whether this is an address of the desk, whose routes are in desk-routes.ts. The router doesn't mind capitals either. */
export const isDeskPath = (pathname: string): boolean => /^\/(?:manage|station)(?:\/|$)/i.test(pathname)
