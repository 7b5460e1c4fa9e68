/**
 * Every address of the desk, where managers work, and of the stations that send results, with the file under routes/ that
 * answers it. They come with the first of these pages, so that none of them costs a visitor of the shop a byte.
 */
export const deskRoutes = [
  ['/station', 'station'],
  ['/manage', 'manage'],
  ['/manage/user', 'manage.user'],
  ['/manage/category', 'manage.category'],
  ['/manage/product', 'manage.product'],
  ['/manage/box', 'manage.box'],
  ['/manage/box/:boxID', 'manage.box.$boxID'],
  ['/manage/trade', 'manage.trade'],
  ['/manage/order', 'manage.order'],
  ['/manage/order/:id', 'manage.order.$id'],
  ['/manage/slot', 'manage.slot'],
  ['/manage/slot/:id', 'manage.slot.$id'],
  ['/manage/slot/:id/pack', 'manage.slot.$id.pack'],
  ['/manage/offer', 'manage.offer'],
  ['/manage/excursion/*', 'manage.excursion'],
  ['/manage/supplier', 'manage.supplier'],
  ['/manage/device', 'manage.device'],
  ['/manage/tracker', 'manage.tracker'],
  ['/manage/customer', 'manage.customer'],
  ['/manage/customer/:id', 'manage.customer.$id'],
  ['/manage/report', 'manage.report'],
  ['/manage/site', 'manage.site'],
  ['/manage/staff', 'manage.staff'],
  ['/manage/mail', 'manage.mail'],
  ['/manage/key', 'manage.key'],
  ['/manage/webhook', 'manage.webhook'],
  ['/manage/health', 'manage.health'],
  ['/manage/backup', 'manage.backup'],
] as const
