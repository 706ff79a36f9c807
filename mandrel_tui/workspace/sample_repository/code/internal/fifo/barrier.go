package fifo

// Barriers counts, by position, the regions that have reached a barrier.
type Barriers struct {
	regions int
	reached map[uint64]map[string]bool
}

// NewBarriers waits for that many regions at each barrier.
func NewBarriers(regions int) *Barriers {
	return &Barriers{regions: regions, reached: map[uint64]map[string]bool{}}
}

// Report notes that a region stands at a barrier. A repeated report changes nothing.
func (b *Barriers) Report(position uint64, region string) {
	if b.reached[position] == nil {
		b.reached[position] = map[string]bool{}
	}
	b.reached[position][region] = true
}

// Open is true when every region has reached the barrier.
func (b *Barriers) Open(position uint64) bool {
	return len(b.reached[position]) == b.regions
}
