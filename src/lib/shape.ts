import { isJsonObject } from "./json.ts";

/** Says what of `value`, found at `path`, has not the shape: one sentence each. */
export type Shape = (value: unknown, path: string) => readonly string[];

export const text: Shape = (value, path) => (typeof value === "string" ? [] : [expected("text", value, path)]);
export const flag: Shape = (value, path) => (typeof value === "boolean" ? [] : [expected("true or false", value, path)]);

/** A whole number, 0 or more. */
export const count: Shape = (value, path) => (Number.isSafeInteger(value) && Number(value) >= 0 ? [] : [expected("a whole number", value, path)]);
export const integer: Shape = (value, path) => (Number.isSafeInteger(value) ? [] : [expected("a whole number", value, path)]);

export function oneOf(...choices: readonly (string | number)[]): Shape {
  return (value, path) => (choices.some((choice) => choice === value) ? [] : [expected(choices.map((choice) => JSON.stringify(choice)).join(" or "), value, path)]);
}

export function listOf(item: Shape): Shape {
  return (value, path) => (Array.isArray(value) ? value.flatMap((one, index) => item(one, `${path}[${index}]`)) : [expected("a list", value, path)]);
}

export function mapOf(item: Shape): Shape {
  return (value, path) =>
    isJsonObject(value) ? Object.entries(value).flatMap(([name, one]) => item(one, `${path}[${JSON.stringify(name)}]`)) : [expected("an object", value, path)];
}

/** An object with all of `required`, any of `optional`, and nothing else. */
export function object(required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape {
  const known = openObject(required, optional);
  const fields = { ...required, ...optional };
  return (value, path) => {
    const unknown = isJsonObject(value) ? Object.keys(value).filter((name) => !Object.hasOwn(fields, name)) : [];
    return [...known(value, path), ...unknown.map((name) => `${within(path, name)} is unknown`)];
  };
}

/** The same with whatever else a later version may have added. */
export function openObject(required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape {
  return (value, path) => {
    if (!isJsonObject(value)) return [expected("an object", value, path)];
    const missing = Object.keys(required).filter((name) => !Object.hasOwn(value, name));
    const present = Object.entries({ ...required, ...optional }).filter(([name]) => Object.hasOwn(value, name));
    return [...missing.map((name) => `${within(path, name)} is missing`), ...present.flatMap(([name, shape]) => shape(value[name], within(path, name)))];
  };
}

/** One of the shapes, by what the object's field `kind` says. */
export function ofKind(shapes: Readonly<Record<string, Shape>>): Shape {
  const isKnown = oneOf(...Object.keys(shapes));
  return (value, path) => {
    if (!isJsonObject(value)) return [expected("an object", value, path)];
    const { kind } = value;
    const shape = typeof kind === "string" && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
    return shape === undefined ? isKnown(kind, within(path, "kind")) : shape(value, path);
  };
}

/** One of the shapes; what is said is about the one with the field that the value has. */
export function either(discriminants: Readonly<Record<string, Shape>>): Shape {
  return (value, path) => {
    const name = isJsonObject(value) ? Object.keys(discriminants).find((one) => Object.hasOwn(value, one)) : undefined;
    const shape = name === undefined ? undefined : discriminants[name];
    const names = Object.keys(discriminants).map((one) => `"${one}"`);
    return shape === undefined ? [expected(`an object with ${names.join(" or ")}`, value, path)] : shape(value, path);
  };
}

function within(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function expected(what: string, value: unknown, path: string): string {
  const shown = JSON.stringify(value) ?? "nothing";
  return `${path === "" ? "the file" : path}: expected ${what}, not ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`;
}
