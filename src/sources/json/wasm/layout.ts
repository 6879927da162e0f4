// Where everything is in the memory that is shared with the program: the tables of what is wanted, what was seen, the
// tape, and the window that files are read into.

/** Wanted fields by number, from 1: place of the key, its length, node of the value, next field in the same slot. */
export const fieldsAt: usize = 0x400;
export const fieldBytes: usize = 16;
export const maxFields: u32 = 900;
/** Nodes, from 1: for each object of which only some fields are wanted, slots with the first field whose key falls there. */
export const nodesAt: usize = 0x4000;
export const slotsPerNode: u32 = 128;
export const maxNodes: u32 = 200;
export const keysAt: usize = 0x20000;
export const maxKeyBytes: u32 = 0x10000;
/** Strings that a field held lately, 16 of each: length and bytes. */
export const seenAt: usize = 0x30000;
export const maxSeenBytes: usize = 64;
export const seenBytes: usize = 4 + maxSeenBytes;
export const seenPerField: u32 = 16;
/** What was found, four numbers each: kind and field; from where to where; where it is remembered. A full tape has some room left. */
export const tapeAt: usize = 0x120000;
export const tapeBytes: usize = 0x20000;
/** The objects and arrays that are open and of which something is wanted: node, field, whether it is an array. */
export const openAt: usize = 0x150000;
export const openBytes: usize = 16;
/** Pieces of a file, for its fingerprint. */
export const samplesAt: usize = 0x158000;
export const maxSampleBytes: u32 = 0x8000;
/** Those around a value that nobody wants, a byte each. A line may be nothing but brackets. */
export const nestingAt: usize = 0x160000;
/** Lines start here; the host grows the memory for long ones. */
export const windowAt: usize = 0x1200000;
