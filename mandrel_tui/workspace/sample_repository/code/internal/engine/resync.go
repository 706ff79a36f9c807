// Package engine owns the connection to a region's ledger engine. It may not retry a step.
package engine

// Resync is the position up to which steps are confirmed, from the disk's and the engine's word.
// An engine that has executed nothing since its start answers with no position at all.
func Resync(disk uint64, engine *uint64) (confirmed uint64, rewound bool) {
	if engine == nil || *engine == disk {
		return disk, false
	}
	if *engine > disk {
		return *engine, false
	}
	return disk, disk-*engine > 1
}
