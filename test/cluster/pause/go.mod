module cluster/pause

go 1.24
