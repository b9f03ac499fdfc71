import { ring } from "./test/support/ring.ts";

export default ring({ files: ".slow.test.ts", globalSetup: "test/support/run-on-disk.ts" });
