import type { XMLParser } from "fast-xml-parser";
import { isJsonObject } from "../lib/json.ts";
import type { HttpResponse } from "../io/exchange.ts";
import type { ApiError } from "./aws-errors.ts";
import { notTheApi } from "./aws-errors.ts";

export type Ec2Answer = { readonly kind: "answer"; readonly root: XmlElement } | { readonly kind: "error"; readonly error: ApiError };

/** An element of EC2's XML, in which a list is made of elements named "item". */
export type XmlElement = {
  /** All elements at a path such as "reservationSet/item". */
  readonly all: (path: string) => readonly XmlElement[];
  /** The text at a path of single elements; undefined when it is absent or empty. */
  readonly text: (path: string) => string | undefined;
};

/** It is needed only where EC2 is asked. It reads an answer at once, since V8 needs half the time for the second, and for that one nobody waits. */
export async function loadXmlParser(): Promise<void> {
  (await newParser()).parse("<DescribeInstancesResponse><requestId>1</requestId></DescribeInstancesResponse>");
}

async function newParser(): Promise<XMLParser> {
  const { XMLParser: Parser } = await import("fast-xml-parser");
  return new Parser({ ignoreAttributes: true, ignoreDeclaration: true, parseTagValue: false, processEntities: false });
}

/**
 * @throws RemoteFailure when it is no answer of EC2's
 */
export async function readEc2Answer({ status, body }: HttpResponse): Promise<Ec2Answer> {
  const parser = await newParser();
  const document = parse(() => parser.parse(body) as unknown);
  const [name, root] = Object.entries(isJsonObject(document) ? document : {})[0] ?? [];
  const element = elementOf(root);
  if (name?.endsWith("Response") && name !== "Response" && status === 200) return { kind: "answer", root: element };
  const code = element.text("Errors/Error/Code");
  if (name !== "Response" || code === undefined) throw notTheApi(status, "EC2's XML");
  return { kind: "error", error: { name: code, status, message: element.text("Errors/Error/Message") ?? "" } };
}

function parse(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function elementOf(value: unknown): XmlElement {
  const all = (path: string): readonly unknown[] => path.split("/").reduce<readonly unknown[]>((values, name) => values.flatMap((one) => childrenOf(one, name)), [value]);
  return {
    all: (path) => all(path).map(elementOf),
    text: (path) => {
      const [first] = all(path);
      return typeof first === "string" && first !== "" ? first : undefined;
    },
  };
}

/** The parser makes an array of elements that occur twice, and "" of an empty one. */
function childrenOf(value: unknown, name: string): readonly unknown[] {
  const child = isJsonObject(value) ? value[name] : undefined;
  return child === undefined ? [] : [child].flat();
}
