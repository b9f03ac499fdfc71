// Reports and bug reports, where no other place is named: in a directory of the person's own, never in a project.
import type { FileKind } from "../../core/file-kind.ts";
import { type Paths, segment, swarmPath } from "../../core/paths.ts";

export const REPORT_FILES: FileKind = { name: "reports", path: "swarm/reports/<file>", ends: "person" };

export const reportPath = (paths: Paths, name: string): string => swarmPath(paths, "reports", segment(name));
