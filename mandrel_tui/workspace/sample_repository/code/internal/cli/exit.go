// Package cli owns what both commands share at their edge. It may not know a region.
package cli

// Exit codes are interface: scripts match on them, and none ever changes its meaning.
const (
	Done       = 0
	Found      = 1
	WrongUse   = 2
	NoService  = 3
	Refused    = 4
	Held       = 5
	Unreadable = 6
	Rewound    = 7
)
