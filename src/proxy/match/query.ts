/**
 * Values of a query parameter, names and values decoded as a form (`%XX`, `+` is a space) before they are compared.
 * Source: decisions, "Query"; the decoding is the URL standard's, which never fails.
 */
export function queryValues(query: string): (name: string) => readonly string[] {
  // The leading & keeps a name that itself begins with ? as it is.
  const parameters = new URLSearchParams(`&${query}`);
  return (name) => parameters.getAll(name);
}
