// A query as the API reads it. In the API a plus is a plus, but URLSearchParams writes a space as a
// plus.
export const queryOf = (given: URLSearchParams | Record<string, string> | string[][]): string =>
  new URLSearchParams(given).toString().replaceAll("+", "%20");
