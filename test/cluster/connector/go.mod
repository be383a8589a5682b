module cluster/connector

go 1.26.0
