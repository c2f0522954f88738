// Prints the rooms that may touch neither files nor processes, one per line: all but the binary.
import { readMetadata, rooms } from './workspace.mjs';

for (const room of rooms(readMetadata())) {
  if (room.name !== 'costlens') console.log(room.name);
}
