// Runs before each test file: every property of the run generates its cases from one seed, and no signature is checked
// twice.
import "./remember-signatures.ts";
import fc from "fast-check";
import { seed } from "./runs.ts";

fc.configureGlobal({ seed });
