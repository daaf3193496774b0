// Sends a picture to the server as it is: the server makes the sizes that shoppers see.

import { Away, Problem } from "../base/api";
import { currentLanguage } from "../base/i18n";
import type { Uploaded } from "./types";
import { words } from "./texts";

export const pictureTypes = ["image/jpeg", "image/png"];
export const mostBytes = 8 * 1024 * 1024; // a test compares it with the server's bound

// What is wrong with a file before it is sent, or null.
export function wrongFile({ type, size }: Pick<File, "type" | "size">): string | null {
  if (!pictureTypes.includes(type)) return words("upload_wrong_type");
  if (size > mostBytes) return words("upload_too_large");
  return null;
}

// `progress`: the share that is sent, from 0 to 1. fetch does not tell it.
export function uploadPicture(
  file: Blob,
  progress: (share: number) => void,
  request = new XMLHttpRequest(),
): Promise<Uploaded> {
  return new Promise((done, fail) => {
    request.open("POST", "/api/v1/admin/pictures");
    request.setRequestHeader("Content-Type", file.type);
    request.setRequestHeader("Accept-Language", currentLanguage());
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const answer = read(request.responseText);
      if (answer === null) fail(new Away());
      else if (request.status < 300) done(answer as Uploaded);
      else fail(problemOf(request, answer));
    };
    request.onerror = request.ontimeout = request.onabort = () => fail(new Away());
    request.send(file);
  });
}

// The most exact words there are: what is wrong with the picture stands beside its field.
export function troubleOf(failure: Away | Problem): string {
  if (failure instanceof Away) return words("unanswered");
  const [error] = failure.errors;
  if (failure.code === "too_large") return words("upload_too_large");
  return error ? words("upload_refused", { why: error.message }) : failure.message;
}

function problemOf(request: XMLHttpRequest, answer: object): Problem {
  const wait = request.getResponseHeader("Retry-After");
  const headers: Record<string, string> = wait === null ? {} : { "Retry-After": wait };
  return new Problem(answer, new Response(null, { status: request.status, headers }));
}

// A proxy in between may answer with a page of its own.
function read(text: string): object | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" ? answer : null;
  } catch {
    return null;
  }
}
