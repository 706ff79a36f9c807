module example.org/ledger-sync

go 1.22
