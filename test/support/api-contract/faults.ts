/** Answers that are not as the API document says, since they were last taken. */
let faults: string[] = [];

export function noteFault(fault: string): void {
  faults.push(fault);
}

export function takeFaults(): string[] {
  const taken = faults;
  faults = [];
  return taken;
}
