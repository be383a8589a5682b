/** A document that cannot be served; the message is one sentence that names the place: `hosts[3].rows[1].path.value`. */
export class TableError extends Error {
  override readonly name = 'TableError';
}
