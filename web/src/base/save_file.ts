// Hands the visitor a file that was made here.
export function saveFile(name: string, type: string, parts: BlobPart[]): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // By then the browser has started to save it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
