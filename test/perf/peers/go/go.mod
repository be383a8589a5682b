module bench/proxy

go 1.19
