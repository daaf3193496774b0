// Reads CSV (RFC 4180) piece by piece, with pieces of any length.
export class CsvReader {
  #row: string[] = [];
  #cell = "";
  #quoted = false;
  #quoteSeen = false; // … a quote within quotes: their end, or the first of two

  // The rows that are complete so far.
  read(piece: string): string[][] {
    const rows: string[][] = [];
    for (const letter of piece) {
      if (this.#quoted) this.#readQuoted(letter, rows);
      else this.#readPlain(letter, rows);
    }
    return rows;
  }

  // True when no incomplete row is left.
  get complete(): boolean {
    return this.#row.length === 0 && this.#cell === "" && (!this.#quoted || this.#quoteSeen);
  }

  #readQuoted(letter: string, rows: string[][]): void {
    if (!this.#quoteSeen) {
      if (letter === '"') this.#quoteSeen = true;
      else this.#cell += letter;
      return;
    }
    this.#quoteSeen = false;
    if (letter === '"') {
      this.#cell += letter;
      return;
    }
    this.#quoted = false;
    this.#readPlain(letter, rows);
  }

  #readPlain(letter: string, rows: string[][]): void {
    if (letter === '"' && this.#cell === "") this.#quoted = true;
    else if (letter === ",") this.#endCell();
    else if (letter === "\n") {
      this.#endCell();
      rows.push(this.#row);
      this.#row = [];
    } else if (letter !== "\r") this.#cell += letter;
  }

  #endCell(): void {
    this.#row.push(this.#cell);
    this.#cell = "";
  }
}
