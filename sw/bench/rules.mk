# eccel-load: how many operations libcrypto does a second. It links libcrypto only; OPENSSL_CONF chooses the provider.
BENCH := $(B)/eccel-load
BENCH_SOURCES := $(patsubst $(SW)/%,%,$(wildcard $(SW)/bench/*.c))
BENCH_OBJECTS := $(call object,$(BENCH_SOURCES))

.PHONY: bench
bench: $(BENCH)

$(BENCH): $(BENCH_OBJECTS)
	$(CC) $^ -o $@ $(ALL_LDFLAGS) -lcrypto

-include $(BENCH_OBJECTS:.o=.d)
