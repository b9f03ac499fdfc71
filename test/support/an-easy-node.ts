// The doctor asks this node whether it takes the options of hooks.json. Where that is not the subject any program that ends well will do.
import { onTestFinished } from "vitest";

export function anEasyNode(): void {
  const { execPath } = process;
  process.execPath = "/bin/true";
  onTestFinished(() => {
    process.execPath = execPath;
  });
}
