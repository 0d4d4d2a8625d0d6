# eccel-load: how many operations libcrypto does a second. It links libcrypto only; OPENSSL_CONF chooses the provider.
BENCH := $(B)/eccel-load
BENCH_SOURCES := $(patsubst $(SW)/%,%,$(wildcard $(SW)/bench/*.c))
BENCH_OBJECTS := $(call object,$(BENCH_SOURCES))

.PHONY: bench
bench: $(BENCH)

$(BENCH): $(BENCH_OBJECTS)
	$(CC) $^ -o $@ $(ALL_LDFLAGS) -lcrypto

-include $(BENCH_OBJECTS:.o=.d)

# The provider with a device that computes nothing.
NULL_PROVIDER := $(B)/bench/null/eccel.so
NULL_OBJECTS := $(call object,bench/null/null_device.c)

.PHONY: null-provider
null-provider: $(NULL_PROVIDER)

$(NULL_PROVIDER): $(PROVIDER_OBJECTS) $(NULL_OBJECTS) $(LIB_A)
	$(PROVIDER_LINK) $^ -o $@ $(ALL_LDFLAGS) -lcrypto -ldl

-include $(NULL_OBJECTS:.o=.d)
