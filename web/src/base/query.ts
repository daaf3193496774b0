// A query as the API reads it: there a plus is a plus, and URLSearchParams writes spaces so.
export const queryOf = (given: URLSearchParams | Record<string, string> | string[][]): string =>
  new URLSearchParams(given).toString().replaceAll("+", "%20");
